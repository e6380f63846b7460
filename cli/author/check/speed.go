package check

import (
	"fmt"
	"slices"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/runner"
)

// A delayed acknowledgement takes 40 ms on Linux, and more elsewhere, but not more than mostNagle.
const (
	nagle     = 30 * time.Millisecond
	mostNagle = 250 * time.Millisecond
)

// Speed says what the ledgers of decisions with so much free time tell: how long they took, and where time was lost that was not
// thinking. No ledgers, no findings.
func Speed(ledgers []runner.Ledger, limit time.Duration) []Finding {
	if len(ledgers) == 0 {
		return nil
	}
	total := func(l runner.Ledger) time.Duration { return l.Elapsed }
	p50, p95, worst := quantile(ledgers, 50, total), quantile(ledgers, 95, total), quantile(ledgers, 100, total)
	detail := fmt.Sprintf("%s: p50 %s, p95 %s, at most %s", game.Plural(len(ledgers), "decision"), ms(p50), ms(p95), ms(worst))
	out := []Finding{{Level: OK, What: "latency", Detail: detail}}
	if p95 > limit/2 {
		out[0].Level, out[0].Next = Advice, fmt.Sprintf("a decision is free up to %s unless the tournament says otherwise; what is over comes out of the match's bank", ms(limit))
	}
	body := quantile(ledgers, 50, func(l runner.Ledger) time.Duration { return l.Body })
	if body >= nagle {
		next := "set TCP_NODELAY (in Python: disable_nagle_algorithm = True), or write headers and body at once"
		if body > mostNagle {
			next = "write the whole answer at once, when the decision is made"
		}
		out = append(out, Finding{
			Level: Advice, What: "latency", Detail: fmt.Sprintf("the end of an answer arrives %s after its beginning", ms(body)),
			Next: next,
		})
	}
	fresh := 0
	for _, l := range ledgers {
		if l.Connect > 0 {
			fresh++
		}
	}
	if len(ledgers) >= 10 && 2*fresh > len(ledgers) {
		out = append(out, Finding{
			Level: Advice, What: "latency", Detail: fmt.Sprintf("%d of %s needed a new connection", fresh, game.Plural(len(ledgers), "decision")),
			Next: "keep connections open: HTTP/1.1 with a Content-Length, and an idle time of a minute or more",
		})
	}
	return out
}

// quantile returns the q-th percentile: the smallest value that q in a hundred do not exceed.
func quantile(ledgers []runner.Ledger, q int, of func(runner.Ledger) time.Duration) time.Duration {
	list := make([]time.Duration, len(ledgers))
	for i, l := range ledgers {
		list[i] = of(l)
	}
	slices.Sort(list)
	return list[max(0, (q*len(list)+99)/100-1)]
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
