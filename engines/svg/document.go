package svg

import (
	"fmt"
	"html"
	"strings"
)

// Document is a drawing in the making, in the order in which it is painted.
type Document struct{ strings.Builder }

// Head is what a document begins with.
type Head struct {
	ID     string // of the game: the class of the document, and what the ids in it begin with
	Width  int    // in user units
	Height int
	Title  string
	Desc   string // the drawing in words, for those who do not see it
	Style  string // CSS
	Defs   string // patterns, ready made
}

// Begin writes the head and the paper.
func (d *Document) Begin(h Head) {
	d.Put(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" class="%s" role="img" aria-labelledby="%[5]s-t %[5]s-d">`,
		h.Width, h.Height, h.Width, h.Height, h.ID)
	d.Put(`<title id="%s-t">%s</title><desc id="%s-d">%s</desc><style>%s</style><defs>%s</defs>`,
		h.ID, html.EscapeString(h.Title), h.ID, html.EscapeString(h.Desc), h.Style, h.Defs)
	d.Put(`<rect width="%d" height="%d" fill="#fbfaf6"/>`, h.Width, h.Height)
}

// End closes the document and returns it.
func (d *Document) End() []byte {
	d.WriteString(`</svg>`)
	return []byte(d.String())
}

// Put appends markup, which must hold no words of others.
func (d *Document) Put(format string, args ...any) { fmt.Fprintf(d, format, args...) }

// Text appends words, whosever they are, at a place and of a class of the style.
func (d *Document) Text(x, y int, class, words string) {
	d.Put(`<text x="%d" y="%d" class="%s">%s</text>`, x, y, class, html.EscapeString(words))
}

// Pattern is a fill with marks on it, six units wide and high, so that colour is not needed.
func Pattern(id, fill, marks string) string {
	return fmt.Sprintf(`<pattern id="%s" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="%s"/>%s</pattern>`, id, fill, marks)
}
