package api_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
)

// Whoever comes late, or comes again, sees the step that everybody sees: none before its time, and no result before the last.
func TestABroadcastShowsEverybodyTheSameStep(t *testing.T) {
	storetest.One(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open, nothing)
		cup, list := w.started(func(*tournament.Tournament) {}, owner, other)
		path := "/tournaments/" + cup.ID + "/broadcast"
		for i, m := range list {
			if body := string(w.get(anon, path).want(200, "").body); strings.Contains(body, m.ID) || strings.Contains(body, `id="showing"`) {
				t.Fatalf("match %d is shown before its round is over", i)
			}
			w.play(m, 100)
		}
		showings := into[wire.Page[wire.Showing]](w.get(anon, "/v1"+path).want(200, "")).Data
		if len(showings) != len(list) {
			t.Fatalf("%d showings of %d matches", len(showings), len(list))
		}
		attribute := func(body, name string) string {
			found := regexp.MustCompile(name + `="([^"]*)"`).FindStringSubmatch(body)
			if found == nil {
				t.Fatalf("no %s in %s", name, body)
			}
			return found[1]
		}
		for i, x := range showings {
			if i > 0 && x.StartsAt.Before(showings[i-1].EndsAt) {
				t.Errorf("showing %d begins before the one before has ended", i)
			}
			lasts, before := x.EndsAt.Sub(x.StartsAt), -1
			for part := range 10 {
				w.clk.move(x.StartsAt.Add(lasts * time.Duration(part) / 10).Sub(w.clk.Now()))
				body := string(w.get(anon, path).want(200, "").body)
				if again := string(w.get(other, path).want(200, "").body); again != body {
					t.Errorf("showing %d: two people see other pages", i)
				}
				if got := attribute(body, "data-match"); got != x.MatchID {
					t.Errorf("at %d tenths of showing %d match %s is shown, want %s", part, i, got, x.MatchID)
				}
				step, err := strconv.Atoi(attribute(body, "data-step"))
				run := lasts - 8*time.Second // three seconds on the first step, five on the last
				gone := max(0, lasts*time.Duration(part)/10-3*time.Second)
				if want := min(int(gone*time.Duration(x.Steps)/run), x.Steps); err != nil || step != want || step < before {
					t.Errorf("at %d tenths of showing %d step %d of %d is shown, want %d", part, i, step, x.Steps, want)
				}
				before = step
			}
		}
		w.clk.move(showings[len(showings)-1].EndsAt.Sub(w.clk.Now()))
		says(t, string(w.get(anon, path).want(200, "").body), "All has been shown.")
	})
}
