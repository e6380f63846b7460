package login_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/internal/issuertest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
)

// changed is an address with other parameters; "" takes one away.
func changed(t *testing.T, at string, params ...string) string {
	t.Helper()
	u, err := url.Parse(at)
	must.OK(t, err)
	q := u.Query()
	for i := 0; i < len(params); i += 2 {
		q.Set(params[i], params[i+1])
		if params[i+1] == "" {
			q.Del(params[i])
		}
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// claim is a fault: the ID token says something else; nil takes it away.
func claim(name string, value any) issuertest.Faults {
	return issuertest.Faults{Claims: func(says map[string]any) {
		says[name] = value
		if value == nil {
			delete(says, name)
		}
	}}
}

// signed is a fault: the ID token is signed otherwise.
func signed(sign func(i *issuertest.Issuer, claims []byte) string) issuertest.Faults {
	return issuertest.Faults{Sign: sign}
}

// part is a part of a token that is put together by hand.
func part(raw string) string { return base64.RawURLEncoding.EncodeToString([]byte(raw)) }

// wrongTokens are ID tokens that say or are something else than they must.
func wrongTokens(w *world) map[string]issuertest.Faults {
	now := w.clock.Now()
	foreign := func(keyID string) issuertest.Faults {
		return signed(func(i *issuertest.Issuer, claims []byte) string {
			key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
			if err != nil {
				w.Error(err)
			}
			return i.Sign(jose.ES256, key, keyID, claims)
		})
	}
	return map[string]issuertest.Faults{
		"another nonce":          claim("nonce", "another"),
		"no nonce":               claim("nonce", nil),
		"a token of another":     claim("iss", "https://another.example"),
		"for another client":     claim("aud", "another"),
		"for several":            claim("aud", []string{"another", issuertest.ClientID}),
		"made for another":       claim("azp", "another"),
		"expired":                claim("exp", now.Add(-time.Second).Unix()),
		"of the future":          claim("iat", now.Add(2*time.Minute).Unix()),
		"of no time":             claim("iat", nil),
		"no subject":             claim("sub", ""),
		"a subject of 10 kB":     claim("sub", strings.Repeat("s", 10_000)),
		"a subject beyond ASCII": claim("sub", "ädä"),
		"a subject with a NUL":   claim("sub", "a\x00b"),
		"alg none": signed(func(_ *issuertest.Issuer, claims []byte) string {
			return part(`{"alg":"none"}`) + "." + part(string(claims)) + "."
		}),
		"HS256 with the client's secret": signed(func(i *issuertest.Issuer, claims []byte) string {
			return i.Sign(jose.HS256, []byte(issuertest.ClientSecret), issuertest.KeyID, claims)
		}),
		"an unknown key":               foreign("key-2"),
		"another key of the same name": foreign(issuertest.KeyID),
		"changed after it was signed": signed(func(i *issuertest.Issuer, claims []byte) string {
			list := strings.Split(i.Sign(jose.ES256, i.Key, issuertest.KeyID, claims), ".")
			return list[0] + "." + part(strings.Replace(string(claims), "sub-", "sub+", 1)) + "." + list[2]
		}),
		"no token": signed(func(*issuertest.Issuer, []byte) string { return "" }),
		"garbage":  signed(func(*issuertest.Issuer, []byte) string { return "a.b.c" }),
	}
}

// Every token that does not hold logs nobody in, makes no account, and tells no person why.
func TestIDTokensThatDoNotHoldAreRefused(t *testing.T) {
	onSQLite(t, nothing, func(t *testing.T, w *world) {
		for name, fault := range wrongTokens(w) {
			w.issuer.Break(fault)
			p := w.person()
			got := p.goes(403, "GET", p.agrees("eve"), nil)
			if p.is() != "" || w.accounts() != 0 {
				t.Errorf("%s: somebody is logged in, or there is an account", name)
			}
			if !strings.Contains(got.body, "does not hold") {
				t.Errorf("%s: the page does not say it in our words: %s", name, got.body)
			}
			if p.goes(403, "GET", "/login/name", nil); p.goes(403, "POST", "/login/name", url.Values{"name": {"eve"}}).status != 403 {
				t.Errorf("%s: an account could be made", name)
			}
		}
		w.issuer.Break(issuertest.Faults{})
		w.person().joins("ada") // the same way is open to a person who does nothing wrong
	})
}

// hostileReturns are ways to come back to the platform that log nobody in: with other parameters of the address ("" takes one away), or with
// what happens before; back is a good return of p's.
var hostileReturns = map[string]struct {
	params  []string
	happens func(w *world, p *person, back string) string
}{
	"no state":                        {params: []string{"state", ""}},
	"another state":                   {params: []string{"state", strings.Repeat("A", 43)}},
	"an answer of another issuer":     {params: []string{"iss", "https://another.example"}},
	"an answer that hides its issuer": {params: []string{"iss", ""}},
	"a code that is none":             {params: []string{"code", "guess"}},
	"no code":                         {params: []string{"code", ""}},
	"an error of the issuer":          {params: []string{"code", "", "error", "<script>alert(1)</script>", "error_description", "<script>alert(2)</script>"}},
	"two states":                      {happens: func(_ *world, _ *person, back string) string { return back + "&state=x" }},
	"the state of another browser":    {happens: func(w *world, _ *person, _ string) string { return w.person().agrees("eve") }},
	"no cookie": {happens: func(_ *world, p *person, back string) string {
		p.plant("molerun_login", "")
		return back
	}},
	"a cookie that somebody planted": {happens: func(_ *world, p *person, back string) string {
		p.plant("molerun_login", strings.Repeat("A", 43))
		return back
	}},
	"too late": {happens: func(w *world, _ *person, back string) string {
		w.clock.Move(10 * time.Minute)
		return back
	}},
	"the code of another browser": {happens: func(w *world, _ *person, back string) string {
		theirs, err := url.Parse(w.person().agrees("eve"))
		must.OK(w, err)
		return changed(w.T, back, "code", theirs.Query().Get("code"))
	}},
}

func TestReturnsThatDoNotHoldAreRefused(t *testing.T) {
	onSQLite(t, nothing, func(t *testing.T, w *world) {
		for name, x := range hostileReturns {
			p := w.person()
			at := p.agrees("ada")
			if x.happens != nil {
				at = x.happens(w, p, at)
			}
			got := p.goes(403, "GET", changed(t, at, x.params...), nil)
			if strings.Contains(got.body, "<script>alert") || strings.Contains(got.body, "alert(2)") {
				t.Errorf("%s: the page says what the address says: %s", name, got.body)
			}
			if p.is() != "" || w.accounts() != 0 {
				t.Errorf("%s: somebody is logged in, or there is an account", name)
			}
			if p.ask("GET", "/login/name", nil).status != 403 {
				t.Errorf("%s: an account can be made", name)
			}
		}
		w.person().goes(405, "POST", "/login/callback", url.Values{})
	})
}

func TestALoginCountsOnce(t *testing.T) {
	onOne(t, nothing, func(t *testing.T, w *world) {
		p := w.person()
		back := p.agrees("ada")
		secret := p.cookie("molerun_login")
		p.goes(303, "GET", back, nil)
		proved := p.cookie("molerun_login")
		eve := w.person() // has seen all of it
		eve.plant("molerun_login", secret)
		eve.goes(403, "GET", back, nil)
		asked := w.issuer.Asked()
		if asked != 1 {
			t.Errorf("the issuer was asked for a token %d times, want once", asked)
		}
		p.goes(303, "POST", "/login/name", url.Values{"name": {"ada"}})
		eve.plant("molerun_login", proved)
		eve.goes(403, "POST", "/login/name", url.Values{"name": {"eve"}})
		eve.goes(403, "POST", "/login/link", url.Values{"token": {w.token("mallory")}})
		if got := eve.is(); got != "" {
			t.Errorf("a login that is used up logs in as %q", got)
		}
	})
}

func TestALoginLeadsNowhereElse(t *testing.T) {
	onSQLite(t, nothing, func(t *testing.T, w *world) {
		p := w.person()
		p.joins("ada")
		for _, next := range []string{"//evil.example", "https://evil.example", `\\evil.example`, "/%2f/evil.example", "/me"} {
			for _, name := range []string{"next", "redirect_uri", "return_to"} {
				if got := p.ask("GET", "/login?"+name+"="+url.QueryEscape(next), nil); got.status != 400 || got.to() != "" {
					t.Errorf("/login?%s=%s: got %d and %q, want 400", name, next, got.status, got.to())
				}
				back := p.agrees("ada")
				if got := p.ask("GET", changed(t, back, name, next), nil); got.to() != "/me" {
					t.Errorf("back with %s=%s: led to %q, want /me", name, next, got.to())
				}
			}
		}
	})
}

// The issuer is away or makes no sense: whoever is logged in stays so.
func TestAnIssuerThatIsAwayHarmsNobody(t *testing.T) {
	huge := strings.Repeat(" ", 2<<20)
	away := map[string]issuertest.Faults{
		"down":                {Down: true},
		"another issuer":      {Discovery: func(says map[string]any) { says["issuer"] = "https://another.example" }},
		"keys without TLS":    {Discovery: func(says map[string]any) { says["jwks_uri"] = "http://keys.example/" }},
		"a token without TLS": {Discovery: func(says map[string]any) { says["token_endpoint"] = "http://token.example/" }},
		"a huge discovery":    {Discovery: func(says map[string]any) { says["more"] = huge }},
	}
	tokens := map[string]http.HandlerFunc{
		"huge": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"access_token":"a","more":"` + huge + `"}`))
		},
		"leads on": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		},
		"fails": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
	}
	storetest.SQLite(t, func(t *testing.T, open storetest.Open) {
		for name, fault := range away {
			w := newWorld(t, open, func(*api.Config) {})
			w.issuer.Break(fault)
			got := w.person().goes(503, "GET", "/login", nil)
			if !strings.Contains(got.body, "does not answer") {
				t.Errorf("%s: the page does not say it: %s", name, got.body)
			}
			w.issuer.Break(issuertest.Faults{})
			w.person().goes(503, "GET", "/login", nil) // not asked again at once
			w.clock.Move(6 * time.Second)
			w.person().goes(303, "GET", "/login", nil)
		}
		w := newWorld(t, open, func(*api.Config) {})
		ada := w.person()
		ada.joins("ada")
		for name, token := range tokens {
			w.issuer.Break(issuertest.Faults{Token: token})
			p := w.person()
			if got := p.ask("GET", p.agrees("ada"), nil); got.status != 503 && got.status != 403 {
				t.Errorf("the token endpoint %s: got %d %s", name, got.status, got.body)
			}
			if p.is() != "" {
				t.Errorf("the token endpoint %s: somebody is logged in", name)
			}
		}
		w.issuer.Break(issuertest.Faults{Down: true})
		ada.goes(200, "GET", "/me", nil)
	})
}

func TestASessionIsItsBrowsersAlone(t *testing.T) {
	onOne(t, nothing, func(t *testing.T, w *world) {
		ada := w.person()
		planted := strings.Repeat("A", 43)
		ada.plant("molerun_session", planted) // fixation: a secret that somebody else knows
		ada.joins("ada")
		first := ada.cookie("molerun_session")
		if first == planted || first == "" {
			t.Errorf("a login keeps the secret that was there before: %q", first)
		}
		eve := w.person()
		eve.plant("molerun_session", planted)
		eve.goes(303, "GET", "/me", nil)
		ada.goes(303, "GET", ada.agrees("ada"), nil)
		eve.plant("molerun_session", first)
		if got := eve.is(); got != "" {
			t.Errorf("the session before the last login goes on, as %q", got)
		}
		second := ada.cookie("molerun_session")
		raw, err := json.Marshal(w.log.String())
		must.OK(t, err)
		must.Say(t, string(raw), "not", first, second)
		for _, head := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://evil.example"}, {"Origin", "null"}} {
			for _, at := range []string{"/logout", "/login/name", "/login/link"} {
				if got := ada.ask("POST", at, url.Values{}, head...); got.status != 403 {
					t.Errorf("POST %s with %v: got %d, want 403", at, head, got.status)
				}
			}
		}
		if ada.is() != "ada" {
			t.Error("a form of another site has logged ada out")
		}
		ada.goes(303, "POST", "/logout", url.Values{})
		eve.plant("molerun_session", second) // stolen before
		eve.goes(303, "GET", "/me", nil)
		if got := eve.is(); got != "" {
			t.Errorf("a session goes on after its end, as %q", got)
		}
		ada.goes(303, "GET", ada.agrees("ada"), nil)
		w.clock.Move(7 * 24 * time.Hour)
		ada.goes(303, "GET", "/me", nil)
		if got := ada.is(); got != "" {
			t.Errorf("a session goes on after seven days, as %q", got)
		}
	})
}
