package mole

import (
	"fmt"
	"strings"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/svg"
)

// Measures of the drawing, in SVG user units. The board is drawn as large as it fits between the plates.
const (
	margin   = 16
	plateTop = 78
	plateTal = 50
	boardTop = 150
	mostWide = 640
	mostHigh = 690
)

const style = `
.rim{fill:#5b3a1e;stroke:#3a2410;stroke-width:2}
.wood{fill:#dcb680}
.grain{fill:none;stroke:#c79d64;stroke-width:2}
.goal{stroke:#8c1d18;stroke-width:7;stroke-dasharray:16 8}
.inlay{fill:#c79a5e;stroke:#7a5427;stroke-width:2}
.hatch{fill:url(#mole-hatch);stroke:#7a3b1c;stroke-width:2}
.loup{stroke:#7a5427;stroke-width:2.5;stroke-dasharray:18 6 4 6}
.ramp{fill:#cfc3ea;stroke:#5a4d8c;stroke-width:2}
.lip{stroke:#5a4d8c;stroke-width:5}
.thing{fill:#3a2b1c;stroke:#3a2b1c;stroke-width:6;stroke-linecap:round}
.zone{font-size:18px;fill:#3b2410;text-anchor:middle}
.shadow{fill:#2a1a0c;opacity:.35}
.edge{fill:#7d5a12;stroke:#3a2a08;stroke-width:1}
.edge-mole{fill:#3b332f;stroke:#1c1714;stroke-width:1}
.gold{fill:#f0cd6a}
.spent{fill:#c9bfa9}
.fur{fill:#6b5d57}
.letter{fill:#2a1d06;font-weight:bold;text-anchor:middle}
.safe{fill:none;stroke:#fffdf7;stroke-width:3;stroke-dasharray:7 4}
.gad{stroke:#8c1d18;stroke-width:6;stroke-linecap:round}
.was{fill:none;stroke:#3b2410;stroke-width:2;stroke-dasharray:4 4}
.path{fill:none;stroke:#2a1a0c;stroke-width:3.5;stroke-linejoin:round}
.air{stroke-dasharray:2 8;stroke-linecap:round;stroke-width:4.5}
.tip{fill:#2a1a0c}
.due{stroke:#b85c00}`

const dark = `
.rim{fill:#3a2716;stroke:#6e4d2b}
.wood{fill:#9c7747}
.grain{stroke:#8a673a}
.inlay{fill:#c79a5e}
.due{stroke:#ffb454}
.zone{fill:#140a02}
.letter{fill:#2a1d06}`

const defs = `<pattern id="mole-hatch" width="12" height="12" patternUnits="userSpaceOnUse"><rect width="12" height="12" fill="#d8a06a"/><path d="M0 12L12 0" stroke="#a9602f" stroke-width="2"/></pattern>`

// drawing collects the SVG.
type drawing struct {
	svg.Document
	v     View
	names []string
	scale float64 // units in a millimetre
	left  float64 // of the board
	width int     // of the board
	high  int
}

// Draw returns the view as an SVG: a wooden board with its zones as inlays, the coins, the way of the last flick, and the players
// at their ends: the winning line is on top, where the mignettes keep it.
func (Rules) Draw(v View, names []string) []byte {
	d := &drawing{v: v, names: names}
	d.scale = min(mostWide/mm(v.Board.W), mostHigh/mm(v.Board.H))
	d.width, d.high = int(float64(d.scale*mm(v.Board.W))), int(float64(d.scale*mm(v.Board.H)))
	d.left = float64((svg.Width - float64(d.scale*mm(v.Board.W))) / 2)
	d.Begin(svg.Head{
		ID:     "mole",
		Height: boardTop + d.high + plateTal + 38,
		Title:  headline(v),
		Desc:   Rules{}.Describe(v),
		Style:  style,
		Dark:   dark,
		Defs:   defs,
	})
	d.heading()
	d.plate(1-int(v.MoleSeat), plateTop, "mignettes", v.Phase == PhasePlace.String() || v.Phase == PhaseMignettes.String())
	d.plate(int(v.MoleSeat), boardTop+d.high+24, "mole", v.Phase == PhaseMole.String())
	d.board()
	d.paths()
	for k := range v.Coins {
		d.coin(k)
	}
	d.gad()
	return d.End()
}

