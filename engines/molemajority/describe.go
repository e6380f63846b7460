package molemajority

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// headline returns where the match stands in one line.
func headline(v View) string {
	switch {
	case v.Phase == PhaseOver.String():
		return fmt.Sprintf("Mole Majority, over after %d turns", v.Turn)
	case v.Active == nil:
		return "Mole Majority"
	case v.Turn == 0:
		return fmt.Sprintf("Mole Majority, set-up: seat %d is to decide", *v.Active)
	}
	return fmt.Sprintf("Mole Majority, turn %d: seat %d", v.Turn, *v.Active)
}

// status returns what is being decided.
func status(v View) string {
	switch {
	case v.Phase == PhaseOver.String():
		return "The match is over."
	case v.Phase == PhaseHome.String():
		return "The next Home Base is to be placed."
	case v.Phase == PhaseTile.String() && v.Tile != nil:
		return fmt.Sprintf("A tile of %d spaces is to be placed.", *v.Tile)
	case len(v.Pending) == 0 && (v.Action != nil || v.Stacked):
		return "Cards can be stacked, or the turn ended."
	case len(v.Pending) == 0:
		return "Cards are to be played, or the hand discarded."
	}
	var words []string
	for _, p := range v.Pending {
		words = append(words, fmt.Sprintf("%s %d", p.Do, p.Left))
	}
	return "To be done of the card: " + strings.Join(words, ", then ") + "."
}

// mark shows a seat on the board: by its number, as everywhere.
func mark(seat game.Seat) string { return strconv.Itoa(int(seat)) }

// Describe puts the view into words, one fact a line.
func (Rules) Describe(v View) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("%s.", headline(v))
	say("%s", status(v))
	if v.Action != nil {
		say("The action of this turn: %s.", *v.Action)
	}
	if v.Me != nil {
		say("You are seat %d.", v.Me.Seat)
		say("Your hand: %s.", list(v.Me.Hand))
		if len(v.Me.Homes) > 0 {
			say("Your home tokens: %s.", strings.Trim(fmt.Sprint(v.Me.Homes), "[]"))
		}
	}
	for _, p := range v.Players {
		describePlayer(p, say)
	}
	say("Hexes, the spaces clockwise from north:")
	for _, h := range v.Hexes {
		say("%s.", hexWords(h))
	}
	if len(v.Edges) > 0 {
		say("Cave-Ins: %s.", list(v.Edges))
	}
	if v.Reveal != nil {
		for seat, points := range v.Reveal.Points {
			say("Seat %d has %d points; home tokens: %s; hand: %s.", seat, points, orNone(strings.Trim(fmt.Sprint(v.Reveal.Homes[seat]), "[]")), list(v.Reveal.Hands[seat]))
		}
	}
	return b.String()
}

func describePlayer(p playerView, say func(string, ...any)) {
	if p.Out {
		say("Seat %d is out.", p.Seat)
	}
	say("Seat %d: supply of %d moles, %d claims, %d Cave-Ins; %d cards in hand, %d in the deck; %d home tokens.",
		p.Seat, p.Moles, p.Claims, p.CaveIns, p.Hand, p.Deck, p.Homes)
	if len(p.Discard) > 0 {
		say("Discard pile of seat %d, the top last: %s.", p.Seat, list(p.Discard))
	}
}

// hexWords returns a hex in words.
func hexWords(h hexView) string {
	var spaces strings.Builder
	for _, seat := range h.Spaces {
		if seat == nil {
			spaces.WriteByte('.')
		} else {
			spaces.WriteString(mark(*seat))
		}
	}
	claim, home := "unclaimed", ""
	if h.Claim != nil {
		claim = "claimed by seat " + mark(*h.Claim)
	}
	if h.Home {
		home = ", with a home token"
	}
	return fmt.Sprintf("%s: %s, %s%s", h.At, spaces.String(), claim, home)
}

// list puts words into a sentence.
func list(words []string) string { return orNone(strings.Join(words, ", ")) }

func orNone(words string) string {
	if words == "" {
		return "none"
	}
	return words
}
