package guides

import (
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// Library are all documents, rendered. It does not change.
type Library struct {
	Shelves []Shelf           // all documents in reading order
	guides  map[string]*Guide // by path
}

// Shelf is a list of documents under one title, in reading order.
type Shelf struct {
	Title  string
	Guides []*Guide
}

// Guide is one document.
type Guide struct {
	Path           string // of its page: /guides/start, /rules/demol
	Title          string
	Reader         string // whom it is for, a sentence in plain text
	HTML           template.HTML
	Contents       []Heading
	Previous, Next *Guide // on the same shelf; nil at its ends
}

// Heading is a place in a document.
type Heading struct {
	ID, Text string
	Level    int // 2 or 3
}

// shelves are where the documents lie, in the order of the site.
var shelves = []struct{ title, pattern string }{
	{"Guides", "[0-9]-*.md"},
	{"Rules of the games", "rules/*.md"},
	{"Figures and threats", "[a-z]*.md"},
	{"Decisions", "decisions/[0-9]*.md"},
}

// numbered is the place of a guide among the guides; the number of a decision is a part of its name.
var numbered = regexp.MustCompile(`^[0-9]-`)

// pathOf returns the path of the page of a document.
func pathOf(file string) string {
	name := strings.TrimSuffix(path.Base(file), ".md")
	if path.Dir(file) == "rules" {
		return "/rules/" + name
	}
	return "/guides/" + numbered.ReplaceAllString(name, "")
}

// New renders the documents of docs: Markdown files at the top, in rules and in decisions.
func New(docs fs.FS) (*Library, error) {
	l := &Library{guides: map[string]*Guide{}}
	paths := map[string]string{} // of pages, by file
	files := make([][]string, len(shelves))
	for i, s := range shelves {
		list, err := fs.Glob(docs, s.pattern)
		if err != nil {
			return nil, fmt.Errorf("guides: %w", err)
		}
		files[i] = list
		for _, file := range list {
			paths[file] = pathOf(file)
		}
	}
	for i, s := range shelves {
		shelf := Shelf{Title: s.title}
		for _, file := range files[i] {
			text, err := fs.ReadFile(docs, file)
			if err != nil {
				return nil, fmt.Errorf("guides: %w", err)
			}
			g, err := render(file, text, paths)
			if err != nil {
				return nil, fmt.Errorf("guides: %s: %w", file, err)
			}
			if n := len(shelf.Guides); n > 0 {
				g.Previous, shelf.Guides[n-1].Next = shelf.Guides[n-1], g
			}
			shelf.Guides = append(shelf.Guides, g)
			l.guides[g.Path] = g
		}
		l.Shelves = append(l.Shelves, shelf)
	}
	return l, nil
}

// At returns the document whose page is at a path.
func (l *Library) At(path string) (*Guide, bool) {
	g, ok := l.guides[path]
	return g, ok
}
