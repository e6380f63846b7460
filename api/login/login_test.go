package login_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/login"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
)

func TestSomebodyNewChoosesANameOnce(t *testing.T) {
	onBoth(t, nothing, func(t *testing.T, w *world) {
		w.token("taken")
		p := w.person()
		if to := p.goes(303, "GET", p.agrees("ada"), nil).to(); to != "/login/name" {
			t.Fatalf("led to %s, want /login/name", to)
		}
		for name, want := range map[string]int{"": 422, "a": 422, "x\u202ey": 422, "TAKEN": 409} {
			got := p.goes(want, "POST", "/login/name", url.Values{"name": {name}})
			if !strings.Contains(got.body, `role="alert"`) || !strings.Contains(got.body, `action="/login/name"`) {
				t.Errorf("the name %q: the page does not say what is wrong and ask again: %s", name, got.body)
			}
		}
		p.goes(303, "POST", "/login/name", url.Values{"name": {"ada"}})
		other := w.person()
		if to := other.goes(303, "GET", other.agrees("ada"), nil).to(); to != "/me" {
			t.Errorf("the second login is led to %s, want /me", to)
		}
		if got := other.is(); got != "ada" {
			t.Errorf("the second login is %q, want ada", got)
		}
		if n := w.accounts(); n != 2 {
			t.Errorf("%d accounts, want 2", n)
		}
	})
}

func TestAnAccountIsLinkedByItsTokenAlone(t *testing.T) {
	onOne(t, nothing, func(t *testing.T, w *world) {
		token := w.token("old")
		eve := w.person()
		eve.goes(303, "GET", eve.agrees("eve"), nil)
		for _, guess := range []string{"", "old", token[:len(token)-1] + string(token[len(token)-1]^1), "mr_" + strings.Repeat("0", len(token)-3)} {
			eve.goes(401, "POST", "/login/link", url.Values{"token": {guess}})
		}
		for _, lesser := range []tournament.Token{{Scopes: tournament.Scopes{tournament.ScopeRead}}, {Scopes: tournament.BotScopes()}} {
			eve.goes(403, "POST", "/login/link", url.Values{"token": {w.scoped(fmt.Sprintf("lesser-%d", len(lesser.Scopes)), lesser)}})
		}
		if got := eve.is(); got != "" {
			t.Errorf("eve is logged in as %q", got)
		}
		ada := w.person()
		ada.goes(303, "GET", ada.agrees("ada"), nil)
		ada.goes(303, "POST", "/login/link", url.Values{"token": {token}})
		again := w.person()
		again.goes(303, "GET", again.agrees("ada"), nil)
		if got := again.is(); got != "old" {
			t.Errorf("the linked login is %q, want old", got)
		}
	})
}

func TestADisabledAccountIsNotLoggedIn(t *testing.T) {
	onSQLite(t, nothing, func(t *testing.T, w *world) {
		p := w.person()
		p.joins("ada")
		u, err := w.store.UserNamed(t.Context(), "ada")
		if err == nil {
			_, err = directortest.New(w.store).DisableUser(t.Context(), u.ID, "spam")
		}
		must.OK(t, err)
		p.goes(403, "GET", "/me", nil)
		p.goes(403, "GET", p.agrees("ada"), nil)
	})
}

func TestAPlatformMayDemandALogin(t *testing.T) {
	storetest.SQLite(t, func(t *testing.T, open storetest.Open) {
		for registration, want := range map[login.Registration]int{login.RegistrationOpen: 201, login.RegistrationLogin: 403, login.RegistrationClosed: 403} {
			w := newWorld(t, open, func(c *api.Config) { c.Registration = registration })
			name := "by-" + string(registration)
			before := w.accounts()
			w.posts("", "/v1/users", `{"name":"`+name+`"}`, want)
			if made := w.accounts() - before; (made == 1) != (want == 201) {
				t.Errorf("%s: %d accounts were made", registration, made)
			}
			p := w.person()
			p.goes(303, "GET", p.agrees(name+"-2"), nil)
			want = 303
			if registration == login.RegistrationClosed {
				want = 403
			}
			p.goes(want, "POST", "/login/name", url.Values{"name": {name + "-2"}})
		}
	})
}

func TestTheCookiesOfALoginAreForThisHostAlone(t *testing.T) {
	storetest.SQLite(t, func(t *testing.T, open storetest.Open) {
		for address, want := range map[string]string{"": "molerun_login=", "https://molerun.example": "__Host-molerun_login="} {
			w := newWorld(t, open, func(c *api.Config) {
				if address != "" {
					c.Login.PublicURL = address
				}
			})
			set := w.person().goes(303, "GET", "/login", nil).header.Get("Set-Cookie")
			if !strings.HasPrefix(set, want) {
				t.Errorf("%s: got the cookie %s, want %s", address, set, want)
			}
			must.Say(t, set, "; Path=/", "; HttpOnly", "; SameSite=Lax", "; Max-Age=600")
			if secure := strings.Contains(set, "; Secure"); secure != (address != "") {
				t.Errorf("%s: the cookie %s is secure: %v", address, set, secure)
			}
		}
	})
}

func TestSettingsThatCannotWorkAreRefused(t *testing.T) {
	good := login.Settings{
		Issuer:       "https://id.example",
		ClientID:     "molerun",
		ClientSecret: "secret",
		PublicURL:    "https://molerun.example",
	}
	must.OK(t, good.Check())
	for want, change := range map[string]func(*login.Settings){
		"secret, is missing":              func(s *login.Settings) { s.ClientSecret = "" },
		"id, is missing":                  func(s *login.Settings) { s.ClientID = "" },
		"issuer, is missing":              func(s *login.Settings) { s.Issuer = "" },
		"must begin with https://":        func(s *login.Settings) { s.Issuer = "http://id.example" },
		"public address, has a path":      func(s *login.Settings) { s.PublicURL += "/" },
		"public address, is missing":      func(s *login.Settings) { s.PublicURL = "" },
		`"molerun.example" is no address`: func(s *login.Settings) { s.PublicURL = "molerun.example" },
	} {
		s := good
		change(&s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
