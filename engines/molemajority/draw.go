package molemajority

import (
	"fmt"
	"math"
	"strings"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/svg"
)

// Measures of the drawing, in SVG user units.
const (
	drawWidth  = 1000
	drawHeight = 640
	boardX     = 305
	boardY     = 350
	halfWidth  = 54 // of a hex
	rowHeight  = 93
	corner     = 62 // from the middle to a corner
	spaceR     = 37 // from the middle to a space
	moleR      = 12
	panelX     = 620
)

// style is the whole look.
const style = `.mm text{font-family:"DejaVu Sans",Verdana,Arial,sans-serif;font-size:14px;fill:#1c1c1c}.mm .h{font-size:19px;font-weight:bold}` +
	`.mm .b{font-weight:bold}.mm .s{font-size:12px;fill:#444}.mm .n{font-size:10.5px;fill:#444;text-anchor:middle}.mm .m{text-anchor:middle}` +
	`.mm .l{font-weight:bold;text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:2.5px}.mm .tile{stroke:#6b5a3c;stroke-width:2}` +
	`.mm .away{fill:none;stroke:#bbb;stroke-dasharray:5 4}.mm .hole{fill:#fff;stroke:#8a7a5a;stroke-width:1.2}.mm .mole{stroke:#1c1c1c;stroke-width:1.5}` +
	`.mm .wall{stroke:#1c1c1c;stroke-width:9;stroke-linecap:round}.mm .mark{stroke:#f2d433;stroke-width:4;stroke-dasharray:6 6}`

// look is how a seat is drawn: fill, the paler fill of its hexes and a pattern, so that colour is not needed.
type look struct{ fill, pale, pattern string }

var looks = [MaxSeats]look{
	{"#6f9be0", "#dfe9fa", `<path d="M0 0L6 6" stroke="#1e4690" stroke-width="1.1"/>`},
	{"#f0943c", "#fce7d0", `<path d="M0 3H6" stroke="#a85200" stroke-width="1.1"/>`},
	{"#6db56d", "#dcf0dc", `<path d="M0 6L6 0" stroke="#22622a" stroke-width="1.1"/>`},
	{"#b184d6", "#ece0f6", `<path d="M3 0V6" stroke="#5d2a8a" stroke-width="1.1"/>`},
}

// drawing collects the SVG.
type drawing struct {
	svg.Document
	v View
}

// Draw is the view as an SVG: the board with claims, moles, homes and Cave-Ins, and the seats beside it.
func (Rules) Draw(v View, names []string) []byte {
	d := &drawing{v: v}
	who := "a spectator"
	if v.Me != nil {
		who = fmt.Sprintf("seat %d", v.Me.Seat)
	}
	var patterns strings.Builder
	for i, x := range looks {
		patterns.WriteString(svg.Pattern(fmt.Sprintf("mm-%d", i), x.fill, x.pattern))
	}
	d.Begin(svg.Head{
		ID:     "mm",
		Width:  drawWidth,
		Height: drawHeight,
		Title:  "Mole Majority as " + who + " sees it",
		Desc:   Rules{}.Describe(v),
		Style:  style,
		Defs:   patterns.String(),
	})
	d.Text(20, 32, "h", headline(v))
	d.Text(20, 52, "s", "Seen by "+who+". "+status(v))
	d.board()
	y := 92
	for _, p := range v.Players {
		y = d.player(p, y)
	}
	d.mine(y)
	return d.End()
}

// middle is where a hex lies in the drawing.
func middle(h Hex) (x, y int) {
	q, r := int(grid.q[h]), int(grid.r[h])
	return boardX + halfWidth*(2*q+r), boardY + rowHeight*r
}

// board draws the places, the tiles and the Cave-Ins.
func (d *drawing) board() {
	laid := Board(0)
	for _, x := range d.v.Hexes {
		if h, ok := hexOf(x.At); ok {
			laid |= 1 << h
		}
	}
	for h := range Hex(Hexes) {
		if !laid.Has(h) {
			x, y := middle(h)
			d.outline(x, y, `class="away"`)
			d.Text(x, y+4, "n", h.String())
		}
	}
	for i := range d.v.Hexes {
		if h, ok := hexOf(d.v.Hexes[i].At); ok {
			d.tile(h, &d.v.Hexes[i])
		}
	}
	for _, name := range d.v.Edges {
		if e, ok := edgeOf(name); ok {
			d.wall(grid.ends[e])
		}
	}
}

// outline draws a hex with a corner to the north.
func (d *drawing) outline(x, y int, look string) {
	d.Put(`<path d="M%d %dl%d %dv%dl-%d %dl-%d -%dv-%dz" %s/>`, x, y-corner, halfWidth, corner/2, corner, halfWidth, corner/2, halfWidth, corner/2, corner, look)
}

