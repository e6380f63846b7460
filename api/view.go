package api

import (
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// @Summary	What was seen of a match
// @Description	The view after some steps, as JSON and in words. A spectator's while the match runs; any seat's when it and every
// @Description	match on the same seed are over.
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
	return game.Seat(seat), err //nolint:gosec // a seat of the match
}
