package cia

import (
	"fmt"
	"math"
	"strings"

	"github.com/molerun/molerun/engines/svg"
)

// Measures of the drawing, in SVG user units.
const (
	drawWidth  = 980
	ringX      = 310
	ringY      = 348
	ringR      = 240
	houseW     = 102
	houseH     = 82
	dotR       = 11
	panelX     = 640
	trackX     = 92
	trackY     = 686
	trackW     = 840
	laneHeight = 27
)

// style is the whole look.
const style = `.cia text{font-family:"DejaVu Sans",Verdana,Arial,sans-serif;font-size:13px;fill:#1c1c1c}.cia .h{font-size:19px;` +
	`font-weight:bold}.cia .b{font-weight:bold}.cia .s{font-size:11px;fill:#444}.cia .m{text-anchor:middle}.cia .n{font-size:17px;` +
	`font-weight:bold}.cia .v{font-size:12px;paint-order:stroke;stroke:#fbfaf6;stroke-width:4px}.cia .house{fill:#fff;stroke:#555;stroke-width:1.5}.cia .away{fill:#ececec;stroke:#555;` +
	`stroke-width:1.5;stroke-dasharray:5 3}.cia .dot{stroke:#1c1c1c;stroke-width:1.5}.cia .code{font-size:10.5px;font-weight:bold;` +
	`text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:2.5px}.cia .line{stroke:#bbb}.cia .mark{stroke:#1c1c1c;stroke-width:1.4}`

// look is how an agent is drawn: a code of two letters, a fill and a pattern on it, so that colour is not needed.
type look struct{ code, fill, pattern string }

var looks = [NumAgents]look{
	{"Gy", "#a9a9a9", `<circle cx="3" cy="3" r="1" fill="#555"/>`},
	{"Ye", "#f2d433", ``},
	{"Or", "#f0943c", `<path d="M0 3H6" stroke="#a85200" stroke-width="1.2"/>`},
	{"Re", "#e05a5a", `<path d="M3 0V6" stroke="#8c1414" stroke-width="1.2"/>`},
	{"Gn", "#6db56d", `<path d="M0 6L6 0" stroke="#22622a" stroke-width="1.2"/>`},
	{"Bl", "#6f9be0", `<path d="M0 0L6 6" stroke="#1e4690" stroke-width="1.2"/>`},
	{"Pu", "#b184d6", `<path d="M0 3H6M3 0V6" stroke="#5d2a8a" stroke-width="1"/>`},
}

// drawing collects the SVG.
type drawing struct {
	svg.Document
	v View
}

// Draw is the view as an SVG: the ring of buildings with the agents and the safe, the seats, and the score track.
func (Rules) Draw(v View, names []string) []byte {
	d := &drawing{v: v}
	who := "a spectator"
	if v.Me != nil {
		who = fmt.Sprintf("seat %d", v.Me.Seat)
	}
	lanes := 0
	for _, n := range v.Stones {
		if n != absent {
			lanes++
		}
	}
	var patterns strings.Builder
	for i, x := range looks {
		patterns.WriteString(svg.Pattern(fmt.Sprintf("cia-%d", i), x.fill, x.pattern))
	}
	d.Begin(svg.Head{
		ID:     "cia",
		Width:  drawWidth,
		Height: trackY + lanes*laneHeight + 40,
		Title:  "CIA as " + who + " sees it",
		Desc:   Rules{}.Describe(v),
		Style:  style,
		Defs:   patterns.String(),
	})
	d.Text(20, 32, "h", headline(v))
	d.Text(20, 52, "s", "Seen by "+who+". "+status(v))
	d.ring()
	d.panel()
	d.track(lanes)
	return d.End()
}

// agent draws an agent as a disc with its code.
func (d *drawing) agent(a Agent, x, y int) {
	d.Put(`<circle cx="%d" cy="%d" r="%d" class="dot" fill="url(#cia-%d)"/>`, x, y, dotR, a)
	d.Text(x, y+4, "code", looks[a].code)
}

