package cia

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/svg"
)

// Measures of the drawing, in SVG user units.
const (
	margin   = 16
	ringX    = svg.Width / 2
	ringY    = 428
	ringR    = 230 // where the houses stand
	plazaR   = 158 // where the first pawns of a house stand
	trackOut = 324 // from the middle to the fields of the score track
	lap      = 42  // fields of the usual lap
	houseHue = 4   // colours of houses
)

// style is the whole look.
const style = `
.grass{fill:#cfe3bd;stroke:#8fae78;stroke-width:2}
.plaza{fill:#eee3cc;stroke:#cbb993;stroke-width:2}
.chevron{fill:#8fae78}
.track{fill:none;stroke:#e3d6ba;stroke-width:44;stroke-linejoin:round}
.field{stroke:#b9a67e;stroke-width:8;stroke-linecap:round}
.house{stroke:#4a3b28;stroke-width:2.5;stroke-linejoin:round}
.wall0{fill:#f3c1ad}
.wall1{fill:#f4dd9b}
.wall2{fill:#b7dcc4}
.wall3{fill:#b9d2ee}
.wall4{fill:#e4e0d8;stroke-dasharray:6 4}
.roof{fill:#7a4a35}
.sign{font-weight:bold;text-anchor:middle;fill:#2a241c}
.number{font-size:26px}
.agent{stroke:#1c1c1c;stroke-width:1.8}
.agent0{fill:#b4b4b4}
.agent1{fill:#f2d433}
.agent2{fill:#f0943c}
.agent3{fill:#e46a6a}
.agent4{fill:#6db56d}
.agent5{fill:#7ba5e6}
.agent6{fill:#b98fdc}
.mark{fill:none;stroke:#1c1c1c;stroke-width:2.6;stroke-linejoin:round}
.unknown{fill:#fffdf7;stroke:#1c1c1c;stroke-width:1.8;stroke-dasharray:4 3}
.ask{font-weight:bold;text-anchor:middle;fill:#2a241c}
.steel{fill:#4b4b52;stroke:#1c1c1c;stroke-width:2}
.dial{fill:#f4e3a1;stroke:#1c1c1c;stroke-width:1.5}
.flag{fill:#b3261e;stroke:#1c1c1c;stroke-width:1.2}
.die{fill:#fff;stroke:#2a241c;stroke-width:3}
.pip{fill:#2a241c}
.card{fill:#d8cba9;stroke:#4a3b28;stroke-width:1.5}`

const dark = `
.grass{fill:#2f4229;stroke:#4d6843}
.plaza{fill:#4a4233;stroke:#655a45}
.chevron{fill:#6f8f63}
.track{stroke:#3a332a}
.field{stroke:#7d6f57}
.roof{fill:#94604a}
.sign{fill:#2a241c}
.ask{fill:#2a241c}`

// marks are the signs of the agents, so that colour is not needed.
var marks = [NumAgents]string{
	`<circle r="4.5" class="mark"/>`,
	`<path d="M0 -6L6 5H-6z" class="mark"/>`,
	`<path d="M-5 -5H5V5H-5z" class="mark"/>`,
	`<path d="M0 -7L6 0L0 7L-6 0z" class="mark"/>`,
	`<path d="M-6 0H6M0 -6V6" class="mark"/>`,
	`<path d="M-5 -5L5 5M5 -5L-5 5" class="mark"/>`,
	`<path d="M-6 -3H6M-6 3H6" class="mark"/>`,
}

// scenery is the ring of houses, the same in every drawing.
var scenery = drawScenery()

func drawScenery() string {
	d := &drawing{}
	d.Raw(`<circle cx="%d" cy="%d" r="292" class="grass"/><circle cx="%[1]d" cy="%[2]d" r="190" class="plaza"/>`, ringX, ringY)
	for b := range Building(Buildings) {
		d.house(b)
	}
	return d.String()
}

// drawing collects the SVG.
type drawing struct {
	svg.Document
	v     View
	names []string
}

