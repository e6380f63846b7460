package api

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/tournament"
)

// @Summary	Pause a running tournament
// @Description	By its organiser. No new match begins; those that have begun go on to their end.
// @Tags		tournaments
// @Security	Bearer
// @Param		id	path		string	true	"id of the tournament"
// @Success	200	{object}	wire.Tournament
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Router		/v1/tournaments/{id}/pause [post]
func (s *Server) pauseTournament(c *gin.Context) error {
	return s.changeTournament(c, s.director.PauseTournament)
}

// @Summary	Resume a paused tournament
// @Description	By its organiser. Matches begin again where they rested.
// @Tags		tournaments
// @Security	Bearer
// @Param		id	path		string	true	"id of the tournament"
// @Success	200	{object}	wire.Tournament
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Router		/v1/tournaments/{id}/resume [post]
func (s *Server) resumeTournament(c *gin.Context) error {
	return s.changeTournament(c, s.director.ResumeTournament)
}

// changeTournament does to the caller's tournament of the path what needs nothing but its id.
func (s *Server) changeTournament(c *gin.Context, do func(context.Context, string) (tournament.Tournament, error)) error {
	if err := httpx.Bare(c); err != nil {
		return err
	}
	t, err := s.myTournament(c)
	if err != nil {
		return err
	}
	if t, err = do(c.Request.Context(), t.ID); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, tournamentDTO(t))
}
