package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// hookSecrets is what stands in the row of a webhook.
type hookSecrets struct {
	Secret, OldSecret string
	OldUntil          *time.Time
}

func (w *world) hookRow(id string) (r hookSecrets) {
	w.T.Helper()
	w.Must(w.SQL(w.Ctx).Table("webhooks").Where("id = ?", id).Take(&r).Error)
	return r
}

func TestTheRotatedSecretOfAWebhookHasItsOwnColumns(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		h := must.Get(w.CreateWebhook(w.Ctx, tournament.Webhook{UserID: w.Org.ID, URL: "http://hook", Secret: "whsec_1"}, 9))(w.T)
		if r := w.hookRow(h.ID); r != (hookSecrets{Secret: "whsec_1"}) {
			t.Errorf("before a rotation: got %+v, want one secret", r)
		}
		now := w.Clock.Now()
		w.Did(w.ChangeWebhook(w.Ctx, h.ID, func(h *tournament.Webhook) error {
			*h = h.Rotated("whsec_2", now)
			return nil
		}))
		end := now.Add(tournament.KeepOldSecret).Truncate(time.Microsecond)
		want := hookSecrets{"whsec_2", "whsec_1", &end}
		h = must.Get(w.Webhook(w.Ctx, h.ID))(w.T)
		if diff := cmp.Diff(want, w.hookRow(h.ID)) + cmp.Diff(want, hookSecrets{h.Secret, h.OldSecret, &h.OldUntil}); diff != "" {
			t.Error(diff)
		}
	})
}

// A platform that was away for days, or whose backup was restored, finds a receiver that failed before it went: what was not tried since does
// not count against it.
func TestAWebhookIsNotDisabledForDaysInWhichThePlatformWasAway(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		for _, row := range []struct {
			tried   time.Duration // ago
			enabled bool
		}{{5 * 24 * time.Hour, true}, {10 * time.Hour, false}} {
			name := fmt.Sprint("fox", row.tried.Hours())
			u := w.NewUser(name)
			h := must.Get(w.CreateWebhook(w.Ctx, tournament.Webhook{UserID: u.ID, URL: "http://hook", Secret: "whsec_1"}, 9))(w.T)
			b := w.NewBot(name, u)
			for range 2 {
				w.Did(w.PauseBot(w.Ctx, b.ID))
				w.Did(w.Greet(b.ID, ""))
			}
			list := must.First(w.Deliveries(w.Ctx, h.ID, store.Page{}))(w.T)
			now := time.Now().UTC()
			w.Must(w.SQL(w.Ctx).Exec("UPDATE webhooks SET failing_since = ? WHERE id = ?", now.Add(-5*24*time.Hour-time.Minute), h.ID).Error)
			w.Must(w.SQL(w.Ctx).Exec("UPDATE deliveries SET attempted_at = ?, attempts = 1, tries = 1 WHERE id = ?", now.Add(-row.tried), list[1].ID).Error)
			w.Did(w.Attempted(w.Ctx, list[0], tournament.Attempt{Reason: "answered with status 500"}, nil))
			if got := must.Get(w.Webhook(w.Ctx, h.ID))(w.T); got.Enabled != row.enabled {
				t.Errorf("tried %v ago: the webhook is %+v, want enabled %v", row.tried, got, row.enabled)
			}
		}
	})
}
