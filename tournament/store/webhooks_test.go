package store_test

import (
	"fmt"
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

func TestARotationByTheReleaseBeforeIsReadAndPutRightWhenItIsWritten(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		h := must.Get(w.CreateWebhook(w.Ctx, tournament.Webhook{UserID: w.Org.ID, URL: "http://hook", Secret: "whsec_2"}, 9))(w.T)
		end := w.Clock.Now().Add(time.Hour).Truncate(time.Millisecond)
		// A rotation by this release and another by the release before, which knows only the one column.
		w.Must(w.SQL(w.Ctx).Exec("UPDATE webhooks SET secret = ?, old_secret = 'whsec_1', old_until = ?", fmt.Sprintf("whsec_3 whsec_2 %d", end.UnixMilli()), w.Clock.Now()).Error)

		want := hookSecrets{"whsec_3", "whsec_2", &end}
		same := func(h tournament.Webhook, err error) {
			t.Helper()
			w.Must(err)
			if diff := cmp.Diff(want, hookSecrets{h.Secret, h.OldSecret, &h.OldUntil}); diff != "" {
				t.Error(diff)
			}
		}
		same(w.Webhook(w.Ctx, h.ID))
		same(w.ChangeWebhook(w.Ctx, h.ID, func(h *tournament.Webhook) error { h.Reason = "asked"; return nil }))
		same(w.Webhook(w.Ctx, h.ID))
		if diff := cmp.Diff(want, w.hookRow(h.ID)); diff != "" {
			t.Error(diff)
		}

		w.Must(w.SQL(w.Ctx).Exec("UPDATE webhooks SET secret = 'whsec_4 whsec_3'").Error)
		if h, err := w.Webhook(w.Ctx, h.ID); err == nil {
			t.Errorf("a rotation without its end was read as %+v", h)
		}
	})
}
