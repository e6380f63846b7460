package login_test

import (
	"crypto/rand"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// links logs a browser in by linking its login to the account of a token.
func (p *person) links(as, token string) {
	p.w.Helper()
	p.goes(303, "GET", p.agrees(as), nil)
	p.goes(303, "POST", "/login/link", url.Values{"token": {token}})
}

// with asks the API with a token.
func (w *world) with(token, method, at string, status int) string {
	w.Helper()
	got := w.person().ask(method, at, nil, "Authorization", "Bearer "+token)
	if got.status != status {
		w.Fatalf("%s %s: got %d %s, want %d", method, at, got.status, got.body, status)
	}
	return got.body
}

func TestATokenThatExpiresLinksNothing(t *testing.T) {
	onOne(t, nothing, func(t *testing.T, w *world) {
		token := w.scoped("ada", tournament.Token{Scopes: tournament.AllScopes(), ExpiresAt: new(w.clock.Now().Add(40 * time.Second))})
		thief := w.person()
		thief.goes(303, "GET", thief.agrees("eve"), nil)
		if got := thief.goes(403, "POST", "/login/link", url.Values{"token": {token}}); !strings.Contains(got.body, "does not expire") {
			t.Errorf("the page does not say what to link with: %s", got.body)
		}
		if got := thief.is(); got != "" {
			t.Errorf("the thief is logged in as %q", got)
		}
		must.Say(t, w.with(token, "GET", "/v1/me", 200), "not", "eve")
	})
}

func TestALoginThatAThiefLinkedIsSeenAndEnded(t *testing.T) {
	onOne(t, nothing, func(t *testing.T, w *world) {
		token := w.token("ada")
		ada, thief := w.person(), w.person()
		ada.links("ada-at-work", token)
		thief.links("eve", token)
		linked, err := w.store.Identities(t.Context(), w.user("ada").ID)
		if err != nil || len(linked) != 2 {
			t.Fatalf("got %v (%v), want two logins", linked, err)
		}
		id := linked[0].ID()
		if linked[0].Subject != "eve" {
			id = linked[1].ID()
		}
		for where, text := range map[string]string{
			"/me":    ada.goes(200, "GET", "/me", nil).body,
			"/v1/me": w.with(token, "GET", "/v1/me", 200),
		} {
			if !strings.Contains(text, id) || !strings.Contains(text, "eve") || !strings.Contains(text, w.issuer.URL) {
				t.Errorf("%s does not show the thief's login: %s", where, text)
			}
			if secret := ada.cookie("molerun_session"); strings.Contains(text, secret) || strings.Contains(text, tournament.LoginSecret(secret).Hash()) {
				t.Errorf("%s holds the secret of a session", where)
			}
		}
		w.with(w.token("other"), "DELETE", "/v1/me/logins/"+id, 404)
		w.with(token, "DELETE", "/v1/me/logins/"+id+"0", 404)
		ada.goes(303, "POST", "/me/logins/"+id+"/end", url.Values{})
		if ada.is() != "" || thief.is() != "" {
			t.Errorf("browsers are %q and %q after the end of a login, want nobody", ada.is(), thief.is())
		}
		if to := thief.goes(303, "GET", thief.agrees("eve"), nil).to(); to != "/login/name" {
			t.Errorf("the thief is led to %s, want /login/name as somebody new", to)
		}
		if to := ada.goes(303, "GET", ada.agrees("ada-at-work"), nil).to(); to != "/me" {
			t.Errorf("ada is led to %s, want /me", to)
		}
		other := w.person()
		other.goes(303, "GET", other.agrees("ada-at-work"), nil)
		sessions, err := w.store.Sessions(t.Context(), w.user("ada").ID)
		if err != nil || len(sessions) != 2 {
			t.Fatalf("got %v (%v), want two sessions", sessions, err)
		}
		for _, s := range sessions {
			w.with(token, "DELETE", "/v1/me/sessions/"+s.ID, 204)
		}
		if ada.is() != "" || other.is() != "" {
			t.Errorf("browsers are %q and %q after the end of their sessions", ada.is(), other.is())
		}
	})
}

// A thief who linked a login, has a session and waits with a login on a device has nothing of it after the owner's remedy.
func TestNothingOfAThiefsOutlivesTheRemedy(t *testing.T) {
	onOne(t, nothing, func(t *testing.T, w *world) {
		token := w.token("ada")
		thief := w.person()
		thief.links("eve", token)
		got := thief.goes(200, "POST", "/me/tokens", asks())
		made := tokenText.FindString(got.body)
		w.with(made, "GET", "/v1/me", 200)
		body := w.person().ask("POST", "/v1/me/rotate", nil, "Authorization", "Bearer "+token, "Content-Type", "application/json")
		if body.status == 201 {
			t.Fatal("rotated without the name")
		}
		if _, _, err := w.store.Rotate(t.Context(), rand.Reader, tournament.Token{UserID: w.user("ada").ID}); err != nil {
			t.Fatal(err)
		}
		for name, old := range map[string]string{"the leaked token": token, "the thief's": made} {
			if got := w.person().ask("GET", "/v1/me", nil, "Authorization", "Bearer "+old); got.status != 401 {
				t.Errorf("%s: got %d, want 401", name, got.status)
			}
		}
		if to := thief.goes(303, "GET", "/me", nil).to(); to != "/login" {
			t.Errorf("the thief's session is led to %s, want /login", to)
		}
		if to := thief.goes(303, "GET", thief.agrees("eve"), nil).to(); to != "/login/name" {
			t.Errorf("the thief's login is led to %s, want /login/name as somebody new", to)
		}
	})
}
