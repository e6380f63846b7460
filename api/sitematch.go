package api

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/pages"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// MatchFrames are steps of a match as a seat or a spectator sees them.
type MatchFrames struct {
	Last   int           `json:"last"` // the last step there is
	Open   bool          `json:"open"` // every seat's view is open
	Frames []pages.Frame `json:"frames" swaggertype:"array,object"`
} // @name MatchFrames

// maxFrames is the most frames of one answer.
const maxFrames = 16

// watched is a match with what of it is open.
func (s *Server) watchedOf(c *gin.Context) (store.Watched, live.Secrecy, error) {
	w, err := named(c, s.store.Watch)
	return w, s.engines.SecrecyOf(w.Match, w.Shared, !w.Open), err
}

// film is a match that may be watched, played again; nil if it may not.
func (s *Server) film(ctx context.Context, w store.Watched, sec live.Secrecy) (*pages.Film, error) {
	engine, ok := s.engines.Find(w.Match.Game)
	if !sec.Watch || !ok || engine.Info().Version != w.Match.RulesVersion {
		return nil, nil //nolint:nilnil // a match without a film is no error
	}
	if w.Match.Status == tournament.MatchDone { // nothing of it changes any more: its record, which may be long, is read once
		return s.films.Get(ctx, live.Moment{Match: w.Match.ID, Step: w.Match.Steps}, func() (*pages.Film, bool, error) {
			steps, err := s.store.OpenDecisions(ctx, w.Match.ID)
			if err != nil {
				return nil, false, err
			}
			f, err := pages.NewFilm(runner.SpecOf(w.Match, engine, steps))
			return f, true, err
		})
	}
	steps, err := s.store.DecisionsAfter(ctx, w.Match.ID, 0)
	if err != nil {
		return nil, err
	}
	spec := runner.SpecOf(w.Match, engine, steps)
	return s.films.Get(ctx, live.MomentOf(spec), func() (*pages.Film, bool, error) {
		f, err := pages.NewFilm(spec)
		return f, true, err
	})
}

// look reads which seat and step are asked for; a seat's view is refused before the end.
func look(q map[string]string, f *pages.Film, m tournament.Match, sec live.Secrecy, key string, without int) (seat, step int, err error) {
	if seat, err = httpx.Number(q, "seat", int(game.Spectator), int(game.Spectator), len(m.Seats)-1); err != nil {
		return 0, 0, err
	}
	if seat >= 0 && !sec.Open {
		return 0, 0, fmt.Errorf("%w: the match is %s; a seat's view can be had when it is over, a spectator's (without seat) now", tournament.ErrState, m.Status)
	}
	step, err = httpx.Number(q, key, without, 0, f.Last())
	return seat, step, err
}

// @Summary	A match, for people
// @Description	With every step that may be seen, also without a script.
// @Tags		pages
// @Produce	text/html
// @Param		id		path		string	true	"id of the match"
// @Param		step	query		int		false	"the step that is shown, from 0; the last if left out"
// @Param		seat	query		int		false	"the seat that sees it, from 0, once the match is over; -1 or left out: a spectator"
// @Success	200		{string}	string	"a page"
// @Failure	404		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Router		/matches/{id} [get]
func (s *Server) matchPage(c *gin.Context) ([]byte, error) {
	q, err := httpx.Query(c, "step", "seat")
	if err != nil {
		return nil, err
	}
	w, sec, err := s.watchedOf(c)
	if err != nil {
		return nil, err
	}
	film, err := s.film(c.Request.Context(), w, sec)
	if err != nil {
		return nil, err
	}
	out := s.matchModel(w.Match, sec)
	if film != nil {
		out.HasFilm, out.Last = true, film.Last()
		if out.Seat, out.Step, err = look(q, film, w.Match, sec, "step", film.Last()); err != nil {
			return nil, err
		}
		board := fmt.Sprintf("/matches/%s/board.svg?seat=%d&step=%d", out.ID, out.Seat, out.Step)
		if out.Stage, err = s.site.Stage(film, out.Seat, out.Step, sec.Open, board); err != nil {
			return nil, err
		}
		if sec.Open {
			out.Times, out.TimesText = film.Timeline(w.Match.Clock.Limit)
		}
	}
	return s.site.Match(out)
}

