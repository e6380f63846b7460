package fit

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// How far the bots of a ladder are spread is not known before the matches, and not well after them. So the model is solved for
// many spreads, each weighed by how likely it makes the matches, and what is reported is the mixture: nothing is plugged in
// as if it were known, and the intervals are as lopsided as what is believed.
//
// A field of strong bots and random ones has a gap which results bound from below alone. A normal prior would shrink it, and
// one with heavier tails too, since integrating over the spread has made its tails heavy already: only the gap itself as
// a number of its own mends it (docs/decisions).
const (
	spreads  = 15 // evenly in the logarithm, from guess/8 to 4·guess
	narrow   = 8.
	wide     = 4.
	gapSteps = 2. // to the guess
	distance = 3. // in spreads, between camps at least; the halves of a normal field are 2.65
	faint    = 6. // below the likeliest in the logarithm: weighs nothing
)

// solved is one belief, with what follows from it.
type solved struct {
	model   *model
	spread  int       // its place on the grid
	gap     int       // in steps
	x       []float64 // not centred
	inverse *mat.SymDense
	height  float64 // logarithm of its weight, but for a constant
}

// search visits beliefs, each from a neighbour's solution.
type search struct {
	h     *History
	seen  []*solved
	top   float64
	steps int
}

// weigh solves the model for all beliefs that weigh something, the heaviest first, and counts the Newton steps.
func (h *History) weigh() ([]*solved, int, error) {
	s := search{h: h, top: math.Inf(-1)}
	if !h.prior.Learn {
		m := newModel(h)
		x, inverse, height, steps, err := m.solve(make([]float64, m.p))
		return []*solved{{model: m, x: x, inverse: inverse, height: height}}, steps, err
	}
	const guess = 9 // the place on the grid nearest to it
	best, err := s.climb(nil, guess, 0, 1, 0)
	if err == nil && h.prior.Camps {
		err = s.divisions(best)
	}
	slices.SortStableFunc(s.seen, func(a, b *solved) int { return cmp.Compare(b.height, a.height) })
	return slices.DeleteFunc(s.seen, func(a *solved) bool { return a.height < s.top-faint }), s.steps, err
}

// climb visits the beliefs on both sides of a start, in the direction given, until they weigh nothing, and returns the
// heaviest. from, if not nil, is a solution nearby.
func (s *search) climb(from *solved, spread, gap, bySpread, byGap int) (*solved, error) {
	first, err := s.visit(from, spread, gap)
	if err != nil {
		return nil, err
	}
	best := first
	for _, sign := range []int{1, -1} {
		before := first
		for k := 1; ; k++ {
			to, wider := spread+sign*k*bySpread, gap+sign*k*byGap
			if to < 0 || to >= spreads || byGap > 0 && wider < least(to) {
				break
			}
			now, err := s.visit(before, to, wider)
			if err != nil {
				return nil, err
			}
			if now.height > best.height {
				best = now
			}
			if now.height < s.top-faint && now.height < before.height {
				break
			}
			before = now
		}
	}
	return best, nil
}

// divisions visits the beliefs with a gap from every division into camps that [search.split] finds: of results that are
// symmetric two may be as good, each the other's mirror image, and to take one of them would favour a side. Each is searched as
// if it were alone, and they share its weight.
func (s *search) divisions(one *solved) error {
	starts := s.split(one)
	for _, start := range starts {
		alone := search{h: s.h, top: one.height}
		if err := alone.camps(start); err != nil {
			return err
		}
		for _, x := range alone.seen {
			x.height -= math.Log(float64(len(starts)))
			s.top = max(s.top, x.height)
		}
		s.seen, s.steps = append(s.seen, alone.seen...), s.steps+alone.steps
	}
	return nil
}

// camps visits the beliefs with a gap: for each spread inside the camps all gaps, from the best ones of the spread before.
func (s *search) camps(start *solved) error {
	best, err := s.climb(start, start.spread, start.gap, 0, 1)
	if err != nil {
		return err
	}
	for _, sign := range []int{1, -1} {
		before := best
		for to := best.spread + sign; to >= 0 && to < spreads; to += sign {
			now, err := s.climb(before, to, max(before.gap, least(to)), 0, 1)
			if err != nil {
				return err
			}
			if now.height < s.top-faint && now.height < before.height {
				break
			}
			before = now
		}
	}
	return nil
}

