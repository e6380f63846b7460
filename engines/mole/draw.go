package mole

import (
	"fmt"
	"html"
	"strings"

	"github.com/molerun/molerun/engines/svg"
)

// Measures of the drawing, in SVG user units: one is a millimetre of the table on the board.
const (
	drawMargin = 24
	drawPanel  = 230
	drawTop    = 46
	drawFloor  = 430 // the least height of the panel's text
)

const style = `text{font-family:"DejaVu Sans",Verdana,Arial,sans-serif;font-size:10px;fill:#1c1c1c}.h{font-size:14px;font-weight:bold}` +
	`.b{font-weight:bold}.s{font-size:8.5px;fill:#3a3a3a}.z{font-size:8.5px;fill:#5d5032;paint-order:stroke;stroke:#fff;stroke-width:2px}.m{text-anchor:middle}` +
	`.zone{stroke:#7d6a3a;stroke-width:.8}.coin{stroke:#1c1c1c;stroke-width:1.2}.letter{font-weight:bold;text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:2px}` +
	`.path{fill:none;stroke:#1c1c1c;stroke-width:1;marker-mid:url(#tip)}.air{stroke-dasharray:1 3;stroke-linecap:round;stroke-width:1.6}.thing{fill:#333;stroke:#333;stroke-linecap:round}`

const patterns = `<defs><pattern id="kill" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="#f6ecd2"/>` +
	`<path d="M0 6L6 0" stroke="#d8c48c" stroke-width=".9"/></pattern>` +
	`<pattern id="nichee" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="#e9f1ec"/><circle cx="3" cy="3" r=".7" fill="#8fb5a0"/></pattern>` +
	`<pattern id="ramp" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8" fill="#e8e4f2"/><path d="M0 6L4 2L8 6" fill="none" stroke="#a79cc9" stroke-width=".9"/></pattern>` +
	`<pattern id="mole" width="5" height="5" patternUnits="userSpaceOnUse"><rect width="5" height="5" fill="#c98f62"/><path d="M0 0L5 5M5 0L0 5" stroke="#b57a4c" stroke-width=".7"/></pattern>` +
	`<marker id="tip" viewBox="0 0 6 6" refX="4" refY="3" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L6 3L0 6z" fill="#1c1c1c"/></marker></defs>`

// drawing collects the SVG.
type drawing struct {
	svg.Document
	v View
}

