package api

import (
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// Match is a match as everybody may see it now. What is sealed is left out; sealed says why.
type Match struct {
	ID           string          `json:"id"`
	TournamentID string          `json:"tournament_id,omitempty"`
	Round        int             `json:"round,omitempty"`
	Block        int             `json:"block,omitempty"`
	Number       int             `json:"number,omitempty"` // within the block
	Game         string          `json:"game" example:"molehill"`
	RulesVersion int             `json:"rules_version"`
	Config       json.RawMessage `json:"config" swaggertype:"object"`
	Clock        Clock           `json:"clock"`
	Rated        bool            `json:"rated"` // never where two bots of one owner sit, in a rated tournament too
	LadderID     string          `json:"ladder,omitempty"`
	Seats        []MatchSeat     `json:"seats"`
	Status       string          `json:"status" enums:"queued,running,done,void"`
	Reason       string          `json:"reason,omitempty"`                         // why it is void
	VoidCause    string          `json:"void_cause,omitempty" enums:"platform"`    // whose fault that is; left out if somebody wanted it void
	ReplayedAs   string          `json:"replayed_as,omitempty"`                    // id of the match that is played in its place, as it is void
	ReplayOf     string          `json:"replay_of,omitempty"`                      // id of the first match that was played in this place
	Replay       int             `json:"replay,omitempty" minimum:"1" maximum:"3"` // how often the match in this place was played again with this one
	Sealed       string          `json:"sealed,omitempty"`                         // why view, events, bots or result are not shown yet
	Commitment   string          `json:"commitment"`                               // SHA-256(nonce ‖ seed), hex
	CreatedAt    time.Time       `json:"created_at" format:"date-time"`
	StartedAt    *time.Time      `json:"started_at,omitempty" format:"date-time"`
	EndedAt      *time.Time      `json:"ended_at,omitempty" format:"date-time"`
	Outcome      *Outcome        `json:"outcome,omitempty"` // once the match and all that share its seed are over
} // @name Match

// MatchSeat is who sits where. The bot is named when that is open.
type MatchSeat struct {
	Seat      int    `json:"seat"`
	Alias     string `json:"alias" example:"amber-fox"`
	BotID     string `json:"bot_id,omitempty"`
	Bot       string `json:"bot,omitempty"`
	VersionID string `json:"version_id,omitempty"`
	Build     string `json:"build,omitempty"`
} // @name MatchSeat

// Outcome is how a match ended, and what opens its commitment.
type Outcome struct {
	Result  *Result `json:"result,omitempty"`      // the game's own; none when the match is void
	Rank    []int   `json:"rank"`                  // by seat, after retirements
	Retired []int   `json:"retired"`               // seats whose bot gave up
	Apart   bool    `json:"rated_apart,omitempty"` // a match of teams from which bots were retired: their ratings alone changed
	Faults  []int   `json:"faults"`                // by seat
	Steps   int     `json:"steps"`
	Seed    string  `json:"seed"`
	Nonce   string  `json:"nonce"`
	Hash    string  `json:"hash,omitempty"` // last of the record's chain
} // @name Outcome

// Result is how a game ended, by seat.
type Result struct {
	Rank   []int     `json:"rank"` // 1 is best; ties and teams share
	Points []float64 `json:"points"`
	Team   []string  `json:"team,omitempty"`
	Why    string    `json:"why"`
} // @name Result

// MatchDetail is a match with what a spectator sees of it.
type MatchDetail struct {
	Match Match           `json:"match"`
	Step  *int            `json:"step,omitempty"` // steps played
	Due   []int           `json:"due,omitempty"`  // seats that decide now
	View  json.RawMessage `json:"view,omitempty" swaggertype:"object"`
	Notes []Redeploy      `json:"redeploys,omitempty"` // of your own seats; of all once the match is open
} // @name MatchDetail

// Redeploy tells that a bot answered with another build than its version's in the middle of the match.
type Redeploy struct {
	Seat   int    `json:"seat"`
	Step   int    `json:"step"`   // of the first answer with it, from 1
	Pinned string `json:"pinned"` // the build that was registered, or else said first
	Build  string `json:"build"`
} // @name Redeploy

func seatList(m game.Seats) []int {
	out := []int{}
	for seat := range m.Each() {
		out = append(out, int(seat))
	}
	return out
}

func matchDTO(m tournament.Match, sec secrecy) Match {
	commitment := m.Commitment()
	out := Match{
		ID: m.ID, TournamentID: m.TournamentID, Round: m.Round, Block: m.Block, Number: m.Number, Game: m.Game, RulesVersion: m.RulesVersion,
		Config: m.Config, Clock: clockDTO(m.Clock), Rated: m.Rated, LadderID: m.LadderID, Seats: make([]MatchSeat, 0, len(m.Seats)),
		Status: string(m.Status), Reason: m.Reason, Sealed: sec.why(), Commitment: hex.EncodeToString(commitment[:]),
		CreatedAt: m.CreatedAt, StartedAt: m.StartedAt, EndedAt: m.EndedAt,
		VoidCause: string(m.VoidCause), ReplayedAs: m.ReplayedAs, ReplayOf: m.ReplayOf, Replay: m.Replay,
	}
	for _, seat := range m.Seats {
		s := MatchSeat{Seat: int(seat.Seat), Alias: seat.Alias}
		if sec.names {
			s.BotID, s.Bot, s.VersionID, s.Build = seat.BotID, seat.BotName, seat.VersionID, seat.Build
		}
		out.Seats = append(out.Seats, s)
	}
	if sec.open {
		out.Outcome = outcomeDTO(m)
	}
	return out
}

func outcomeDTO(m tournament.Match) *Outcome {
	o := &Outcome{
		Rank: append([]int{}, m.Rank...), Retired: seatList(m.Retired), Faults: make([]int, 0, len(m.Seats)), Steps: m.Steps,
		Seed: m.Seed.String(), Nonce: hex.EncodeToString(m.Nonce[:]), Hash: m.Hash,
	}
	for _, seat := range m.Seats {
		o.Faults = append(o.Faults, seat.Faults)
	}
	if r := m.Result; r != nil {
		o.Apart = m.Rated && m.Retired != 0 && len(r.Team) > 0
		o.Result = &Result{Rank: r.Rank, Points: r.Points, Team: r.Team, Why: r.Why}
	}
	return o
}

// @Summary	All matches
// @Description	The newest first.
// @Tags		matches
// @Param		tournament	query		string	false	"id of a tournament"
// @Param		ladder		query		string	false	"id of a ladder"
// @Param		status		query		string	false	"queued, running, done or void"
// @Param		limit		query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor		query		string	false	"next_cursor of the page before"
// @Success	200			{object}	Page[Match]
// @Router		/v1/matches [get]
func (s *Server) listMatches(c *gin.Context) error {
	p, err := s.page(c, "tournament", "ladder", "status")
	if err != nil {
		return err
	}
	f := store.MatchFilter{}
	if f.TournamentID, err = uuidFilter(p.filter, "tournament"); err != nil {
		return err
	}
	if f.LadderID, err = ladderFilter(p.filter); err != nil {
		return err
	}
	if f.Status, err = matchStatus(p.filter); err != nil {
		return err
	}
	return s.sendMatches(c, p, f, store.Newest)
}

// @Summary	The matches of a tournament
// @Description	In the order of the schedule.
// @Tags		tournaments
// @Param		id		path		string	true	"id of the tournament"
// @Param		status	query		string	false	"queued, running, done or void"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the page before"
// @Success	200		{object}	Page[Match]
// @Failure	404		{object}	Problem
// @Router		/v1/tournaments/{id}/matches [get]
func (s *Server) tournamentMatches(c *gin.Context) error {
	p, err := s.page(c, "status")
	if err != nil {
		return err
	}
	status, err := matchStatus(p.filter)
	if err != nil {
		return err
	}
	t, err := s.tournamentOf(c)
	if err != nil {
		return err
	}
	return s.sendMatches(c, p, store.MatchFilter{TournamentID: t.ID, Status: status}, store.Oldest)
}

// @Summary	The matches a bot has played
// @Description	Those that are done, the newest first. One whose bots are not open yet is left out, so a page may be shorter than
// @Description	its limit; only next_cursor null is the end.
// @Tags		bots
// @Param		id		path		string	true	"id of the bot"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the page before"
// @Success	200		{object}	Page[Match]
// @Failure	404		{object}	Problem
// @Router		/v1/bots/{id}/matches [get]
func (s *Server) botMatches(c *gin.Context) error {
	p, err := s.page(c)
	if err != nil {
		return err
	}
	bot, err := s.botOf(c)
	if err != nil {
		return err
	}
	return s.sendMatches(c, p, store.MatchFilter{BotID: bot.ID, Status: tournament.MatchDone}, store.Newest)
}

// sendMatches answers with a page of matches, each shown as far as it is open. A list by bot names the bot of each row,
// so it leaves out those whose bots are sealed.
func (s *Server) sendMatches(c *gin.Context, p pageQuery, f store.MatchFilter, sort string) error {
	rows, next, err := s.store.Matches(c.Request.Context(), f, p.store(sort))
	if err != nil {
		return err
	}
	seals := s.newSeals()
	out := make([]Match, 0, len(rows))
	for _, m := range rows {
		sec, err := seals.of(c.Request.Context(), m)
		if err != nil {
			return err
		}
		if f.BotID == "" || sec.names {
			out = append(out, matchDTO(m, sec))
		}
	}
	return sendPage(s, c, p, out, next, func(m Match) Match { return m })
}

func matchStatus(q map[string]string) (tournament.MatchStatus, error) {
	status, err := oneOf(q, "status", string(tournament.MatchQueued), string(tournament.MatchRunning), string(tournament.MatchDone), string(tournament.MatchVoid))
	return tournament.MatchStatus(status), err
}

// @Summary	One match
// @Description	While it runs: what a spectator sees. Which bot has which seat is shown unless the game has hidden teams; then,
// @Description	and for every match that shares its seed with others, names or all of it wait until the last of them is over.
// @Tags		matches
// @Param		id	path		string	true	"id of the match"
// @Success	200	{object}	MatchDetail
// @Failure	404	{object}	Problem
// @Failure	409	{object}	Problem
// @Router		/v1/matches/{id} [get]
func (s *Server) getMatch(c *gin.Context) error {
	if _, err := query(c); err != nil {
		return err
	}
	m, sec, err := s.matchOf(c)
	if err != nil {
		return err
	}
	out := MatchDetail{Match: matchDTO(m, sec)}
	if sec.watch {
		x, err := s.show(c.Request.Context(), m)
		if err != nil {
			return err
		}
		seen := x.seen()
		out.Step, out.Due, out.View = &seen.step, seatList(seen.due), seen.view
	}
	if out.Notes, err = s.redeploys(c, m, sec); err != nil {
		return err
	}
	return s.send(c, http.StatusOK, out)
}

// redeploys are those of the match that the caller may know of.
func (s *Server) redeploys(c *gin.Context, m tournament.Match, sec secrecy) (out []Redeploy, err error) {
	mine := func(seat tournament.MatchSeat) bool { return owns(c, seat.OwnerID) }
	if m.Status == tournament.MatchQueued || !sec.open && !slices.ContainsFunc(m.Seats, mine) {
		return nil, nil
	}
	list, err := s.store.Redeploys(c.Request.Context(), m.ID)
	for _, r := range list {
		if sec.open || mine(m.Seats[r.Seat]) {
			out = append(out, Redeploy(r))
		}
	}
	return out, err
}

// matchOf is the match the path names, and what of it is open.
func (s *Server) matchOf(c *gin.Context) (tournament.Match, secrecy, error) {
	m, err := named(c, s.store.Match)
	if err != nil {
		return m, secrecy{}, err
	}
	sec, err := s.newSeals().of(c.Request.Context(), m)
	return m, sec, err
}
