package main

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/molerun/molerun/bots/review"
	"github.com/molerun/molerun/engines/game"
)

// judged is a table as its judgement sees it: factors by seat, or what each seat has once the match is over.
type judged struct {
	sign    float64 // what its judgement adds to the luck: 1 for what happened, −1/n for each of n redraws
	factors [][]float64
	has     []float64
}

// fitRedraws is fewer than a measurement has: the tables of all matches are kept.
const fitRedraws = 4

// sample is a match to fit to.
type sample struct {
	points []float64
	team   []string
	tables []judged
}

// fit returns the weights with which the points of matches scatter least once the luck by them is taken out (Levenberg 1944, Marquardt
// 1963).
func (x setting) fit(ctx context.Context, seed uint64, matches int, heard func(done int)) ([]float64, error) {
	var all []sample
	for i := range matches {
		m, err := x.play(ctx, seed+uint64(i), 0)
		if err != nil {
			return nil, err
		}
		s := sample{points: m.points, team: m.rec.Result.Team}
		err = review.Chances(m.engine, m.rec, fitRedraws, func(_ int, table game.Table, share float64) error {
			j := judged{sign: share}
			var err error
			if table.Due() == 0 {
				j.has, err = table.Expect()
			} else {
				j.factors, err = table.Factors()
			}
			s.tables = append(s.tables, j)
			return err
		})
		if err != nil {
			return nil, err
		}
		all = append(all, s)
		heard(i + 1)
	}
	return least(all)
}

// least minimises the scatter of points without luck.
func least(all []sample) ([]float64, error) {
	k := 0
	for _, t := range all[0].tables {
		if t.factors != nil {
			k = len(t.factors[0])
		}
	}
	best, lowest, damping := make([]float64, k), math.Inf(1), 1.0
	w := make([]float64, k)
	for range 30 {
		if sum, _, _ := slope(all, w); sum < lowest {
			copy(best, w)
			lowest, damping = sum, damping/3
		} else {
			damping *= 10
		}
		_, down, bend := slope(all, best)
		for i := range k {
			bend.Set(i, i, bend.At(i, i)*(1+damping))
		}
		var step mat.VecDense
		if err := step.SolveVec(bend, mat.NewVecDense(k, down)); err != nil {
			return nil, err
		}
		for i := range w {
			w[i] = best[i] + step.AtVec(i)
		}
	}
	return best, nil
}

// ridge keeps a weight that matches tell little of near 0.
const ridge = 0.01

// slope returns the sum of squares of the points without luck about one half, half of its steepest descent, and half of its curvature.
func slope(all []sample, w []float64) (sum float64, down []float64, bend *mat.Dense) {
	down, bend = make([]float64, len(w)), mat.NewDense(len(w), len(w), nil)
	for i := range w {
		down[i] = -ridge * w[i]
		bend.Set(i, i, ridge)
		sum += ridge * w[i] * w[i]
	}
	for _, s := range all {
		for seat, points := range s.points {
			luck, by := s.luck(seat, w)
			left := points - 0.5 - luck
			sum += left * left
			for i, x := range by {
				down[i] += left * x
				for j, y := range by {
					bend.Set(i, j, bend.At(i, j)+x*y)
				}
			}
		}
	}
	return sum, down, bend
}

// luck returns what chance gave a seat by such weights, and how that changes with each of them.
func (s sample) luck(seat int, w []float64) (luck float64, by []float64) {
	by = make([]float64, len(w))
	for _, t := range s.tables {
		if t.has != nil {
			luck += t.sign * t.has[seat]
			continue
		}
		others := 0.0
		for o := range s.points {
			if o != seat && (len(s.team) == 0 || s.team[o] != s.team[seat]) {
				others++
			}
		}
		for o := range s.points {
			if o == seat || len(s.team) > 0 && s.team[o] == s.team[seat] {
				continue
			}
			z := 0.0
			for i := range w {
				z += w[i] * (t.factors[seat][i] - t.factors[o][i])
			}
			p := 1 / (1 + math.Exp(-z))
			luck += t.sign * p / others
			for i := range w {
				by[i] += t.sign * p * (1 - p) * (t.factors[seat][i] - t.factors[o][i]) / others
			}
		}
	}
	return luck, by
}
