package web

import (
	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// Bots returns the page of all bots.
func (s *Pages) Bots(c *gin.Context) ([]byte, error) {
	out := pages.List[store.ListedBot]{Asking: pages.Asking{
		Page:    pages.Page{Title: "Bots", About: "Every bot of this platform, and what it is rated."},
		Name:    "bot",
		Search:  pages.Choice{Key: "q", Label: "Name"},
		Choices: []pages.Choice{s.games(), states(tournament.BotActive, tournament.BotPaused, tournament.BotRetired)},
	}}
	p, err := s.asked(c, &out.Asking)
	if err != nil {
		return nil, err
	}
	next := ""
	if findable(p.Filter["q"]) {
		f := store.BotFilter{Name: p.Filter["q"], Game: p.Filter["game"], Status: tournament.BotStatus(p.Filter["status"])}
		if out.Rows, next, err = s.store.ListBots(c.Request.Context(), f, pageOf(p)); err != nil {
			return nil, err
		}
	}
	goOn(&out.Asking, c, p, next)
	return s.site.Page("bots", out)
}
