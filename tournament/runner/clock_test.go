package runner

import (
	"testing"
	"time"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

func TestChargeForgivesTheNetworkAndSpendsTheBank(t *testing.T) {
	const ms = time.Millisecond
	c := tournament.Clock{Limit: 1000 * ms, Bank: 5000 * ms, Increment: 100 * ms, Allowance: 150 * ms}
	for _, row := range []struct {
		name             string
		bank             time.Duration
		elapsed, network time.Duration
		charged, left    time.Duration
		inTime           bool
	}{
		{"within the limit costs nothing", 5000 * ms, 900 * ms, 0, 900 * ms, 5100 * ms, true},
		{"exactly the limit costs nothing", 5000 * ms, 1000 * ms, 0, 1000 * ms, 5100 * ms, true},
		{"past the limit comes from the bank", 5000 * ms, 1700 * ms, 0, 1700 * ms, 4400 * ms, true},
		{"the round trip is forgiven", 5000 * ms, 1100 * ms, 80 * ms, 1020 * ms, 5080 * ms, true},
		{"but no more than the allowance", 5000 * ms, 1400 * ms, 400 * ms, 1250 * ms, 4850 * ms, true},
		{"a round trip above the time charges nothing", 5000 * ms, 10 * ms, 100 * ms, 0, 5100 * ms, true},
		{"the last of the bank is in time", 300 * ms, 1300 * ms, 0, 1300 * ms, 100 * ms, true},
		{"more than the bank is late", 300 * ms, 1301 * ms, 0, 1301 * ms, 100 * ms, false},
		{"an empty bank leaves the limit", 0, 1000 * ms, 0, 1000 * ms, 100 * ms, true},
	} {
		charged, left, inTime := charge(c, row.bank, Ledger{Elapsed: row.elapsed, RoundTrip: row.network})
		if charged != row.charged || left != row.left || inTime != row.inTime {
			t.Errorf("%s: got charged %v, left %v, in time %v; want %v, %v, %v", row.name, charged, left, inTime, row.charged, row.left, row.inTime)
		}
	}
}

func TestDeadlineIsLimitBankAndRoundTripUpToTheAllowance(t *testing.T) {
	const ms = time.Millisecond
	c := tournament.Clock{Limit: 1000 * ms, Allowance: 150 * ms}
	for _, row := range []struct {
		name      string
		roundTrip time.Duration
		want      time.Duration
	}{
		{"measured", 40 * ms, 3040 * ms},
		{"capped", 400 * ms, 3150 * ms},
		{"unknown: the whole allowance", 0, 3150 * ms},
	} {
		must.Same(t, row.name, deadline(c, 2000*ms, row.roundTrip), row.want)
	}
}

func TestALedgerIsReadFromTheRecord(t *testing.T) {
	l, ok := ReadClock([]byte(`{"elapsed_us":1500,"charged_us":1200,"bank_us":10000000,"first_byte_us":900}`))
	if !ok || us(l.ElapsedUS) != 1500*time.Microsecond || l.FirstByteUS != 900 || l.BankUS != 10_000_000 {
		t.Errorf("got %+v, %v, want 1.5 ms elapsed, 0.9 ms to the first byte, a bank of 10 s", l, ok)
	}
	if _, ok := ReadClock(nil); ok {
		t.Error("a turn without a clock has a ledger")
	}
}

func TestTheTimeOfATurnIsThatOfItsLedger(t *testing.T) {
	written := written(Ledger{Elapsed: 1234567 * time.Microsecond, DNS: time.Millisecond}.line(time.Second, time.Minute))
	for clock, want := range map[string]time.Duration{
		string(written): 1234567 * time.Microsecond, `{"charged_us":3,"elapsed_us":7}`: 7 * time.Microsecond, `{"elapsed_us":7}`: 7 * time.Microsecond,
		`{"elapsed_us": 8,"charged_us":3}`: 8 * time.Microsecond, `{"elapsed_us":x,`: 0, "": 0,
	} {
		must.Same(t, clock, Elapsed([]byte(clock)), want)
	}
}

func TestP95IsTheShortestTimeThatNineteenOfTwentyStayWithin(t *testing.T) {
	for _, row := range []struct{ n, want int }{{0, 0}, {1, 1}, {2, 2}, {19, 19}, {20, 19}, {21, 20}, {100, 95}, {101, 96}} {
		var took []time.Duration
		for i := range row.n {
			took = append(took, time.Duration(row.n-i))
		}
		if got := p95(took); got != time.Duration(row.want) {
			t.Errorf("of 1 to %d: got %d, want %d", row.n, got, row.want)
		}
	}
}
