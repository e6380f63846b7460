package cia

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/svg"
)

// Measures of what stands below the board.
const (
	agentsTop = 786
	agentWide = 98
	seatsTop  = agentsTop + 76
	seatTal   = 52
	seatWide  = 338
	cardTal   = 42
	fileTal   = 38
)

// onTrack returns where a part of the way round the track is, from 0 to 1: clockwise from the upper left corner.
func onTrack(part float64) (float64, float64) {
	const side = 2 * trackOut
	left, top := float64(ringX-trackOut), float64(ringY-trackOut)
	switch way := part * 4 * side; {
	case way < side:
		return left + way, top
	case way < 2*side:
		return left + side, top + way - side
	case way < 3*side:
		return left + 3*side - way, top + side
	default:
		return left, top + 4*side - way
	}
}

// track draws the fields of the score track round the board and the stones on them. The view does not tell how long the lap
// is: the track ends at the usual lap, or at the foremost stone.
func (d *drawing) track() {
	end := lap
	for _, n := range d.v.Stones {
		end = max(end, int(n))
	}
	at := func(n int) (int, int) {
		x, y := onTrack(float64(n) / float64(end+1))
		return int(math.Round(x)), int(math.Round(y))
	}
	d.Raw(`<rect x="%d" y="%d" width="%d" height="%d" class="track"/>`, ringX-trackOut, ringY-trackOut, 2*trackOut, 2*trackOut)
	step := 5
	for (end+1)/step > 40 {
		step *= 5
	}
	d.Raw(`<path class="field" d="`)
	for n := range min(end, 200) + 1 {
		if x, y := at(n); n%step > 0 {
			d.WriteString("M" + strconv.Itoa(x) + " " + strconv.Itoa(y) + "h0")
		}
	}
	d.Raw(`"/>`)
	for n := 0; n <= end; n += step {
		x, y := at(n)
		d.Text(x, y+7, "s m", fmt.Sprint(n))
	}
	for i, n := range d.v.Stones {
		if n == absent {
			continue
		}
		same, mine := 0, 0
		for k, other := range d.v.Stones {
			if other == n {
				if k < i {
					mine++
				}
				same++
			}
		}
		x, y := at(int(n))
		if same > 1 { // round the middle of the field, so that each is seen
			angle := 2 * math.Pi * float64(mine) / float64(same)
			r := 6 + 3*same
			x = min(max(x, r+15), svg.Width-r-15)
			y = max(y, ringY-trackOut-12+r)
			x += int(math.Round(float64(r) * math.Cos(angle)))
			y += int(math.Round(float64(r) * math.Sin(angle)))
		}
		d.BeginPiece("stone-"+agentNames[i], x, y)
		d.disc(Agent(i), 14)
		d.EndGroup()
	}
}

// agents lists the agents in play with their stones' fields.
func (d *drawing) agents() {
	k := 0
	for i, at := range d.v.Agents {
		if at == absent {
			continue
		}
		x := margin + k*agentWide
		d.BeginTarget(agentNames[i])
		d.Raw(`<rect x="%d" y="%d" width="%d" height="64" rx="8" class="plate"/>`, x, agentsTop, agentWide-8)
		d.Raw(`<g transform="translate(%d %d)">`, x+22, agentsTop+20)
		d.disc(Agent(i), 13)
		d.EndGroup()
		d.owner(Agent(i), x+agentWide-19, agentsTop+11) // in the corner, so that it is not read with the points
		d.Text(x+39, agentsTop+28, "b", fmt.Sprint(d.v.Stones[i]))
		d.Text(x+8, agentsTop+55, "s", agentNames[i])
		d.EndGroup()
		k++
	}
}

// seat draws the plate of a seat: its name, its agents as far as they are known, its cards.
func (d *drawing) seat(seat int) {
	v := &d.v
	x, y := margin+seat%2*(seatWide+12), seatsTop+seat/2*(seatTal+8)
	own := 1 + int(v.Extra[seat])
	room := seatWide - 58 - 32*own
	if hasCards(*v) {
		room -= 58
	}
	due := v.Phase != PhaseOver.String() && int(v.Turn) == seat
	if v.Round != nil {
		due = int(v.Round.Asked) == seat
	}
	d.Plate(x, y, seatWide, seatTal, seat, fmt.Sprint(seat), svg.Fit(svg.Name(d.names, seat), room, 20), due)
	right := x + seatWide - 8
	if hasCards(*v) {
		d.Raw(`<rect x="%d" y="%d" width="18" height="26" rx="3" class="card"><title>cards in hand</title></rect>`, right-54, y+13)
		d.Text(right-30, y+33, "b", fmt.Sprint(v.Hands[seat]))
		right -= 58
	}
	known := d.known(seat)
	for k := range own {
		d.Raw(`<g transform="translate(%d %d)">`, right-16-32*(own-1-k), y+26)
		if a, ok := Agent(0), false; k < len(known) {
			if a, ok = ParseAgent(known[k]); ok {
				d.disc(a, 14)
			}
		} else {
			d.Raw(`<circle r="14" class="unknown"/><text y="7" class="ask">?</text>`)
		}
		d.EndGroup()
	}
}

