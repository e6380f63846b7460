package api

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/tournament"
)

// BotConduct is what is counted of the matches of a bot.
type BotConduct struct {
	BotID       string `json:"bot_id"`
	Bot         string `json:"bot" example:"wallwizard"`
	Owner       string `json:"owner" example:"ada"`
	Matches     int    `json:"matches"`                                     // that ended in the time asked for
	Voids       int    `json:"voids"`                                       // of those, void by a fault of the platform; a replay does not count again
	Retirements int    `json:"retirements"`                                 // matches from which the bot was retired
	Resets      int    `json:"resets"`                                      // decisions that failed because it could not be connected to, or broke the connection
	Conduct     string `json:"conduct,omitempty" enums:"voids,retirements"` // the bound for which it is paused
} // @name BotConduct

// BotConducts are the bots that something is counted of, the worst first.
type BotConducts struct {
	Since time.Time    `json:"since" format:"date-time"`
	Data  []BotConduct `json:"data"`
} // @name BotConducts

// conductHours is how far back may be asked.
const conductHours = 30 * 24

// @Summary	Void matches, retirements and resets by bot
// @Description	For administrators: the bots with any of them, those with the most void matches first. In a match of two the other
// @Description	bot has the same void ones: whoever has them with many opponents is their likelier cause.
// @Tags		operation
// @Security	Bearer
// @Param		hours	query		int	false	"how far back, 1 to 720; 24 if left out"
// @Param		limit	query		int	false	"bots, 1 to 100; 50 if left out"
// @Success	200		{object}	BotConducts
// @Failure	403		{object}	Problem
// @Router		/v1/admin/conduct [get]
func (s *Server) listConduct(c *gin.Context) error {
	q, err := query(c, "hours", "limit")
	if err != nil {
		return err
	}
	hours, err := number(q, "hours", 24, 1, conductHours)
	if err != nil {
		return err
	}
	limit, err := number(q, "limit", 50, 1, 100)
	if err != nil {
		return err
	}
	out := BotConducts{Since: s.now().Add(-time.Duration(hours) * time.Hour), Data: []BotConduct{}}
	rows, err := s.store.Conduct(c.Request.Context(), out.Since, limit)
	for _, r := range rows {
		out.Data = append(out.Data, conductDTO(r))
	}
	if err != nil {
		return err
	}
	return s.send(c, http.StatusOK, out)
}

func conductDTO(r tournament.BotConduct) BotConduct {
	return BotConduct{
		BotID: r.BotID, Bot: r.Bot, Owner: r.Owner, Matches: r.Matches, Voids: r.Voids, Retirements: r.Retirements, Resets: r.Resets,
		Conduct: string(r.Conduct),
	}
}
