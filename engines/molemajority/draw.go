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
	margin    = 16
	boardX    = svg.Width / 2
	boardY    = 396
	halfWidth = 66 // of a hex
	rowHeight = 114
	corner    = 76 // from the middle to a corner
	spaceR    = 45 // from the middle to a space
	playerTop = 714
	playerTal = 90
	handTal   = 38
	cardWide  = 163
	cardTal   = 66
	cardsRow  = 4
)

// style is the whole look: earth, tunnels in it, moles in the colours of their tribes, each with the number of its seat.
const style = `
.tile{fill:#c9a06c;stroke:#6b4a26;stroke-width:3;stroke-linejoin:round}
.claim0{fill:#a9bfe0}
.claim1{fill:#efb887}
.claim2{fill:#a5cfa6}
.claim3{fill:#cbb2e6}
.away{fill:none;stroke:#b9ab90;stroke-width:2;stroke-dasharray:6 6;pointer-events:all}
.tunnel{fill:none;stroke:#5a3d22;stroke-width:17;stroke-linecap:round}
.hole{fill:#5a3d22;stroke:#3a2612;stroke-width:2}
.fur{stroke:#1c1410;stroke-width:1.5}
.face{fill:#fff}
.nose{fill:#f2a0ac}
.l{font-size:18px;font-weight:bold;fill:#fff;text-anchor:middle}
.rock{fill:#8b8680;stroke:#33302c;stroke-width:2}
.edge{fill:none;pointer-events:all}
.house{fill:#ffd23f;stroke:#3a2612;stroke-width:2;stroke-linejoin:round}
.icon{fill:#7b6a52}
.lines{fill:none;stroke:#7b6a52;stroke-width:2}
.hex{font-size:18px;fill:#2a1a0c;stroke:#f4e8d2;stroke-width:5;stroke-linejoin:round;paint-order:stroke;text-anchor:middle}
.worth{font-size:18px;font-weight:bold;fill:#2a1a0c;text-anchor:middle}`

const dark = `
.tile{fill:#7d6040;stroke:#2c1e0f}
.claim0{fill:#4d6a97}
.claim1{fill:#99632f}
.claim2{fill:#4b7d4f}
.claim3{fill:#775a98}
.away{stroke:#5c5344}
.tunnel{stroke:#2f2012}
.hole{fill:#2f2012;stroke:#1a110a}
.l{fill:#fff}
.icon{fill:#cfc5b3}
.lines{stroke:#cfc5b3}
.hex{fill:#fff;stroke:#2c1e0f}
.worth{fill:#2a1a0c}`

// drawing collects the SVG.
type drawing struct {
	svg.Document
	v     View
	names []string
}

// Draw returns the view as an SVG: the board with tunnels, moles, claims, homes and Cave-Ins, the players below it, and the
// viewer's cards.
func (Rules) Draw(v View, names []string) []byte {
	d := &drawing{v: v, names: names}
	title := "Mole Majority as a spectator sees it"
	handTop := playerTop + (len(v.Players)+1)/2*(playerTal+10)
	legendY := handTop + 14
	handTop += 34
	height := handTop + 6
	switch {
	case v.worth != nil:
		title = "Mole Majority with all that was hidden"
		height += 8 + len(v.Players)*handTal
	case v.Me != nil:
		title = fmt.Sprintf("Mole Majority as seat %d sees it", v.Me.Seat)
		height += 34 + max(2, (len(v.Me.Hand)+cardsRow-1)/cardsRow)*(cardTal+10)
	}
	d.Begin(svg.Head{
		ID:     "mm",
		Height: height,
		Title:  title,
		Desc:   Rules{}.Describe(v),
		Style:  style,
		Dark:   dark,
	})
	d.heading()
	d.board()
	for i, p := range v.Players {
		d.player(p, margin+i%2*(svg.Width/2-margin/2), playerTop+i/2*(playerTal+10))
	}
	d.legend(legendY)
	d.mine(handTop)
	d.hands(handTop)
	return d.End()
}

