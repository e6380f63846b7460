package pictures

import (
	"regexp"
	"strings"

	"github.com/molerun/molerun/engines/svg"
)

// CardWide and CardHigh are the size of a card in px: what services that show links expect.
const CardWide, CardHigh = 1200, 630

// Card is what is shown of a page where it is linked.
type Card struct {
	Title string
	Words string // a sentence or two
	Board []byte // a drawing; nil: there is none
}

// Where the parts of a card stand.
const (
	cardEdge  = 48
	boardWide = 520
	titleSize = 52
	wordsSize = 30
	titleMost = 4 // lines
	wordsMost = 5
)

const cardStyle = `
.title{font-size:52px;font-weight:bold}
.words{font-size:30px;fill:#5a5044}
.site{font-size:34px;font-weight:bold;fill:#5a3d22}
.ground{fill:#efe5cf}
.earth{fill:#5a3d22}
.fur{fill:#4b4048}
.nose{fill:#f2a0ac}`

// mole is the site's mark, 48 units high round its place.
const mole = `<path d="M-28 22Q0 2 28 22z" class="earth"/><path d="M-16 20C-18 -8 -10 -24 0 -24S18 -8 16 20z" class="fur"/><circle cy="-6" r="5" class="nose"/>` +
	`<circle cx="-7" cy="-12" r="2.5" class="on"/><circle cx="7" cy="-12" r="2.5" class="on"/>`

var size = regexp.MustCompile(`viewBox="0 0 (\d+) (\d+)"`)

// Draw returns the card as a drawing.
func (c Card) Draw() []byte {
	var d svg.Document
	d.Begin(svg.Head{
		ID:     "card",
		Width:  CardWide,
		Height: CardHigh,
		Title:  c.Title,
		Desc:   c.Words,
		Style:  cardStyle,
	})
	left := cardEdge
	if box := size.FindSubmatch(c.Board); box != nil {
		d.Raw(`<rect width="%d" height="%d" class="ground"/>`, boardWide+2*cardEdge/3, CardHigh)
		d.Raw(`<svg x="%d" y="%d" width="%d" height="%d" viewBox="0 0 %s %s">`, cardEdge/3, cardEdge/3, boardWide, CardHigh-2*cardEdge/3, box[1], box[2])
		d.Write(c.Board)
		d.Raw(`</svg>`)
		left += boardWide + cardEdge/3
	}
	room, y := CardWide-left-cardEdge, cardEdge+titleSize
	for _, line := range wrap(c.Title, room, titleSize, titleMost) {
		d.Text(left, y, "title", line)
		y += titleSize * 6 / 5
	}
	y += wordsSize / 3
	for _, line := range wrap(c.Words, room, wordsSize, wordsMost) {
		d.Text(left, y, "words", line)
		y += wordsSize * 7 / 5
	}
	d.Raw(`<g transform="translate(%d %d)">%s</g>`, left+28, CardHigh-cardEdge-14, mole)
	d.Text(left+72, CardHigh-cardEdge, "site", "molerun")
	return d.End()
}

// wrap parts words into lines that fit, at most most of them.
func wrap(words string, width, size, most int) []string {
	var out []string
	for _, word := range strings.Fields(words) {
		last := len(out) - 1
		if last >= 0 && (svg.TextWidth(out[last]+" "+word, size) <= width || len(out) == most) {
			out[last] += " " + word
			continue
		}
		out = append(out, word)
	}
	for i, line := range out {
		out[i] = svg.Fit(line, width, size)
	}
	return out
}
