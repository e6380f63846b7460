package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func healthCheckDTO(k tournament.Check) wire.HealthCheck {
	return wire.HealthCheck{At: k.At, VersionID: k.VersionID, OK: k.Failure == "", Reason: k.Failure, Build: k.Build, TookMS: k.Took.Milliseconds()}
}

// @Summary	The health of a bot
// @Description	For everybody whether it gets matches and why not; for its owner also the checks of the last seven days.
// @Tags		bots
// @Param		id		path		string	true	"id of the bot"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the page before"
// @Success	200		{object}	wire.BotHealth
// @Failure	404		{object}	wire.Problem
// @Router		/v1/bots/{id}/health [get]
func (s *Server) botHealth(c *gin.Context) error {
	p, err := s.cursors.Page(c)
	if err != nil {
		return err
	}
	bot, err := s.botOf(c)
	if err != nil {
		return err
	}
	out := wire.BotHealth{Status: string(bot.Status), Banned: bot.BannedAt != nil, Reason: bot.OpenReason(), Data: []wire.HealthCheck{}}
	if !owns(c, bot.OwnerID) {
		return httpx.Send(c, http.StatusOK, out)
	}
	rows, next, err := s.store.Checks(c.Request.Context(), bot.ID, pageOf(p, store.Newest))
	if err != nil {
		return err
	}
	for _, r := range rows {
		out.Data = append(out.Data, healthCheckDTO(r))
	}
	out.Next = p.Next(c, next)
	return httpx.Send(c, http.StatusOK, out)
}
