package cheats

import (
	"fmt"
	"math"
)

// Cheat is something that somebody may try, and what is promised about it.
type Cheat struct {
	Name string // what is done, in a few words
	Unit string // of the gain, such as "points a match"
	// Tolerance is the gain, in the unit, that is no worse than noise or that the documents allow everybody.
	Tolerance float64
	Stops     string // what stops it
	Remains   string // why it can pay all the same, where that is known; then it may
}

// Verdict is what the trials of a cheat show.
type Verdict string

// The verdicts.
const (
	Holds   Verdict = "holds"   // no gain above the tolerance is shown
	Remains Verdict = "remains" // it may pay, and the cheat says why
	Pays    Verdict = "pays"    // it gains, above its tolerance
	Blurred Verdict = "blurred" // the trials are spread so far that a gain would not be seen
	Broken  Verdict = "broken"  // there are no trials to judge
)

// Row is a cheat with what its trials have shown.
type Row struct {
	Cheat
	Gain    Gain
	Verdict Verdict
}

// Judge measures a cheat. Its trials show a gain when the whole interval lies above the tolerance. They show nothing
// when the interval reaches further than three times the tolerance to each side, or half a unit if that is more: such trials
// would let a cheat pass that pays.
func Judge(c Cheat, trials []Trial) Row {
	r := Row{Cheat: c, Verdict: Broken}
	var err error
	if r.Gain, err = Measure(trials); err != nil {
		return r
	}
	switch {
	case c.Remains != "":
		r.Verdict = Remains
	case r.Gain.Low > c.Tolerance:
		r.Verdict = Pays
	case r.Gain.High-r.Gain.Mean > math.Max(0.5, 3*c.Tolerance):
		r.Verdict = Blurred
	default:
		r.Verdict = Holds
	}
	return r
}

// Failed reports whether a run with this row fails.
func (r Row) Failed() bool { return r.Verdict != Holds && r.Verdict != Remains }

// String returns the row in a line, for a log.
func (r Row) String() string {
	return fmt.Sprintf("%-8s %-70s %s %s (%d trials)", r.Verdict, r.Name, r.Gain, r.Unit, r.Gain.Trials)
}
