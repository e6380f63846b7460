package api

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
)

// What an organiser arranges by hand: seeds before the start, and the pairing of a round before it begins.

// @Summary	Seed a tournament by hand
// @Description	By its organiser, before the start: bots, the best first. The other entries follow by rating; an empty list takes the
// @Description	seeds back. The answer is all entries that have not withdrawn.
// @Tags		tournaments
// @Security	Bearer
// @Accept		json
// @Param		id		path		string	true	"id of the tournament"
// @Param		body	body		wire.Seeds	true	"the seeds"
// @Success	200		{object}	wire.Page[wire.Entry]
// @Failure	403		{object}	wire.Problem
// @Failure	404		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/tournaments/{id}/seeds [put]
func (s *Server) seedTournament(c *gin.Context) error {
	in, err := read[wire.Seeds](c)
	if err != nil {
		return err
	}
	t, err := s.myTournament(c)
	if err != nil {
		return err
	}
	entries, err := s.director.SeedEntries(c.Request.Context(), t.ID, in.Bots)
	if err != nil {
		return err
	}
	out := wire.Page[wire.Entry]{Data: []wire.Entry{}}
	for _, e := range entries {
		out.Data = append(out.Data, tournamentEntryDTO(e))
	}
	return httpx.Send(c, http.StatusOK, out)
}

// @Summary	Pair a round anew by hand
// @Description	By the organiser of a swiss, as long as no match of its last round has begun: start it paused, or pause it while the
// @Description	round before is played. Everybody of the round has a seat or a bye. The round shows who changed it, when, why, and how
// @Description	it was.
// @Tags		tournaments
// @Security	Bearer
// @Accept		json
// @Param		id		path		string	true	"id of the tournament"
// @Param		round	path		int		true	"number of the round, from 1"
// @Param		body	body		wire.RoundChange	true	"the tables"
// @Success	200		{object}	wire.Round
// @Failure	403		{object}	wire.Problem
// @Failure	404		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/tournaments/{id}/rounds/{round} [put]
func (s *Server) arrangeRound(c *gin.Context) error {
	in, err := read[wire.RoundChange](c)
	if err != nil {
		return err
	}
	if err := tournament.CheckText("/reason", in.Reason, tournament.MaxReason); err != nil {
		return err
	}
	t, err := s.myTournament(c)
	if err != nil {
		return err
	}
	round, err := strconv.Atoi(c.Param("round"))
	if err != nil || round < 1 {
		return fmt.Errorf("%w: round %.20q", tournament.ErrNotFound, c.Param("round"))
	}
	change := director.Rearrangement{Tables: in.Tables, Byes: in.Byes, ByID: gate.UserID(c), Reason: in.Reason}
	if err := s.director.Rearrange(c.Request.Context(), t.ID, round, change); err != nil {
		return err
	}
	contest, entries, err := s.director.Contest(c.Request.Context(), t.ID)
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, live.RoundOf(round, contest, entries, s.engines.HiddenTeams(t.Game)))
}
