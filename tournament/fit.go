package tournament

import (
	"math"
	"time"
)

// Estimate is a number of Elo points with its standard error and the bounds of its 95 % interval, all in whole thousandths. The
// bounds need not be as far from the number on both sides.
type Estimate struct {
	Elo  float64 `json:"elo"`
	SE   float64 `json:"se" gorm:"column:se"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Half returns half the width of the 95 % interval.
func (e Estimate) Half() float64 { return (e.High - e.Low) / 2 }

// Reach of a 95 % interval, in standard errors.
const Reach = 1.959963984540054

// Normal returns an estimate with an interval of as much on both sides.
func Normal(elo, se float64) Estimate {
	return Estimate{Elo: elo, SE: se, Low: WholeMilli(elo - Reach*se), High: WholeMilli(elo + Reach*se)}
}

// Bounded returns the estimate with its bounds. Fits of older releases are stored without, as they reach as far on both sides.
func (e Estimate) Bounded() Estimate {
	if e.Low == e.High {
		return Normal(e.Elo, e.SE)
	}
	return e
}

// Advantage is how much a team is worth over the other, or a seat over the mean of its table.
type Advantage struct {
	Seats int    `json:"seats"`          // of the table
	Team  string `json:"team,omitempty"` // "" for a seat
	Seat  int    `json:"seat,omitempty"` // 0-based
	Estimate
}

// FitRow is a ladder's fit for one version. 1500 is the mean of all versions that have played.
type FitRow struct {
	VersionID string
	BotID     string `gorm:"->"`
	Bot       string `gorm:"->"`
	Number    int    `gorm:"->"` // of the version
	Matches   int    // matches behind its strength
	Estimate
	Roles []Estimate `gorm:"-"` // strength in each of [LadderFit.Teams]; empty in games without teams
	// Best and Worst bound its rank: below those certainly stronger, above those certainly weaker, each with a 2.5 % risk of
	// error. 0 without matches.
	Best, Worst int
	// Island numbers the groups of versions joined by matches, from 1. Differences between islands rest only on the prior.
	Island int
}

// LadderFit is the full-history fit of a ladder. With only LadderID set, the ladder has no fit yet.
type LadderFit struct {
	LadderID   string
	ToSeq      int64         // the last place in schedule order that it has read
	Matches    int           // rated ones among them
	Blocks     int           // independent ones among those: what the intervals count
	Teams      []string      `gorm:"serializer:db"`
	Advantages []Advantage   `gorm:"serializer:db"` // by seats of the table, then seat
	Rows       []FitRow      `gorm:"-"`             // the strongest first
	Took       time.Duration `gorm:"column:took_us;serializer:db"`
	FittedAt   time.Time
}

// Season is a period of a ladder in which the on-line ratings assume the same advantages. The first begins with the ladder
// and has none.
type Season struct {
	LadderID   string
	Number     int
	FromSeq    int64       // its first place in schedule order
	Advantages []Advantage `gorm:"serializer:db"` // frozen at the end of the previous season, in whole thousandths; SE as of then
	BeganAt    time.Time
}

// Calibration says how well chances came true that were given to the rated matches of a ladder before they were played. With only
// LadderID set, there is none yet.
type Calibration struct {
	LadderID    string
	ToSeq       int64         // the last place in schedule order that it has read
	Matches     int           // rated ones among them
	Judged      int           // those of them that were forecast
	Comparisons int           // in those: one in a match of two or of teams, one a pair at other tables
	Fits        int           // that were made on the way
	Forecasters []Forecaster  `gorm:"serializer:db"`
	Took        time.Duration `gorm:"column:took_us;serializer:db"`
	MadeAt      time.Time
}

// The forecasters of a calibration, in their order.
const (
	ForecastByFit    = "fit"
	ForecastByRating = "rating" // on-line Elo
	ForecastByCoin   = "coin"   // ½ for everybody
)

// Forecaster is how well one way to forecast did. Every match counts as one: at larger tables its pairs share it.
type Forecaster struct {
	Name string `json:"name"`
	// Brier is the mean squared error, 0 to 1. Bits is the mean of −log2 of the chance that was given to what happened; a coin has
	// 1. Less is better in both.
	Brier float64 `json:"brier"`
	Bits  float64 `json:"bits"`
	// BrierBehind and BitsBehind are how much more than the fit's they are.
	BrierBehind Mean          `json:"brier_behind"`
	BitsBehind  Mean          `json:"bits_behind"`
	Bins        []ForecastBin `json:"bins,omitempty"` // those that hold a comparison, ascending; none for a coin
	All         *ForecastBin  `json:"all,omitempty"`  // all bins together; nil for a coin
}

// ForecastBin is the comparisons whose favourite was given a chance from From to To.
type ForecastBin struct {
	From        float64 `json:"from" example:"0.7"`
	To          float64 `json:"to" example:"0.75"`
	Comparisons int     `json:"comparisons" example:"320"`
	Matches     float64 `json:"matches" example:"320"` // what they count for: pairs at one table share its match
	Chance      float64 `json:"chance" example:"0.724"`
	Won         Mean    `json:"won"` // by the favourites, a draw as half a win
} // @name ForecastBin

// Mean is a mean with its 95 % interval.
type Mean struct {
	Value float64 `json:"value" example:"0.71"`
	Low   float64 `json:"low" example:"0.66"`
	High  float64 `json:"high" example:"0.76"`
} // @name Mean

// ShareOf returns a share, 0 to 1, of n independent trials with its 95 % interval (Wilson); n is above 0 and need not be whole.
func ShareOf(share, n float64) Mean {
	centre := (share + Reach*Reach/(2*n)) / (1 + Reach*Reach/n)
	half := Reach / (1 + Reach*Reach/n) * math.Sqrt(share*(1-share)/n+Reach*Reach/(4*n*n))
	return Mean{Value: share, Low: max(0, centre-half), High: min(1, centre+half)}
}

// WholeMilli rounds an Elo number to whole thousandths.
func WholeMilli(elo float64) float64 { return math.Round(1000*elo) / 1000 }
