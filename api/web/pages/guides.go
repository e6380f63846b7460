package pages

import "github.com/molerun/molerun/api/web/guides"

// Guides is the list of all documents, or what a search found in them.
type Guides struct {
	Page
	Query   string
	Asked   bool // Hits is what the search found
	Hits    []guides.Hit
	Shelves []guides.Shelf
}

// Most reports whether there may be more places than are listed.
func (g Guides) Most() bool { return len(g.Hits) == guides.MaxHits }

// Guide is the page of one document.
type Guide struct {
	Page
	Guide   *guides.Guide
	Shelves []guides.Shelf
}

// Guides is the list of all documents, or what a search found in them.
func (s *Site) Guides(p Guides) ([]byte, error) { return s.render("guides", "frame.html", p) }

// Guide is the page of one document.
func (s *Site) Guide(p Guide) ([]byte, error) { return s.render("guide", "frame.html", p) }
