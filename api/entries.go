package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
)

// Entry is a bot in a tournament.
type Entry struct {
	BotID       string     `json:"bot_id"`
	Bot         string     `json:"bot" example:"wallwizard"`
	OwnerID     string     `json:"owner_id"`
	VersionID   string     `json:"version_id,omitempty"` // fixed at the start
	JoinedAt    time.Time  `json:"joined_at" format:"date-time"`
	WithdrawnAt *time.Time `json:"withdrawn_at,omitempty" format:"date-time"`
	Challenger  bool       `json:"challenger,omitempty"`         // of a gauntlet
	AgainstID   string     `json:"against_version_id,omitempty"` // sprt: the other version of the bot that plays
} // @name Entry

// EntryCreate enters a bot.
type EntryCreate struct {
	BotID      string `json:"bot_id"`
	InviteCode string `json:"invite_code,omitempty" example:"mi_…"` // where the tournament is invite_only
	Challenger bool   `json:"challenger,omitempty"`                 // gauntlet: this bot meets all that are not challengers
	AgainstID  string `json:"against_version_id,omitempty"`         // sprt: another version of this bot, which is the second entry
} // @name EntryCreate

// Standing is an entry's line in the standings.
type Standing struct {
	Rank     int        `json:"rank"` // ties share
	BotID    string     `json:"bot_id"`
	Bot      string     `json:"bot" example:"wallwizard"`
	Version  string     `json:"version_id,omitempty"` // from the start on
	Played   int        `json:"played"`
	Points   float64    `json:"points"` // 1 a win, ½ a draw; at larger tables the share of opponents beaten; for teams 1 a win
	Wins     int        `json:"wins"`
	Draws    int        `json:"draws"`
	Losses   int        `json:"losses"`
	Score    float64    `json:"score"` // the sum of the game's own points
	Faults   int        `json:"faults"`
	Byes     int        `json:"byes"`           // rounds without a table
	Forfeits int        `json:"forfeits"`       // blocks or ties lost without playing
	Ties     []TieValue `json:"tie_breaks"`     // what the format compares, in its order; who is equal in all shares the rank
	Trial    *Trial     `json:"test,omitempty"` // sprt: where it stands, on the line of its first entry
} // @name Standing

// Trial is where the sequential test of an sprt stands, seen from its first entry. Pairs count in the order of the schedule,
// whatever ended first.
type Trial struct {
	Verdict    string  `json:"verdict" enums:"continue,H0,H1"` // H0: not stronger by elo1; H1: stronger than elo0
	Pairs      int     `json:"pairs"`                          // that count
	Tally      []int   `json:"pentanomial"`                    // of them by points of the first entry: 0, ½, 1, 1½, 2
	LLR        float64 `json:"llr"`                            // logarithm of how much likelier the results are under H1 than under H0
	Lower      float64 `json:"lower"`                          // the bounds at which it ends
	Upper      float64 `json:"upper"`
	Elo        float64 `json:"elo"` // how much stronger the first entry is; fair although the test may have stopped early
	Low        float64 `json:"low"` // its 95 % interval
	High       float64 `json:"high"`
	Elo0       float64 `json:"elo0"` // the hypotheses
	Elo1       float64 `json:"elo1"`
	Normalised bool    `json:"normalised"` // they are in normalised Elo; elo, low and high are not
} // @name Trial

func trialDTO(t *tournament.Trial) *Trial {
	if t == nil {
		return nil
	}
	return &Trial{t.Verdict, t.Pairs, t.Tally, t.LLR, t.Lower, t.Upper, t.Elo, t.Low, t.High, t.Elo0, t.Elo1, t.IsNormalisedTest}
}

// TieValue is what an entry has of one thing that standings compare; more is better.
type TieValue struct {
	By    string  `json:"by" enums:"points,direct_encounter,wins,sonneborn_berger,buchholz,buchholz_cut1,buchholz_median,game_score,stage,final_points,arena_score"`
	Value float64 `json:"value"`
} // @name TieValue

func tournamentEntryDTO(e tournament.Entry) Entry {
	return Entry{BotID: e.BotID, Bot: e.BotName, OwnerID: e.OwnerID, VersionID: e.VersionID, JoinedAt: e.JoinedAt, WithdrawnAt: e.WithdrawnAt, Challenger: e.Challenger, AgainstID: e.AgainstID}
}

func standingDTO(r tournament.Standing) Standing {
	ties := make([]TieValue, len(r.Ties))
	for i, t := range r.Ties {
		ties[i] = TieValue(t)
	}
	return Standing{
		Rank: r.Rank, BotID: r.BotID, Bot: r.Bot, Version: r.VersionID, Played: r.Played, Points: r.Points, Wins: r.Wins, Draws: r.Draws, Losses: r.Losses,
		Score: r.Score, Faults: r.Faults, Byes: r.Byes, Forfeits: r.Forfeits, Ties: ties, Trial: trialDTO(r.Trial),
	}
}

