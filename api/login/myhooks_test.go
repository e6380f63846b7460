package login_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// failed is the webhook of a user's who owns a bot, with its one delivery, which was given up.
func (w *world) failed(name string) (tournament.Webhook, tournament.Delivery) {
	w.Helper()
	u := w.user(name)
	hooks, _, err := w.store.Webhooks(w.Context(), u.ID, store.Page{})
	if err != nil || len(hooks) != 1 {
		w.Fatalf("got %v, %v, want one webhook", hooks, err)
	}
	d := w.delivery(hooks[0])
	for d.Status == tournament.DeliveryPending {
		d, err = w.store.Attempted(w.Context(), d, tournament.Attempt{HTTPStatus: 500, Reason: "answered with status 500", Took: time.Millisecond}, nil)
		must.OK(w, err)
	}
	return hooks[0], d
}

// delivery is the last delivery of a webhook.
func (w *world) delivery(h tournament.Webhook) tournament.Delivery {
	w.Helper()
	list, _, err := w.store.Deliveries(w.Context(), h.ID, store.Page{Sort: store.Newest, Limit: 1})
	if err != nil || len(list) != 1 {
		w.Fatalf("got %v, %v, want a delivery", list, err)
	}
	return list[0]
}

func TestMyDeliveriesAreSentAgainByTheirOwnerAlone(t *testing.T) {
	onOne(t, nothing, func(t *testing.T, w *world) {
		ada, eve := w.person(), w.person()
		ada.joins("ada")
		eve.joins("eve")
		w.owned("ada")
		w.owned("eve")
		hook, d := w.failed("ada")
		others, _ := w.failed("eve")
		at := "/me/webhooks/" + hook.ID + "/deliveries/" + d.ID + "/redeliver"
		must.Say(t, ada.goes(200, "GET", "/me", nil).body, at)
		eve.goes(404, "POST", strings.Replace(at, hook.ID, others.ID, 1), url.Values{}) // a webhook of eve's, a delivery of ada's
		ada.goes(404, "POST", strings.Replace(at, d.ID, d.ID[:35], 1), url.Values{})
		ada.goes(404, "POST", strings.Replace(at, d.ID, d.ID[:35]+"%00", 1), url.Values{})
		if now := w.delivery(hook); now.Status != tournament.DeliveryFailed {
			t.Fatalf("what was refused sent it again: %+v", now)
		}
		if to := ada.goes(303, "POST", at, url.Values{}).to(); to != "/me?done=me-webhooks-deliveries-redeliver" {
			t.Errorf("ada is led to %s, want her page, which says what was done", to)
		}
		if now := w.delivery(hook); now.Status != tournament.DeliveryPending || now.Tries != 0 || now.Attempts != d.Attempts {
			t.Errorf("got %+v, want it pending with all its tries", now)
		}
		must.Say(t, ada.goes(200, "GET", "/me", nil).body, "not", at)
		ada.goes(409, "POST", at, url.Values{})
	})
}