// matchModel is what the page says of a match beside its steps.
func (s *Server) matchModel(m tournament.Match, sec live.Secrecy) pages.Match {
	dto := live.MatchOf(m, sec)
	out := pages.Match{
		ID: m.ID, Game: s.gameName(m.Game), Rules: s.rulesPath(m.Game), Status: dto.Status, Sealed: dto.Sealed, Why: dto.Reason, Open: sec.Open, Seat: int(game.Spectator),
		Commitment: dto.Commitment,
	}
	out.At = s.now()
	if !sec.Open {
		out.Live = stream("/v1/matches/:id/events", "/v1/matches/"+m.ID+"/events")
	}
	switch {
	case m.TournamentID != "":
		out.In, out.InPath = fmt.Sprintf("a tournament, round %d", m.Round), "/tournaments/"+m.TournamentID
	case m.LadderID != "":
		out.In, out.InPath = "the ladder", "/ladders/"+m.LadderID
	}
	var names []string
	for i, seat := range dto.Seats {
		line := pages.Seat{Seat: i, Alias: seat.Alias, Bot: seat.Bot, BotID: seat.BotID}
		name := seat.Alias
		if seat.Bot != "" {
			name = seat.Bot
		}
		names = append(names, name)
		if dto.Outcome != nil {
			line.Faults, line.Retired = dto.Outcome.Faults[i], m.Retired.Has(game.Seat(i)) //nolint:gosec // a seat of the match
			if m.Result != nil {
				line.Role, _, line.Points = pages.ResultOf(*m.Result, i)
			}
			if i < len(m.Rank) {
				line.Rank = strconv.Itoa(m.Rank[i])
			}
		}
		out.Seats = append(out.Seats, line)
	}
	out.Title = out.Game + ": " + strings.Join(names, " – ")
	out.About = fmt.Sprintf("A match of %s, step by step: %s.", out.Game, dto.Status)
	out.Facts, out.Proof = matchFacts(dto, sec.Names && m.TournamentID != "" && m.OneOwner())
	if dto.Outcome != nil && m.Result != nil {
		out.Result = outcome(m)
		out.Replay = "/v1/matches/" + m.ID + "/replay"
	}
	return out
}

func outcome(m tournament.Match) string {
	seats := make([]replay.Seat, len(m.Seats))
	for i, s := range m.Seats {
		seats[i] = replay.Seat{Alias: s.BotName}
	}
	r := *m.Result
	r.Rank = m.Rank // after retirements
	return pages.Outcome(r, seats)
}

// matchFacts is what is to be known of a match, and what it can be checked by. oneOwner says why it is not rated.
func matchFacts(m wire.Match, oneOwner bool) (facts, proof []pages.Fact) {
	facts = []pages.Fact{
		{Name: "Rules", Value: fmt.Sprintf("version %d", m.RulesVersion)},
		{Name: "Clock", Value: clockWords(clockOf(m.Clock))},
		{Name: "Rated", Value: ratedWords(m, oneOwner)},
	}
	if m.ReplayedAs != "" {
		facts = append(facts, pages.Fact{Name: "Played again as", Value: m.ReplayedAs, Path: "/matches/" + m.ReplayedAs})
	}
	if m.ReplayOf != "" {
		facts = append(facts, pages.Fact{Name: fmt.Sprintf("Replay %d of", m.Replay), Value: m.ReplayOf, Path: "/matches/" + m.ReplayOf})
	}
	if m.StartedAt != nil {
		facts = append(facts, pages.Fact{Name: "Started", Value: day(*m.StartedAt)})
	}
	if m.EndedAt != nil {
		facts = append(facts, pages.Fact{Name: "Ended", Value: day(*m.EndedAt)})
	}
	proof = []pages.Fact{{Name: "Match", Value: m.ID}, {Name: "Configuration", Value: string(m.Config)}, {Name: "Commitment to the seed", Value: m.Commitment}}
	if m.Outcome != nil {
		proof = append(proof, pages.Fact{Name: "Seed", Value: m.Outcome.Seed}, pages.Fact{Name: "Nonce", Value: m.Outcome.Nonce}, pages.Fact{Name: "Hash of the record", Value: m.Outcome.Hash})
	}
	return facts, proof
}