// ratio returns how many times the guess a place on the grid of spreads is.
func ratio(spread int) float64 { return math.Pow(narrow*wide, float64(spread)/(spreads-1)) / narrow }

// least returns the smallest gap, in steps, between camps of such a spread.
func least(spread int) int { return int(math.Ceil(distance * ratio(spread) * gapSteps)) }

// visit solves one belief.
func (s *search) visit(from *solved, spread, gap int) (*solved, error) {
	g := s.h.prior.Bot
	m := newModel(s.h)
	x := make([]float64, m.p)
	if from != nil {
		copy(x, from.x)
		copy(m.vague, from.model.vague)
		copy(m.first, from.model.first)
		m.prior.Role = from.model.prior.Role
	}
	wide, away := ratio(spread), float64(gap)/gapSteps
	m.believe(g*wide, g*away)
	x, inverse, height, steps, err := m.solve(x)
	s.steps += steps
	if err != nil {
		return nil, err
	}
	height += math.Log(wide / (1 + wide*wide)) // half-Cauchy, on a grid of logarithms
	if gap > 0 {                               // as likely as none; as the difference of two that are spread by the guess
		height -= away*away/4 + math.Log(gapSteps*math.Sqrt(math.Pi))
	}
	out := &solved{model: m, spread: spread, gap: gap, x: slices.Clone(x), inverse: inverse, height: height}
	s.seen = append(s.seen, out)
	s.top = max(s.top, height)
	return out, nil
}

// split returns where the search for camps begins: the division that hangs together best in the solution for one field, or all
// that do so equally, how far camps are spread there, and how far from each other; nothing if there are too few to divide, or they are no
// further from each other than the halves of a normal field.
func (s *search) split(one *solved) []*solved {
	const fewest = 4 // two in each
	order := s.h.sorted()
	if len(order) < fewest {
		return nil
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(one.x[b], one.x[a]) })
	n, total, squares := float64(len(order)), 0.0, 0.0
	for _, i := range order {
		total, squares = total+one.x[i], squares+one.x[i]*one.x[i]
	}
	type division struct {
		above        int // how many are in the upper camp
		gap, between float64
	}
	var cuts []division
	best, sum := 0.0, 0.0
	for k := 1; k < len(order); k++ {
		sum += one.x[order[k-1]]
		above, below := float64(k), n-float64(k)
		d := sum/above - (total-sum)/below
		cuts = append(cuts, division{k, d, above * below / n * d * d})
		best = max(best, cuts[k-1].between)
	}
	const (
		equal = 1e-6 // share by which rounding may part two that are equally good
		least = 1e-6 // Elo between camps where all are equally strong, by rounding
	)
	cuts = slices.DeleteFunc(cuts, func(c division) bool { return c.between < best*(1-equal) })
	var starts []*solved
	for _, c := range cuts {
		within := math.Sqrt(max(0, squares-total*total/n-c.between) / n)
		if c.gap > least && c.gap >= distance*within {
			starts = append(starts, s.start(one, order, c.above, c.gap, within))
		}
	}
	return starts
}

// start divides the players in order, the strongest first, after so many.
func (s *search) start(one *solved, order []int, above int, gap, within float64) *solved {
	g := s.h.prior.Bot
	at := math.Log(within*narrow/g) / math.Log(narrow*wide) * (spreads - 1)
	spread := int(max(0, min(spreads-1, math.Round(at))))
	out := &solved{
		model:  &model{prior: one.model.prior, vague: one.model.vague, first: slices.Clone(one.model.first)},
		x:      one.x,
		spread: spread,
		gap:    max(least(spread), int(math.Round(gap/g*gapSteps))),
	}
	for k, i := range order {
		out.model.first[i] = .05
		if k < above {
			out.model.first[i] = .95
		}
	}
	return out
}
