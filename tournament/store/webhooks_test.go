package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
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
