package tournament

import (
	"fmt"
	"time"
)

// Clock is the time control of a match (design: clocks and faults).
type Clock struct {
	Limit     time.Duration // free per decision
	Bank      time.Duration // per match, used once the limit is passed
	Increment time.Duration // added to the bank after each decision
	Allowance time.Duration // of network round trip forgiven per decision, at most
}

// DefaultClock is 1 s a decision, 10 s in the bank, 150 ms of network forgiven.
func DefaultClock() Clock {
	return Clock{Limit: time.Second, Bank: 10 * time.Second, Allowance: 150 * time.Millisecond}
}

// Bounds of a clock.
const (
	MinLimit     = 10 * time.Millisecond
	MaxLimit     = time.Minute
	MaxBank      = 10 * time.Minute
	MaxAllowance = time.Second
)

// Validate refuses a clock outside the bounds and names the key of the wire form.
func (c Clock) Validate() error {
	check := func(key string, d, low, high time.Duration) error {
		if d < low || d > high {
			return &FieldError{"/clock/" + key, fmt.Sprintf("%d is outside %d..%d", d.Milliseconds(), low.Milliseconds(), high.Milliseconds())}
		}
		return nil
	}
	for _, err := range []error{
		check("limit_ms", c.Limit, MinLimit, MaxLimit), check("bank_ms", c.Bank, 0, MaxBank),
		check("increment_ms", c.Increment, 0, MaxLimit), check("network_allowance_ms", c.Allowance, 0, MaxAllowance),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// FaultLimits is how many faults retire a seat.
type FaultLimits struct {
	InRow int // that many one after another
	Total int // or that many in the match
}

// Validate refuses limits outside the bounds and names the key of the wire form.
func (l FaultLimits) Validate() error {
	for _, n := range []struct {
		key string
		got int
	}{{"max_faults_in_row", l.InRow}, {"max_faults", l.Total}} {
		if n.got < 1 || n.got > maxFaults {
			return &FieldError{"/fault_limits/" + n.key, fmt.Sprintf("%d is outside 1..%d", n.got, maxFaults)}
		}
	}
	return nil
}

// DefaultFaultLimits retires a seat after 3 faults in a row or 10 in all.
func DefaultFaultLimits() FaultLimits { return FaultLimits{InRow: 3, Total: 10} }
