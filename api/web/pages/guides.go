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
