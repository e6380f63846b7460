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
			s.Flags[s.FlagN] = flag{a, seat}
			s.FlagN++
		}
	}
	if t.log.Enabled() {
		places := nowhere()
		for m := moved; m != 0; m &= m - 1 {
			places[m.Lowest()] = to[m.Lowest()]
		}
		t.log.Emit(game.All, moveEvent{Kind: "move", Seat: seat, Agents: places})
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
		s.Flags[i] = flag{}
	}
	s.FlagN = kept
}

// moveSafe moves the safe; whoever stands in its new building has not been moved to it.
func (t *turn) moveSafe(seat game.Seat, to Building) {
	t.s.Safe = to
	t.s.dropFlags(t.s.InPlay)
	if t.log.Enabled() {
		t.log.Emit(game.All, safeEvent{Kind: "safe", Seat: seat, To: to.String()})
	}
}

func (t *turn) tellStones() {
	if t.log.Enabled() {
		t.log.Emit(game.All, scoreEvent{Kind: "score", Stones: t.s.scores()})
	}
}

// move uses the points of the roll.
func (t *turn) move(a *Action) {
	s := t.s
	to := s.Pos
	still := true
	for i, n := range a.Steps {
		if n != 0 {
			to[i], still = s.Pos[i].Step(n), false
		}
	}
	ruin := t.relocate(s.Turn, &to)
	if still && t.log.Enabled() {
		t.log.Emit(game.All, moveEvent{Kind: "move", Seat: s.Turn, Agents: nowhere()})
	}
	if !s.TopSecret {
		t.settle()
		return
	}
	if ruin || still {
		t.earn()
	}
	s.Phase, s.Asks, s.Passes, s.Again = PhaseRound, s.Turn, 0, false // everybody is asked, from the active seat clockwise
	t.ask()
}

// begin starts the turn of seat: its roll.
func (t *turn) begin(seat game.Seat) {
	s := t.s
	s.Turn, s.Phase, s.Drew = seat, PhaseMove, false
	s.Turns++
	if s.Roll = t.loaded; s.Roll == 0 {
		s.Roll = oneToThree + Roll(t.r.IntN(6))
	}
	if t.log.Enabled() {
		t.log.Emit(game.All, rollEvent{Kind: "roll", Seat: seat, Roll: s.Roll.String()})
	}
}

// next passes the die on, unless that was the last turn.
func (t *turn) next() {
	s := t.s
	if s.MaxTurns > 0 && s.Turns >= s.MaxTurns {
		t.end(turnLimit)
		return
	}
	if s.TopSecret {
		s.settleHands()
	}
	t.begin(s.left(s.Turn))
}

// settle ends what a turn has moved: a scoring if an agent was moved to the safe and is still there.
func (t *turn) settle() {
	s := t.s
	if s.FlagN == 0 {
		t.next()
		return
	}
	for m := s.InPlay; m != 0; m &= m - 1 {
		a := m.Lowest()
		s.Stone[a] = max(0, s.Stone[a]+s.Pos[a].Value())
	}
	t.tellStones()
	t.stonesMoved(false)
}

// stonesMoved goes on after the stones have changed, by a scoring or, in a round, by a card.
func (t *turn) stonesMoved(inRound bool) {
	s := t.s
	if s.WithFiles && !s.Filed && s.reached(s.FilesAt) {
		s.Phase, s.Paused = PhaseDossier, inRound
		return
	}
	switch {
	case s.reached(s.Track):
		t.end(finish)
	case inRound:
		t.goOn()
	default:
		s.Phase = PhaseSafe
	}
}

// end ends the match.
func (t *turn) end(why why) {
	t.s.Phase, t.s.Why = PhaseOver, why
	if t.log.Enabled() {
		t.log.Emit(game.All, overEvent{Kind: "over", Reveal: *t.s.reveal()})
	}
}

// ask finds who is asked, from Asks on; a seat that cannot hold a playable card passes unasked. When all have passed in a
// row the round is over.
func (t *turn) ask() {
	s := t.s
	for s.Passes < s.Seats {
		if s.askable(s.Asks) {
			return
		}
		s.Again = false
		s.Passes++
		s.Asks = s.left(s.Asks)
	}
	s.Asks, s.Passes, s.Again = 0, 0, false
	t.settle()
}

// pass counts, unless the seat has just played and only ends its own series.
func (t *turn) pass() {
	s := t.s
	if !s.Again {
		s.Passes++
	}
	s.Again = false
	s.Asks = s.left(s.Asks)
	t.ask()
}

// goOn asks the seat that has just played whether it plays another card.
func (t *turn) goOn() {
	s := t.s
	s.Phase, s.Paused, s.Passes = PhaseRound, false, 0
	if s.Again = s.askable(s.Asks); !s.Again {
		s.Asks = s.left(s.Asks)
	}
	t.ask()
}
