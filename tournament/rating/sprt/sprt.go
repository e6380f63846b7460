package sprt

import (
	"errors"
	"fmt"
	"math"

	"github.com/molerun/molerun/tournament"
)

// ErrTest is the code of every refused input: a test or a tally that makes no sense; the text says what.
var ErrTest = errors.New("bad_sprt")

// logit is the Elo of one unit of log-odds, 400/ln 10; normal is the normalised Elo of one standard deviation of a game.
const (
	logit  = 400 / math.Ln10
	normal = 2 * logit
)

// Test is a sequential test of two hypotheses about how much stronger the first version is: Elo0 or less, against Elo1 or
// more. With the true difference at Elo0 it ends in H1 with probability Alpha, with it at Elo1 in H0 with probability
// Beta.
type Test struct {
	Elo0, Elo1  float64
	Alpha, Beta float64
	// Normalised takes Elo0 and Elo1 for normalised Elo: the difference in mean score counted in standard deviations of
	// the score of a game. How many games a test needs then does not depend on how many end in a draw.
	Normalised bool
}

// Default asks whether the first version is 30 Elo stronger or no stronger, with errors of 5 % each way.
func Default() Test { return Test{Elo0: 0, Elo1: 30, Alpha: .05, Beta: .05} }

// Check returns why the test makes no sense ([ErrTest]).
func (t Test) Check() error {
	most := tournament.Test{Normalised: t.Normalised}.Widest()
	if !(math.Abs(t.Elo0) <= most && math.Abs(t.Elo1) <= most && t.Elo0 < t.Elo1) { // nor is NaN
		return fmt.Errorf("%w: hypotheses [%v, %v] Elo; want the first below the second, both within %v", ErrTest, t.Elo0, t.Elo1, most)
	}
	for _, p := range []float64{t.Alpha, t.Beta} {
		if !(p > 0 && p < .5) {
			return fmt.Errorf("%w: error probabilities %v and %v; want more than 0 and less than 1/2", ErrTest, t.Alpha, t.Beta)
		}
	}
	return nil
}

// Bounds returns where the test ends: at or below the lower bound in H0, at or above the upper in H1.
func (t Test) Bounds() (lower, upper float64) {
	return math.Log(t.Beta / (1 - t.Alpha)), math.Log((1 - t.Beta) / t.Alpha)
}

// Tally counts units of comparison by the score of the first version, from none to all in equal steps. A unit is a game
// where there are no pairs, and has three scores: lost, drawn, won (trinomial). Otherwise it is a pair of games on one
// deal with seats swapped, and has five: 0, 1/2, 1, 3/2 and 2 points (pentanomial). Blocks of n games have 2n+1.
type Tally []int

// Games returns the tally of single games.
func Games(won, lost, drawn int) Tally { return Tally{lost, drawn, won} }

// Pairs returns an empty tally of pairs.
func Pairs() Tally { return make(Tally, 5) }

// size returns the number of games of a unit.
func (t Tally) size() int { return len(t) / 2 }

// Add counts one unit in which the first version scored so many points, a win 1 and a draw 1/2.
func (t Tally) Add(points float64) error {
	at := int(math.Round(2 * points))
	if float64(at) != 2*points || at < 0 || at >= len(t) {
		return fmt.Errorf("%w: %v points in %d games; want half points from 0 to %[3]d", ErrTest, points, t.size())
	}
	t[at]++
	return nil
}

// Units returns how many have been counted.
func (t Tally) Units() int {
	n := 0
	for _, c := range t {
		n += c
	}
	return n
}

func (t Tally) check() error {
	if len(t) < 3 || len(t)%2 == 0 {
		return fmt.Errorf("%w: a tally of %d scores; want 3 for games, 5 for pairs, 2n+1 for blocks of n games", ErrTest, len(t))
	}
	for i, c := range t {
		if c < 0 {
			return fmt.Errorf("%w: score %d of the tally was counted %d times", ErrTest, i, c)
		}
	}
	return nil
}

// chances returns the shares of a tally, with a thousandth of a unit wherever nothing was counted: a score that has not been
// seen yet is not impossible. The second result is the number of units with those.
func (t Tally) chances() (distribution, float64) {
	d := make(distribution, len(t))
	total := 0.0
	for i, c := range t {
		if d[i] = float64(c); c == 0 {
			d[i] = 1e-3
		}
		total += d[i]
	}
	for i := range d {
		d[i] /= total
	}
	return d, total
}

// State is what a test has come to.
type State string

// The states of a test.
const (
	Continue State = "continue"
	H0       State = "H0" // not stronger by Elo1
	H1       State = "H1" // stronger than Elo0
)

// Verdict is where a test stands after a tally.
type Verdict struct {
	State        State
	Units        int
	LLR          float64 // logarithm of how much likelier the results are under H1 than under H0
	Lower, Upper float64 // its bounds
}

// Judge says where the test stands.
func (t Test) Judge(tally Tally) (Verdict, error) {
	llr, err := t.LLR(tally)
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{State: Continue, Units: tally.Units(), LLR: llr}
	v.Lower, v.Upper = t.Bounds()
	switch {
	case llr <= v.Lower:
		v.State = H0
	case llr >= v.Upper:
		v.State = H1
	}
	return v, nil
}
