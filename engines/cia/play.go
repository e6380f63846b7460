package cia

import (
	"errors"
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// targets returns the agents that a card with agents or steps may name.
func (s *State) targets(c Card) Agents {
	switch c {
	case SafeAgentStep:
		return s.inside(s.Safe)
	case AgentToRuin:
		return s.InPlay &^ s.inside(Ruin)
	case AgentToSafe:
		return s.InPlay &^ s.inside(s.Safe)
	case RuinToChurch:
		return s.inside(Ruin)
	case TwoStonesThree:
		return s.movable()
	default:
		return s.InPlay
	}
}

// stoneStep is how far two_stones_three moves, and movableTo how far before the end a stone may at most stand.
const (
	stoneStep = 3
	movableTo = 2
)

// movable returns the agents whose stones have not passed the field two before the end.
func (s *State) movable() Agents {
	var m Agents
	for a := range Agent(NumAgents) {
		if s.Stone[a] <= s.Track-movableTo {
			m = m.With(a)
		}
	}
	return m & s.InPlay
}

// legalCard returns why a card cannot be played as the action says; that seat holds it has been checked.
func (s *State) legalCard(a *Action) error {
	switch x := &shapes[a.Card]; x.field {
	case fieldSteps:
		return s.legalSteps(a, x)
	case fieldTo:
		return s.legalSafe(a.To)
	case fieldAgents:
		return s.legalAgents(a, x)
	}
	if a.Card == TakeFreeAgent && s.freeLeft() == 0 {
		return errors.New("take_free_agent: no free agent is left")
	}
	return nil
}

func (s *State) legalSteps(a *Action, x *shape) error {
	named := 0
	targets := s.targets(a.Card)
	for i, n := range a.Steps {
		if n == 0 {
			continue
		}
		named++
		switch agent := Agent(i); {
		case !s.InPlay.Has(agent):
			return fmt.Errorf("%s is not in play", agent)
		case !targets.Has(agent):
			return fmt.Errorf("%s: %s is not in the building with the safe", a.Card, agent)
		case n < x.min || n > x.max:
			return fmt.Errorf("%s: %s cannot go %+d, it can go %s", a.Card, agent, n, x.span())
		}
	}
	if named != x.most {
		return fmt.Errorf("%s: wants steps for %d agents, got %d", a.Card, x.most, named)
	}
	return nil
}

func (x *shape) span() string {
	switch {
	case x.min == x.max:
		return fmt.Sprintf("%+d", x.min)
	case x.min < 0 && x.max > 0:
		return fmt.Sprintf("%+d or %+d", x.min, x.max)
	}
	return fmt.Sprintf("%+d to %+d", x.min, x.max)
}

func (s *State) legalAgents(a *Action, x *shape) error {
	if n := a.Agents.Len(); n < x.least || n > x.most {
		return fmt.Errorf("%s: wants %s, got %d", a.Card, count(x.least, x.most), n)
	}
	if out := a.Agents &^ s.InPlay; out != 0 {
		return fmt.Errorf("%s is not in play", out.Lowest())
	}
	if out := a.Agents &^ s.targets(a.Card); out != 0 {
		agent := out.Lowest()
		switch a.Card {
		case TwoStonesThree:
			return fmt.Errorf("two_stones_three: the stone of %s is on %d, it may be on %d at most", agent, s.Stone[agent], s.Track-movableTo)
		case RuinToChurch:
			return fmt.Errorf("ruin_to_church: %s is not in the ruin", agent)
		}
		return fmt.Errorf("%s: %s is there already", a.Card, agent)
	}
	switch a.Card {
	case SwapAgents, AgentToAgent:
		first := a.Agents.Lowest()
		second := a.Agents.Without(first).Lowest()
		if s.Pos[first] == s.Pos[second] {
			return fmt.Errorf("%s: %s and %s are in the same building", a.Card, first, second)
		}
		if a.Card == AgentToAgent && !a.Agents.Has(a.First) {
			return errors.New("agent_to_agent: the agent that goes is not named")
		}
	}
	return nil
}

// legalSafe checks a move of the safe, by a card or after a scoring.
func (s *State) legalSafe(to Building) error {
	if to < 0 || to >= Buildings {
		return fmt.Errorf("there is no building %d", to)
	}
	if to == s.Safe {
		return fmt.Errorf("the safe is in building %s already, it must go to another", to)
	}
	return nil
}

// effect carries out a card.
func (t *turn) effect(seat game.Seat, a *Action) {
	s := t.s
	to := s.Pos
	switch a.Card {
	case SafeAnywhere:
		t.moveSafe(seat, a.To)
		return
	case TwoStonesThree:
		for m := a.Agents; m != 0; m &= m - 1 {
			s.Stone[m.Lowest()] += stoneStep
		}
		t.tellStones()
		return
	case TakeFreeAgent:
		t.takeFree(seat)
		return
	case AllToChurch:
		to = [NumAgents]Building{}
	case AgentToRuin:
		to[a.Agents.Lowest()] = Ruin
	case AgentToSafe:
		to[a.Agents.Lowest()] = s.Safe
	case RuinToChurch:
		for m := a.Agents; m != 0; m &= m - 1 {
			to[m.Lowest()] = Church
		}
	case SwapAgents, AgentToAgent:
		first := a.Agents.Lowest()
		second := a.Agents.Without(first).Lowest()
		if a.Card == SwapAgents || a.First == first {
			to[first] = s.Pos[second]
		}
		if a.Card == SwapAgents || a.First == second {
			to[second] = s.Pos[first]
		}
	default:
		for i, n := range a.Steps {
			to[i] = s.Pos[i].Step(n)
		}
	}
	t.relocate(seat, &to)
}

// takeFree gives seat one of the free agents; only it learns which.
func (t *turn) takeFree(seat game.Seat) {
	agent := Agent(t.r.Bit(uint64(t.s.free())))
	t.s.Extra[seat] = t.s.Extra[seat].With(agent)
	if t.log.Enabled() {
		t.log.Emit(game.Only(seat), agentEvent{Kind: "draw", Seat: seat, Agent: agent.String()})
	}
}

// slot returns where in its hand seat holds a card that it may play, −1 if nowhere. The oldest copy goes first.
func (s *State) slot(seat game.Seat, c Card) int8 {
	for i := range s.playable(seat) {
		if s.Hand[seat][i] == c {
			return i
		}
	}
	return -1
}

// leave takes a card out of a hand; removed says that the card leaves the game instead of being played.
func (t *turn) leave(seat game.Seat, slot int8, removed bool) {
	s := t.s
	hand := &s.Hand[seat]
	card := hand[slot]
	s.trailLeave(seat, card, removed)
	if slot >= s.HandN[seat]-s.Fresh[seat] {
		s.Fresh[seat]--
	}
	if removed || s.AtOnce {
		s.Shown[seat] = max(0, s.Shown[seat]-1)
	}
	copy(hand[slot:], hand[slot+1:])
	s.HandN[seat]--
	hand[s.HandN[seat]] = 0
	s.Shown[seat] = min(s.Shown[seat], s.HandN[seat])
}

// earn draws the one card a turn that the active seat may draw; with a full hand it is lost and the draw stays unused.
func (t *turn) earn() {
	s := t.s
	if !s.Drew && s.HandN[s.Turn] < maxHand {
		s.Drew = t.draw(s.Turn)
	}
}

// draw gives seat the top card, and the next one while a card leaves the game at once; false if there is none.
func (t *turn) draw(seat game.Seat) bool {
	s := t.s
	if !t.give(seat) {
		return false
	}
	last := s.HandN[seat] - 1
	if s.Hand[seat][last] == TakeFreeAgent && s.freeLeft() == 0 {
		t.remove(seat, last)
		t.draw(seat)
	}
	return true
}

// give moves the top card into seat's hand, shuffling the discard first if the deck is empty.
func (t *turn) give(seat game.Seat) bool {
	s := t.s
	if s.DeckN == 0 && !t.reshuffle() {
		return false
	}
	s.DeckN--
	card := s.Deck[s.DeckN]
	s.Deck[s.DeckN] = 0
	s.trailDraw(seat, card)
	s.Hand[seat][s.HandN[seat]] = card
	s.HandN[seat]++
	s.Fresh[seat]++
	s.Shown[seat]++
	if t.log.Enabled() {
		t.log.Emit(game.All, drawEvent{Kind: "draw", Seat: seat})
		t.log.Emit(game.Only(seat), drawEvent{Kind: "draw", Seat: seat, Card: card.String()})
	}
	return true
}

func (t *turn) reshuffle() bool {
	s := t.s
	if s.DiscardN == 0 {
		return false
	}
	s.trailReshuffle()
	s.Deck, s.DeckN = s.Discard, s.DiscardN
	s.Discard, s.DiscardN = [maxBox]Card{}, 0
	game.Shuffle(t.r, s.Deck[:s.DeckN])
	if t.log.Enabled() {
		t.log.Emit(game.All, reshuffleEvent{Kind: "reshuffle"})
	}
	return true
}

// remove takes a copy of take_free_agent out of the game, face up.
func (t *turn) remove(seat game.Seat, slot int8) {
	t.leave(seat, slot, true)
	t.s.Removed++
	if t.log.Enabled() {
		t.log.Emit(game.All, cardEvent{Kind: "card", Seat: seat, Action: Action{Kind: ActCard, Card: TakeFreeAgent}, Removed: true})
	}
}

// noneLeft plays what follows when the last free agent is taken: from the active seat clockwise every copy of the card
// leaves the hands, then each is replaced.
func (t *turn) noneLeft() {
	s := t.s
	var owed [maxSeats]int8
	s.trailNone()
	seat := s.Turn
	for range s.Seats {
		for i := s.HandN[seat] - 1; i >= 0; i-- {
			if s.Hand[seat][i] == TakeFreeAgent {
				t.remove(seat, i)
				owed[seat]++
			}
		}
		seat = s.left(seat)
	}
	for range s.Seats {
		for range owed[seat] {
			t.draw(seat)
		}
		seat = s.left(seat)
	}
}

// settleHands makes the cards drawn this turn like any other.
func (s *State) settleHands() {
	s.trailTurn()
	s.Fresh, s.Shown = [maxSeats]int8{}, [maxSeats]int8{}
}
