package tournament

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/molerun/molerun/engines/game"
)

// Bounds of a tournament.
const (
	MaxTitle    = 80  // bytes of a tournament's name
	MaxReason   = 200 // bytes of the reason for cancelling one
	MaxCycles   = 100
	MaxCapacity = 2048
	MaxAhead    = 366 * 24 * time.Hour // from its creation to its start
	maxFaults   = 1000
)

// CheckText refuses free text that is empty, longer than limit bytes, not UTF-8, or has control characters or space at its ends.
func CheckText(pointer, text string, limit int) error {
	switch {
	case text == "" || len(text) > limit:
		return &FieldError{pointer, fmt.Sprintf("wants 1 to %d bytes of text", limit)}
	case !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl):
		return &FieldError{pointer, "wants one line of plain text"}
	case strings.TrimSpace(text) != text:
		return &FieldError{pointer, "begins or ends with a space"}
	}
	return nil
}

// Check refuses a new tournament of the game of info at the time now: the first thing wrong, by its place in the wire form.
// Whether the configuration is right is the engine's to say.
func (t *Tournament) Check(info game.Info, now time.Time) error {
	if err := CheckText("/name", t.Name, MaxTitle); err != nil {
		return err
	}
	if t.Format != RoundRobin {
		return &FieldError{"/format", fmt.Sprintf("wants %q", RoundRobin)}
	}
	for _, n := range []struct {
		pointer        string
		got, low, high int
	}{
		{"/table_size", t.Table, info.MinSeats, info.MaxSeats},
		{"/cycles", t.Cycles, 1, MaxCycles},
		{"/capacity", t.Capacity, max(2, t.Table), MaxCapacity},
		{"/fault_limits/max_faults_in_row", t.Limits.InRow, 1, maxFaults},
		{"/fault_limits/max_faults", t.Limits.Total, 1, maxFaults},
	} {
		if n.got < n.low || n.got > n.high {
			return &FieldError{n.pointer, fmt.Sprintf("%d is outside %d..%d", n.got, n.low, n.high)}
		}
	}
	if err := t.Clock.Validate(); err != nil {
		return err
	}
	return t.checkTimes(now)
}

func (t *Tournament) checkTimes(now time.Time) error {
	switch {
	case !t.ClosesAt.After(t.OpensAt):
		return &FieldError{"/closes_at", "is not after opens_at"}
	case !t.ClosesAt.After(now):
		return &FieldError{"/closes_at", "lies in the past: nobody could enter"}
	case t.StartsAt.Before(t.ClosesAt):
		return &FieldError{"/starts_at", "is before closes_at"}
	case t.StartsAt.After(now.Add(MaxAhead)):
		return &FieldError{"/starts_at", "is more than a year ahead"}
	case t.OpensAt.Before(now.Add(-MaxAhead)):
		return &FieldError{"/opens_at", "is more than a year ago"}
	}
	return nil
}
