package molemajority

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/protocol"
	mm "github.com/molerun/molerun/engines/molemajority"
)

// MostPlayouts is the searcher's budget for a whole turn, of which every candidate left gets as many playouts before the worse
// half goes.
const MostPlayouts = 48

// How many turns the searcher tries; the thinker's odds count as much as so many playouts.
const (
	turnCandidates = 6
	turnPrior      = 4
)

// prospect is a turn under test, and the odds its playouts came to.
type prospect struct {
	acts []mm.Action
	sum  float64
}

// Searcher takes the thinker's best turns and plays each on, on tables drawn again from the view: every seat in turn takes the
// turn that the thinker's measure likes best, until this seat has had its next. The same tables serve all turns under test; again
// and again the worse half of them is dropped (sequential halving).
func Searcher(t *protocol.Turn, rng *rand.Rand, playouts int) (protocol.Answer, error) {
	x, err := readPosition(t, rng)
	if err != nil {
		return protocol.Answer{}, err
	}
	if x.table.Phase < mm.PhasePlay {
		return x.settle(rng)
	}
	var list []prospect
	for _, d := range distinct(x.turns(thinkWidth, thinkCards), turnCandidates) {
		list = append(list, prospect{acts: d.acts, sum: turnPrior * d.odds})
	}
	budget, seed := min(playouts, MostPlayouts), search.Seed(rng)
	for table, rounds := 0, halvings(len(list)); len(list) > 1; rounds-- {
		for range max(1, budget/(rounds*len(list))) {
			table++
			for k := range list {
				x.luck.Reset(seed, table, "playout", x.seat)
				list[k].sum += x.playOn(list[k].acts)
				budget--
			}
		}
		slices.SortStableFunc(list, func(a, b prospect) int { return cmp.Compare(b.sum, a.sum) })
		list = list[:(len(list)+1)/2]
	}
	return answerTurn(list[0].acts), nil
}

// halvings returns how many rounds leave one of n.
func halvings(n int) int {
	rounds := 0
	for ; n > 1; n = (n + 1) / 2 {
		rounds++
	}
	return max(rounds, 1)
}

// distinct returns the first n turns that lead to different odds.
func distinct(list []line, n int) []line {
	var out []line
	for _, d := range list {
		if len(out) < n && !slices.ContainsFunc(out, func(o line) bool { return o.odds == d.odds }) {
			out = append(out, d)
		}
	}
	return out
}

// playOn returns the seat's odds after its next turn, or at the end of the match, after this turn on a table drawn again.
func (x *position) playOn(acts []mm.Action) float64 {
	y := position{seat: x.seat, table: x.table, luck: x.luck, w: x.w}
	mm.Rules{}.Resample(&y.table, x.seat, &y.luck)
	y.play(acts)
	for again := false; y.table.Phase == mm.PhasePlay && y.table.Out[x.seat] == 0 && !again; {
		y.seat = y.table.Active
		again = y.seat == x.seat
		y.play(y.turns(1, 1)[0].acts)
	}
	y.seat = x.seat
	return y.odds(&y.table)
}

// play plays a turn on the position's own table, as far as the seat stays due.
func (x *position) play(acts []mm.Action) {
	for turn, k := x.table.Turn, 0; k < len(acts) && x.table.Phase == mm.PhasePlay && x.table.Turn == turn; k++ {
		x.do(&x.table, acts[k])
	}
}