// heading says whose turn it is and what is to be done.
func (d *drawing) heading() {
	v := &d.v
	words := "Set-up"
	switch {
	case v.Phase == PhaseOver.String():
		words = fmt.Sprintf("Over after %d turns", v.Turn)
	case v.Turn > 0:
		words = fmt.Sprintf("Turn %d", v.Turn)
	}
	d.Text(margin, 36, "h", words)
	if v.Action != nil {
		d.Text(svg.Width-margin, 36, "b e", title(*v.Action))
	}
	d.Text(margin, 66, "", svg.Fit(status(*v), svg.Width, 20))
}

// middle returns where a hex lies in the drawing, x and y.
func middle(h Hex) (int, int) {
	q, r := int(grid.q[h]), int(grid.r[h])
	return boardX + halfWidth*(2*q+r), boardY + rowHeight*r
}

// board draws the places, the tiles, the tunnels between them, what stands on them, and the Cave-Ins.
func (d *drawing) board() {
	laid := Board(0)
	for i := range d.v.Hexes {
		x := &d.v.Hexes[i]
		if h, ok := hexOf(x.At); ok {
			laid |= 1 << h
			class := "tile"
			if c := seatOf(x.Claim); c >= 0 {
				class = fmt.Sprintf("tile claim%d", c)
			}
			d.outline(h, class, hexWords(*x))
		}
	}
	for h := range Hex(hexes) {
		if !laid.Has(h) {
			d.outline(h, "away", h.String())
			x, y := middle(h)
			d.Text(x, y+7, "s m", h.String())
		}
	}
	d.tunnels(laid)
	for i := range d.v.Hexes {
		if h, ok := hexOf(d.v.Hexes[i].At); ok {
			d.tile(h, &d.v.Hexes[i])
		}
	}
	for _, name := range d.v.Edges {
		if e, ok := edgeOf(name); ok {
			d.rocks(int(e))
		}
	}
	for _, p := range d.v.Pending {
		if p.Do == DoSpecial.String() {
			d.edges(laid)
		}
	}
}

// outline draws a hex with a corner to the north.
func (d *drawing) outline(h Hex, class, words string) {
	x, y := middle(h)
	d.BeginTarget(h.String())
	d.Tooltip(words)
	d.Raw(`<polygon points="%d,%d %d,%d %d,%d %d,%d %d,%d %d,%d" class="%s"/>`, x, y-corner, x+halfWidth, y-corner/2, x+halfWidth, y+corner/2,
		x, y+corner, x-halfWidth, y+corner/2, x-halfWidth, y-corner/2, class)
	d.EndGroup()
}

// tunnels draws the ways between the tiles that no Cave-In closes, and round each tile.
func (d *drawing) tunnels(laid Board) {
	closed := map[string]bool{}
	for _, name := range d.v.Edges {
		closed[name] = true
	}
	d.Raw(`<path d="`)
	for e, ends := range grid.ends {
		if !laid.Has(ends[0]) || !laid.Has(ends[1]) || closed[grid.edgeName[e]] {
			continue
		}
		ax, ay := middle(ends[0])
		bx, by := middle(ends[1])
		d.Raw("M%d %dL%d %d", (2*ax+bx)/3, (2*ay+by)/3, (ax+2*bx)/3, (ay+2*by)/3)
	}
	for m := laid; m != 0; m &= m - 1 {
		x, y := middle(m.Lowest())
		d.Raw("M%d %da%d %[3]d 0 1 0 %d 0a%[3]d %[3]d 0 1 0 -%d 0", x-spaceR, y, spaceR, 2*spaceR, 2*spaceR)
	}
	d.Raw(`" class="tunnel"/>`)
}

