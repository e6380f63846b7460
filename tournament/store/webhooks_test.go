package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/storetest"
)

// hookSecrets is what stands in the row of a webhook.
type hookSecrets struct {
	Secret, OldSecret string
	OldUntil          *time.Time
}

func (w *world) hookRow(id string) (r hookSecrets) {
	w.t.Helper()
	w.must(w.SQL(w.ctx).Table("webhooks").Where("id = ?", id).Take(&r).Error)
	return r
}

func TestTheRotatedSecretOfAWebhookHasItsOwnColumns(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		h, err := w.CreateWebhook(w.ctx, tournament.Webhook{UserID: w.org.ID, URL: "http://hook", Secret: "whsec_1"}, 9)
		w.must(err)
		if r := w.hookRow(h.ID); r != (hookSecrets{Secret: "whsec_1"}) {
			t.Errorf("before a rotation: got %+v, want one secret", r)
		}
		now := w.clk.Now()
		_, err = w.ChangeWebhook(w.ctx, h.ID, func(h *tournament.Webhook) error {
			*h = h.Rotated("whsec_2", now)
			return nil
		})
		w.must(err)
		end := now.Add(tournament.KeepOldSecret).Truncate(time.Microsecond)
		if r := w.hookRow(h.ID); r.Secret != "whsec_2" || r.OldSecret != "whsec_1" || r.OldUntil == nil || !r.OldUntil.Equal(end) {
			t.Errorf("got %+v, want whsec_2, and whsec_1 until %v", r, end)
		}
		if h, err = w.Webhook(w.ctx, h.ID); err != nil || h.Secret != "whsec_2" || h.OldSecret != "whsec_1" || !h.OldUntil.Equal(end) {
			t.Errorf("got %+v (%v), want whsec_2, and whsec_1 until %v", h, err, end)
		}
	})
}

func TestARotationByTheReleaseBeforeIsReadAndPutRightWhenItIsWritten(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		h, err := w.CreateWebhook(w.ctx, tournament.Webhook{UserID: w.org.ID, URL: "http://hook", Secret: "whsec_2"}, 9)
		w.must(err)
		end := w.clk.Now().Add(time.Hour).Truncate(time.Millisecond)
		// A rotation by this release and another by the release before, which knows only the one column.
		w.must(w.SQL(w.ctx).Exec("UPDATE webhooks SET secret = ?, old_secret = 'whsec_1', old_until = ?", fmt.Sprintf("whsec_3 whsec_2 %d", end.UnixMilli()), w.clk.Now()).Error)

		same := func(h tournament.Webhook, err error) {
			t.Helper()
			if err != nil || h.Secret != "whsec_3" || h.OldSecret != "whsec_2" || !h.OldUntil.Equal(end) {
				t.Errorf("got %+v (%v), want whsec_3, and whsec_2 until %v", h, err, end)
			}
		}
		same(w.Webhook(w.ctx, h.ID))
		same(w.ChangeWebhook(w.ctx, h.ID, func(h *tournament.Webhook) error { h.Reason = "asked"; return nil }))
		same(w.Webhook(w.ctx, h.ID))
		if r := w.hookRow(h.ID); r.Secret != "whsec_3" || r.OldSecret != "whsec_2" || r.OldUntil == nil || !r.OldUntil.Equal(end) {
			t.Errorf("the row is %+v, want whsec_3, and whsec_2 until %v, each in its column", r, end)
		}

		w.must(w.SQL(w.ctx).Exec("UPDATE webhooks SET secret = 'whsec_4 whsec_3'").Error)
		if h, err := w.Webhook(w.ctx, h.ID); err == nil {
			t.Errorf("a rotation without its end was read as %+v", h)
		}
	})
}
