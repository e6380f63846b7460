package login_test

import (
	"crypto/rand"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/login"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// linkText is the address of a link in an answer of the API.
var linkText = regexp.MustCompile(`"url":"([^"]+)"`)

// posts sends JSON to the API with a token, and wants a status.
func (w *world) posts(token, at, body string, status int) string {
	w.Helper()
	head := []string{"Content-Type", "application/json"}
	if token != "" {
		head = append(head, "Authorization", "Bearer "+token)
	}
	got := w.person().raw("POST", at, body, head...)
	if got.status != status {
		w.Fatalf("POST %s: got %d %s, want %d", at, got.status, got.body, status)
	}
	return got.body
}

// address returns the path and query of the link in an answer, and its code.
func (w *world) address(answer string) (at, code string) {
	w.Helper()
	found := linkText.FindStringSubmatch(answer)
	if found == nil {
		w.Fatalf("no link in %s", answer)
	}
	u, err := url.Parse(strings.ReplaceAll(found[1], `\u0026`, "&"))
	if err != nil || !strings.HasPrefix(found[1], w.base+"/") {
		w.Fatalf("the link %q is not on the platform (%v)", found[1], err)
	}
	return u.RequestURI(), u.Query().Get("code")
}

// withoutIssuer is a platform at which nobody logs in by OpenID Connect.
func withoutIssuer(cfg *api.Config) { cfg.Login = login.Settings{} }

func TestALinkLogsOneBrowserInOnce(t *testing.T) {
	onBoth(t, withoutIssuer, func(t *testing.T, w *world) {
		token := w.token("ada")
		must.Say(t, w.person().goes(200, "GET", "/login", nil).body, "molerun account browse")
		if to := w.person().goes(303, "GET", "/me", nil).to(); to != "/login" {
			t.Errorf("a stranger at /me is led to %q, want /login", to)
		}
		at, code := w.address(w.posts(token, "/v1/me/login-links", `{}`, 201))
		ada := w.person()
		for range 3 { // what looks at links beforehand uses none up
			got := ada.goes(200, "GET", at, nil)
			if !strings.Contains(got.body, "Log in as ada") || got.header.Get("Cache-Control") != "no-store" {
				t.Fatalf("the page of the link: %s %v", got.body, got.header)
			}
			if ada.is() != "" {
				t.Fatal("looking at a link logs in")
			}
		}
		if to := ada.goes(303, "POST", "/login/once", url.Values{"code": {code}}).to(); to != "/me" || ada.is() != "ada" {
			t.Fatalf("led to %q as %q, want /me as ada", to, ada.is())
		}
		ada.goes(200, "GET", "/me", nil)
		for what, got := range map[string]seen{
			"seen again":  w.person().goes(403, "GET", at, nil),
			"used again":  w.person().goes(403, "POST", "/login/once", url.Values{"code": {code}}),
			"guessed":     w.person().goes(403, "POST", "/login/once", url.Values{"code": {"guess"}}),
			"without one": w.person().goes(403, "GET", "/login/once", nil),
		} {
			if !strings.Contains(got.body, "was used, has ended, or was never made") || strings.Contains(got.body, code) {
				t.Errorf("a link %s: %s", what, got.body)
			}
		}
		must.Say(t, w.log.String(), "not", code)
		for _, line := range w.audited() {
			must.Say(t, fmt.Sprint(line), "not", code)
		}
	})
}

func TestALinkEndsWithItsTimeAndWithWhatEndsSessions(t *testing.T) {
	onOne(t, withoutIssuer, func(t *testing.T, w *world) {
		token := w.token("ada")
		fresh := func() string {
			_, code := w.address(w.posts(token, "/v1/me/login-links", `{"lasts_ms":3600000}`, 201))
			return code
		}
		enters := func(code string) bool {
			return w.person().ask("POST", "/login/once", url.Values{"code": {code}}).status == 303
		}
		late := fresh()
		w.clock.Move(time.Hour)
		if enters(late) {
			t.Error("a link is used after its time")
		}
		disabled := fresh()
		must.OK(t, w.store.SQL(t.Context()).Exec("UPDATE users SET disabled_at = created_at, disabled_reason = 'spam' WHERE name = 'ada'").Error)
		if enters(disabled) {
			t.Error("a link enters the account of a disabled user")
		}
		must.OK(t, w.store.SQL(t.Context()).Exec("UPDATE users SET disabled_at = NULL, disabled_reason = '' WHERE name = 'ada'").Error)
		leaked := fresh()
		_, _, err := w.store.Rotate(t.Context(), rand.Reader, tournament.Token{UserID: w.user("ada").ID})
		must.OK(t, err)
		if enters(leaked) {
			t.Error("a link outlives the rotation")
		}

		_, code := w.address(w.posts(w.token("bob"), "/v1/me/login-links", `{}`, 201))
		last := 0
		for range gate.DefaultLimits().FailedAuth.Count + 1 {
			last = w.person().ask("POST", "/login/once", url.Values{"code": {"guess"}}).status
		}
		if last != 429 {
			t.Errorf("the last of many guesses got %d, want 429", last)
		}
		w.person().goes(303, "POST", "/login/once", url.Values{"code": {code}}) // a good one passes there all the same
	})
}

func TestOnlyATokenThatMayEverythingMakesALink(t *testing.T) {
	onOne(t, withoutIssuer, func(t *testing.T, w *world) {
		ends := w.scoped("ends", tournament.Token{Scopes: tournament.AllScopes(), ExpiresAt: new(w.clock.Now().Add(time.Minute))})
		narrow := w.scoped("narrow", tournament.Token{Scopes: tournament.Scopes{tournament.ScopeAccount}})
		must.Say(t, w.posts(ends, "/v1/me/login-links", `{}`, 403), "scope_missing")
		must.Say(t, w.posts(narrow, "/v1/me/login-links", `{}`, 403), "scope_missing")
		token := w.token("ada")
		for _, ms := range []string{"59999", "-1", "604800001"} {
			if got := w.posts(token, "/v1/me/login-links", `{"lasts_ms":`+ms+`}`, 422); !strings.Contains(got, "/lasts_ms") {
				t.Errorf("lasts_ms %s: %s", ms, got)
			}
		}
		w.posts(token, "/v1/me/login-links", `{"lasts_ms":604800000}`, 201)
	})
}