// tile draws what stands on a tile: moles, the claim, the home.
func (d *drawing) tile(h Hex, v *hexView) {
	x, y := middle(h)
	d.BeginTarget(h.String())
	defer d.EndGroup()
	for i, seat := range v.Spaces {
		angle := 2*math.Pi*float64(i)/float64(len(v.Spaces)) - math.Pi/2
		sx, sy := x+int(math.Round(spaceR*math.Cos(angle))), y+int(math.Round(spaceR*math.Sin(angle)))
		d.Raw(`<g data-piece="%s-%d" data-space="%[2]d" transform="translate(%[3]d %[4]d)">`, h.String(), i, sx, sy)
		d.mole(seatOf(seat))
		d.EndGroup()
	}
	claim := seatOf(v.Claim)
	shift := 0
	if v.Home && claim >= 0 {
		shift = 14
	}
	if claim >= 0 {
		d.Token(int(claim), x-shift, y-9, mark(claim))
	}
	if v.Home {
		at := x + shift
		d.Raw(`<polygon points="%d,%d %d,%d %d,%d %d,%d %d,%d" class="house"/>`, at-12, y+2, at-12, y-10, at, y-20, at+12, y-10, at+12, y+2)
		if worth := d.v.worth[v.At]; worth > 0 {
			d.Text(at, y, "worth", fmt.Sprint(worth))
		}
	}
	d.Text(x, y+24, "hex", h.String())
}

// seatOf returns a seat of a view that can be drawn, [game.Spectator] for none.
func seatOf(seat *game.Seat) game.Seat {
	if seat == nil || *seat < 0 || *seat >= MaxSeats {
		return game.Spectator
	}
	return *seat
}

// mole draws a mole of a seat, or an empty hole.
func (d *drawing) mole(seat game.Seat) {
	if seat < 0 {
		d.Raw(`<circle r="11" class="hole"/>`)
		return
	}
	d.Raw(`<path d="M-15 15C-18 -6 -10 -18 0 -18S18 -6 15 15z" class="fur seat%d"/>`, seat)
	d.Raw(`<circle cx="-6" cy="-9" r="2.4" class="face"/><circle cx="6" cy="-9" r="2.4" class="face"/><circle cy="-6" r="3" class="nose"/>`)
	d.Text(0, 13, "l", mark(seat))
}

// between returns the middle of an edge, x and y, and from there the way to its end.
func between(e int) (int, int, int, int) {
	ax, ay := middle(grid.ends[e][0])
	bx, by := middle(grid.ends[e][1])
	x, y := (ax+bx)/2, (ay+by)/2
	switch {
	case by > ay:
		return x, y, 24, -14
	case by < ay:
		return x, y, 24, 14
	}
	return x, y, 0, 28
}

// rocks draws a Cave-In along an edge.
func (d *drawing) rocks(e int) {
	x, y, dx, dy := between(e)
	d.BeginTarget(grid.edgeName[e])
	d.Tooltip("Cave-In " + grid.edgeName[e])
	for k, r := range []int{9, 11, 8} {
		d.Raw(`<circle cx="%d" cy="%d" r="%d" class="rock"/>`, x+dx*(k-1)*2/3, y+dy*(k-1)*2/3, r)
	}
	d.EndGroup()
}

// edges lets a Cave-In be laid by pointing.
func (d *drawing) edges(laid Board) {
	d.Raw(`<g class="edge">`)
	for e, ends := range grid.ends {
		if laid.Has(ends[0]) && laid.Has(ends[1]) {
			x, y, _, _ := between(e)
			d.Raw(`<circle data-at="%s" cx="%d" cy="%d" r="20"/>`, grid.edgeName[e], x, y)
		}
	}
	d.EndGroup()
}

// player draws the plate of a seat: its name, and what it has left.
func (d *drawing) player(p playerView, x, y int) {
	seat := seatOf(&p.Seat)
	if seat < 0 {
		return
	}
	const wide = svg.Width/2 - 3*margin/2
	name := svg.Name(d.names, int(seat))
	result := fmt.Sprint(d.v.points(seat))
	if p.Out {
		result = "out"
	}
	if r := d.v.Reveal; r != nil && int(seat) < len(r.Points) {
		result = fmt.Sprintf("%d points", r.Points[seat])
	}
	due := d.v.Active != nil && *d.v.Active == p.Seat
	room := wide - 64 - svg.TextWidth(result, 26)
	d.Plate(x, y, wide, playerTal, int(seat), mark(seat), svg.Fit(name, room, 20), due)
	d.Text(x+wide-12, y+32, "h e", result)
	for k, n := range []int8{p.Moles, p.Claims, p.CaveIns, p.Hand, p.Deck, p.Homes} {
		d.Raw(`<g transform="translate(%d %d)">%s`, x+20+k*55, y+65, supplies[k].icon)
		d.Text(14, 7, "s", fmt.Sprint(n))
		d.EndGroup()
	}
}

