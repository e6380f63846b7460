package cia

import (
	"errors"
	"fmt"
	"slices"

	"github.com/molerun/molerun/engines/game"
)

// Card is a kind of Top Secret card, in the order of the rulebook.
type Card uint8

// Cards is how many kinds there are.
const Cards = 15

// The kinds.
const (
	BackOneOrTwo Card = iota
	ForwardOrBackOne
	TwoBackOne
	TwoForwardOne
	SafeAgentStep
	SafeAnywhere
	AgentToRuin
	AllToChurch
	SwapAgents
	AgentToAgent
	RuinToChurch
	ForwardOneToThree
	TwoStonesThree
	AgentToSafe
	TakeFreeAgent
)

var cardNames = [Cards]string{
	"back_one_or_two", "forward_or_back_one", "two_back_one", "two_forward_one", "safe_agent_step", "safe_anywhere",
	"agent_to_ruin", "all_to_church", "swap_agents", "agent_to_agent", "ruin_to_church", "forward_one_to_three",
	"two_stones_three", "agent_to_safe", "take_free_agent",
}

// String is the word on the wire.
func (c Card) String() string {
	if c >= Cards {
		return "no card"
	}
	return cardNames[c]
}

// cardOf reads the word on the wire.
func cardOf(word string) (Card, bool) {
	i := slices.Index(cardNames[:], word)
	return Card(i), i >= 0 //nolint:gosec // below 15
}

// fieldKind is the field that an action has beside its type and card.
type fieldKind uint8

const (
	fieldNone fieldKind = iota
	fieldSteps
	fieldTo
	fieldAgents
	fieldOwners
)

// shape says what a card needs: its field, how many agents, and for steps the least and the most each agent goes.
type shape struct {
	field       fieldKind
	least, most int
	min, max    int8
}

var shapes = [Cards]shape{
	BackOneOrTwo:      {fieldSteps, 1, 1, -2, -1},
	ForwardOrBackOne:  {fieldSteps, 1, 1, -1, 1},
	TwoBackOne:        {fieldSteps, 2, 2, -1, -1},
	TwoForwardOne:     {fieldSteps, 2, 2, 1, 1},
	SafeAgentStep:     {fieldSteps, 1, 1, -1, 1},
	SafeAnywhere:      {field: fieldTo},
	AgentToRuin:       {field: fieldAgents, least: 1, most: 1},
	AllToChurch:       {},
	SwapAgents:        {field: fieldAgents, least: 2, most: 2},
	AgentToAgent:      {field: fieldAgents, least: 2, most: 2},
	RuinToChurch:      {field: fieldAgents, least: 1, most: 2},
	ForwardOneToThree: {fieldSteps, 1, 1, 1, 3},
	TwoStonesThree:    {field: fieldAgents, least: 2, most: 2},
	AgentToSafe:       {field: fieldAgents, least: 1, most: 1},
	TakeFreeAgent:     {},
}

func (c Card) field() fieldKind  { return shapes[c].field }
func (c Card) wants() (int, int) { return shapes[c].least, shapes[c].most }

// targets is the agents that a card with agents or steps may name.
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

// movable is the agents whose stones have not passed the field two before the end.
func (s *State) movable() (m Agents) {
	for a := range Agent(NumAgents) {
		if s.Stone[a] <= s.Track-movableTo {
			m = m.With(a)
		}
	}
	return m & s.InPlay
}

// legalCard tells why a card cannot be played as the action says; that seat holds it has been checked.
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
		switch agent := Agent(i); { //nolint:gosec // below 7
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

// legalSafe is the rule for moving the safe, by a card or after a scoring.
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
			to[i] = s.Pos[i].step(n)
		}
	}
	t.relocate(seat, &to)
}

// takeFree gives seat one of the free agents; only it learns which.
func (t *turn) takeFree(seat game.Seat) {
	agent := Agent(t.r.Bit(uint64(t.s.free()))) //nolint:gosec // below 7
	t.s.Extra[seat] = t.s.Extra[seat].With(agent)
	if t.log.On() {
		t.log.Tell(game.Only(seat), AgentEvent{Kind: "draw", Seat: seat, Agent: agent.String()})
	}
}