// houseAt is the middle of a building on the ring; the church is on top.
func houseAt(b Building) (x, y int) {
	angle := float64(b)*math.Pi/6 - math.Pi/2
	return ringX + int(math.Round(ringR*math.Cos(angle))), ringY + int(math.Round(ringR*math.Sin(angle)))
}

func (d *drawing) ring() {
	d.Put(`<circle cx="%d" cy="%d" r="%d" fill="none" stroke="#ddd" stroke-width="10"/>`, ringX, ringY, ringR)
	d.Put(`<path d="M%d %dA84 84 0 0 1 %d %dm1 -9v10h-10" fill="none" stroke="#999" stroke-width="3"/>`, ringX-59, ringY-73, ringX+59, ringY-73)
	for b := range Building(Buildings) {
		x, y := houseAt(b)
		class := "house"
		if b == Church || b == Ruin {
			class = "away"
		}
		left, top := x-houseW/2, y-houseH/2
		d.Put(`<rect x="%d" y="%d" width="%d" height="%d" rx="8" class="%s"/>`, left, top, houseW, houseH, class)
		name, size := b.String(), "n"
		switch b {
		case Ruin:
			name, size = "ruin −3", "b"
		case Church:
			name, size = "church 0", "b"
		}
		d.Text(left+9, top+21, size, name)
		if d.v.Safe == b.String() {
			d.safe(left+houseW-25, top+4)
		}
		k := 0
		for i, at := range d.v.Agents {
			if at == b {
				ax, ay := left+15+k%4*24, top+42+k/4*26
				d.agent(Agent(i), ax, ay)
				if d.flagged(i) {
					d.Put(`<path d="M%d %dv-13h9l-3 3l3 3h-9" class="mark" fill="#fff"/>`, ax+8, ay-4)
				}
				k++
			}
		}
	}
	d.Text(ringX, ringY-32, "h m", "Turn "+fmt.Sprint(d.v.Turns))
	d.Text(ringX, ringY-8, "m", fmt.Sprintf("seat %d rolled %s", d.v.Turn, d.v.Roll))
	d.Text(ringX, ringY+14, "m", fmt.Sprintf("free agents: %d", d.v.Free))
	d.Text(ringX, ringY+36, "s m", "agents move clockwise")
}

func (d *drawing) flagged(agent int) bool {
	for _, f := range d.v.Flags {
		if f.Agent == agentNames[agent] {
			return true
		}
	}
	return false
}

// safe draws the safe: a box with a dial.
func (d *drawing) safe(x, y int) {
	d.Put(`<rect x="%d" y="%d" width="22" height="20" rx="2" fill="#3b3b3b"/><circle cx="%d" cy="%d" r="6" fill="#f4e3a1"/>`, x, y, x+11, y+10)
	d.Put(`<path d="M%d %dh8m-4-4v8" stroke="#3b3b3b" stroke-width="1.5"/>`, x+7, y+10)
}

// panel tells of the seats and the cards.
func (d *drawing) panel() {
	v, y := d.v, 96
	d.Text(panelX, y, "b", "Seats")
	for seat := range v.Hands {
		y += 27
		who := fmt.Sprintf("seat %d", seat)
		if int(v.Turn) == seat {
			d.Put(`<path d="M%d %dl9 5l-9 5z" fill="#1c1c1c"/>`, panelX, y-9)
		}
		d.Text(panelX+14, y, "", who)
		d.owned(seat, panelX+80, y)
		if hasCards(v) {
			d.hand(int(v.Hands[seat]), panelX+210, y)
		}
	}
	if m := unowned(v); m != 0 {
		y += 27
		d.Text(panelX+14, y, "", "nobody")
		for x := panelX + 80; m != 0; x, m = x+27, m&(m-1) {
			d.agent(m.Lowest(), x, y-5)
		}
	}
	y += 34
	if hasCards(v) {
		d.Text(panelX, y, "b", "Cards")
		d.Text(panelX, y+20, "", fmt.Sprintf("deck %d, discard %d, out of the game %d", v.Deck, len(v.Discard), len(v.Removed)))
		if y += 20; len(v.Discard) > 0 {
			y += 20
			d.Text(panelX, y, "", "last played: "+v.Discard[len(v.Discard)-1])
		}
		y += 34
	}
	if v.Me != nil && len(v.Me.Cards) > 0 {
		d.Text(panelX, y, "b", "Hand")
		for i, card := range v.Me.Cards {
			y += 20
			if i >= len(v.Me.Cards)-len(v.Me.Fresh) {
				card += " (drawn this turn)"
			}
			d.Text(panelX, y, "", card)
		}
		y += 34
	}
	d.files(y)
}

