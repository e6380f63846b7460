package cia

import (
	"fmt"
	"slices"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// headline returns where the match stands in one line.
func headline(v View) string {
	if v.Phase == PhaseOver.String() {
		return fmt.Sprintf("CIA, over after %d turns", v.Turns)
	}
	return fmt.Sprintf("CIA, turn %d: seat %d has rolled %s", v.Turns, v.Turn, v.Roll)
}

// status returns what is being decided and by whom.
func status(v View) string {
	switch v.Phase {
	case PhaseMove.String():
		return fmt.Sprintf("Seat %d {is} to move agents.", v.Turn)
	case PhaseRound.String():
		if v.Round != nil && v.Round.Again {
			return fmt.Sprintf("Reaction round: seat %d may play another card.", v.Round.Asked)
		}
		if v.Round != nil {
			return fmt.Sprintf("Reaction round: seat %d {plays} a card or {passes}, %d passed in a row.", v.Round.Asked, v.Round.Passes)
		}
	case PhaseDossier.String():
		return "All fill in their dossiers."
	case PhaseSafe.String():
		if len(v.Flags) > 0 {
			return fmt.Sprintf("Seat %d {is} to move the safe.", v.Flags[0].Seat)
		}
	}
	return "The match is over."
}

// building names a building in a sentence.
func building(word string) string {
	if word == Church.String() || word == Ruin.String() {
		return "the " + word
	}
	return "building " + word
}

// Describe puts the view into words, one fact a line.
func (Rules) Describe(v View) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("%s.", headline(v))
	say("%s", game.ReadBy(status(v), game.Spectator, game.Spectator))
	describeMe(v, say)
	say("The safe is in %s.", building(v.Safe))
	for i, at := range v.Agents {
		if at != absent {
			flag := ""
			for _, f := range v.Flags {
				if f.Agent == agentNames[i] {
					flag = fmt.Sprintf(", moved to the safe by seat %d", f.Seat)
				}
			}
			say("%s: in %s, stone on %d%s.", agentNames[i], building(at.String()), v.Stones[i], flag)
		}
	}
	for seat, n := range v.Extra {
		if n > 0 {
			say("Seat %d has taken free agents: %d.", seat, n)
		}
	}
	say("Free agents: %d.", v.Free)
	describeCards(v, say)
	if v.Filed && v.Reveal == nil {
		say("The dossiers are filled in.")
	}
	if v.Reveal != nil {
		for seat, agent := range v.Reveal.Agents {
			say("Seat %d was %s.", seat, list(append([]string{agent}, v.Reveal.Extra[seat]...)))
		}
		if m := unowned(v); m != 0 {
			say("Nobody's: %s.", list(m.words()))
		}
		for seat, o := range v.Reveal.Dossiers {
			say("Dossier of seat %d: %s.", seat, fileWords(o))
		}
	}
	return b.String()
}

// unowned returns the free agents, once they are known.
func unowned(v View) Agents {
	var m Agents
	if v.Reveal == nil {
		return 0
	}
	for i, at := range v.Agents {
		if at != absent {
			m |= 1 << i
		}
	}
	for seat, name := range v.Reveal.Agents {
		for _, word := range append([]string{name}, v.Reveal.Extra[seat]...) {
			if a, ok := ParseAgent(word); ok {
				m = m.Without(a)
			}
		}
	}
	return m
}

func describeMe(v View, say func(string, ...any)) {
	if v.Me == nil {
		return
	}
	say("You are seat %d of the seats 0 to %d; your agent is %s.", v.Me.Seat, len(v.Hands)-1, v.Me.Agent)
	if len(v.Me.Extra) > 0 {
		say("You have taken %s too; your best stone counts.", list(v.Me.Extra))
	}
	if len(v.Me.Cards) > 0 {
		say("Your cards: %s.", list(v.Me.Cards))
	}
	if len(v.Me.Fresh) > 0 {
		say("Drawn this turn: %s.", list(v.Me.Fresh))
	}
	if v.Me.Dossier != nil {
		say("Your dossier: %s.", fileWords(*v.Me.Dossier))
	}
}

// hasCards reports whether the match has Top Secret cards.
func hasCards(v View) bool {
	return v.Deck > 0 || len(v.Discard) > 0 || slices.Max(v.Hands) > 0
}

func describeCards(v View, say func(string, ...any)) {
	if !hasCards(v) {
		return
	}
	for seat, n := range v.Hands {
		if v.hands != nil {
			say("Seat %d holds: %s.", seat, game.JoinWords(v.hands[seat]...))
			continue
		}
		say("Seat %d holds cards: %d.", seat, n)
	}
	say("Cards in the deck: %d.", v.Deck)
	if len(v.Discard) > 0 {
		say("Discard, oldest first: %s.", list(v.Discard))
	}
	if len(v.Removed) > 0 {
		say("Out of the game: %s.", list(v.Removed))
	}
}

// list puts words into a sentence.
func list(words []string) string { return strings.Join(words, ", ") }

// fileWords returns a dossier in words.
func fileWords(o owners) string {
	var words []string
	for i, seat := range o {
		switch seat {
		case unnamed:
		case game.Spectator:
			words = append(words, agentNames[i]+" nobody")
		default:
			words = append(words, fmt.Sprintf("%s seat %d", agentNames[i], seat))
		}
	}
	return list(words)
}
