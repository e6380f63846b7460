package web

import (
	"fmt"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/tournament"
)

// Calibration returns the page that says how well a ladder's forecasts came true.
func (s *Pages) Calibration(c *gin.Context) ([]byte, error) {
	id := c.Param("id")
	if !tournament.IsLadderID(id) {
		return nil, tournament.ErrNotFound
	}
	ladder, err := s.Store.Ladder(c.Request.Context(), id)
	if err != nil {
		return nil, err
	}
	found, err := s.Store.Calibration(c.Request.Context(), id)
	if err != nil {
		return nil, err
	}
	name := s.Engines.NameOf(ladder.ID)
	out := pages.Calibration{
		Page: pages.Page{
			Title: "Do the forecasts of " + name + " come true?",
			About: fmt.Sprintf("Of the matches of %s that the ratings gave a chance to, how many were won.", name),
			At:    s.Now(),
		},
		ID:          id,
		Game:        name,
		Calibration: found,
	}
	for _, f := range found.Forecasters {
		if f.Name == tournament.ForecastByFit {
			out.SVG = pages.Reliability(fmt.Sprintf("%s: how many favourites won, by the chance that the fit gave them", name), f.Bins)
		}
	}
	return s.site.Page("calibration", out)
}
