package api

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// maxEvents is the most events of one answer.
const maxEvents = 1000

// @Summary	The record of a match
// @Description	replay/1: gzipped JSON Lines that anyone can verify offline (molerun replay verify FILE). It is there once the match
// @Description	and every match on the same seed are over, and never changes. A void match has none.
// @Tags		matches
// @Produce	application/gzip
// @Param		id	path		string	true	"id of the match"
// @Success	200	{string}	string	"the file"
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Router		/v1/matches/{id}/replay [get]
func (s *Server) matchReplay(c *gin.Context) error {
	if _, err := httpx.Query(c); err != nil {
		return err
	}
	m, sec, err := s.matchOf(c)
	if err != nil {
		return err
	}
	switch {
	case !m.Status.Over():
		return fmt.Errorf("%w: the match is %s; its record can be had when it is over", tournament.ErrState, m.Status)
	case !sec.Open:
		return fmt.Errorf("%w: %s", tournament.ErrState, sec.Why())
	case m.Status == tournament.MatchVoid:
		return fmt.Errorf("%w: the match is void (%s) and has no record", tournament.ErrState, m.Reason)
	}
	file, err := s.matches.File(c.Request.Context(), m)
	if err != nil {
		return err
	}
	c.Header("Cache-Control", "public, max-age=31536000, immutable")
	c.Header("Content-Disposition", `attachment; filename="`+m.ID+`.replay.jsonl.gz"`)
	httpx.SendBytes(c, http.StatusOK, "application/gzip", file)
	return nil
}

// @Summary	The decisions of your seat
// @Description	For the owner of the seat's bot, when the match is over: each decision with where its time went, what went wrong, and
// @Description	what the bot noted. At most one match's decisions, in order.
// @Tags		matches
// @Security	Bearer
// @Param		id		path		string	true	"id of the match"
// @Param		seat	query		int		true	"the seat, from 0"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the previous page"
// @Success	200		{object}	wire.Page[wire.Decision]
// @Failure	403		{object}	wire.Problem
// @Failure	404		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Router		/v1/matches/{id}/decisions [get]
func (s *Server) matchDecisions(c *gin.Context) error {
	p, err := s.cursors.Page(c, "seat")
	if err != nil {
		return err
	}
	m, _, err := s.matchOf(c)
	if err != nil {
		return err
	}
	if _, given := p.Filter["seat"]; !given {
		return httpx.BadQuery("seat", "is needed: the seat, from 0")
	}
	seat, err := httpx.Number(p.Filter, "seat", 0, 0, len(m.Seats)-1)
	if err != nil {
		return err
	}
	if !gate.Owns(c, m.Seats[seat].OwnerID) {
		return fmt.Errorf("%w: seat %s of this match is not your bot's", tournament.ErrNotYours, strconv.Itoa(seat))
	}
	if !m.Status.Over() {
		return fmt.Errorf("%w: the match is %s; decisions can be read when it is over", tournament.ErrState, m.Status)
	}
	decisions, err := s.store.SeatDecisions(c.Request.Context(), m.ID, game.Seat(seat))
	if err != nil && !errors.Is(err, tournament.ErrNotFound) {
		return err
	}
	out := make([]wire.Decision, 0, len(decisions))
	for _, d := range decisions {
		out = append(out, wire.Decision{
			Step:       d.Step,
			Decision:   runner.DecisionID(m.ID, d.Step-1, game.Seat(seat)),
			Action:     d.Action,
			Say:        d.Say,
			By:         d.By,
			Why:        d.Why,
			Fault:      d.Fault,
			Reason:     d.Reason,
			Memo:       d.Memo,
			Debug:      d.Debug,
			Build:      d.Build,
			Then:       d.Then,
			Clock:      d.Clock,
			RecordedAt: d.RecordedAt,
		})
	}
	rows, next := httpx.Cut(out, p)
	return httpx.SendPage(c, p, rows, next, func(d wire.Decision) wire.Decision { return d })
}

// @Summary	A view of a match
// @Description	The view after a number of steps, as JSON and in words: a spectator's while the match runs; any seat's once it and
// @Description	every match on the same seed are over.
// @Tags		matches
// @Param		id		path		string	true	"id of the match"
// @Param		seat	query		int		false	"the seat, from 0; a spectator's view if left out"
// @Param		step	query		int		false	"steps played, from 0; all of them if left out"
// @Success	200		{object}	wire.MatchView
// @Failure	404		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Router		/v1/matches/{id}/view [get]
func (s *Server) matchView(c *gin.Context) error {
	q, err := httpx.Query(c, "seat", "step")
	if err != nil {
		return err
	}
	m, sec, err := s.matchOf(c)
	if err != nil {
		return err
	}
	seat, err := seatOf(q, m)
	if err != nil {
		return err
	}
	switch {
	case sec.Twins:
		return fmt.Errorf("%w: %s", tournament.ErrState, sec.Why())
	case !sec.Watch:
		return fmt.Errorf("%w: the match is %s; there is nothing to see", tournament.ErrState, m.Status)
	case seat >= 0 && !sec.Open:
		return fmt.Errorf("%w: the match is %s; a seat's view can be had when it is over, a spectator's (without seat) now", tournament.ErrState, m.Status)
	}
	spec, err := s.matches.Spec(c.Request.Context(), m)
	if err != nil {
		return err
	}
	step, err := httpx.Number(q, "step", len(spec.Recorded), 0, len(spec.Recorded))
	if err != nil {
		return err
	}
	spec.Recorded = spec.Recorded[:step]
	out, err := s.matches.View(c.Request.Context(), spec, seat)
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, out)
}

// seatOf is the query parameter seat, a seat of a match; the spectator if it is left out.
func seatOf(q map[string]string, m tournament.Match) (game.Seat, error) {
	seat, err := httpx.Number(q, "seat", int(game.Spectator), 0, len(m.Seats)-1)
	return game.Seat(seat), err // a seat of the match
}
