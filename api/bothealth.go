package api

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// BotHealth tells whether a bot gets matches, and to its owner what its checks found.
type BotHealth struct {
	Status string        `json:"status" enums:"active,paused,retired"`
	Banned bool          `json:"banned,omitempty"` // an administrator keeps it paused
	Reason string        `json:"reason"`           // why it gets no matches, in words that tell nothing of its address; "" while it does
	Data   []HealthCheck `json:"data"`             // the log, the last check first; empty for all but the owner
	Next   *string       `json:"next_cursor" extensions:"x-nullable"`
} // @name BotHealth

// HealthCheck is one hello that a bot was sent to see whether it is well.
type HealthCheck struct {
	At        time.Time `json:"at" format:"date-time"`
	VersionID string    `json:"version_id"`
	OK        bool      `json:"ok"`
	Reason    string    `json:"reason"` // what was wrong; "" if all was well
	Build     string    `json:"build"`  // that the bot said; another one than its version's: register it as a new version
	TookMS    int64     `json:"took_ms"`
} // @name HealthCheck

func healthCheckDTO(k tournament.Check) HealthCheck {
	return HealthCheck{At: k.At, VersionID: k.VersionID, OK: k.Failure == "", Reason: k.Failure, Build: k.Build, TookMS: k.Took.Milliseconds()}
}

// openReason is why a bot gets no matches, for everybody: what a check found may name the bot's address.
func openReason(b tournament.Bot) string {
	switch {
	case b.Status == tournament.BotRetired:
		return "retired by its owner"
	case b.BannedAt != nil:
		return b.Reason // an administrator's words
	case b.Status == tournament.BotPaused:
		return "has not passed its health checks"
	}
	return ""
}

// @Summary	The health of a bot
// @Description	For everybody whether it gets matches and why not; for its owner also the checks of the last seven days.
// @Tags		bots
// @Param		id		path		string	true	"id of the bot"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the page before"
// @Success	200		{object}	BotHealth
// @Failure	404		{object}	Problem
// @Router		/v1/bots/{id}/health [get]
func (s *Server) botHealth(c *gin.Context) error {
	p, err := s.page(c)
	if err != nil {
		return err
	}
	bot, err := s.botOf(c)
	if err != nil {
		return err
	}
	out := BotHealth{Status: string(bot.Status), Banned: bot.BannedAt != nil, Reason: openReason(bot), Data: []HealthCheck{}}
	if !owns(c, bot.OwnerID) {
		return s.send(c, http.StatusOK, out)
	}
	rows, next, err := s.store.Checks(c.Request.Context(), bot.ID, p.store(store.Newest))
	if err != nil {
		return err
	}
	for _, r := range rows {
		out.Data = append(out.Data, healthCheckDTO(r))
	}
	out.Next = s.next(c, p, next)
	return s.send(c, http.StatusOK, out)
}
