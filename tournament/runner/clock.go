package runner

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/molerun/molerun/tournament"
)

// ClockLine is a decision's [Ledger] as it stands in the record; all times in microseconds, BankUS after the decision.
type ClockLine struct {
	ElapsedUS   int64 `json:"elapsed_us"`
	ChargedUS   int64 `json:"charged_us"`
	BankUS      int64 `json:"bank_us"`
	DNSUS       int64 `json:"dns_us,omitempty"`
	ConnectUS   int64 `json:"connect_us,omitempty"`
	TLSUS       int64 `json:"tls_us,omitempty"`
	WrittenUS   int64 `json:"written_us,omitempty"`
	FirstByteUS int64 `json:"first_byte_us,omitempty"`
	BodyUS      int64 `json:"body_us,omitempty"`
	RoundTripUS int64 `json:"round_trip_us,omitempty"`
	StoodUS     int64 `json:"stood_us,omitempty"`
	Kernel      bool  `json:"kernel,omitempty"` // the kernel said when the answer had come, not the process that asked
}

// ReadClock returns what the clock of a recorded turn says; false if it has none: nobody was asked.
func ReadClock(clock []byte) (ClockLine, bool) {
	var l ClockLine
	ok := len(clock) > 0 && json.Unmarshal(clock, &l) == nil
	return l, ok
}

// Elapsed returns how long the clock of a recorded turn says it took; 0 if nobody was asked. The page of a long match asks for
// thousands, so it reads what a [ClockLine] begins with, and all of it only where that is not there.
func Elapsed(clock []byte) time.Duration {
	if rest, ok := bytes.CutPrefix(clock, []byte(`{"elapsed_us":`)); ok {
		number, _, _ := bytes.Cut(rest, []byte(","))
		if n, err := strconv.ParseInt(string(number), 10, 64); err == nil {
			return us(n)
		}
	}
	l, _ := ReadClock(clock)
	return us(l.ElapsedUS)
}

// p95 returns the shortest time that at least 95 % of some stayed within; 0 of none. It sorts them.
func p95(took []time.Duration) time.Duration {
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	return took[(len(took)*95+99)/100-1]
}

func us(n int64) time.Duration { return time.Duration(n) * time.Microsecond }

// deadline returns the most time a decision may take from now, network included. A round trip not known yet is taken at the
// whole allowance; the charge afterwards forgives only what was measured.
func deadline(c tournament.Clock, bank, roundTrip time.Duration) time.Duration {
	if roundTrip <= 0 {
		roundTrip = c.Allowance
	}
	return c.Limit + bank + min(roundTrip, c.Allowance)
}

// charge settles a decision: what is charged of the time elapsed, the bank left, and whether the time was enough.
func charge(c tournament.Clock, bank time.Duration, l Ledger) (charged, left time.Duration, inTime bool) {
	charged = max(0, l.Elapsed-min(l.RoundTrip, c.Allowance)).Truncate(time.Microsecond)
	over := max(0, charged-c.Limit)
	return charged, max(0, bank-over) + c.Increment, over <= bank
}

// line returns the ledger of a decision as it stands in the record.
func (l Ledger) line(charged, bank time.Duration) *ClockLine {
	return &ClockLine{
		ElapsedUS:   l.Elapsed.Microseconds(),
		ChargedUS:   charged.Microseconds(),
		BankUS:      bank.Microseconds(),
		DNSUS:       l.DNS.Microseconds(),
		ConnectUS:   l.Connect.Microseconds(),
		TLSUS:       l.TLS.Microseconds(),
		WrittenUS:   l.Written.Microseconds(),
		FirstByteUS: l.FirstByte.Microseconds(),
		BodyUS:      l.Body.Microseconds(),
		RoundTripUS: l.RoundTrip.Microseconds(),
		StoodUS:     l.Stalled.Microseconds(),
		Kernel:      l.Kernel,
	}
}
