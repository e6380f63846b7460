package cia

import (
	"encoding/json"
	"math/bits"

	"github.com/molerun/molerun/engines/game"
)

// maxList is the longest offer that is written out; a longer one is a form with examples.
const maxList = 128

// Offer lists all legal actions, agents in their order. Where there are too many (moves of 4 points and more, dossiers of
// larger tables) the form describes the values of its one field and lists some, and the examples give more as whole actions.
func (Rules) Offer(s *State, seat game.Seat, o *game.Offer[Action]) {
	switch s.Phase {
	case PhaseMove:
		s.offerMoves(o)
	case PhaseRound:
		o.Add(Action{Kind: ActPass})
		var done uint16
		for _, c := range s.Hand[seat][:s.playable(seat)] {
			if done>>c&1 == 0 {
				done |= 1 << c
				s.offerCard(c, o)
			}
		}
	case PhaseSafe:
		s.offerSafe(Action{Kind: ActSafe}, o)
	case PhaseDossier:
		s.offerFiles(o)
	case PhaseOver:
	}
}

func (s *State) offerSafe(a Action, o *game.Offer[Action]) {
	for a.To = range Building(Buildings) {
		if a.To != s.Safe {
			o.Add(a)
		}
	}
}

// offerMoves lists the splits of the points, fewest points first; where they are too many, those over one or two agents.
func (s *State) offerMoves(o *game.Offer[Action]) {
	least, most := s.points()
	if least < most || splits(s.InPlay.Len(), most) <= maxList {
		s.listMoves(o)
		return
	}
	a := Action{Kind: ActMove}
	spread(s.InPlay, int8(most), 1, &a, &o.Examples)
	domain := game.Domain{Share: most, Among: agentWords(s.InPlay)}
	steps := game.Field{Name: "steps", Domain: &domain}
	for i := range o.Examples {
		steps.OneOf = append(steps.OneOf, stepsOf(&o.Examples[i]))
	}
	o.Forms = append(o.Forms, game.Form{Type: ActMove.String(), Fields: []game.Field{steps}})
	o.Examples = o.Examples[:0]
	spread(s.InPlay, int8(most), 2, &a, &o.Examples)
}

// listMoves lists all splits of the points, fewest points first.
func (s *State) listMoves(o *game.Offer[Action]) {
	least, most := s.points()
	a := Action{Kind: ActMove}
	if s.TopSecret && s.Roll == oneToThree {
		o.Add(a)
	}
	for n := least; n <= most; n++ {
		spread(s.InPlay, int8(n), n, &a, &o.List)
	}
}

// splits counts the ways to give n points to k agents.
func splits(k, n int) int {
	ways := 1
	for i := 1; i <= n; i++ {
		ways = ways * (k - 1 + i) / i
	}
	return ways
}

// spread appends a with n more points given to at most parts of the agents in m.
func spread(m Agents, n int8, parts int, a *Action, out *[]Action) {
	if n == 0 {
		*out = append(*out, *a)
		return
	}
	if m == 0 || parts == 0 {
		return
	}
	agent := m.Lowest()
	for k := n; k >= 0; k-- {
		a.Steps[agent] = k
		left := parts
		if k > 0 {
			left--
		}
		spread(m.Without(agent), n-k, left, a, out)
	}
	a.Steps[agent] = 0
}

// offerFiles lists the dossiers, or every rotation of the seats over the agents.
func (s *State) offerFiles(o *game.Offer[Action]) {
	agents, seats := s.InPlay.Len(), int(s.Seats)
	ways := 1
	for i := range seats {
		ways *= agents - i
	}
	if ways <= maxList {
		s.listFiles(o)
		return
	}
	a := emptyFile(s.InPlay)
	var list [NumAgents]Agent
	for i, m := 0, s.InPlay; m != 0; i, m = i+1, m&(m-1) {
		list[i] = m.Lowest()
	}
	for turned := range agents {
		x := a
		for seat := range seats {
			x.Owners[list[(seat+turned)%agents]] = game.Seat(seat)
		}
		o.Examples = append(o.Examples, x)
	}
	domain := game.Domain{Give: make([]any, seats), Among: agentWords(s.InPlay)}
	for seat := range seats {
		domain.Give[seat] = seat
	}
	owners := game.Field{Name: "owners", Domain: &domain}
	for i := range o.Examples {
		owners.OneOf = append(owners.OneOf, o.Examples[i].owners())
	}
	o.Forms = append(o.Forms, game.Form{Type: ActDossier.String(), Fields: []game.Field{owners}})
}

// listFiles lists all dossiers.
func (s *State) listFiles(o *game.Offer[Action]) {
	a := emptyFile(s.InPlay)
	fileEach(s.InPlay, 0, game.Seat(s.Seats), &a, &o.List)
}

// fileEach appends a with every way to put seat and those after it behind agents of m.
func fileEach(m Agents, seat, seats game.Seat, a *Action, out *[]Action) {
	if seat == seats {
		*out = append(*out, *a)
		return
	}
	for rest := m; rest != 0; rest &= rest - 1 {
		agent := rest.Lowest()
		a.Owners[agent] = seat
		fileEach(m.Without(agent), seat+1, seats, a, out)
		a.Owners[agent] = game.Spectator
	}
}

// stepsOf returns the steps of a move as JSON: {"red":2}.
func stepsOf(a *Action) json.RawMessage {
	const before = `{"type":"move","steps":`
	b := a.AppendJSON(nil)
	return b[len(before) : len(b)-1]
}

