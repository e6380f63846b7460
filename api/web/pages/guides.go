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

// Reference is the page of the API.
type Reference struct {
	Page
	Groups []OperationGroup
}

// OperationGroup are the operations of the API on one kind of thing.
type OperationGroup struct {
	Name, About string
	Operations  []Operation
}

// Operation is an operation of the API, and what a caller needs for it.
type Operation struct {
	Name, Group, Method, Path string
	Summary, About, Needs     string
}
