package pages_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/bots/review/report"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// reviewed is the review of a match of some seats and steps. Decisions cost so much, in order, each of the next seat.
func reviewed(t *testing.T, seats, steps int, costs ...float64) tournament.MatchReview {
	t.Helper()
	var r report.Report
	for step := range steps + 1 {
		p := report.Position{Step: step}
		for seat := range seats {
			p.Values = append(p.Values, report.Estimate{Value: float64((step*7+seat*31)%101) / 100, Error: 0.01})
		}
		r.Steps = append(r.Steps, p)
	}
	r.Seats = make([]report.Summary, seats)
	for i := range r.Seats {
		r.Seats[i].Seat = game.Seat(i)
	}
	for i, cost := range costs {
		d := report.Decision{Step: i + 1, Seat: game.Seat(i % seats), Action: json.RawMessage(`{"x":"'"}`), Regret: cost, Low: cost - 0.1, High: cost + 0.1, Mark: report.Good}
		if cost > 0.1 {
			d.Better, d.Mark = json.RawMessage(`{"x":"a'b"}`), report.Mistake
			r.Seats[i%seats].Costliest = append(r.Seats[i%seats].Costliest, i)
		}
		r.Decisions = append(r.Decisions, d)
	}
	for _, s := range r.Seats {
		slices.SortFunc(s.Costliest, func(a, b int) int { return cmp.Compare(costs[b], costs[a]) })
	}
	raw, err := json.Marshal(r)
	must.OK(t, err)
	return tournament.MatchReview{MatchID: "m", State: tournament.ReviewDone, Report: raw}
}

func TestAReviewNamesTheThreeDecisionsThatCostMost(t *testing.T) {
	got, err := pages.ReviewOf(reviewed(t, 2, 9, 0.2, 0, 0.5, 0.3, 0.15, 0.4), []string{"ann", "ben"})
	must.OK(t, err)
	var said []string
	for _, c := range got.Costly {
		said = append(said, fmt.Sprint(c.Step, c.Name, c.Cost))
	}
	want := "[3ann50 points of a hundred (40 to 60) 6ben40 points of a hundred (30 to 50) 4ben30 points of a hundred (20 to 40)]"
	if fmt.Sprint(said) != want {
		t.Errorf("got %v, want %s", said, want)
	}
	if want := `molerun replay fork m.replay.jsonl.gz --at 2 --seat 0 --action '{"x":"a'\''b"}'`; got.Costly[0].Fork != want {
		t.Errorf("got %s, want what a shell reads as one action: %s", got.Costly[0].Fork, want)
	}
	for seat, step := range []int{3, 6} {
		c, err := pages.CostliestOf(reviewed(t, 2, 9, 0.2, 0, 0.5, 0.3, 0.15, 0.4), seat)
		if err != nil || c == nil || c.Step != step {
			t.Errorf("seat %d: got %+v (%v), want step %d", seat, c, err, step)
		}
	}
	if c, err := pages.CostliestOf(reviewed(t, 2, 9, 0, 0), 0); c != nil || err != nil {
		t.Errorf("nothing cost anything: got %+v (%v)", c, err)
	}
}

func TestTheChancesOfALongMatchStayShort(t *testing.T) {
	const seats, steps = 8, 5000
	got, err := pages.ReviewOf(reviewed(t, seats, steps), make([]string, seats))
	must.OK(t, err)
	if n := strings.Count(string(got.Chart), `<path class="side`); n != seats || len(got.Chart) > 60_000 {
		t.Errorf("got %d lines in %d bytes, want %d in at most 60 000", n, len(got.Chart), seats)
	}
	if last := got.Rows[len(got.Rows)-1]; len(got.Rows) > 60 || last.Step != steps || len(last.Chances) != seats {
		t.Errorf("got %d rows, the last %+v, want at most 60 with the last step", len(got.Rows), last)
	}
	if got.Of != "Expected share of the places" {
		t.Errorf("got %q for %d seats", got.Of, seats)
	}
}

func TestAReviewThatIsNotDoneShowsItsState(t *testing.T) {
	for state, going := range map[tournament.ReviewState]bool{tournament.ReviewWaiting: true, tournament.ReviewRunning: true, tournament.ReviewFailed: false, "": false} {
		got, err := pages.ReviewOf(tournament.MatchReview{State: state, Reason: "why"}, nil)
		if err != nil || got.Going() != going || got.Chart != "" || got.Reason != "why" {
			t.Errorf("%q: got %+v (%v)", state, got, err)
		}
	}
	if _, err := pages.ReviewOf(tournament.MatchReview{MatchID: "m", State: tournament.ReviewDone, Report: []byte("{")}, nil); err == nil || !strings.Contains(err.Error(), "match m") {
		t.Errorf("got %v, want an error that names the match", err)
	}
}
