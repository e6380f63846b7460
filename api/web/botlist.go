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
	var err error
	out.Rows, err = rowsOf(s, c, &out.Asking, func(q map[string]string, p store.Page) ([]store.ListedBot, string, error) {
		f := store.BotFilter{Name: q["q"], Game: q["game"], Status: tournament.BotStatus(q["status"])}
		return s.Store.ListBots(c.Request.Context(), f, p)
	})
	if err != nil {
		return nil, err
	}
	return s.site.Page("bots", out)
}
