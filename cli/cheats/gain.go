package cheats

import (
	"errors"
	"fmt"
	"math"
)

// Trial is what a cheat and its honest twin had in the same conditions, in the unit of the cheat.
type Trial struct{ Cheat, Honest float64 }

// Gain is how much more cheats had than their twins.
type Gain struct {
	Mean      float64
	Low, High float64 // the 95 % interval of the mean, by Student's t
	Trials    int
}

// errTrials is too few trials, or one that is no number.
var errTrials = errors.New("bad_trials")

// Measure returns the mean of the paired differences. Fewer than two trials, which have no spread, and numbers that are not
// finite are an error.
func Measure(trials []Trial) (Gain, error) {
	n := float64(len(trials))
	if n < 2 {
		return Gain{}, fmt.Errorf("%w: %d, want 2 or more", errTrials, len(trials))
	}
	mean, squares := 0.0, 0.0
	for _, x := range trials {
		mean += (x.Cheat - x.Honest) / n
	}
	for _, x := range trials {
		squares += (x.Cheat - x.Honest - mean) * (x.Cheat - x.Honest - mean)
	}
	half := quantile(len(trials)-1) * math.Sqrt(squares/(n-1)/n)
	if math.IsNaN(mean+half) || math.IsInf(mean+half, 0) {
		return Gain{}, fmt.Errorf("%w: one is not finite: %v", errTrials, trials)
	}
	return Gain{Mean: mean, Low: mean - half, High: mean + half, Trials: len(trials)}, nil
}

// quantile returns the 97.5 % point of Student's t with so many degrees of freedom. Beyond the table it is that of the last
// row before, so that the interval is rather too wide.
func quantile(freedom int) float64 {
	table := []float64{
		12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
		2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
	}
	return table[min(freedom, len(table))-1]
}
