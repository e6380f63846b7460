package pages

import "github.com/molerun/molerun/api/web/guides"

// Guides is the list of all documents.
type Guides struct {
	Page
	Shelves []guides.Shelf
}

// Guide is the page of one document.
type Guide struct {
	Page
	Guide   *guides.Guide
	Shelves []guides.Shelf
}

// Guides renders the list of all documents.
func (s *Site) Guides(p Guides) ([]byte, error) { return s.render("guides", "frame.html", p) }

// Guide renders one document.
func (s *Site) Guide(p Guide) ([]byte, error) { return s.render("guide", "frame.html", p) }
