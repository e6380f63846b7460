package molemajority

import (
	"math"
	"slices"

	"github.com/molerun/molerun/engines/game"
	mm "github.com/molerun/molerun/engines/molemajority"
)

// mostTries is how many actions are tried to find the best rest of the last turn.
const mostTries = 2000

// rest returns what a seat best does until its turn is over, by what it knows: in the last turn of the match the best of all ways, where
// they are few, or else the thinker's; nothing in set-up.
func rest(s *mm.State, seat game.Seat) []mm.Action {
	if s.Phase != mm.PhasePlay {
		return nil
	}
	x := position{seat: seat, table: *s, w: judgement()}
	if s.MaxTurns > 0 && s.Turn >= s.MaxTurns {
		e := ending{position: &x, seen: map[mm.State]bool{}, chance: -1}
		if e.tryAll(s) {
			return e.best
		}
	}
	return x.turns(thinkWidth, thinkCards)[0].acts
}

// ending tries all ways to end the last turn.
type ending struct {
	*position
	seen   map[mm.State]bool
	tries  int
	acts   []mm.Action
	best   []mm.Action
	chance float64
}

// tryAll goes all ways on from a state; false if they are too many.
func (e *ending) tryAll(s *mm.State) bool {
	if s.Phase == mm.PhaseOver {
		if chance := e.ahead(s); chance > e.chance {
			e.chance, e.best = chance, slices.Clone(e.acts)
		}
		return true
	}
	for _, a := range slices.Clone(e.list(s)) {
		if e.tries++; e.tries > mostTries {
			return false
		}
		next := *s
		e.do(&next, a)
		if e.seen[next] {
			continue
		}
		e.seen[next] = true
		e.acts = append(e.acts, a)
		if !e.tryAll(&next) {
			return false
		}
		e.acts = e.acts[:len(e.acts)-1]
	}
	return true
}

// ahead sums up the odds that the seat ranks before each of the others at the end of the match. It goes by the number of tokens whose
// values the seat did not know at the table, of which each is 2 on average, ± 0.8.
func (e *ending) ahead(s *mm.State) float64 {
	var v [mm.MaxSeats]float64
	e.land(s, &v, true)
	unknown := 0.0
	for i, copies := range s.Homes[e.seat] {
		known := float64(e.table.Homes[e.seat][i])
		v[e.seat] += (float64(i+1) - e.w.token) * known
		unknown += float64(copies) - known
	}
	sum := 0.0
	for other := range game.Seat(s.Seats) {
		switch {
		case other == e.seat:
		case s.Out[e.seat] != 0 || s.Out[other] != 0:
			sum += before(s.Out[e.seat], s.Out[other])
		default:
			hidden := unknown
			for _, copies := range s.Homes[other] {
				hidden += float64(copies)
			}
			lead := v[e.seat] - v[other] + 0.01*float64(s.BoardMoles(e.seat)-s.BoardMoles(other))
			sum += 1 / (1 + math.Exp(-1.7*lead/(0.01+0.8*math.Sqrt(hidden))))
		}
	}
	return sum
}
