package api_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// hook is a webhook of a person's whose first delivery, that a bot is paused, has failed permanently. It bypasses the API.
func (w *world) hook(who string, b tournament.Bot) (hook tournament.Webhook, deliveryID string) {
	w.t.Helper()
	ctx := w.t.Context()
	hook, err := w.store.CreateWebhook(ctx, tournament.Webhook{UserID: w.users[who].ID, URL: "https://secret.example/hook", Secret: "whsec_" + strings.Repeat("QUJD", 8)}, 1000)
	must.OK(w.t, err)
	_, err = directortest.Greet(ctx, w.store, w.director, b.ID, "dial https://secret.example: refused")
	must.OK(w.t, err)
	list, _, err := w.store.Deliveries(ctx, hook.ID, store.Page{})
	if err != nil || len(list) != 1 {
		w.t.Fatalf("got %v, %v, want one delivery", list, err)
	}
	d := list[0]
	for d.Status == tournament.DeliveryPending {
		d, err = w.store.Attempted(ctx, d, tournament.Attempt{HTTPStatus: 500, Reason: "answered with status 500, want 2xx", Took: time.Millisecond}, nil)
		must.OK(w.t, err)
	}
	return hook, d.ID
}

func TestAWebhookIsProvedBeforeItIsSentAnything(t *testing.T) {
	onOne(t, func(w *world) {
		var asked []string
		w.prove = func(url string) error {
			asked = append(asked, url)
			return fmt.Errorf("%w: the answer does not echo the challenge", tournament.ErrBot)
		}
		add := func(body map[string]any) answer { return w.do(owner, "POST", "/v1/webhooks", body) }
		add(map[string]any{"url": "https://a.example/"}).want(422, "invalid").place("/url")
		for pointer, body := range map[string]map[string]any{
			"/url":      {"url": "ftp://a.example/"},
			"/secret":   {"url": "https://a.example/", "secret": "whsec_short"},
			"/events/1": {"url": "https://a.example/", "events": []string{"match.finished", "match.finished"}},
			"/events/0": {"url": "https://a.example/", "events": []string{"match.started"}}, // public, not sent
		} {
			add(body).want(422, "invalid").place(pointer)
		}
		if page := into[wire.Page[wire.Webhook]](w.get(owner, "/v1/webhooks").want(200, "")); len(page.Data) != 0 || len(asked) != 1 {
			t.Errorf("got %+v after asking %v, want none and one address asked", page.Data, asked)
		}
		w.prove = func(string) error { return nil }
		made := into[wire.WebhookCreated](add(map[string]any{"url": "https://a.example/", "events": []string{"bot.paused"}}).want(201, ""))
		if !strings.HasPrefix(made.Secret, "whsec_") || !made.Webhook.Enabled || !slices.Equal(made.Webhook.Events, []string{"bot.paused"}) {
			t.Errorf("got %+v, want it enabled for one kind with its secret", made)
		}
		path := "/v1/webhooks/" + made.Webhook.ID
		must.Say(t, string(w.get(owner, path).want(200, "").body), "not", "whsec_")
		got := w.do(owner, "PATCH", path, map[string]any{"enabled": false, "events": []string{}}).want(200, "")
		got.has("enabled", false, "reason", some{}, "events/#", len(tournament.WebhookKinds()))
		w.prove = func(string) error {
			return fmt.Errorf("%w: the answer to the challenge %w", tournament.ErrBot, &strict.Error{Pointer: "/challenge", Reason: "is missing"})
		}
		if got := into[wire.Problem](add(map[string]any{"url": "https://c.example/"}).want(422, "invalid").place("/url")); !strings.Contains(got.Detail, "/url: the answer to the challenge at /challenge: is missing") {
			t.Errorf("got %q, want it said what of", got.Detail)
		}
		w.prove = func(string) error { return fmt.Errorf("%w: status: answered with status 404", tournament.ErrBot) }
		w.do(owner, "PATCH", path, map[string]any{"enabled": true}).want(422, "invalid").place("/url")
		w.do(owner, "PATCH", path, map[string]any{"url": "https://b.example"}).want(400, "bad_json")
		w.prove = func(string) error { return nil }
		w.do(owner, "PATCH", path, map[string]any{"enabled": true}).want(200, "").has("enabled", true, "reason", nil)
	})
}

func TestOwnersSendAgainRotateAndRegisterAChannel(t *testing.T) {
	onOne(t, func(w *world) {
		hook, id := w.hook(owner, w.bot(owner))
		path := "/v1/webhooks/" + hook.ID + "/deliveries"
		given := w.get(owner, path).want(200, "")
		given.has("data/#", 1, "data/0/status", "failed", "data/0/attempts", 8, "data/0/http_status", 500, "data/0/event", "bot.paused")
		page := into[wire.Page[wire.Delivery]](given)
		var sent struct {
			Type string
			Data struct{ Bots []string }
		}
		if err := json.Unmarshal([]byte(page.Data[0].Payload), &sent); err != nil || sent.Type != "bot.paused" || len(sent.Data.Bots) != 1 {
			t.Errorf("got %s, want the owner's own bot in it", page.Data[0].Payload)
		}
		w.do(owner, "POST", path+"/"+id+"/redeliver", nil).want(200, "").has("status", "pending", "next_at", some{}, "id", id)
		w.do(owner, "POST", path+"/"+id+"/redeliver", nil).want(409, "wrong_state")
		w.do(owner, "POST", path+"/"+hook.ID+"/redeliver", nil).want(404, "not_found")
		w.do(owner, "PATCH", "/v1/webhooks/"+hook.ID, map[string]any{"enabled": false}).want(200, "")
		w.do(owner, "DELETE", "/v1/webhooks/"+hook.ID, nil).want(204, "")
		w.get(owner, path).want(404, "not_found")

		hook, _ = w.hook(owner, w.bot(owner))
		path = "/v1/webhooks/" + hook.ID
		first := into[wire.WebhookRotated](w.do(owner, "POST", path+"/rotate-secret", nil).want(200, ""))
		kept, err := w.store.Webhook(t.Context(), hook.ID)
		if got := kept.Secrets(first.OldUntil.Add(-time.Minute)); err != nil || !slices.Equal(got, []string{first.Secret, hook.Secret}) {
			t.Errorf("got %v (%v), want the new secret and the one before", got, err)
		}
		if got := kept.Secrets(first.OldUntil); !slices.Equal(got, []string{first.Secret}) {
			t.Errorf("a day later: got %v, want the new one alone", got)
		}
		must.Say(t, string(w.get(owner, path).want(200, "").body), "not", "whsec_")
		w.do(owner, "PATCH", path, map[string]any{"enabled": false}).want(200, "")
		if again, err := w.store.Webhook(t.Context(), hook.ID); err != nil || again.Secret != first.Secret || again.OldSecret != hook.Secret {
			t.Errorf("got %+v (%v), want the secrets to stay", again, err)
		}

		add := func(body map[string]any) answer { return w.do(owner, "POST", "/v1/webhooks", body) }
		add(map[string]any{"url": "https://a.example/", "format": "discord"}).want(422, "invalid").place("/url")
		add(map[string]any{"url": "https://a.example/", "format": "slack"}).want(422, "invalid").place("/format")
		made := into[wire.WebhookCreated](add(map[string]any{"url": "https://discord.com/api/webhooks/1/secret", "format": "discord"}).want(201, ""))
		w.get(owner, "/v1/webhooks/"+made.Webhook.ID).want(200, "").has("format", "discord")
		add(map[string]any{"url": "https://a.example/"}).want(201, "").has("webhook/format", "standard")
	})
}
