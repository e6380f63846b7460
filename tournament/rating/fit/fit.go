package fit

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/rating"
)

const maxSeats = game.MaxSeats + 1

// Estimate is a number in Elo with its standard error and the bounds of its 95 % interval, which need not be as far from it on
// both sides.
type Estimate struct {
	Elo  float64
	SE   float64
	Low  float64
	High float64
}

// plus returns the estimate shifted by so many Elo.
func (e Estimate) plus(d float64) Estimate {
	return Estimate{Elo: e.Elo + d, SE: e.SE, Low: e.Low + d, High: e.High + d}
}

// Player is what the fit knows of one version. Ratings are relative to the mean of all versions that have played, which
// is put at 1500, on the scale of the on-line ratings.
type Player struct {
	Estimate
	Games int // rated matches
	// Roles are the strengths in the first and in the second team ([Fit.Teams]); both are the rating where the model has
	// no role strengths.
	Roles [2]Estimate
	// Best and Worst rank the version may have among those that have played: not above the ones that are surely stronger,
	// not below the ones that are surely weaker, each at a risk of 2.5 %. 0 without matches.
	Best, Worst int
	// Island is the lowest player this one is joined to by matches. Differences between islands rest on the prior alone.
	Island int
}

// Fit is the result of a fit.
type Fit struct {
	Players []Player
	Teams   [2]string          // names of the two teams in order; empty in games without teams
	Team    map[int]Estimate   // by seats: the advantage of the first team over the second when average versions play
	Seat    map[int][]Estimate // by seats: the advantage of each seat over the mean of the table's
	Matches int                // that were taken
	Blocks  int                // independent ones among them: what the intervals count
	Steps   int                // of Newton's method
	Prior   Prior              // under which the matches are likeliest
	// Evidence is the logarithm of how likely the matches are under the prior, from below and but for a constant that depends on the
	// matches alone. 0 where Learn is asked for, or no mean.
	Evidence float64

	solved  []*solved     // what the beliefs were found from, the likeliest first
	params  int32         // the history had
	whole   int           // matches at the last full solution
	games   []int         // by player, there
	model   *model        // the likeliest
	beliefs []belief      // the likeliest first
	robust  *mat.SymDense // covariance by blocks; nil with fewer than two
	least   float64       // that the blocks may make of an error: 0, or 1 where they cannot tell that it is smaller
	players int
}

// Fit estimates everything from all matches added so far. The order in which they were added does not matter, but for
// the last digits.
//
// A comparison is won with the odds of the difference in strength and advantages. The estimates are the most likely ones
// under the prior, or the mean ones if it is to be so, over all spreads of the bots that can be believed. The intervals are
// robust: they take a block, or a match where there are none, as one observation, however many comparisons it holds. The error
// that the model itself gives counts where it is the larger, while there are fewer than twenty blocks for each parameter, and
// for good where every block is one result without a draw: such a one scatters as the model says, and cannot scatter less.
func (h *History) Fit() (*Fit, error) {
	f := &Fit{Matches: h.matches, Blocks: int(h.clusters), players: len(h.games), params: h.params, whole: h.matches, games: slices.Clone(h.games)}
	if h.params == 0 {
		return f, nil
	}
	all, steps, err := h.weigh()
	if err != nil {
		return nil, fmt.Errorf("%w: after %d steps over %d matches: %w", errNoFit, steps, h.matches, err)
	}
	best := all[0]
	m := best.model
	f.model, f.Steps, f.Prior = m, steps, m.prior
	const enough = 20
	if int(m.clusters) < enough*m.p || h.single() {
		f.least = 1
	}
	if h.clusters > 1 {
		f.robust = m.centred(m.sandwich(best.x, best.inverse))
	}
	f.solved = all
	if !h.prior.Learn {
		f.Evidence = best.height
	}
	total := 0.0
	for _, s := range all {
		b := belief{weight: math.Exp(s.height - best.height), x: slices.Clone(s.x), covariance: m.centred(mat.DenseCopyOf(s.inverse))}
		m.centre(b.x)
		f.beliefs = append(f.beliefs, b)
		total += b.weight
	}
	for i := range f.beliefs {
		f.beliefs[i].weight /= total
	}
	f.settle(m)
	return f, nil
}