func (d *drawing) tile(h Hex, v *hexView) {
	x, y := middle(h)
	fill := "#f3ead6"
	if c := seatOf(v.Claim); c >= 0 {
		fill = looks[c].pale
	}
	d.outline(x, y, `class="tile" fill="`+fill+`"`)
	for i, seat := range v.Spaces {
		angle := 2*math.Pi*float64(i)/float64(len(v.Spaces)) - math.Pi/2
		sx, sy := x+int(math.Round(spaceR*math.Cos(angle))), y+int(math.Round(spaceR*math.Sin(angle)))
		d.mole(seatOf(seat), sx, sy)
	}
	d.Text(x, y-15, "n", h.String())
	if c := seatOf(v.Claim); c >= 0 {
		d.Put(`<rect x="%d" y="%d" width="26" height="17" rx="3" class="mole" fill="url(#mm-%d)"/>`, x-13, y-12, c)
		d.Text(x, y+2, "l", letter(c))
	}
	at := x
	if v.Home {
		d.Put(`<path d="M%d %dv-8l6 -5l6 5v8z" fill="#3f9a4a" stroke="#1c4a22"/>`, x-14, y+21)
		at = x + 7
	}
	d.Text(at, y+21, "b m", fmt.Sprint(v.Size))
}

// seatOf is a seat of a view that can be drawn, [game.Spectator] for none.
func seatOf(seat *game.Seat) game.Seat {
	if seat == nil || *seat < 0 || *seat >= MaxSeats {
		return game.Spectator
	}
	return *seat
}

// mole draws a space with the mole of a seat, or empty.
func (d *drawing) mole(seat game.Seat, x, y int) {
	if seat < 0 {
		d.Put(`<circle cx="%d" cy="%d" r="%d" class="hole"/>`, x, y, moleR-2)
		return
	}
	d.Put(`<circle cx="%d" cy="%d" r="%d" class="mole" fill="url(#mm-%d)"/>`, x, y, moleR, seat)
	d.Text(x, y+5, "l", letter(seat))
}

// wall draws a Cave-In along the edge of two hexes.
func (d *drawing) wall(ends [2]Hex) {
	ax, ay := middle(ends[0])
	bx, by := middle(ends[1])
	x, y := (ax+bx)/2, (ay+by)/2
	dx, dy := 0, corner/2-5 // half of an edge between east and west
	switch {
	case by > ay:
		dx, dy = 23, -13
	case by < ay:
		dx, dy = 23, 13
	}
	for _, class := range []string{"wall", "mark"} {
		d.Put(`<path d="M%d %dL%d %d" class="%s"/>`, x-dx, y-dy, x+dx, y+dy, class)
	}
}

// player tells of a seat and returns where the next one begins.
func (d *drawing) player(p playerView, y int) int {
	if d.v.Active != nil && *d.v.Active == p.Seat {
		d.Put(`<path d="M%d %dl9 5l-9 5z" fill="#1c1c1c"/>`, panelX-14, y-10)
	}
	d.mole(seatOf(&p.Seat), panelX+10, y-5)
	state := fmt.Sprintf("seat %d", p.Seat)
	if p.Out {
		state += ", out"
	}
	if x := d.v.Reveal; x != nil && int(p.Seat) < len(x.Points) {
		state += fmt.Sprintf(": %d points", x.Points[p.Seat])
	}
	d.Text(panelX+30, y, "b", state)
	d.Text(panelX+30, y+18, "", fmt.Sprintf("supply: %d moles, %d claims, %d Cave-Ins", p.Moles, p.Claims, p.CaveIns))
	d.Text(panelX+30, y+36, "", fmt.Sprintf("hand %d, deck %d, discard %d, home tokens %d", p.Hand, p.Deck, len(p.Discard), p.Homes))
	d.Text(panelX+30, y+52, "s", "last discarded: "+list(p.Discard[max(0, len(p.Discard)-3):]))
	return y + 84
}

// mine tells what the viewer alone knows.
func (d *drawing) mine(y int) {
	if d.v.Me == nil {
		return
	}
	d.Text(panelX, y, "b", "Hand")
	for i, card := range d.v.Me.Hand {
		d.Text(panelX+14+i/5*170, y+19*(i%5+1), "", card)
	}
	y += 19*(min(5, len(d.v.Me.Hand))+1) + 8
	d.Text(panelX, y, "b", "Home tokens: "+orNone(strings.Trim(fmt.Sprint(d.v.Me.Homes), "[]")))
}