// Draw returns the view as an SVG: the ring of houses with the pawns of the agents and the safe, the score track round it, the
// agents, the seats and the viewer's cards.
func (Rules) Draw(v View, names []string) []byte {
	d := &drawing{v: v, names: names}
	title := "CIA as a spectator sees it"
	switch {
	case v.hands != nil:
		title = "CIA with all that was hidden"
	case v.Me != nil:
		title = fmt.Sprintf("CIA as seat %d sees it", v.Me.Seat)
	}
	d.Begin(svg.Head{
		ID:     "cia",
		Height: d.cardsTop() + d.cardsHigh(),
		Title:  title,
		Desc:   Rules{}.Describe(v),
		Style:  style,
		Dark:   dark,
	})
	d.heading()
	d.track()
	d.WriteString(scenery)
	d.die()
	for b := range Building(Buildings) {
		d.pawns(b)
	}
	if at, ok := ParseBuilding(v.Safe); ok {
		d.safe(at)
	}
	d.agents()
	for seat := range v.Hands {
		d.seat(seat)
	}
	d.cards()
	return d.End()
}

// heading says where the match stands and what is due, by name.
func (d *drawing) heading() {
	v := &d.v
	words := fmt.Sprintf("Turn %d", v.Turns)
	if v.Phase == PhaseOver.String() {
		words = fmt.Sprintf("Over after %d turns", v.Turns)
	}
	due := status(*v)
	if v.Round != nil {
		if due = fmt.Sprintf("Seat %d {plays} a card or {passes}.", v.Round.Asked); v.Round.Again {
			due = fmt.Sprintf("Seat %d may play another card.", v.Round.Asked)
		}
		if words += ", reactions"; v.Round.Passes > 0 {
			words += fmt.Sprintf(", %d passed", v.Round.Passes)
		}
	}
	due = game.ReadBy(due, game.Seat(svg.Addressed(d.names)), game.Spectator)
	d.Text(margin, 36, "h", words)
	if v.Free > 0 {
		d.Text(svg.Width-margin, 36, "e", fmt.Sprintf("free agents: %d", v.Free))
	}
	const room = svg.Width - 2*margin
	for seat := range v.Hands { // the seat that is to decide begins the sentence
		if rest, ok := strings.CutPrefix(due[1:], fmt.Sprintf("eat %d ", seat)); ok {
			due = svg.Fit(svg.Name(d.names, seat), room-svg.TextWidth(" "+rest, 20), 20) + " " + rest
			break
		}
	}
	d.Text(margin, 66, "", svg.Fit(due, room, 20))
}

// polar returns the place at an angle, in twelfths of the ring from the top, and a distance from its middle.
func polar(twelfths, r float64) (int, int) {
	angle := twelfths*math.Pi/6 - math.Pi/2
	return ringX + int(math.Round(r*math.Cos(angle))), ringY + int(math.Round(r*math.Sin(angle)))
}

// house draws a building; after it an arrow shows which way agents go.
func (d *drawing) house(b Building) {
	x, y := polar(float64(b), ringR)
	hue := int(b) % houseHue
	if b == Ruin || b == Church {
		hue = houseHue
	}
	d.BeginTarget(b.String())
	d.Tooltip(fmt.Sprintf("%s: %d points", building(b.String()), b.Value()))
	d.Raw(`<g transform="translate(%d %d)"><polygon points="-44,-10 44,-10 44,34 -44,34" class="house wall%d"/>`, x, y, hue)
	switch b {
	case Ruin:
		d.Raw(`<path d="M-44 -10L-30 -28L-18 -14L-4 -34L8 -12L26 -24L44 -10z" class="house roof"/>`)
		d.Text(0, 18, "sign", b.String())
	case Church:
		d.Raw(`<path d="M-50 -10L-16 -26L0 -46L16 -26L50 -10z" class="house roof"/><path d="M0 -46V-62M-6 -56H6" class="mark"/>`)
		d.Text(0, 18, "sign", b.String())
	default:
		d.Raw(`<path d="M-50 -10L0 -40L50 -10z" class="house roof"/>`)
		d.Text(0, 22, "sign number", b.String())
	}
	d.EndGroup()
	d.EndGroup()
	x, y = polar(float64(b)+.5, 278)
	d.Raw(`<path d="M-5 -7L6 0L-5 7z" class="chevron" transform="translate(%d %d) rotate(%d)"/>`, x, y, int(b)*30+15)
}

