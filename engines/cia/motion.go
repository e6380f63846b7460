package cia

import "github.com/molerun/molerun/engines/game"

// turn is what the steps of a turn work on: the state, the luck and where to report.
type turn struct {
	s      *State
	r      *game.Rand
	log    *game.Log[Event]
	loaded Roll
}

// relocate puts the agents where to says and reports whether one was moved into the ruin. Agents that leave the safe's
// building lose their flags, agents that come to it get one, in the order of the agents.
func (t *turn) relocate(seat game.Seat, to *[NumAgents]Building) bool {
	ruin := false
	s := t.s
	var moved Agents
	came := false
	for i := range to {
		if to[i] != s.Pos[i] {
			moved = moved.With(Agent(i))
			ruin = ruin || to[i] == Ruin
			came = came || to[i] == s.Safe
		}
	}
	if moved &= s.InPlay; moved == 0 {
		return false
	}
	s.dropFlags(moved)
	for m := moved; m != 0; m &= m - 1 {
		a := m.Lowest()
		if s.Pos[a] = to[a]; came && to[a] == s.Safe {
			s.Flags[s.FlagN] = Flag{a, seat}
			s.FlagN++
		}
	}
	if t.log.On() {
		places := nowhere()
		for m := moved; m != 0; m &= m - 1 {
			places[m.Lowest()] = to[m.Lowest()]
		}
		t.log.Tell(game.All, MoveEvent{Kind: "move", Seat: seat, Agents: places})
	}
	return ruin
}

// dropFlags takes away the flags of the agents in m.
func (s *State) dropFlags(m Agents) {
	kept := int8(0)
	for i := range s.FlagN {
		if f := s.Flags[i]; !m.Has(f.Agent) {
			s.Flags[kept] = f
			kept++
		}
	}
	for i := kept; i < s.FlagN; i++ {
		s.Flags[i] = Flag{}
	}
	s.FlagN = kept
}

// moveSafe moves the safe; whoever stands in its new building has not been moved to it.
func (t *turn) moveSafe(seat game.Seat, to Building) {
	t.s.Safe = to
	t.s.dropFlags(t.s.InPlay)
	if t.log.On() {
		t.log.Tell(game.All, SafeEvent{Kind: "safe", Seat: seat, To: to.String()})
	}
}

func (t *turn) tellStones() {
	if t.log.On() {
		t.log.Tell(game.All, ScoreEvent{Kind: "score", Stones: t.s.scores()})
	}
}