// owned draws the agents of a seat as far as they are known, a question mark for each that is not.
func (d *drawing) owned(seat, x, y int) {
	v := d.v
	var known []string
	switch {
	case v.Reveal != nil:
		known = append([]string{v.Reveal.Agents[seat]}, v.Reveal.Extra[seat]...)
	case v.Me != nil && int(v.Me.Seat) == seat:
		known = append([]string{v.Me.Agent}, v.Me.Extra...)
	}
	for i := range 1 + int(v.Extra[seat]) {
		if i < len(known) {
			if a, ok := ParseAgent(known[i]); ok {
				d.agent(a, x+i*27, y-5)
			}
			continue
		}
		d.Put(`<circle cx="%d" cy="%d" r="%d" class="dot" fill="#fff"/>`, x+i*27, y-5, dotR)
		d.Text(x+i*27, y, "b m", "?")
	}
}

// hand draws the backs of cards.
func (d *drawing) hand(n, x, y int) {
	for i := range n {
		d.Put(`<rect x="%d" y="%d" width="14" height="20" rx="2" fill="#d8d2c0" stroke="#555"/>`, x+i*18, y-15)
	}
}

// files tells of the dossiers.
func (d *drawing) files(y int) {
	v := d.v
	switch {
	case v.Reveal != nil && len(v.Reveal.Dossiers) > 0:
		d.Text(panelX, y, "b", "Dossiers")
		for seat, o := range v.Reveal.Dossiers {
			y += 20
			d.Text(panelX, y, "s", fmt.Sprintf("seat %d: %s", seat, shortFile(o)))
		}
	case v.Me != nil && v.Me.Dossier != nil:
		d.Text(panelX, y, "b", "Your dossier")
		d.Text(panelX, y+20, "s", shortFile(*v.Me.Dossier))
	case v.Filed:
		d.Text(panelX, y, "b", "The dossiers are filled in")
	}
}

// shortFile is a dossier with the agents' codes.
func shortFile(o Owners) string {
	var words []string
	for i, seat := range o {
		switch {
		case seat >= 0:
			words = append(words, fmt.Sprintf("%s=%d", looks[i].code, seat))
		case seat != unnamed:
			words = append(words, looks[i].code+"=–")
		}
	}
	return strings.Join(words, "  ")
}

// track draws a lane for each agent with its stone; the view does not tell how long the lap is, so the scale ends at the
// usual lap or at the foremost stone.
func (d *drawing) track(lanes int) {
	end := 42
	for _, n := range d.v.Stones {
		end = max(end, int(n))
	}
	at := func(n int) int { return trackX + n*trackW/end }
	d.Text(20, trackY-14, "b", "Score track")
	bottom := trackY + lanes*laneHeight
	tick := 5
	for end/tick > 20 {
		tick *= 5
	}
	for n := 0; n <= end; n += tick {
		d.Put(`<path d="M%d %dV%d" class="line"/>`, at(n), trackY, bottom)
		d.Text(at(n), bottom+16, "s m", fmt.Sprint(n))
	}
	lane := 0
	for i, n := range d.v.Stones {
		if n == absent {
			continue
		}
		y := trackY + lane*laneHeight + laneHeight/2
		d.Put(`<path d="M%d %dH%d" class="line"/>`, trackX, y, trackX+trackW)
		d.Text(20, y+4, "", agentNames[i])
		d.agent(Agent(i), at(int(n)), y)
		d.Text(at(int(n))+dotR+3, y+4, "v", fmt.Sprint(n))
		lane++
	}
}
