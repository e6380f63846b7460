package httpbot_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
)

func TestAWebhookMustEchoTheChallenge(t *testing.T) {
	client := shared(t, httpbot.Options{})
	echo := func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			Type string
			Data struct{ Challenge string }
		}
		if json.NewDecoder(r.Body).Decode(&m) != nil || m.Type != "webhook.challenge" || r.Header.Get("webhook-signature") == "" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]string{"challenge": m.Data.Challenge})
	}
	for _, row := range []struct {
		name    string
		answer  http.HandlerFunc
		refused string
	}{
		{"echo", echo, ""},
		{"another text", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"challenge":"x"}`) }, "does not echo"},
		{"nothing", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }, "status 204"},
		{"elsewhere", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/there", http.StatusTemporaryRedirect)
		}, "redirects are not followed"},
		{"no JSON", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `ok`) }, "data.challenge"},
	} {
		err := httpbot.Prove(t.Context(), httpbot.Config{URL: web(t, row.answer), Secrets: []string{secret}, Client: client}, rand.Reader)
		if (row.refused == "") != (err == nil) || (err != nil && (!errors.Is(err, tournament.ErrBot) || !strings.Contains(err.Error(), row.refused))) {
			t.Errorf("%s: got %v, want %q", row.name, err, row.refused)
		}
	}
	public := httpbot.NewClient(httpbot.Options{}) // a platform for the public calls no private address
	defer public.Close()
	if err := httpbot.Prove(t.Context(), httpbot.Config{URL: web(t, echo), Secrets: []string{secret}, Client: public}, rand.Reader); !errors.Is(err, tournament.ErrBot) {
		t.Errorf("a private address: got %v, want %v", err, tournament.ErrBot)
	}
}

func TestEvery2xxAnswerTakesADelivery(t *testing.T) {
	client := shared(t, httpbot.Options{})
	for status, got := range map[int]bool{200: true, 201: true, 202: true, 204: true, 299: true, 301: false, 307: false, 400: false, 410: false, 500: false, 503: false} {
		url := web(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		a, err := httpbot.Deliver(t.Context(), httpbot.Config{URL: url, Secrets: []string{secret}, Client: client}, "id", []byte(`{}`))
		if err != nil || (a.Reason == "") != got || a.HTTPStatus != status || a.Gone() != (status == 410) {
			t.Errorf("status %d: got %+v, %v, gone: %v", status, a, err, a.Gone())
		}
	}
	url := web(t, func(http.ResponseWriter, *http.Request) {})
	public := httpbot.NewClient(httpbot.Options{})
	defer public.Close()
	if a, err := httpbot.Deliver(t.Context(), httpbot.Config{URL: url, Secrets: []string{secret}, Client: public}, "id", nil); err != nil || a.Reason == "" {
		t.Errorf("a private address: got %+v, %v, want a failure of the receiver", a, err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if a, err := httpbot.Deliver(stopped, httpbot.Config{URL: url, Secrets: []string{secret}, Client: client}, "id", nil); err == nil {
		t.Errorf("stopped by us: got %+v, want an error that blames nobody", a)
	}
}
