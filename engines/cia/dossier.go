package cia

import (
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// legalFile checks a dossier: every agent in play, every seat behind exactly one of them, dashes for the others.
func (s *State) legalFile(a *Action) error {
	if missing := s.InPlay &^ a.Agents; missing != 0 {
		return fmt.Errorf("owners: %s is missing", missing.Lowest())
	}
	if extra := a.Agents &^ s.InPlay; extra != 0 {
		return fmt.Errorf("owners: %s is not in play", extra.Lowest())
	}
	var named game.Seats
	for m := a.Agents; m != 0; m &= m - 1 {
		seat := a.Owners[m.Lowest()]
		if seat == game.Spectator {
			continue
		}
		if !s.seats().Has(seat) {
			return fmt.Errorf("owners: there is no seat %d", seat)
		}
		if named.Has(seat) {
			return fmt.Errorf("owners: seat %d stands behind two agents", seat)
		}
		named = named.With(seat)
	}
	if missing := s.seats() &^ named; missing != 0 {
		return fmt.Errorf("owners: seat %d is missing, every seat stands behind one agent", missing.Lowest())
	}
	return nil
}

// sampleFile returns a dossier drawn uniformly.
func (s *State) sampleFile(r *game.Rand) Action {
	a := emptyFile(s.InPlay)
	left := s.InPlay
	for seat := range game.Seat(s.Seats) {
		agent := Agent(r.Bit(uint64(left)))
		left = left.Without(agent)
		a.Owners[agent] = seat
	}
	return a
}

// file takes the dossiers of all seats and goes on where they interrupted.
func (t *turn) file(acts []game.Act[Action]) {
	s := t.s
	for i := range acts {
		s.Files[acts[i].Seat] = acts[i].Action.Owners
	}
	s.Filed = true
	if t.log.Enabled() {
		t.log.Emit(game.All, dossierEvent{Kind: "dossier"})
	}
	t.stonesMoved(s.Paused)
}

// unmasked counts the agents, its own one aside, whose owner seat has written down; a free agent that was taken is still
// behind a dash.
func (s *State) unmasked(seat game.Seat) int {
	n := 0
	truth := s.owners()
	for m := s.InPlay.Without(s.Agent[seat]); m != 0; m &= m - 1 {
		if a := m.Lowest(); s.Files[seat][a] == truth[a] {
			n++
		}
	}
	return n
}

// owners returns the truth: the seat that was dealt each agent, [game.Spectator] for the others.
func (s *State) owners() [NumAgents]game.Seat {
	var o [NumAgents]game.Seat
	for i := range o {
		o[i] = game.Spectator
	}
	for seat := range game.Seat(s.Seats) {
		o[s.Agent[seat]] = seat
	}
	return o
}

// score returns the points of seat: its best own stone and the bonus of its dossier.
func (s *State) score(seat game.Seat) int {
	best := int16(0)
	for m := s.Extra[seat].With(s.Agent[seat]); m != 0; m &= m - 1 {
		best = max(best, s.Stone[m.Lowest()])
	}
	points := int(best)
	if s.Filed {
		points += int(s.Bonus) * s.unmasked(seat)
	}
	return points
}

// Result ranks the seats by points; when a free agent is ahead of all of them nobody has won.
func (Rules) Result(s *State) game.Result {
	x := game.Result{Points: make([]float64, s.Seats), Why: [...]string{"finish", "turn_limit"}[s.Why]}
	best := 0
	for i := range x.Points {
		n := s.score(game.Seat(i))
		x.Points[i] = float64(n)
		best = max(best, n)
	}
	nobody := false
	for m := s.free(); m != 0; m &= m - 1 {
		nobody = nobody || int(s.Stone[m.Lowest()]) > best
	}
	if nobody {
		x.Why = "free_agent"
	}
	x.Rank = game.Ranks(len(x.Points), func(a, b int) bool { return !nobody && x.Points[a] > x.Points[b] })
	return x
}