// @Summary	The entries of a tournament
// @Description	In the order they joined, withdrawn ones too.
// @Tags		tournaments
// @Param		id		path		string	true	"id of the tournament"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the page before"
// @Success	200		{object}	Page[Entry]
// @Failure	404		{object}	Problem
// @Router		/v1/tournaments/{id}/entries [get]
func (s *Server) listEntries(c *gin.Context) error {
	return sendOfTournament(s, c, s.store.Entries, tournamentEntryDTO)
}

// @Summary	Enter a bot
// @Description	Your own active bot that plays the game, while registration is open and there is room, or with
// @Description	late_entries after the start while the format allows.
// @Description	In a rated game with hidden teams an owner enters one bot. An invite_only tournament needs the organiser's code.
// @Tags		tournaments
// @Security	Bearer
// @Accept		json
// @Param		id		path		string		true	"id of the tournament"
// @Param		body	body		EntryCreate	true	"the bot"
// @Success	201		{object}	Entry
// @Failure	403		{object}	Problem
// @Failure	404		{object}	Problem
// @Failure	409		{object}	Problem
// @Failure	413		{object}	Problem
// @Failure	415		{object}	Problem
// @Failure	422		{object}	Problem
// @Router		/v1/tournaments/{id}/entries [post]
func (s *Server) joinTournament(c *gin.Context) error {
	in, err := read[EntryCreate](c)
	if err != nil {
		return err
	}
	botID, err := parseID("/bot_id", in.BotID)
	if err != nil {
		return err
	}
	if in.AgainstID != "" {
		if _, err := parseID("/against_version_id", in.AgainstID); err != nil {
			return err
		}
	}
	t, bot, err := s.entryOf(c, botID)
	if err != nil {
		return err
	}
	entry, err := s.director.JoinAs(c.Request.Context(), t.ID, bot.ID, bot.OwnerID,
		director.EntryOptions{Invite: in.InviteCode, Challenger: in.Challenger, Against: in.AgainstID})
	if errors.Is(err, tournament.ErrInvite) && in.InviteCode != "" {
		return s.tooMany(c, s.badInvites, "user:"+userID(c), err)
	}
	if err != nil {
		return err
	}
	return s.send(c, http.StatusCreated, tournamentEntryDTO(entry))
}

// @Summary	Withdraw a bot
// @Description	Before the end. After the start it is for good: rounds made later do without the bot, and what it has not begun in a
// @Description	round robin is forfeited, or played short-handed at larger tables where that is allowed.
// @Tags		tournaments
// @Security	Bearer
// @Param		id		path	string	true	"id of the tournament"
// @Param		bot_id	path	string	true	"id of the bot"
// @Success	204
// @Failure	403	{object}	Problem
// @Failure	404	{object}	Problem
// @Failure	409	{object}	Problem
// @Router		/v1/tournaments/{id}/entries/{bot_id} [delete]
func (s *Server) withdrawEntry(c *gin.Context) error {
	if err := bare(c); err != nil {
		return err
	}
	botID, err := pathUUID(c, "bot_id")
	if err != nil {
		return err
	}
	t, bot, err := s.entryOf(c, botID)
	if err != nil {
		return err
	}
	if _, err := s.director.Withdraw(c.Request.Context(), t.ID, bot.ID, bot.OwnerID); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

// entryOf is the tournament of the path and a bot of the caller's.
func (s *Server) entryOf(c *gin.Context, botID string) (tournament.Tournament, tournament.Bot, error) {
	t, err := s.tournamentOf(c)
	if err != nil {
		return t, tournament.Bot{}, err
	}
	bot, err := s.store.Bot(c.Request.Context(), botID)
	if err == nil && !owns(c, bot.OwnerID) {
		err = tournament.ErrNotYours
	}
	return t, bot, err
}

// @Summary	The standings so far
// @Description	In the order of the format: tie_breaks are what it compares, first to last.
// @Tags		tournaments
// @Param		id		path		string	true	"id of the tournament"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the page before"
// @Success	200		{object}	Page[Standing]
// @Failure	404		{object}	Problem
// @Router		/v1/tournaments/{id}/standings [get]
func (s *Server) listStandings(c *gin.Context) error {
	return sendOfTournament(s, c, s.director.Standings, standingDTO)
}

// sendOfTournament sends a page of a list that the store returns whole for the tournament of the path.
func sendOfTournament[R, D any](s *Server, c *gin.Context, list func(context.Context, string) ([]R, error), dto func(R) D) error {
	p, err := s.page(c)
	if err != nil {
		return err
	}
	t, err := s.tournamentOf(c)
	if err != nil {
		return err
	}
	all, err := list(c.Request.Context(), t.ID)
	if err != nil {
		return err
	}
	rows, next := cut(all, p)
	return sendPage(s, c, p, rows, next, dto)
}
