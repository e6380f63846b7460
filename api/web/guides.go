package web

import (
	"fmt"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/web/guides"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/tournament"
)

// Guides returns the list of all guides.
func (s *Pages) Guides(c *gin.Context) ([]byte, error) {
	return s.site.Page("guides", pages.Guides{
		Page:    pages.Page{Title: "Guides", Here: "/guides", About: "How to write a bot, run a tournament, read a ladder and check a result; the rules of all games."},
		Shelves: s.guides.Shelves,
	})
}

// Guide returns the page of a guide.
func (s *Pages) Guide(c *gin.Context) ([]byte, error) { return s.guide("/guides/" + c.Param("name")) }

// APIGuide returns the guide of the API. The types of problems are /docs#CODE: it has a row with each code as id.
func (s *Pages) APIGuide(*gin.Context) ([]byte, error) { return s.guide("/guides/api") }

// Rules returns the page of a game's rules.
func (s *Pages) Rules(c *gin.Context) ([]byte, error) { return s.guide("/rules/" + c.Param("game")) }

func (s *Pages) guide(path string) ([]byte, error) {
	g, ok := s.guides.At(path)
	if !ok {
		return nil, fmt.Errorf("%w: there is no such guide; /guides lists them", tournament.ErrNotFound)
	}
	return s.site.Page("guide", pages.Guide{
		Page:    pages.Page{Title: g.Title, About: about(g), Here: "/guides"},
		Guide:   g,
		Shelves: s.guides.Shelves,
	})
}

// about returns a sentence on a guide for those who are sent a link.
func about(g *guides.Guide) string {
	if g.Reader == "" {
		return g.Title
	}
	return g.Title + ", for " + g.Reader
}

// Reference returns the page on which the API can be read and tried.
func (s *Pages) Reference(c *gin.Context) ([]byte, error) {
	return s.site.Page("reference", pages.Reference{
		Page:   pages.Page{Title: "API", About: "Every operation of the API, to read and to try.", Here: "/api"},
		Groups: s.Files.Operations,
	})
}