func mm(um int32) float64 { return float64(float64(um) / 1000) }

// heading says where the match stands and what is due.
func (d *drawing) heading() {
	v := &d.v
	words := fmt.Sprintf("Round %d", v.Round)
	if v.Phase == PhaseOver.String() {
		words = "Over after " + game.Plural(v.Round, "round")
	}
	d.Text(margin, 36, "h", words)
	d.Text(svg.Width-margin, 36, "e", fmt.Sprintf("first to %d, by %d", v.Limits.Points, v.Limits.Lead))
	d.Text(margin, 66, "", d.due())
}

// due says what is being decided, and what holds now.
func (d *drawing) due() string {
	v := &d.v
	switch {
	case v.Pending != nil:
		return fmt.Sprintf("The mole is off the %s side, knocked by %s.", v.Pending.Edge, short(v.Pending.By))
	case v.Phase == PhasePlace.String():
		return "The mignettes are to be placed."
	case v.Phase == PhaseMignettes.String():
		return "The mignettes flick; to play: " + strings.ReplaceAll(strings.Join(v.toPlay(), " "), "m", "") + "."
	case v.Phase == PhaseMole.String():
		return fmt.Sprintf("The mole flicks; turn %d of %d.", v.MoleTurns+1, v.Limits.MoleTurns)
	case v.Score[0] == v.Score[1]:
		return "A draw."
	case v.Score[0] > v.Score[1]:
		return "The winner is " + svg.Fit(svg.Name(d.names, 0), 500, 20) + "."
	}
	return "The winner is " + svg.Fit(svg.Name(d.names, 1), 500, 20) + "."
}

// plate draws who sits at an end: name, side, score.
func (d *drawing) plate(seat, y int, side string, due bool) {
	name := svg.Fit(svg.Name(d.names, seat), 360, 20)
	d.Plate(margin, y, svg.Width-2*margin, plateTal, seat, fmt.Sprint(seat), name, due)
	d.Text(svg.Width-margin-90, y+31, "e", side)
	d.Text(svg.Width-margin-16, y+34, "h e", fmt.Sprint(d.v.Score[seat]))
}

// x and y bring a place of the table onto the paper: the winning line is on top.
func (d *drawing) x(um int32) float64 { return d.left + float64(d.scale*mm(um)) }
func (d *drawing) y(um int32) float64 { return boardTop + float64(d.scale*mm(d.v.Board.H-um)) }

// size returns a length on the drawing.
func (d *drawing) size(um int32) float64 { return float64(d.scale * mm(um)) }

// label names a zone, where no coin lies on the words.
func (d *drawing) label(x, y int32, words string) {
	wide := float64(float64(svg.TextWidth(words, 18)) / 2)
	for k, c := range d.v.Coins {
		r := d.size(Coin(k).radius()) + 4
		if dx, dy := d.x(c.X)-d.x(x), d.y(c.Y)-d.y(y); c.Alive && max(dx, -dx) < wide+r && max(dy, -dy) < r+10 {
			return
		}
	}
	d.Text(int(d.x(x)), int(d.y(y))+6, "zone", words)
}