// pawns draws the agents of a building, before its door: two or three in a row, nearer the middle the more there are.
func (d *drawing) pawns(b Building) {
	var here []Agent
	for i, at := range d.v.Agents {
		if at == b {
			here = append(here, Agent(i))
		}
	}
	columns := 2
	if len(here) > 4 {
		columns = 3
	}
	for k, a := range here {
		row := k / columns
		inRow := min(columns, len(here)-row*columns)
		aside := (float64(k%columns) - float64(inRow-1)/2) * 34
		r := float64(plazaR - 36*row)
		x, y := polar(float64(b)+aside/r*6/math.Pi, r)
		d.pawn(a, x, y)
	}
}

// pawn draws an agent, with a flag if it was moved to the safe.
func (d *drawing) pawn(a Agent, x, y int) {
	d.BeginPiece("agent-"+a.String(), x, y)
	d.BeginTarget(a.String())
	d.Tooltip(a.String())
	d.Raw(`<path d="M-14 18Q-12 4 -6 0A11 11 0 1 1 6 0Q12 4 14 18z" class="agent agent%d"/><g transform="translate(0 -9)">%s</g>`, a, marks[a])
	for _, f := range d.v.Flags {
		if f.Agent == a.String() {
			d.Raw(`<path d="M10 4V-18H22L18 -13L22 -8H10" class="flag"/>`)
			break
		}
	}
	d.owner(a, 11, 13)
	d.EndGroup()
	d.EndGroup()
}

// owner marks an agent, at a place beside it, with the seat that runs it, once that is open.
func (d *drawing) owner(a Agent, x, y int) {
	if d.v.Reveal == nil {
		return
	}
	for seat := range d.v.Hands {
		if slices.Contains(d.known(seat), a.String()) {
			d.Raw(`<circle cx="%d" cy="%d" r="11" class="seat seat%d"/>`, x, y, seat)
			d.Text(x, y+7, "b m on", fmt.Sprint(seat))
		}
	}
}

// disc draws an agent's stone.
func (d *drawing) disc(a Agent, r int) {
	d.Raw(`<circle r="%d" class="agent agent%d"/>%s`, r, a, marks[a])
}

// safe draws the safe at the side of a house.
func (d *drawing) safe(b Building) {
	x, y := polar(float64(b), ringR)
	d.BeginPiece("safe", x+36, y-26)
	d.Tooltip("the safe")
	d.Raw(`<rect x="-18" y="-17" width="36" height="34" rx="4" class="steel"/><circle r="10" class="dial"/><path d="M-6 0H6M0 -6V6" class="mark"/>`)
	d.EndGroup()
}

// pips are where the dots of a die are, by face.
var pips = map[string]string{
	"2": "-13,-13 13,13", "3": "-13,-13 0,0 13,13", "4": "-13,-13 13,-13 -13,13 13,13",
	"5": "-13,-13 13,-13 0,0 -13,13 13,13", "6": "-13,-13 13,-13 -13,0 13,0 -13,13 13,13",
}

// die draws the roll of the turn.
func (d *drawing) die() {
	d.Raw(`<g transform="translate(%d %d)"><rect x="-28" y="-28" width="56" height="56" rx="10" class="die"/>`, ringX, ringY)
	d.Tooltip("rolled")
	for _, at := range strings.Fields(pips[d.v.Roll]) {
		x, y, _ := strings.Cut(at, ",")
		d.Raw(`<circle cx="%s" cy="%s" r="5.5" class="pip"/>`, x, y)
	}
	if d.v.Roll == oneToThree.String() {
		d.Raw(`<text y="7" class="ask">1–3</text>`)
	}
	d.EndGroup()
}