// Draw is the view as an SVG: the board with its zones and things, the coins, the paths of the last flick, and the state of
// the match beside it. Letters and patterns say all that colours say.
func (Rules) Draw(v View, names []string) []byte {
	d := &drawing{v: v}
	b := &v.Board
	width := 2*drawMargin + mm(b.W) + drawPanel
	height := drawTop + drawMargin + max(mm(b.H), drawFloor)
	d.Put(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" aria-labelledby="t d">`, width, height, float64(1.6*width), float64(1.6*height))
	d.Put(`<title id="t">%s</title><desc id="d">%s</desc><style>%s</style>%s`, html.EscapeString(headline(v)), html.EscapeString(Rules{}.Describe(v)), style, patterns)
	d.Put(`<rect width="%.0f" height="%.0f" fill="#fbfaf6"/>`, width, height)
	d.text(drawMargin, 20, "h", headline(v))
	d.board()
	d.paths()
	for k := range v.Coins {
		d.coin(k)
	}
	d.panel(2*drawMargin + mm(b.W))
	return d.End()
}

func mm(um int32) float64 { return float64(float64(um) / 1000) }

func (d *drawing) text(x, y float64, class, words string) {
	d.Put(`<text x="%.1f" y="%.1f" class="%s">%s</text>`, x, y, class, html.EscapeString(words))
}

// x and y bring a place of the table onto the paper: the winning line is on top.
func (d *drawing) x(um int32) float64 { return drawMargin + mm(um) }
func (d *drawing) y(um int32) float64 { return drawTop + mm(d.v.Board.H-um) }

func (d *drawing) rect(r Rect, fill, label string) {
	d.Put(`<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" class="zone" fill="url(#%s)"/>`, d.x(r.From.X), d.y(r.To.Y), mm(r.To.X-r.From.X), mm(r.To.Y-r.From.Y), fill)
	d.text(d.x(r.From.X)+3, d.y(r.From.Y)-3, "z", label)
}

func (d *drawing) board() {
	b := &d.v.Board
	d.Put(`<rect x="%d" y="%d" width="%.2f" height="%.2f" fill="#fff" stroke="#1c1c1c" stroke-width="1"/>`, drawMargin, drawTop, mm(b.W), mm(b.H))
	d.Put(`<path d="M%d %dh%.2f" stroke="#1c1c1c" stroke-width="4" stroke-dasharray="8 4"/>`, drawMargin, drawTop, mm(b.W))
	d.text(d.x(b.W/2), drawTop-6, "b m", "WINNING LINE")
	d.text(d.x(b.W/2), d.y(0)+13, "s m", "back edge")
	d.rect(b.Nichee, "nichee", "nichee")
	for _, r := range b.rosseries() {
		d.rect(r, "kill", "rosserie")
	}
	d.Put(`<circle cx="%.2f" cy="%.2f" r="%.2f" class="zone" fill="url(#kill)"/>`, d.x(b.Circle.At.X), d.y(b.Circle.At.Y), mm(b.Circle.R))
	d.text(d.x(b.Circle.At.X), d.y(b.Circle.At.Y+b.Circle.R)-3, "z m", "mole circle")
	if b.HasLoup {
		d.Put(`<path d="M%d %.2fh%.2f" stroke="#7d6a3a" stroke-width="1" stroke-dasharray="10 3 2 3"/>`, drawMargin, d.y(b.Loup), mm(b.W))
		d.text(drawMargin+3, d.y(b.Loup)-3, "z", "loup line")
	}
	d.ramp()
	for _, w := range b.walls() {
		d.Put(`<path d="M%.2f %.2fL%.2f %.2f" class="thing" stroke-width="3"/>`, d.x(w.A.X), d.y(w.A.Y), d.x(w.B.X), d.y(w.B.Y))
		d.text(d.x(w.A.X/2+w.B.X/2), d.y(max(w.A.Y, w.B.Y))-4, "z m", "wall")
	}
	for _, p := range b.posts() {
		d.Put(`<circle cx="%.2f" cy="%.2f" r="%.2f" class="thing"/>`, d.x(p.At.X), d.y(p.At.Y), mm(p.R))
		d.text(d.x(p.At.X), d.y(p.At.Y+p.R)-3, "z m", "post")
	}
}

// ramp draws the rectangle, its lip as a thick line, and an arrow in its direction.
func (d *drawing) ramp() {
	r := &d.v.Board.Ramp
	if !r.On {
		return
	}
	d.rect(r.Rect, "ramp", "ramp")
	midX, midY := r.Rect.From.X/2+r.Rect.To.X/2, r.Rect.From.Y/2+r.Rect.To.Y/2
	from, to := Point{r.Lip, r.Rect.From.Y}, Point{r.Lip, r.Rect.To.Y}
	tail := Point{midX, midY}
	head := Point{r.Lip, midY}
	if r.Direction%180_000 != 0 {
		from, to, head = Point{r.Rect.From.X, r.Lip}, Point{r.Rect.To.X, r.Lip}, Point{midX, r.Lip}
	}
	d.Put(`<path d="M%.2f %.2fL%.2f %.2f" stroke="#5a4d8c" stroke-width="2.5"/>`, d.x(from.X), d.y(from.Y), d.x(to.X), d.y(to.Y))
	d.Put(`<path d="M%.2f %.2fL%.2f %.2f" class="path" stroke-width="1.5" marker-end="url(#tip)"/>`, d.x(tail.X), d.y(tail.Y), d.x(head.X), d.y(head.Y))
}

// paths draws the last flick: solid in the plane, dotted in the air, an open ring where a coin began, an arrow in the middle
// of its longest stretch, where no coin lies on it.
func (d *drawing) paths() {
	first, longest := map[Coin]Point{}, map[Coin]int64{}
	square := func(x Stroke) int64 { // of its length
		dx, dy := int64(x.To.X-x.From.X), int64(x.To.Y-x.From.Y)
		return dx*dx + dy*dy
	}
	for _, x := range d.v.strokes {
		longest[x.Coin] = max(longest[x.Coin], square(x))
		if _, begun := first[x.Coin]; !begun {
			first[x.Coin] = x.From
			d.Put(`<circle cx="%.2f" cy="%.2f" r="%.2f" class="path" stroke-dasharray="2 2" stroke-width=".7"/>`, d.x(x.From.X), d.y(x.From.Y), mm(x.Coin.radius()))
		}
	}
	for _, x := range d.v.strokes {
		class, middle := "path", ""
		if x.Air {
			class = "path air"
		}
		if l := square(x); l > 0 && l == longest[x.Coin] {
			longest[x.Coin] = -1 // one arrow is enough
			middle = fmt.Sprintf("L%.2f %.2f", float64((d.x(x.From.X)+d.x(x.To.X))/2), float64((d.y(x.From.Y)+d.y(x.To.Y))/2))
		}
		d.Put(`<path d="M%.2f %.2f%sL%.2f %.2f" class="%s"/>`, d.x(x.From.X), d.y(x.From.Y), middle, d.x(x.To.X), d.y(x.To.Y), class)
	}
	for c := range Coin(1 + Mignettes) {
		if at, ok := first[c]; ok {
			d.text(d.x(at.X), d.y(at.Y)+3, "z m", short(c.String()))
		}
	}
}

// short is the letter on a coin.
func short(id string) string {
	if id == coinNames[Mole] {
		return "M"
	}
	return strings.TrimPrefix(id, "m")
}

// coin draws a coin on the board: its letter; a second ring round a protected mole; a tick on a mignette that has played.
func (d *drawing) coin(k int) {
	c := d.v.Coins[k]
	if !c.Alive {
		return
	}
	x, y, r, fill := d.x(c.X), d.y(c.Y), mm(Coin(k).radius()), "#dfe7f3"
	if Coin(k) == Mole {
		fill = "url(#mole)"
		if d.v.Protected {
			d.Put(`<circle cx="%.2f" cy="%.2f" r="%.2f" fill="none" stroke="#1c1c1c" stroke-width="1" stroke-dasharray="3 2"/>`, x, y, r+3)
		}
	}
	d.Put(`<circle cx="%.2f" cy="%.2f" r="%.2f" class="coin" fill="%s"/>`, x, y, r-.6, fill)
	mark := short(c.ID)
	if c.Played {
		mark += "✓"
	}
	d.text(x, y+3.6, "letter", mark)
	for _, id := range d.v.Gad {
		if id == c.ID {
			const share = float64(moleRadius) / (moleRadius + mignetteRadius) // of the way, where the rims meet
			dx, dy := x-d.x(d.v.Coins[Mole].X), y-d.y(d.v.Coins[Mole].Y)
			d.Put(`<path d="M%.2f %.2fl%.2f %.2f" stroke="#1c1c1c" stroke-width="3"/>`, x-float64(dx*(1.15-share)), y-float64(dy*(1.15-share)), float64(dx*.3), float64(dy*.3))
		}
	}
}

// panel writes the state of the match.
func (d *drawing) panel(x float64) {
	v := &d.v
	y := float64(drawTop)
	line := func(class, words string) {
		for _, part := range wrap(words, map[string]int{"b": 33, "s": 46}[class]) {
			d.text(x, y+8, class, part)
			y += 13
		}
	}
	line("b", fmt.Sprintf("Seat %d (mole): score %d", v.MoleSeat, v.Score[v.MoleSeat]))
	line("b", fmt.Sprintf("Seat %d (mignettes): score %d", 1-v.MoleSeat, v.Score[1-v.MoleSeat]))
	line("s", fmt.Sprintf("first to %d with a lead of %d", v.Limits.Points, v.Limits.Lead))
	y += 6
	line("b", status(*v))
	line("", fmt.Sprintf("Mole turns so far: %d of %d", v.MoleTurns, v.Limits.MoleTurns))
	if v.Protected {
		line("", "The mole is protected.")
	}
	if len(v.Gad) > 0 {
		line("", "Gad: the mole touches "+strings.Join(v.Gad, ", ")+".")
	}
	if v.Pending != nil {
		line("", fmt.Sprintf("The mole is off the %s side, knocked by %s.", v.Pending.Edge, v.Pending.By))
	}
	y += 6
	for _, c := range v.Coins {
		where := "not on the board"
		if c.Alive {
			where = fmt.Sprintf("%.1f, %.1f mm", mm(c.X), mm(c.Y))
		}
		line("", fmt.Sprintf("%s  %s: %s", short(c.ID), c.ID, where))
	}
	y += 6
	for _, words := range []string{
		"M mole · 1 2 3 mignettes · ✓ played", "dashed ring round M: protected", "thick bar between coins: they touch (Gad)",
		"hatched: protects the mole, kills mignettes", "dotted zone: where mignettes begin",
		"dashed circle with arrow: the last flick", "dotted path: in the air", "Noise: " + v.noise,
	} {
		line("s", words)
	}
}

// wrap breaks words into lines of at most so many letters; 0 is 40.
func wrap(words string, most int) []string {
	var lines []string
	if most == 0 {
		most = 40
	}
	line := ""
	for _, word := range strings.Fields(words) {
		if line != "" && len(line)+1+len(word) > most {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}
