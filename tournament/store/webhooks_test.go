package store_test

import (
	"fmt"
	"testing"
	"time"

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
		h, err := w.CreateWebhook(w.Ctx, tournament.Webhook{UserID: w.Org.ID, URL: "http://hook", Secret: "whsec_1"}, 9)
		w.Must(err)
		if r := w.hookRow(h.ID); r != (hookSecrets{Secret: "whsec_1"}) {
			t.Errorf("before a rotation: got %+v, want one secret", r)
		}
		now := w.Clock.Now()
		w.Did(w.ChangeWebhook(w.Ctx, h.ID, func(h *tournament.Webhook) error {
			*h = h.Rotated("whsec_2", now)
			return nil
		}))
		end := now.Add(tournament.KeepOldSecret).Truncate(time.Microsecond)
		switch r := w.hookRow(h.ID); {
		case r.Secret != "whsec_2":
			t.Errorf(`r.Secret is %q, want "whsec_2"`, r.Secret)
		case r.OldSecret != "whsec_1":
			t.Errorf(`r.OldSecret is %q, want "whsec_1"`, r.OldSecret)
		case r.OldUntil == nil:
			t.Error("r.OldUntil is nil")
		case !r.OldUntil.Equal(end):
			t.Errorf("r.OldUntil is %v, want %v", r.OldUntil, end)
		}
		switch h, err = w.Webhook(w.Ctx, h.ID); {
		case err != nil:
			t.Error(err)
		case h.Secret != "whsec_2":
			t.Errorf(`h.Secret is %q, want "whsec_2"`, h.Secret)
		case h.OldSecret != "whsec_1":
			t.Errorf(`h.OldSecret is %q, want "whsec_1"`, h.OldSecret)
		case !h.OldUntil.Equal(end):
			t.Errorf("h.OldUntil is %v, want %v", h.OldUntil, end)
		}
	})
}

func TestARotationByTheReleaseBeforeIsReadAndPutRightWhenItIsWritten(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		h, err := w.CreateWebhook(w.Ctx, tournament.Webhook{UserID: w.Org.ID, URL: "http://hook", Secret: "whsec_2"}, 9)
		w.Must(err)
		end := w.Clock.Now().Add(time.Hour).Truncate(time.Millisecond)
		// A rotation by this release and another by the release before, which knows only the one column.
		w.Must(w.SQL(w.Ctx).Exec("UPDATE webhooks SET secret = ?, old_secret = 'whsec_1', old_until = ?", fmt.Sprintf("whsec_3 whsec_2 %d", end.UnixMilli()), w.Clock.Now()).Error)

		same := func(h tournament.Webhook, err error) {
			t.Helper()
			switch {
			case err != nil:
				t.Error(err)
			case h.Secret != "whsec_3":
				t.Errorf(`h.Secret is %q, want "whsec_3"`, h.Secret)
			case h.OldSecret != "whsec_2":
				t.Errorf(`h.OldSecret is %q, want "whsec_2"`, h.OldSecret)
			case !h.OldUntil.Equal(end):
				t.Errorf("h.OldUntil is %v, want %v", h.OldUntil, end)
			}
		}
		same(w.Webhook(w.Ctx, h.ID))
		same(w.ChangeWebhook(w.Ctx, h.ID, func(h *tournament.Webhook) error { h.Reason = "asked"; return nil }))
		same(w.Webhook(w.Ctx, h.ID))
		switch r := w.hookRow(h.ID); {
		case r.Secret != "whsec_3":
			t.Errorf(`r.Secret is %q, want "whsec_3"`, r.Secret)
		case r.OldSecret != "whsec_2":
			t.Errorf(`r.OldSecret is %q, want "whsec_2"`, r.OldSecret)
		case r.OldUntil == nil:
			t.Error("r.OldUntil is nil")
		case !r.OldUntil.Equal(end):
			t.Errorf("r.OldUntil is %v, want %v", r.OldUntil, end)
		}

		w.Must(w.SQL(w.Ctx).Exec("UPDATE webhooks SET secret = 'whsec_4 whsec_3'").Error)
		if h, err := w.Webhook(w.Ctx, h.ID); err == nil {
			t.Errorf("a rotation without its end was read as %+v", h)
		}
	})
}