// agentWords returns the words of agents, in their order.
func agentWords(m Agents) []any {
	var out []any
	for ; m != 0; m &= m - 1 {
		out = append(out, m.Lowest().String())
	}
	return out
}

// offerCard lists the ways to play c.
func (s *State) offerCard(c Card, o *game.Offer[Action]) {
	x := &shapes[c]
	a := Action{Kind: ActCard, Card: c}
	switch {
	case x.field == fieldNone:
		if s.legalCard(&a) == nil {
			o.Add(a)
		}
	case x.field == fieldTo:
		s.offerSafe(a, o)
	case x.field == fieldSteps && x.most == 1:
		for m := s.targets(c); m != 0; m &= m - 1 {
			one := a
			for n := x.min; n <= x.max; n++ {
				if one.Steps[m.Lowest()] = n; n != 0 {
					o.Add(one)
				}
			}
		}
	default:
		s.offerGroups(c, a, o)
	}
}

// offerGroups lists the sets of agents that c can name, single agents first.
func (s *State) offerGroups(c Card, a Action, o *game.Offer[Action]) {
	x := &shapes[c]
	targets := s.targets(c)
	if x.least == 1 {
		for m := targets; m != 0; m &= m - 1 {
			a.Agents = m & -m
			o.Add(a)
		}
	}
	if x.most == 1 {
		return
	}
	for m := targets; m != 0; m &= m - 1 {
		for rest := m & (m - 1); rest != 0; rest &= rest - 1 {
			s.offerPair(c, m.Lowest(), rest.Lowest(), o)
		}
	}
}

func (s *State) offerPair(c Card, first, second Agent, o *game.Offer[Action]) {
	a := pairAction(c, first, second)
	if s.legalCard(&a) != nil {
		return
	}
	o.Add(a)
	if c == AgentToAgent {
		a.First = second
		o.Add(a)
	}
}

// pairAction plays c with two agents.
func pairAction(c Card, first, second Agent) Action {
	a := Action{Kind: ActCard, Card: c}
	if x := &shapes[c]; x.field == fieldSteps {
		a.Steps[first], a.Steps[second] = x.min, x.min
		return a
	}
	if a.Agents = Agents(0).With(first).With(second); c == AgentToAgent {
		a.First = first
	}
	return a
}

// Sample returns a random legal action: the points go to random agents; in a round a pass and each card in hand are as likely,
// and a card that cannot be played is a pass.
func (Rules) Sample(s *State, seat game.Seat, r *game.Rand) Action {
	switch s.Phase {
	case PhaseMove:
		return s.sampleMove(r)
	case PhaseRound:
		a := Action{Kind: ActPass}
		if n := int(s.playable(seat)); n > 0 {
			if k := r.IntN(n + 1); k < n {
				s.sampleCard(s.Hand[seat][k], r, &a)
			}
		}
		return a
	case PhaseSafe:
		return Action{Kind: ActSafe, To: s.sampleSafe(r)}
	case PhaseDossier:
		return s.sampleFile(r)
	case PhaseOver:
	}
	return Action{}
}

func (s *State) sampleMove(r *game.Rand) Action {
	a := Action{Kind: ActMove}
	least, n := s.points()
	if least < n {
		if s.TopSecret {
			n = r.IntN(n + 1)
		} else {
			n = least + r.IntN(n)
		}
	}
	var list [NumAgents]Agent
	k := uint64(0)
	for m := s.InPlay; m != 0; m &= m - 1 {
		list[k] = m.Lowest()
		k++
	}
	for word := r.Uint64(); n > 0; n-- { // the digits to base k of a fraction: even to one part in 10^14
		var digit uint64
		digit, word = bits.Mul64(word, k)
		a.Steps[list[digit]]++
	}
	return a
}

func (s *State) sampleSafe(r *game.Rand) Building {
	return s.Safe.Step(int8(1 + r.IntN(Buildings-1)))
}

// sampleCard plays c at random into a, if it has a target.
func (s *State) sampleCard(c Card, r *game.Rand, a *Action) {
	x := &shapes[c]
	switch x.field {
	case fieldTo:
		*a = Action{Kind: ActCard, Card: c, To: s.sampleSafe(r)}
		return
	case fieldNone:
		if c == AllToChurch || s.freeLeft() > 0 {
			*a = Action{Kind: ActCard, Card: c}
		}
		return
	}
	targets := s.targets(c)
	if targets.Len() < x.least {
		return
	}
	first := Agent(r.Bit(uint64(targets)))
	if x.most == 1 {
		*a = Action{Kind: ActCard, Card: c, Agents: Agents(0).With(first)}
		if x.field == fieldSteps {
			a.Agents = 0
			a.Steps[first] = x.step(r)
		}
		return
	}
	targets = targets.Without(first)
	switch c {
	case SwapAgents, AgentToAgent:
		targets &^= s.inside(s.Pos[first])
	case RuinToChurch:
		if targets == 0 || r.IntN(2) == 0 {
			*a = Action{Kind: ActCard, Card: c, Agents: Agents(0).With(first)}
			return
		}
	}
	if targets != 0 {
		*a = pairAction(c, first, Agent(r.Bit(uint64(targets))))
	}
}

// step draws one of the steps of a card.
func (x *shape) step(r *game.Rand) int8 {
	if x.min < 0 && x.max > 0 {
		return int8(2*r.IntN(2) - 1)
	}
	return x.min + int8(r.IntN(int(x.max-x.min)+1))
}
