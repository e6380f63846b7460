package tournament

import (
	"errors"
	"fmt"
	"time"
)

// Clock is the time control of a match (design: clocks and faults).
type Clock struct {
	Limit     time.Duration `gorm:"column:limit_us;serializer:db"`     // free per decision
	Bank      time.Duration `gorm:"column:bank_us;serializer:db"`      // per match, used once the limit is passed
	Increment time.Duration `gorm:"column:increment_us;serializer:db"` // added to the bank after each decision
	Allowance time.Duration `gorm:"column:allowance_us;serializer:db"` // most network round trip not charged per decision
}

// DefaultClock returns 1 s a decision, 10 s in the bank, and up to 150 ms of round trip not charged.
func DefaultClock() Clock {
	return Clock{Limit: time.Second, Bank: 10 * time.Second, Allowance: 150 * time.Millisecond}
}

// Words says how much time the clock gives: "3 s a decision, 20 s in the bank, 5 s added to it after each".
func (c Clock) Words() string {
	out := fmt.Sprintf("%g s a decision, %g s in the bank", c.Limit.Seconds(), c.Bank.Seconds())
	if c.Increment > 0 {
		out += fmt.Sprintf(", %g s added to it after each", c.Increment.Seconds())
	}
	return out
}

// ClockClass is how much time the matches of a ladder give. Results enter ladders of the class of their clock alone.
type ClockClass string

// The classes.
const (
	ClockStandard ClockClass = "standard" // for programs
	ClockSlow     ClockClass = "slow"     // for language models and others that think in words
)

// ClockClasses lists the classes, the fastest first.
func ClockClasses() []ClockClass { return []ClockClass{ClockStandard, ClockSlow} }

// Clock returns the least time that rated matches of the class give, which a ladder's own matches have: [DefaultClock], or slow
// 30 s a decision and five minutes in the bank.
func (c ClockClass) Clock() Clock {
	out := DefaultClock()
	if c == ClockSlow {
		out.Limit, out.Bank = 30*time.Second, 5*time.Minute
	}
	return out
}

// Class returns the class of a clock, by its limit.
func (c Clock) Class() ClockClass {
	if c.Limit >= ClockSlow.Clock().Limit {
		return ClockSlow
	}
	return ClockStandard
}

// FaultLimits is how many faults retire a seat.
type FaultLimits struct {
	InRow int `gorm:"column:faults_in_row"` // this many one after another
	Total int `gorm:"column:faults_total"`  // or this many in the match
}

// DefaultFaultLimits retires a seat after 3 faults in a row or 10 in all.
func DefaultFaultLimits() FaultLimits { return FaultLimits{InRow: 3, Total: 10} }

// minLimit is the shortest time limit for a decision.
const minLimit = 10 * time.Millisecond

// MaxLimit is the longest time limit for a decision that anyone, even an organiser, may set: what a language model needs that thinks.
const MaxLimit = 2 * time.Minute

// Bounds are the largest values that a match may have. A bot that never answers holds a slot for about the bank, and one
// limit for each fault until it is retired; a slow bot that answers, for a limit and an increment a decision.
type Bounds struct {
	Limit     time.Duration
	Bank      time.Duration
	Increment time.Duration
	Allowance time.Duration
	Faults    int // in a row, and in all
}

// Bounds returns the bounds for a match of the source: anyone may ask for a challenge, organisers answer for their tournaments,
// and the platform sets the clock of ladders.
func (s Source) Bounds() Bounds {
	switch s {
	case SourceTournament:
		return Bounds{Limit: MaxLimit, Bank: 10 * time.Minute, Increment: time.Minute, Allowance: time.Second, Faults: 1000}
	case SourceLadder, SourceChallenge:
	}
	return Bounds{Limit: 10 * time.Second, Bank: time.Minute, Increment: 5 * time.Second, Allowance: time.Second, Faults: 20}
}

// Check refuses every value out of bounds, each with a [*FieldError] that names its wire key and the bound.
func (b Bounds) Check(c Clock, l FaultLimits) error {
	return errors.Join(
		withinTimes("/clock/limit_ms", c.Limit, minLimit, b.Limit),
		withinTimes("/clock/bank_ms", c.Bank, 0, b.Bank),
		withinTimes("/clock/increment_ms", c.Increment, 0, b.Increment),
		withinTimes("/clock/network_allowance_ms", c.Allowance, 0, b.Allowance),
		within("/fault_limits/max_faults_in_row", l.InRow, 1, b.Faults),
		within("/fault_limits/max_faults", l.Total, 1, b.Faults),
	)
}

// OutsideTimes says that a time is beyond its bounds, with units: people type 90s, programs send milliseconds.
func OutsideTimes(got, low, high time.Duration) string {
	return fmt.Sprintf("%s is outside %s..%s", SpanText(got), SpanText(low), SpanText(high))
}

func withinTimes(pointer string, got, low, high time.Duration) error {
	if got < low || got > high {
		return &FieldError{pointer, OutsideTimes(got, low, high)}
	}
	return nil
}

// Cap returns a clock and limits with every value above its bound lowered to it.
func (b Bounds) Cap(c Clock, l FaultLimits) (Clock, FaultLimits) {
	c.Limit = min(c.Limit, b.Limit)
	c.Bank = min(c.Bank, b.Bank)
	c.Increment = min(c.Increment, b.Increment)
	c.Allowance = min(c.Allowance, b.Allowance)
	l.InRow = min(l.InRow, b.Faults)
	l.Total = min(l.Total, b.Faults)
	return c, l
}
