package game

import (
	"cmp"
	"fmt"
	"math"
)

// Expecter judges whole tables, with all that is hidden: what chance gives and takes is measured by it. What it says is fixed before the
// matches that it judges, and cheap: it is asked for many tables that chance did not make.
type Expecter[S any] interface {
	// Factors writes what speaks for a seat into out, which has a place for each of Weights: numbers of about the size of 1, the
	// larger the better where the weight is positive. The match is not over.
	Factors(s *S, seat Seat, out []float64)
	// Weights are what the factors count for, fitted to matches: the sum of the products, less that of another seat, is the logit of the
	// chance to rank ahead of it.
	Weights() []float64
}

func (t *table[C, S, A, V, E]) Factors() ([][]float64, error) {
	x, ok := t.r.(Expecter[S])
	if !ok {
		return nil, fmt.Errorf("%w: %s does not judge tables", ErrUnsupported, t.r.Info().ID)
	}
	k := len(x.Weights())
	all, out := make([]float64, t.seats*k), make([][]float64, t.seats)
	for seat := range out {
		out[seat] = all[seat*k : (seat+1)*k]
		x.Factors(&t.s, Seat(seat), out[seat])
	}
	return out, nil
}

func (t *table[C, S, A, V, E]) Expect() ([]float64, error) {
	if r, over := t.Result(); over {
		return r.Shares(), nil
	}
	factors, err := t.Factors()
	if err != nil {
		return nil, err
	}
	weights, sums := t.r.(Expecter[S]).Weights(), make([]float64, t.seats)
	for seat, f := range factors {
		for k, w := range weights {
			sums[seat] += float64(w * f[k])
		}
	}
	return shares(t.seats, t.Teams(), func(i, j int) float64 { return 1 / (1 + math.Exp(sums[j]-sums[i])) }), nil
}

// Shares returns what the end of a match is worth to each seat, 0 to 1, as ladders score it: the share of the other seats that it ranks
// before, ties counting half; in a team game 1 for the team that won, ½ each if both did.
func (r Result) Shares() []float64 {
	return shares(len(r.Rank), r.Team, func(i, j int) float64 { return (1 + float64(cmp.Compare(r.Rank[j], r.Rank[i]))) / 2 })
}

// shares returns, for each of n seats, the mean chance to be ahead of each that is not of its team; without such a one 0.
func shares(n int, teams []string, chance func(i, j int) float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		others := 0
		for j := range n {
			if j != i && (len(teams) == 0 || teams[i] != teams[j]) {
				out[i] += chance(i, j)
				others++
			}
		}
		out[i] /= float64(max(others, 1))
	}
	return out
}
