package api

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
)

// conductHours is how far back may be asked.
const conductHours = 30 * 24

// @Summary	Void matches, retirements and resets by bot
// @Description	For administrators: the bots with any of them, those with the most void matches first. In a match of two the other
// @Description	bot has the same void ones: whoever has them with many opponents is their likelier cause.
// @Tags		operation
// @Security	Bearer
// @Param		hours	query		int	false	"how far back, 1 to 720; 24 if left out"
// @Param		limit	query		int	false	"bots, 1 to 100; 50 if left out"
// @Success	200		{object}	wire.BotConducts
// @Failure	403		{object}	wire.Problem
// @Router		/v1/admin/conduct [get]
func (s *Server) listConduct(c *gin.Context) error {
	q, err := httpx.Query(c, "hours", "limit")
	if err != nil {
		return err
	}
	hours, err := httpx.Number(q, "hours", 24, 1, conductHours)
	if err != nil {
		return err
	}
	limit, err := httpx.Number(q, "limit", 50, 1, 100)
	if err != nil {
		return err
	}
	out := wire.BotConducts{Since: s.now().Add(-time.Duration(hours) * time.Hour), Data: []wire.BotConduct{}}
	rows, err := s.store.Conduct(c.Request.Context(), out.Since, limit)
	for _, r := range rows {
		out.Data = append(out.Data, conductDTO(r))
	}
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, out)
}

func conductDTO(r tournament.BotConduct) wire.BotConduct {
	return wire.BotConduct{
		BotID: r.BotID, Bot: r.Bot, Owner: r.Owner, Matches: r.Matches, Voids: r.Voids, Retirements: r.Retirements, Resets: r.Resets,
		Conduct: string(r.Conduct),
	}
}
