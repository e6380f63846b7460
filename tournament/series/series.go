package series

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/molerun/molerun/tournament"
)

// Bounds of a series.
const (
	MaxTournaments = 100 // that are listed by hand; of a schedule so many of the latest count
	maxRanks       = 100
	mostPoints     = 1_000_000
)

// By is what a result is worth.
type By string

// The ways to count.
const (
	Points By = "points" // what the bot has in the tournament's own standings
	Rank   By = "rank"   // what the series gives for the rank
)

// Series is several tournaments with standings of their own.
type Series struct {
	ID          string
	OrganiserID string
	Name        string
	ScheduleID  string    `gorm:"serializer:null"` // its tournaments count, as they are made; "": those listed
	Tournaments []string  `gorm:"-"`               // ids of those listed by hand, in their order; nil with a schedule
	By          By        `gorm:"column:counts_by"`
	Best        int       // so many results of a bot count, its best; 0: all
	RankPoints  []float64 `gorm:"-"` // by rank: for the first, the second, …; later ranks have none
	CreatedAt   time.Time
}

// Filled returns the series with defaults for what was left out: by points, and what the ranks are worth in many leagues.
func (s Series) Filled() Series {
	s.By = cmp.Or(s.By, Points)
	if s.By == Rank && s.RankPoints == nil {
		s.RankPoints = []float64{25, 18, 15, 12, 10, 8, 6, 4, 2, 1}
	}
	return s
}

// Check refuses a filled series: everything wrong at once, each by its place in the wire form ([*tournament.FieldError]).
// Whether its tournaments are there is the caller's to see.
func (s Series) Check() error {
	errs := []error{tournament.CheckText("/name", s.Name, tournament.MaxTitle)}
	if s.By != Points && s.By != Rank {
		errs = append(errs, refuse("/by", "wants %s or %s", Points, Rank))
	}
	if s.Best < 0 || s.Best > MaxTournaments {
		errs = append(errs, refuse("/best", "%d is outside 0..%d", s.Best, MaxTournaments))
	}
	return errors.Join(append(errs, s.checkTournaments(), s.checkRankPoints())...)
}

func (s Series) checkTournaments() error {
	switch {
	case s.ScheduleID != "" && s.Tournaments != nil:
		return refuse("/tournaments", "do not go with schedule_id: those of the schedule count")
	case s.ScheduleID != "":
		return nil
	case s.Tournaments == nil:
		return refuse("/schedule_id", "is missing: send the id of a schedule, or tournaments")
	case len(s.Tournaments) == 0 || len(s.Tournaments) > MaxTournaments:
		return refuse("/tournaments", "%d of them; want 1 to %d", len(s.Tournaments), MaxTournaments)
	}
	var errs []error
	for i, id := range s.Tournaments {
		if slices.Contains(s.Tournaments[:i], id) {
			errs = append(errs, refuse(fmt.Sprintf("/tournaments/%d", i), "is named twice"))
		}
	}
	return errors.Join(errs...)
}

func (s Series) checkRankPoints() error {
	switch {
	case s.By != Rank && s.RankPoints != nil:
		return refuse("/rank_points", `mean nothing unless by is %q`, Rank)
	case s.By != Rank:
		return nil
	case len(s.RankPoints) == 0 || len(s.RankPoints) > maxRanks:
		return refuse("/rank_points", "%d of them; want 1 to %d", len(s.RankPoints), maxRanks)
	}
	var errs []error
	for i, p := range s.RankPoints {
		pointer := fmt.Sprintf("/rank_points/%d", i)
		switch {
		case !(p >= 0 && p <= mostPoints):
			errs = append(errs, refuse(pointer, "%v is outside 0..%d", p, mostPoints))
		case i > 0 && p > s.RankPoints[i-1]:
			errs = append(errs, refuse(pointer, "%v is more than the rank above has", p))
		}
	}
	return errors.Join(errs...)
}

func refuse(pointer, reason string, args ...any) error {
	return &tournament.FieldError{Pointer: pointer, Reason: fmt.Sprintf(reason, args...)}
}
