package cia

import (
	"math/bits"
	"slices"

	"github.com/molerun/molerun/engines/cia"
)

// steps is how far each agent goes.
type steps = [cia.NumAgents]int8

// board is where the agents and the safe are, the stones, and whose flags would trigger a scoring. Of agents that are not in
// play the entries are 0.
type board struct {
	in    cia.Agents
	at    [cia.NumAgents]cia.Building
	stone [cia.NumAgents]int16
	safe  cia.Building
	flags cia.Agents
}

// put moves an agent; at the safe it gets a flag, elsewhere it loses it.
func (b *board) put(a cia.Agent, to cia.Building) {
	if b.at[a] == to {
		return
	}
	b.at[a] = to
	b.flags = b.flags.Without(a)
	if to == b.safe {
		b.flags = b.flags.With(a)
	}
}

// walk moves every agent by its steps.
func (b *board) walk(by *steps) {
	for a, n := range by {
		if n != 0 {
			b.put(cia.Agent(a), b.at[a].Step(n))
		}
	}
}

// readPlaces puts agents where a view or an event names them; false if it names what CIA does not have.
func readPlaces(at *[cia.NumAgents]cia.Building, agents map[string]string) bool {
	for name, word := range agents {
		a, ok := cia.ParseAgent(name)
		to, there := cia.ParseBuilding(word)
		if !ok || !there {
			return false
		}
		at[a] = to
	}
	return true
}

// readStones does the same with stones.
func readStones(stone *[cia.NumAgents]int16, stones map[string]int16) bool {
	for name, n := range stones {
		a, ok := cia.ParseAgent(name)
		if !ok {
			return false
		}
		stone[a] = n
	}
	return true
}

// settle scores if anybody has a flag, and reports whether.
func (b *board) settle() bool {
	if b.flags == 0 {
		return false
	}
	for m := b.in; m != 0; m &= m - 1 {
		a := m.Lowest()
		b.stone[a] = max(0, b.stone[a]+b.at[a].Value())
	}
	return true
}

// after returns the board once the action is done and the turn settled, should nobody play a card more, and whether the
// safe is to be moved next.
func (b board) after(action *cia.Action) (board, bool) {
	b.walk(&action.Steps)
	switch action.Kind {
	case cia.ActSafe:
		b.safe = action.To
		b.flags = 0
		return b, false
	case cia.ActCard:
		b.card(action)
	}
	scored := b.settle()
	return b, scored
}

// card plays the cards that name no steps.
func (b *board) card(action *cia.Action) {
	first := cia.Agent(bits.TrailingZeros8(uint8(action.Agents))) // of those named; they are two at most
	second := cia.Agent(bits.Len8(uint8(action.Agents)) - 1)
	switch action.Card {
	case cia.AgentToRuin:
		b.put(first, cia.Ruin)
	case cia.AgentToSafe:
		b.put(first, b.safe)
	case cia.SwapAgents:
		x, y := b.at[first], b.at[second]
		b.put(first, y)
		b.put(second, x)
	case cia.AgentToAgent:
		if action.First == second {
			first, second = second, first
		}
		b.put(first, b.at[second])
	case cia.TwoStonesThree:
		b.stone[first] += 3
		b.stone[second] += 3
	case cia.RuinToChurch:
		b.put(first, cia.Church)
		b.put(second, cia.Church)
	case cia.AllToChurch:
		for m := b.in; m != 0; m &= m - 1 {
			b.put(m.Lowest(), cia.Church)
		}
	case cia.SafeAnywhere:
		b.safe = action.To
		b.flags = 0
	}
}

// leaders returns the best stone of all, and the second best, which may be as far.
func (b *board) leaders() (best, second int16) {
	for m := b.in; m != 0; m &= m - 1 {
		n := b.stone[m.Lowest()]
		best, second = max(best, n), max(second, min(best, n))
	}
	return best, second
}

// over reports whether a stone has come round.
func (b *board) over(track int16) bool { return slices.Max(b.stone[:]) >= track }

// lead returns the measure of greedy: fields ahead of the best other stone, and a third of what the building is worth.
func lead(fields, next int16) float64 {
	return float64(fields) + float64(0.3*float64(next))
}