// settle turns the raw estimates into the reported ones.
func (f *Fit) settle(m *model) {
	f.Players = make([]Player, f.players)
	for i := range f.Players {
		p := &f.Players[i]
		p.Games, p.Island = m.games[i], m.root(i)
		p.Estimate = f.estimate(term{int32(i), 1}).plus(float64(rating.Start) / 1000)
		p.Roles = [2]Estimate{p.Estimate, p.Estimate}
		if role := m.at[f.players+i]; role >= 0 {
			for k, sign := range []float64{1, -1} {
				p.Roles[k] = f.estimate(term{int32(i), 1}, term{role, sign}).plus(float64(rating.Start) / 1000)
			}
		}
	}
	f.islands()
	f.rank()
	f.advantages(m)
}

// islands renames each island after its lowest player.
func (f *Fit) islands() {
	lowest := map[int]int{}
	for i := range f.Players {
		p := &f.Players[i]
		if _, ok := lowest[p.Island]; !ok {
			lowest[p.Island] = i
		}
		p.Island = lowest[p.Island]
	}
}

// rank counts, for each who has played, those surely above and those not surely below.
func (f *Fit) rank() {
	const sure = .975
	for i := range f.Players {
		if f.Players[i].Games > 0 {
			f.Players[i].Best, f.Players[i].Worst = 1, 1
		}
	}
	for i := range f.Players {
		for j := range i {
			a, b := &f.Players[i], &f.Players[j]
			if a.Games == 0 || b.Games == 0 {
				continue
			}
			behind := f.believed([]term{{int32(i), 1}, {int32(j), -1}}).below(0)
			if behind > sure {
				a.Best++
			} else {
				b.Worst++
			}
			if behind < 1-sure {
				b.Best++
			} else {
				a.Worst++
			}
		}
	}
}

func (f *Fit) advantages(m *model) {
	f.Teams, f.Team, f.Seat = m.teams, map[int]Estimate{}, map[int][]Estimate{}
	for n, size := range m.teamAt {
		if at := m.at[size.param]; at >= 0 {
			f.Team[n] = f.estimate(term{at, 1})
		}
	}
	for n, first := range m.seatAt {
		for s := range n {
			f.Seat[n] = append(f.Seat[n], f.estimate(term{m.at[first+int32(s)], 1}))
		}
	}
}

// factor returns what the blocks say of the model's error of a sum of terms.
func (f *Fit) factor(terms []term) float64 {
	if f.robust == nil {
		return 1
	}
	ours := variance(f.beliefs[0].covariance, terms)
	if ours <= 0 { // a player who met nobody else is the mean of its island
		return 1
	}
	return max(f.least, math.Sqrt(max(0, variance(f.robust, terms))/ours))
}

// estimate returns a sum of terms.
func (f *Fit) estimate(terms ...term) Estimate { return f.believed(terms).estimate() }

// believed returns what can be believed of a sum of terms.
func (f *Fit) believed(terms []term) normals {
	by := f.factor(terms)
	list := make(normals, len(f.beliefs))
	for k, b := range f.beliefs {
		list[k].weight, list[k].sd = b.weight, by*deviation(b.covariance, terms)
		for _, t := range terms {
			list[k].mean += t.by * b.x[t.param]
		}
	}
	return list
}

// deviation returns the standard deviation of a sum of terms whose covariance is v.
func deviation(v *mat.SymDense, terms []term) float64 { return math.Sqrt(max(0, variance(v, terms))) }

// variance returns the square of the deviation.
func variance(v *mat.SymDense, terms []term) float64 {
	raw, sum := v.RawSymmetric(), 0.0
	for i, a := range terms {
		row := int(a.param) * raw.Stride
		sum += a.by * a.by * raw.Data[row+int(a.param)]
		for _, b := range terms[i+1:] {
			at := row + int(b.param)
			if b.param < a.param {
				at = int(b.param)*raw.Stride + int(a.param)
			}
			sum += 2 * a.by * b.by * raw.Data[at]
		}
	}
	return sum
}

// Difference returns how much stronger player i is than player j.
func (f *Fit) Difference(i, j int) Estimate {
	if i == j {
		return Estimate{}
	}
	return f.estimate(term{int32(i), 1}, term{int32(j), -1})
}