func (d *drawing) rect(r Rect, at, class string) {
	d.BeginTarget(at)
	d.Tooltip(at)
	d.Raw(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="6" class="%s"/>`, d.x(r.From.X), d.y(r.To.Y), d.x(r.To.X)-d.x(r.From.X), d.y(r.From.Y)-d.y(r.To.Y), class)
	d.EndGroup()
	if svg.TextWidth(at, 18) < int(d.x(r.To.X)-d.x(r.From.X)) {
		d.label(r.From.X/2+r.To.X/2, r.From.Y/2+r.To.Y/2, at)
	}
}

func (d *drawing) board() {
	b := &d.v.Board
	left := int(d.left)
	d.Raw(`<rect x="%d" y="%d" width="%d" height="%d" rx="12" class="rim"/>`, left-12, boardTop-12, d.width+24, d.high+24)
	// data-um is the board's width and height: a page finds the place of the table where somebody points. data-slows is how much speed a
	// sliding coin loses, in mm/s²: it finds how far one goes.
	d.Raw(`<rect data-at="board" data-um="%d %d" data-slows="%d" x="%.1f" y="%d" width="%d" height="%d" class="wood"/>`,
		b.W, b.H, d.v.slows, d.left, boardTop, d.width, d.high)
	for k := range 6 {
		y := boardTop + d.high*(2*k+1)/12
		d.Raw(`<path d="M%d %dq%d %d %d 0t%d 0" class="grain"/>`, left, y, d.width/4, 14-5*(k%4), d.width/2, d.width/2)
	}
	d.Raw(`<path d="M%d %dh%d" class="goal"/>`, left, boardTop, d.width)
	d.rect(b.Nichee, "nichee", "inlay")
	for _, r := range b.rosseries() {
		d.rect(r, "rosserie", "hatch")
	}
	d.BeginTarget("circle")
	d.Tooltip("mole circle")
	d.Raw(`<circle cx="%.1f" cy="%.1f" r="%.1f" class="inlay"/>`, d.x(b.Circle.At.X), d.y(b.Circle.At.Y), d.size(b.Circle.R))
	d.EndGroup()
	if b.HasLoup {
		d.Raw(`<path d="M%d %.1fh%d" class="loup"><title>loup line</title></path>`, left, d.y(b.Loup), d.width)
	}
	d.ramp()
	for _, w := range b.walls() {
		d.Raw(`<path d="M%.1f %.1fL%.1f %.1f" class="thing"><title>wall</title></path>`, d.x(w.A.X), d.y(w.A.Y), d.x(w.B.X), d.y(w.B.Y))
	}
	for _, p := range b.posts() {
		d.Raw(`<circle cx="%.1f" cy="%.1f" r="%.1f" class="thing"><title>post</title></circle>`, d.x(p.At.X), d.y(p.At.Y), d.size(p.R))
	}
}

// ramp draws the rectangle, its lip as a thick line, and an arrow in its direction.
func (d *drawing) ramp() {
	r := &d.v.Board.Ramp
	if !r.On {
		return
	}
	d.Raw(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" class="ramp"><title>ramp</title></rect>`, d.x(r.Rect.From.X), d.y(r.Rect.To.Y), d.x(r.Rect.To.X)-d.x(r.Rect.From.X), d.y(r.Rect.From.Y)-d.y(r.Rect.To.Y))
	from, to := Point{r.Lip, r.Rect.From.Y}, Point{r.Lip, r.Rect.To.Y}
	middle := Point{r.Rect.From.X/2 + r.Rect.To.X/2, r.Rect.From.Y/2 + r.Rect.To.Y/2}
	if r.Direction%180_000 != 0 {
		from, to = Point{r.Rect.From.X, r.Lip}, Point{r.Rect.To.X, r.Lip}
	}
	d.Raw(`<path d="M%.2f %.2fL%.2f %.2f" class="lip"/>`, d.x(from.X), d.y(from.Y), d.x(to.X), d.y(to.Y))
	d.Raw(`<path d="M-12 -9L6 0L-12 9z" class="tip" transform="translate(%.1f %.1f) rotate(%d)"/>`, d.x(middle.X), d.y(middle.Y), -r.Direction/1000)
}

// short returns the letter on a coin.
func short(id string) string {
	if id == coinNames[Mole] {
		return "M"
	}
	return strings.TrimPrefix(id, "m")
}
