package tournament

import (
	"math"
	"time"
)

// Estimate is a number of Elo points, in whole thousandths, with its standard error.
type Estimate struct {
	Elo float64
	SE  float64
}

// Half is half the width of the 95 % interval.
func (e Estimate) Half() float64 { return 1.959963984540054 * e.SE }

// Low is the lower bound of the 95 % interval.
func (e Estimate) Low() float64 { return e.Elo - e.Half() }

// High is the upper bound of the 95 % interval.
func (e Estimate) High() float64 { return e.Elo + e.Half() }

// Advantage is how much a team is worth over the other, or a seat over the mean of its table.
type Advantage struct {
	Seats int    // of the table
	Team  string // "" for a seat
	Seat  int    // 0-based
	Estimate
}

// FitRow is a ladder's fit for one version. 1500 is the mean of all versions that have played.
type FitRow struct {
	VersionID string
	BotID     string
	Bot       string
	Number    int // of the version
	Matches   int // matches behind its strength
	Estimate
	Roles []Estimate // strength in each of [LadderFit.Teams]; empty in games without teams
	// Best and Worst bound its rank: below those certainly stronger, above those certainly weaker, each with a 2.5 % risk of
	// error. 0 without matches.
	Best, Worst int
	// Island numbers the groups of versions joined by matches, from 1. Differences between islands rest only on the prior.
	Island int
}

// LadderFit is the full-history fit of a ladder. With only LadderID set, the ladder has no fit yet.
type LadderFit struct {
	LadderID   string
	ToSeq      int64 // the last place in schedule order that it has read
	Matches    int   // rated ones among them
	Blocks     int   // independent ones among those: what the intervals count
	Teams      []string
	Advantages []Advantage // by seats of the table, then seat
	Rows       []FitRow    // the strongest first
	Took       time.Duration
	FittedAt   time.Time
}

// Season is a period of a ladder in which the on-line ratings assume the same advantages. The first begins with the ladder
// and has none.
type Season struct {
	LadderID   string
	Number     int
	FromSeq    int64       // its first place in schedule order
	Advantages []Advantage // frozen at the end of the previous season, in whole thousandths; SE as of then
	BeganAt    time.Time
}

// WholeMilli rounds an Elo number to whole thousandths.
func WholeMilli(elo float64) float64 { return math.Round(1000*elo) / 1000 }
