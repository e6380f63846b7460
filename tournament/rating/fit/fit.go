package fit

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/rating"
)

const maxSeats = game.MaxSeats + 1

// z is the reach of a 95 % interval in standard errors.
const z = 1.959963984540054

// Estimate is a number in Elo with its standard error.
type Estimate struct{ Elo, SE float64 }

// Low and High bound the 95 % interval.
func (e Estimate) Low() float64 { return e.Elo - z*e.SE }

// High is the upper bound of the 95 % interval.
func (e Estimate) High() float64 { return e.Elo + z*e.SE }

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
	Prior   Prior              // that holds, as learned

	x       []float64
	robust  *mat.SymDense // covariance by blocks; nil with fewer than two
	model   *mat.SymDense // covariance if the model were right and the comparisons independent
	few     bool          // too few blocks to go without the model's
	players int
}

// Fit estimates everything from all matches added so far. The order in which they were added does not matter, but for
// the last digits.
//
// A comparison is won with the odds of the difference in strength and advantages. The estimates are the most likely ones
// under the prior, or the mean ones if it is to be so; the errors are robust: they take a block, or a match where there are none, as one observation, however
// many comparisons it holds. While there are fewer than twenty blocks for each parameter, the error that the model itself
// gives counts where it is the larger one. What is not known of a learned prior is added.
func (h *History) Fit() (*Fit, error) {
	m := newModel(h)
	f := &Fit{Matches: h.matches, Blocks: int(h.clusters), players: len(h.games)}
	if m.p == 0 {
		return f, nil
	}
	x, inverse, steps, err := m.solve(make([]float64, m.p))
	if err != nil {
		return nil, fmt.Errorf("%w: after %d steps over %d matches: %w", ErrNoFit, steps, h.matches, err)
	}
	f.Prior, f.Steps, f.x = m.prior, steps, x
	doubt, err := m.doubt(x, inverse)
	if err != nil {
		return nil, fmt.Errorf("%w: the doubt of the spread: %w", ErrNoFit, err)
	}
	m.settle(f, inverse, doubt)
	return f, nil
}

// settle turns the raw estimates into the reported ones. doubt, nil for none, is added to the covariances.
func (m *model) settle(f *Fit, inverse *mat.SymDense, doubt *mat.Dense) {
	const enough = 20
	f.few = int(m.clusters) < enough*m.p
	f.model = m.centred(mat.DenseCopyOf(inverse))
	if m.clusters > 1 {
		f.robust = m.centred(m.sandwich(f.x, inverse))
	}
	if doubt != nil {
		more := m.centred(doubt)
		f.model.AddSym(f.model, more)
		if f.robust != nil {
			f.robust.AddSym(f.robust, more)
		}
	}
	m.centre(f.x)
	f.Players = make([]Player, f.players)
	for i := range f.Players {
		p := &f.Players[i]
		p.Games, p.Island = m.games[i], m.root(i)
		p.Estimate = f.estimate(term{int32(i), 1})
		p.Elo += float64(rating.Start) / 1000
		p.Roles = [2]Estimate{p.Estimate, p.Estimate}
		if role := m.at[f.players+i]; role >= 0 {
			for k, sign := range []float64{1, -1} {
				p.Roles[k] = f.estimate(term{int32(i), 1}, term{role, sign})
				p.Roles[k].Elo += float64(rating.Start) / 1000
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

// rank counts, for each who has played, who is surely above and who is not surely below.
func (f *Fit) rank() {
	for i := range f.Players {
		p := &f.Players[i]
		if p.Games == 0 {
			continue
		}
		p.Best = 1
		for j := range f.Players {
			if f.Players[j].Games == 0 {
				continue
			}
			d := f.Difference(j, i)
			if d.Low() > 0 {
				p.Best++
			}
			if d.High() >= 0 {
				p.Worst++
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

// estimate is a sum of terms with its standard error.
func (f *Fit) estimate(terms ...term) Estimate {
	var e Estimate
	for _, t := range terms {
		e.Elo += t.by * f.x[t.param]
	}
	switch {
	case f.robust == nil:
		e.SE = deviation(f.model, terms)
	case f.few:
		e.SE = max(deviation(f.robust, terms), deviation(f.model, terms))
	default:
		e.SE = deviation(f.robust, terms)
	}
	return e
}

// deviation is the standard deviation of a sum of terms whose covariance is v.
func deviation(v *mat.SymDense, terms []term) float64 { return math.Sqrt(max(0, variance(v, terms))) }

// variance is its square.
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

// Difference is how much stronger player i is than player j.
func (f *Fit) Difference(i, j int) Estimate {
	if i == j {
		return Estimate{}
	}
	return f.estimate(term{int32(i), 1}, term{int32(j), -1})
}
