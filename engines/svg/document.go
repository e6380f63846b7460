package svg

import (
	"fmt"
	"html"
	"strings"
)

// Width is how wide a drawing is, in its units. A phone shows it 360 pixels wide: 18 units are 9 pixels there, the smallest
// words that a drawing has.
const Width = 720

// Document is a drawing in the making, in the order in which it is painted.
type Document struct{ strings.Builder }

// Head is what a document begins with. Style and Dark hold one CSS rule a line, each line begun by a line break; they look
// at nothing outside the drawing. Dark is what changes where dark colours are preferred, but not on paper.
type Head struct {
	ID     string // of the game: the class of the document, and what the ids in it begin with
	Width  int    // in user units; 0 is Width
	Height int
	Title  string
	Desc   string // the drawing in words, for those who do not see it
	Style  string
	Dark   string
	Defs   string // patterns and gradients, ready made
}

// style is what all drawings have in common.
const style = `
text{font-family:system-ui,"Segoe UI",Roboto,"DejaVu Sans",Verdana,sans-serif;font-size:20px;fill:#2a241c}
.h{font-size:26px;font-weight:bold}
.b{font-weight:bold}
.s{font-size:18px;fill:#5a5044}
.m{text-anchor:middle}
.e{text-anchor:end}
.on{fill:#fff}
.paper{fill:#faf6ec}
.plate{fill:#fffdf7;stroke:#8a7f63;stroke-width:1.5}
.due{stroke:#b85c00;stroke-width:5}
.seat{stroke:#fff;stroke-width:2}
.seat0{fill:#2458a6}
.seat1{fill:#a14e00}
.seat2{fill:#2b7038}
.seat3{fill:#6d3a9c}
.seat4{fill:#b3261e}
.seat5{fill:#0b6770}
.seat6{fill:#a3326f}
.seat7{fill:#5b5248}
.ring{fill:none;stroke:#fff;stroke-width:2}`

const dark = `
text{fill:#f3ecde}
.s{fill:#cfc5b3}
.on{fill:#fff}
.paper{fill:#1d1a16}
.plate{fill:#2d2821;stroke:#857a65}
.due{stroke:#ffb454}`

// Begin writes the head and the paper.
func (d *Document) Begin(h Head) {
	if h.Width == 0 {
		h.Width = Width
	}
	scoped := func(rules string) string { return strings.ReplaceAll(rules, "\n", "\n."+h.ID+" ") }
	d.Grow(16 << 10)
	d.Raw(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" class="%s" role="img" aria-labelledby="%[5]s-t %[5]s-d">`,
		h.Width, h.Height, h.Width, h.Height, h.ID)
	d.Raw(`<title id="%s-t">%s</title><desc id="%s-d">%s</desc><style>%s%s`, h.ID, html.EscapeString(h.Title), h.ID, html.EscapeString(h.Desc), scoped(style), scoped(h.Style))
	d.Raw("\n@media screen and (prefers-color-scheme:dark){%s%s}</style><defs>%s</defs>", scoped(dark), scoped(h.Dark), h.Defs)
	d.Raw(`<rect width="%d" height="%d" class="paper"/>`, h.Width, h.Height)
}

// End closes the document and returns it.
func (d *Document) End() []byte {
	d.WriteString(`</svg>`)
	return []byte(d.String())
}

// Raw appends markup, which must hold no words of others.
func (d *Document) Raw(format string, args ...any) { fmt.Fprintf(d, format, args...) }

// Text appends words, whosever they are, at a place and of a class of the style.
func (d *Document) Text(x, y int, class, words string) {
	d.Raw(`<text x="%d" y="%d" class="%s">%s</text>`, x, y, class, html.EscapeString(words))
}

// Tooltip appends the words that a browser shows while the pointer rests on the element around it.
func (d *Document) Tooltip(words string) { d.Raw(`<title>%s</title>`, html.EscapeString(words)) }

// BeginPiece opens a group at a place, which [Document.EndGroup] closes. Its id stays the same from step to step, so that a viewer
// can move it there.
func (d *Document) BeginPiece(id string, x, y int) {
	d.Raw(`<g data-piece="%s" transform="translate(%d %d)">`, html.EscapeString(id), x, y)
}

// BeginTarget opens a group that can be chosen by the word that offers and actions use for it; [Document.EndGroup] closes it.
func (d *Document) BeginTarget(word string) { d.Raw(`<g data-at="%s">`, html.EscapeString(word)) }

// EndGroup closes a group.
func (d *Document) EndGroup() { d.WriteString(`</g>`) }