// supplies are what the figures of a plate count.
var supplies = [...]struct{ word, icon string }{
	{"moles left", `<path d="M-11 9C-13 -6 -7 -12 0 -12S13 -6 11 9z" class="icon"/>`},
	{"claims", `<path d="M-8 11V-12M-8 -12h17l-5 6l5 6h-17" class="lines"/>`},
	{"Cave-Ins", `<circle cx="-6" r="7" class="icon"/><circle cx="6" cy="3" r="6" class="icon"/>`},
	{"hand", `<rect x="-9" y="-12" width="18" height="24" rx="3" class="icon"/>`},
	{"deck", `<rect x="-10" y="-9" width="16" height="21" rx="3" class="lines"/><path d="M-5 -13h16v21" class="lines"/>`},
	{"homes", `<path d="M-10 11v-12l10 -10l10 10v12z" class="icon"/>`},
}

// legend names the figures of the plates.
func (d *drawing) legend(y int) {
	for k, item := range supplies {
		d.Raw(`<g transform="translate(%d %d)">%s`, [...]int{30, 168, 270, 390, 486, 578}[k], y, item.icon)
		d.Text(17, 7, "s", item.word)
		d.EndGroup()
	}
}

// faces are what the cards say, in the order of the kinds: their names, and what they do as the action of a turn.
var faces = [Cards][2]string{
	{"Number 4", "4 steps"},
	{"Number 3", "3 steps"},
	{"Number 2", "2 steps, breed"},
	{"Cave-In", "2 steps, cave in"},
	{"Convert", "convert"},
	{"Groundskeeper", "roll, breed"},
	{"Groundskeeper", "roll, breed 2"},
	{"Gopher It", "swap, breed"},
}

// title returns the name of a card as players say it.
func title(word string) string {
	if c, ok := cardOf(word); ok {
		return faces[c][0]
	}
	return word
}

// hands draws a line a seat once everything is open: its cards, and what its home tokens are worth.
func (d *drawing) hands(top int) {
	if d.v.worth == nil {
		return
	}
	for seat, cards := range d.v.Reveal.Hands {
		y := top + 8 + seat*handTal
		d.Token(seat, margin+18, y+18, mark(game.Seat(seat)))
		words := game.Titles(cards)
		if homes := d.v.Reveal.Homes[seat]; len(homes) > 0 {
			words = "homes " + strings.Trim(fmt.Sprint(homes), "[]") + "; " + words
		}
		d.Text(margin+46, y+25, "s", svg.Fit(words, svg.Width-margin-46, 18))
	}
}

// mine draws what the viewer alone knows: the cards and the home tokens.
func (d *drawing) mine(top int) {
	if d.v.Me == nil {
		return
	}
	d.Text(margin, top+22, "b", "Your cards")
	if len(d.v.Me.Homes) > 0 {
		d.Text(svg.Width-margin, top+22, "e", svg.Fit("home tokens: "+strings.Trim(fmt.Sprint(d.v.Me.Homes), "[]"), 480, 20))
	}
	for i, word := range d.v.Me.Hand {
		x, y := margin+i%cardsRow*(cardWide+12), top+34+i/cardsRow*(cardTal+10)
		d.BeginTarget(word)
		d.Raw(`<rect x="%d" y="%d" width="%d" height="%d" rx="8" class="plate"/>`, x, y, cardWide, cardTal)
		d.Text(x+cardWide/2, y+28, "b m", svg.Fit(title(word), cardWide, 20))
		if c, ok := cardOf(word); ok {
			d.Text(x+cardWide/2, y+54, "s m", faces[c][1])
		}
		d.EndGroup()
	}
}
