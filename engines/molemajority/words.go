package molemajority

import (
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// Words describes the board before the set-up.
func (e boardEvent) Words() string {
	spaces := 0
	for _, h := range e.Hexes {
		spaces += int(h.Size)
	}
	return fmt.Sprintf("The board begins with %d hexes that have %d spaces for moles.", len(e.Hexes), spaces)
}

// Words says what a seat did; on which space of a hex the board shows.
func (e actEvent) Words() string {
	a := e.Action
	a.Leave, a.Space = 0, 0
	if a.Kind == ActRoll {
		return fmt.Sprintf("Seat %d {rolls} %s off hex %s.", e.Seat, game.Plural(a.Count, "mole"), a.At)
	}
	return fmt.Sprintf("Seat %d %s.", e.Seat, a.Words())
}

// Quiet reports that a seat only ends its turn.
func (e actEvent) Quiet() bool { return e.Action.Kind == ActDone }

// Words says what tile was drawn.
func (e tileEvent) Words() string {
	return fmt.Sprintf("Seat %d {draws} a tile of %d spaces.", e.Seat, e.Size)
}

// Words says whose a hex is now.
func (e claimEvent) Words() string {
	if e.Seat == nil {
		return fmt.Sprintf("Hex %s is nobody's now.", e.At)
	}
	return fmt.Sprintf("Seat %d {claims} hex %s.", *e.Seat, e.At)
}

// Words says who is out.
func (e outEvent) Words() string {
	return fmt.Sprintf("Seat %d {has} no claim left and {is} out.", e.Seat)
}

// Words says that a home token is taken, and to its seat its value.
func (e homeEvent) Words() string {
	if e.Value == 0 {
		return fmt.Sprintf("Seat %d {takes} a home token.", e.Seat)
	}
	return fmt.Sprintf("{The home token of seat %d} is worth %s.", e.Seat, game.Plural(e.Value, "point"))
}

// Words says what is discarded.
func (e discardEvent) Words() string {
	return fmt.Sprintf("Seat %d {discards} %s.", e.Seat, game.Titles(e.Cards))
}

// Words describes the deck.
func (e shuffleEvent) Words() string {
	return fmt.Sprintf("Seat %d {shuffles} {its} discard pile: it is {its} deck now.", e.Seat)
}

// Words says that cards are drawn, and to their seat which.
func (e drawEvent) Words() string {
	if len(e.Cards) == 0 {
		return fmt.Sprintf("Seat %d {draws} %s.", e.Seat, game.Plural(e.Count, "card"))
	}
	return fmt.Sprintf("Seat %d {draws} %s.", e.Seat, game.Titles(e.Cards))
}

// Words says whose turn it is.
func (e turnEvent) Words() string { return fmt.Sprintf("Turn %d: seat %d {plays}.", e.Turn, e.Seat) }

// endWords are the ends of a match in words.
var endWords = map[string]string{
	lastClaimant.String(): "only one seat has a claim left", claimsOut.String(): "a seat has no claim left in its supply",
	molesOut.String(): "a seat has no mole left in its supply", allClaimed.String(): "every hex is claimed",
	turnLimit.String(): "this was the last turn",
}

// Words describes the end and the points.
func (e overEvent) Words() string {
	var points []string
	for seat, n := range e.Reveal.Points {
		points = append(points, fmt.Sprintf("seat %d {has} %s", seat, game.Plural(n, "point")))
	}
	if endWords[e.Why] == "" {
		return ""
	}
	return fmt.Sprintf("The match is over, as %s: %s.", endWords[e.Why], game.JoinWords(points...))
}

// on names a hex, and the space where it is chosen.
func on(h Hex, space int8) string {
	if space == 0 {
		return "hex " + h.String()
	}
	return fmt.Sprintf("hex %s (space %d)", h, space-1)
}

// uses are the uses of a stacked card in words.
var uses = [...]string{asBreed: "to breed", asMove: "to move", asRoll: "for one more of the roll", asConvert: "to convert again"}

// Words returns what a seat does.
func (a Action) Words() string {
	switch a.Kind {
	case ActPlaceHome:
		return "{places} {its} Home Base on hex " + a.At.String()
	case ActPlaceTile:
		return "{places} the tile on hex " + a.At.String()
	case ActPlay:
		return fmt.Sprintf("{plays} %s (%s)", game.Title(a.Card.String()), faces[a.Card][1])
	case ActMove:
		return fmt.Sprintf("{moves} a mole from %s to %s", on(a.At, a.Leave), on(a.To, a.Space))
	case ActBreed:
		return "{breeds} a mole on " + on(a.At, a.Space)
	case ActCaveIn:
		return fmt.Sprintf("{lays} Cave-Ins between %s and between %s", edgeWords(a.Edges[0]), edgeWords(a.Edges[1]))
	case ActMakeHome:
		return "{takes} the home token of hex " + a.At.String()
	case ActConvert:
		return fmt.Sprintf("{converts} {a mole of seat %d} on %s", a.Seat, on(a.At, a.Space))
	case ActRoll:
		way := map[direction]string{CW: "clockwise", CCW: "anticlockwise"}[a.Way]
		return fmt.Sprintf("{rolls} %s off hex %s, %s from space %d", game.Plural(a.Count, "mole"), a.At, way, a.Space-1)
	case ActSwap:
		return fmt.Sprintf("{takes} %s from {the pile of seat %d} and {leaves} the Gopher there", game.Title(a.Card.String()), a.Seat)
	case ActStack:
		return fmt.Sprintf("{stacks} %s %s", game.Title(a.Card.String()), uses[a.As])
	case ActDone:
		return "{stops} here"
	case ActDiscardHand:
		return "{discards} {its} hand"
	}
	return ""
}

// edgeWords returns the two hexes of an edge.
func edgeWords(edge int8) string {
	ends := grid.ends[edge]
	return fmt.Sprintf("hexes %s and %s", ends[0], ends[1])
}
