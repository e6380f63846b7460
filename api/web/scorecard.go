package web

import (
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// Scorecards returns the page of all cards that were checked.
func (s *Pages) Scorecards(c *gin.Context) ([]byte, error) {
	out := pages.Scorecards{List: pages.List[tournament.Card]{Asking: pages.Asking{
		Page: pages.Page{Title: "Cards of agents", About: "How strong agents are against a frozen pool of bots, by cards that this platform has derived again."},
		Name: "card",
	}}}
	var err error
	out.Rows, err = rowsOf(s, c, &out.Asking, func(_ map[string]string, p store.Page) ([]tournament.Card, string, error) {
		return s.Store.CheckedCards(c.Request.Context(), p)
	})
	if err != nil {
		return nil, err
	}
	out.SVG = pages.Costs("Strength by what a match costs", out.Rows)
	return s.site.Page("scorecards", out)
}

// checked returns the card that a path names, once it was checked.
func (s *Pages) checked(c *gin.Context) (card.Card, tournament.Card, error) {
	up, err := s.Store.Card(c.Request.Context(), c.Param("hash"))
	if err == nil && up.State != tournament.CardChecked {
		err = tournament.ErrNotFound
	}
	if err != nil {
		return card.Card{}, up, err
	}
	x, err := card.Read([]byte(up.Card))
	return x, up, err
}

// Scorecard returns the page of a card that was checked.
func (s *Pages) Scorecard(c *gin.Context) ([]byte, error) {
	x, up, err := s.checked(c)
	if err != nil {
		return nil, err
	}
	out := pages.Scorecard{
		Page: pages.Page{
			Title: x.Subject.Name + ": card of an agent",
			About: fmt.Sprintf("Strength %s clean, %s with errors, in plan %s against pool %d.", x.Clean, x.WithErrors, x.Plan.Name, x.Pool.Version),
			At:    s.Now(),
		},
		Hash: up.Hash, Reason: up.Reason, Checked: up.EndedAt, Card: x,
	}
	return s.site.Page("scorecard", out)
}

// Badge answers with the badge of a card that was checked.
func (s *Pages) Badge(c *gin.Context) error {
	x, _, err := s.checked(c)
	if err != nil {
		return err
	}
	c.Header("Content-Security-Policy", pages.BoardPolicy)
	return httpx.SendBytes(c, http.StatusOK, "image/svg+xml", x.Badge())
}