// known returns the agents of a seat that the viewer knows.
func (d *drawing) known(seat int) []string {
	switch v := &d.v; {
	case v.Reveal != nil:
		return append([]string{v.Reveal.Agents[seat]}, v.Reveal.Extra[seat]...)
	case v.Me != nil && int(v.Me.Seat) == seat:
		return append([]string{v.Me.Agent}, v.Me.Extra...)
	}
	return nil
}

func (d *drawing) cardsTop() int { return seatsTop + (len(d.v.Hands)+1)/2*(seatTal+8) }

// cardsHigh returns how high what [drawing.cards] draws is.
func (d *drawing) cardsHigh() int {
	high := 8
	if hasCards(d.v) {
		high += 36
		if d.v.Me != nil {
			high += max(2, (len(d.v.Me.Cards)+1)/2) * (cardTal + 8)
		}
		high += len(d.v.hands) * fileTal
	}
	if n := len(d.v.files()); n > 0 {
		high += 36 + n*fileTal
	}
	return high
}

// cards draws the deck, the viewer's hand and the dossiers.
func (d *drawing) cards() {
	v, y := &d.v, d.cardsTop()
	if hasCards(*v) {
		words := fmt.Sprintf("Cards: %d in the deck", v.Deck)
		if n := len(v.Discard); n > 0 {
			words += ", last played: " + spoken(v.Discard[n-1])
		}
		d.Text(margin, y+24, "", svg.Fit(words, svg.Width, 20))
		y += 36
		if v.Me != nil {
			for i, card := range v.Me.Cards {
				d.card(card, i >= len(v.Me.Cards)-len(v.Me.Fresh), margin+i%2*(seatWide+12), y+i/2*(cardTal+8))
			}
			y += max(2, (len(v.Me.Cards)+1)/2) * (cardTal + 8)
		}
		for seat, hand := range v.hands {
			d.Token(seat, margin+18, y+18, fmt.Sprint(seat))
			d.Text(margin+46, y+25, "s", svg.Fit(spoken(game.JoinWords(hand...)), svg.Width-margin-46, 18))
			y += fileTal
		}
	}
	files := v.files()
	if len(files) > 0 {
		d.Text(margin, y+24, "b", "Dossiers: which seat has which agent")
		y += 36
	}
	for _, f := range files {
		d.file(int(f.by), f.names, y)
		y += fileTal
	}
}

// spoken returns a word of the wire as people say it.
func spoken(word string) string { return strings.ReplaceAll(word, "_", " ") }

// card draws a card in hand; one that was drawn this turn cannot be played yet.
func (d *drawing) card(word string, fresh bool, x, y int) {
	d.BeginTarget(word)
	d.Raw(`<rect x="%d" y="%d" width="%d" height="%d" rx="8" class="plate"/>`, x, y, seatWide, cardTal)
	if fresh {
		d.Text(x+seatWide-10, y+28, "s e", "new")
	}
	d.Text(x+12, y+28, "", svg.Fit(spoken(word), seatWide-66, 20))
	d.EndGroup()
}

// file draws a dossier: each agent, and the seat it is said to belong to.
func (d *drawing) file(seat int, o owners, y int) {
	d.Token(seat, margin+18, y+18, fmt.Sprint(seat))
	x := margin + 70
	for i, owner := range o {
		if owner == unnamed {
			continue
		}
		word := "–"
		if owner != game.Spectator {
			word = fmt.Sprint(owner)
		}
		if r := d.v.Reveal; r != nil && owner >= 0 && int(owner) < len(r.Agents) && slices.Contains(d.known(int(owner)), agentNames[i]) {
			word += " ✓"
		}
		d.Raw(`<g transform="translate(%d %d)">`, x, y+18)
		d.disc(Agent(i), 13)
		d.Text(18, 7, "", word)
		d.EndGroup()
		x += 88
	}
}
