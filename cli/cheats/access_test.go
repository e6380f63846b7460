package cheats_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"strings"
	"testing"

	"github.com/molerun/molerun/cli/cheats"
	"github.com/molerun/molerun/internal/must"
)

// linkedLogin is a thief who links a login with a token that leaked, and comes back by it after the owner's remedy.
func linkedLogin() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "a login that a thief linked, after recovery and rotation", Unit: "ways into the account that are left", Tolerance: 0,
			Stops: "recovery and rotation end every login, session and token of the account, in one transaction",
		},
		quick: true,
		play: tried(3, func(t *testing.T, p *platform, i int) cheats.Trial {
			left := func(links bool) float64 {
				owner := p.owner(t)
				thief := browser(t, p)
				if links {
					thief.links(t, owner.token)
					if n := thief.ways(t); n != 2 {
						t.Fatalf("the thief has %v ways into the account before the remedy, want 2", n)
					}
				}
				p.remedy(t, i, owner)
				return thief.ways(t)
			}
			return cheats.Trial{Cheat: left(true), Honest: left(false)}
		}),
	}
}

// remedy is the i-th thing that an owner can do after a leak.
func (p *platform) remedy(t *testing.T, i int, owner *user) {
	t.Helper()
	switch i % 3 {
	case 0:
		var code struct{ Code string }
		p.admin.do(t, http.MethodPost, "/v1/users/"+owner.id+"/recovery", nil, &code)
		p.visitor(t).do(t, http.MethodPost, "/v1/recovery", fields{"name": owner.name, "code": code.Code}, nil)
	case 1:
		if out, err := exec.Command(p.binary, "admin", "token", owner.name, "--rotate", "--database", p.database).CombinedOutput(); err != nil {
			t.Fatalf("admin token: %v %s", err, out)
		}
	case 2:
		owner.do(t, http.MethodPost, "/v1/me/rotate", fields{"name": owner.name}, nil)
	}
}

// thief is a browser of somebody who is known to the issuer.
type thief struct {
	base, name string
	client     *http.Client
}

func browser(t *testing.T, p *platform) *thief {
	t.Helper()
	u := p.visitor(t)
	var err error
	u.client.Jar, err = cookiejar.New(nil)
	must.OK(t, err)
	return &thief{p.base, u.name, u.client}
}

// ask sends a form, or none, and returns where the answer leads.
func (x *thief) ask(t *testing.T, method, at string, form url.Values) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, at, strings.NewReader(form.Encode()))
	must.OK(t, err)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer, err := x.client.Do(r)
	must.OK(t, err)
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil || answer.StatusCode >= 400 {
		t.Fatalf("%s %s: %d %v %s", method, at, answer.StatusCode, err, body)
	}
	return answer.Header.Get("Location")
}

// logsIn goes to the issuer and comes back, and returns where the platform leads.
func (x *thief) logsIn(t *testing.T) string {
	t.Helper()
	sent := x.ask(t, http.MethodGet, x.base+"/login", nil)
	x.ask(t, http.MethodGet, sent, nil)
	return x.ask(t, http.MethodGet, x.ask(t, http.MethodPost, sent, url.Values{"who": {x.name}}), nil)
}

// links makes the login one of the account of a token.
func (x *thief) links(t *testing.T, token string) {
	t.Helper()
	x.logsIn(t)
	x.ask(t, http.MethodPost, x.base+"/login/link", url.Values{"token": {token}})
}

// ways counts the ways that lead into an account: the session, and the login.
func (x *thief) ways(t *testing.T) (n float64) {
	t.Helper()
	if x.ask(t, http.MethodGet, x.base+"/me", nil) == "" {
		n++
	}
	if x.logsIn(t) == "/me" {
		n++
	}
	return n
}
