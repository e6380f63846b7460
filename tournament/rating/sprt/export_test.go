package sprt

import "fmt"

// Run judges after every unit, in the order given, and stops where the test ends: what comes later does not count. points
// are those of the first version in each game, in schedule order; with paired, games 0 and 1 are a pair, 2 and 3 the next,
// and a last game without its partner waits. So the result is the same whatever finished first.
func (t Test) Run(points []float64, paired bool) (Verdict, Tally, error) {
	tally := Games(0, 0, 0)
	if paired {
		tally = Pairs()
	}
	verdict, err := t.Judge(tally)
	n := tally.size()
	for i := 0; err == nil && verdict.State == Continue && i+n <= len(points); i += n {
		sum := 0.0
		for k, p := range points[i : i+n] {
			if p != 0 && p != .5 && p != 1 {
				return Verdict{}, nil, fmt.Errorf("%w: game %d has %v points; want 0, 1/2 or 1", ErrTest, i+k, p)
			}
			sum += p
		}
		if err = tally.Add(sum); err == nil {
			verdict, err = t.Judge(tally)
		}
	}
	return verdict, tally, err
}