// ratedWords says whose ratings a match changes.
func ratedWords(m wire.Match, oneOwner bool) string {
	switch {
	case m.Outcome != nil && m.Outcome.Apart:
		return "the retired bots alone"
	case m.Rated:
		return "yes"
	case oneOwner:
		return "no: two of the bots belong to one owner"
	}
	return "no"
}

// filmOf is the film of the match that the path names.
func (s *Server) filmOf(c *gin.Context) (*pages.Film, store.Watched, live.Secrecy, error) {
	w, sec, err := s.watchedOf(c)
	if err != nil {
		return nil, w, sec, err
	}
	f, err := s.film(c.Request.Context(), w, sec)
	switch {
	case err != nil:
		return nil, w, sec, err
	case f == nil && sec.Twins:
		return nil, w, sec, fmt.Errorf("%w: %s", tournament.ErrState, sec.Why())
	case f == nil:
		return nil, w, sec, fmt.Errorf("%w: the match is %s; there is nothing to see", tournament.ErrState, w.Match.Status)
	}
	return f, w, sec, nil
}

// @Summary	The board of a match
// @Description	After a step, as a seat (once the match is over) or a spectator sees it.
// @Tags		pages
// @Produce	image/svg+xml
// @Param		id		path		string	true	"id of the match"
// @Param		step	query		int		false	"from 0; the last if left out"
// @Param		seat	query		int		false	"from 0; -1 or left out: a spectator"
// @Success	200		{string}	string	"a drawing"
// @Failure	404		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Router		/matches/{id}/board.svg [get]
func (s *Server) matchBoard(c *gin.Context) error {
	q, err := httpx.Query(c, "seat", "step")
	if err != nil {
		return err
	}
	f, w, sec, err := s.filmOf(c)
	if err != nil {
		return err
	}
	seat, step, err := look(q, f, w.Match, sec, "step", f.Last())
	if err != nil {
		return err
	}
	table, err := f.At(step)
	if err != nil {
		return err
	}
	svg, err := table.Draw(game.Seat(seat)) //nolint:gosec // a seat of the match
	if err != nil {
		return fmt.Errorf("%w: %w", tournament.ErrNotFound, err)
	}
	c.Header("Content-Security-Policy", pages.BoardPolicy)
	httpx.SendBytes(c, http.StatusOK, "image/svg+xml", svg)
	return nil
}

// @Summary	Steps of a match for the viewer
// @Description	At most 16 from one on, each with the drawing and, as HTML, what happened; decisions with their clocks once the match and all that
// @Description	share its seed are over.
// @Tags		pages
// @Param		id		path		string	true	"id of the match"
// @Param		from	query		int		false	"the first step, from 0; 0 if left out"
// @Param		seat	query		int		false	"from 0; -1 or left out: a spectator"
// @Success	200		{object}	MatchFrames
// @Failure	404		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Router		/matches/{id}/frames [get]
func (s *Server) matchFrames(c *gin.Context) error {
	q, err := httpx.Query(c, "from", "seat")
	if err != nil {
		return err
	}
	f, w, sec, err := s.filmOf(c)
	if err != nil {
		return err
	}
	seat, from, err := look(q, f, w.Match, sec, "from", 0)
	if err != nil {
		return err
	}
	out := MatchFrames{Last: f.Last(), Open: sec.Open}
	if out.Frames, err = s.site.Frames(f, seat, from, maxFrames, sec.Open); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, out)
}

// @Summary	A file that pages load
// @Tags		pages
// @Produce	text/css,text/javascript,image/svg+xml
// @Param		name	path		string	true	"its name, with a part of its hash"
// @Success	200		{string}	string	"the file"
// @Failure	404		{object}	wire.Problem
// @Router		/assets/{name} [get]
func (s *Server) getAsset(c *gin.Context) error {
	if _, err := httpx.Query(c); err != nil {
		return err
	}
	a, ok := s.site.Asset(c.Param("name"))
	if !ok {
		return tournament.ErrNotFound
	}
	c.Header("Cache-Control", "public, max-age=31536000, immutable")
	httpx.SendBytes(c, http.StatusOK, a.Type, a.Body)
	return nil
}
