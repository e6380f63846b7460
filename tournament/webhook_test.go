package tournament_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

func TestAWebhookIsDisabledWhenNothingGetsThroughForDays(t *testing.T) {
	begin := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	w := tournament.Webhook{Enabled: true}
	for _, row := range []struct {
		after   time.Duration
		enabled bool
	}{{0, true}, {time.Hour, true}, {tournament.WebhookPatience - 1, true}, {tournament.WebhookPatience, false}} {
		if w = w.Failed(begin.Add(row.after), "answered with status 500", false); w.Enabled != row.enabled || !w.FailingSince.Equal(begin) {
			t.Errorf("after %v: got %+v, want enabled %v since the first failure", row.after, w, row.enabled)
		}
	}
	if !strings.Contains(w.Reason, "3 days") || !strings.Contains(w.Reason, "status 500") {
		t.Errorf("got the reason %q", w.Reason)
	}
	if w := (tournament.Webhook{Enabled: true}).Failed(begin, "", true); w.Enabled || w.Reason == "" {
		t.Errorf("a receiver that is gone: got %+v", w)
	}
}

// Every time between two tries counts as failing, but for one that is longer than any of them.
func TestATimeWithoutTriesDoesNotCountAsFailing(t *testing.T) {
	for tries := 1; ; tries++ {
		wait, more := tournament.RetryAfter(tries)
		if !more {
			break
		}
		if wait >= tournament.LongRest {
			t.Errorf("try %d comes after %v, want less than %v", tries+1, wait, tournament.LongRest)
		}
	}
	begin := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for rest, enabled := range map[time.Duration]bool{tournament.LongRest: false, 5 * 24 * time.Hour: true} {
		w := (tournament.Webhook{Enabled: true}).Failed(begin, "", false).Untried(rest).Failed(begin.Add(5*24*time.Hour), "", false)
		if w.Enabled != enabled {
			t.Errorf("five days, and nothing tried for %v of them: got %+v, want enabled %v", rest, w, enabled)
		}
	}
	if w := (tournament.Webhook{}).Untried(time.Hour * 24); w.FailingSince != nil {
		t.Errorf("one that does not fail: got %+v", w)
	}
}

func TestRetriesWaitLongerEachTimeAndEnd(t *testing.T) {
	var sum, last time.Duration
	for tries := 1; ; tries++ {
		wait, more := tournament.RetryAfter(tries)
		if !more {
			if tries != 8 || sum < 18*time.Hour || sum > 20*time.Hour {
				t.Errorf("ends after %d tries and %v, want 8 and about 19 hours", tries, sum)
			}
			return
		}
		if wait <= last {
			t.Errorf("after %d tries: waits %v, want more than %v", tries, wait, last)
		}
		sum, last = sum+wait, wait
	}
}

func TestForADayAWebhookIsSignedWithBothSecretsAfterARotation(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	w := tournament.Webhook{Secret: "one"}
	for _, row := range []struct {
		what string
		w    tournament.Webhook
		at   time.Time
		want []string
	}{
		{"never rotated", w, now, []string{"one"}},
		{"just rotated", w.Rotated("two", now), now, []string{"two", "one"}},
		{"a day later", w.Rotated("two", now), now.Add(24 * time.Hour), []string{"two"}},
		{"rotated twice", w.Rotated("two", now).Rotated("three", now), now, []string{"three", "two"}},
	} {
		must.SameList(t, fmt.Sprint(row.what), row.w.Secrets(row.at), row.want)
	}
}
