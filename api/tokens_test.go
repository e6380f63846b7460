package api_test

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// bearer asks for /v1/me with an Authorization header as it is.
func (w *world) bearer(fields ...string) answer {
	w.t.Helper()
	r := httptest.NewRequestWithContext(w.t.Context(), "GET", "/v1/me", nil)
	for _, f := range fields {
		r.Header.Add("Authorization", f)
	}
	return w.send(r)
}

func TestEveryWayToBeWrongLooksTheSame(t *testing.T) {
	onOne(t, func(w *world) {
		good := w.tokens[owner]
		w.bearer("bearer "+good).want(200, "").has("name", owner)
		text, _, _, _ := tournament.NewToken(rand.Reader)
		forged := forge(t, good)
		first := ""
		for name, fields := range map[string][]string{
			"unknown id": {"Bearer " + text}, "right id, other secret": {"Bearer " + forged}, "bad checksum": {"Bearer " + good[:len(good)-1] + "!"},
			"cut": {"Bearer " + good[:40]}, "no scheme": {good}, "basic": {"Basic " + good}, "empty": {""}, "two": {"Bearer " + good, "Bearer " + good},
			"long": {"Bearer " + good + strings.Repeat(" ", 600)}, "space": {"Bearer  " + good}, "sql": {"Bearer ' OR 1=1 --"},
		} {
			got := w.bearer(fields...).want(401, "unauthorized")
			if got.header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s: want WWW-Authenticate", name)
			}
			p := into[wire.Problem](got)
			p.RequestID = ""
			b, _ := json.Marshal(p)
			if first == "" {
				first = string(b)
			}
			if string(b) != first {
				t.Errorf("%s: got %s, want the same as the others %s", name, b, first)
			}
		}
		w.get(anon, "/v1/games", "Authorization", "Bearer "+text).want(401, "unauthorized") // not taken for anonymous
	})
}

func withToken(r *http.Request, text string) *http.Request {
	r.Header.Set("Authorization", "Bearer "+text)
	return r
}

// forge is a well-formed token with the id of a real one: its secret comes from another token.
func forge(t *testing.T, genuine string) string {
	t.Helper()
	for {
		text, _, _, err := tournament.NewToken(rand.Reader)
		must.OK(t, err)
		head := genuine[:3+15] + text[3+15:3+15+43]
		if forged := head + base62Sum(head); forged != genuine {
			return forged
		}
	}
}

func TestTokensAreRefusedInWordsAndEnd(t *testing.T) {
	onOne(t, func(w *world) {
		w.do(owner, "POST", "/v1/tokens", map[string]any{"note": strings.Repeat("x", 81)}).want(422, "invalid").place("/note")
		w.do(owner, "POST", "/v1/tokens", map[string]any{"expires_at": w.clk.Now()}).want(422, "invalid").place("/expires_at")
		w.do(owner, "POST", "/v1/tokens", map[string]any{"scopes": []string{"read", "root"}}).want(422, "invalid").place("/scopes/1")
		w.do(owner, "POST", "/v1/tokens", map[string]any{"bot_id": w.bot(other).ID}).want(422, "invalid").place("/bot_id")
		for _, scopes := range []string{`[]`, `[""]`} {
			w.do(owner, "POST", "/v1/tokens", `{"scopes":`+scopes+`}`).want(422, "invalid")
			w.do(owner, "POST", "/v1/tokens", `{"bot_id":"`+w.bot(owner).ID+`","scopes":`+scopes+`}`).want(422, "invalid")
		}
		w.do(owner, "POST", "/v1/tokens", map[string]any{"bot_id": ""}).want(422, "invalid").place("/bot_id")
		w.do(owner, "POST", "/v1/tokens", map[string]any{"bot_id": "x"}).want(422, "invalid").place("/bot_id")
		w.do(owner, "POST", "/v1/tokens", `{"expires_at":"tomorrow"}`).want(400, "bad_json").place("/expires_at")

		w.clk.Move(time.Second)
		made := into[wire.TokenCreated](w.do(owner, "POST", "/v1/tokens", map[string]any{"note": "laptop", "expires_at": w.clk.Now().Add(time.Hour)}).want(201, ""))
		w.bearer("Bearer "+made.Token).want(200, "")
		w.do(owner, "POST", "/v1/tokens", map[string]any{}).want(409, "limit_reached")
		w.clk.Move(time.Hour)
		w.bearer("Bearer "+made.Token).want(401, "unauthorized")
		next := into[wire.TokenCreated](w.do(owner, "POST", "/v1/tokens", map[string]any{}).want(201, ""))
		w.do(owner, "DELETE", "/v1/tokens/"+next.ID, nil).want(204, "")
		w.bearer("Bearer "+next.Token).want(401, "unauthorized")
		w.do(owner, "DELETE", "/v1/tokens/"+next.ID, nil).want(204, "") // again changes nothing
		list := w.get(owner, "/v1/tokens").want(200, "")
		list.has("data/#", 3, "data/0/id", next.ID, "data/0/revoked_at", some{}, "data/1/note", "laptop") // the newest, revoked, first
	})
}

func TestSecretsAreShownOnceAndNeverKept(t *testing.T) {
	onOne(t, func(w *world) {
		user := into[wire.UserCreated](w.do(anon, "POST", "/v1/users", map[string]any{"name": "ada"}).want(201, ""))
		if user.User.Role != "owner" || !strings.HasPrefix(user.Token.Token, "mr_") {
			t.Fatalf("got %+v, want an owner with a token", user)
		}
		w.bearer("Bearer "+user.Token.Token).want(200, "")
		kept, _, err := w.store.TokenByID(t.Context(), user.Token.ID)
		must.OK(t, err)
		secret := user.Token.Token[3+15 : 3+15+43]
		must.Say(t, fmt.Sprintf("%+v", kept), "not", secret)
		w.bearer("Bearer nonsense").want(401, "")
		must.Say(t, w.log.String(), "not", secret, "nonsense", w.tokens[owner])
	})
}

func limited(change func(*gate.Limits)) func(*api.Config) {
	return func(c *api.Config) { change(&c.Limits) }
}

// Whoever shares an address with somebody who guesses is not locked out.
func TestGuessingTokensIsSlow(t *testing.T) {
	onOneWith(t, limited(func(l *gate.Limits) { l.FailedAuth = httpx.Rate{Count: 10, Per: time.Minute} }), func(w *world) {
		for range 10 {
			w.bearer("Bearer mr_x").want(401, "unauthorized")
		}
		got := w.bearer("Bearer mr_x").want(429, "rate_limited")
		same(t, "Retry-After", got.header.Get("Retry-After"), "6")
		w.bearer("Bearer "+forge(t, w.tokens[owner])).want(429, "rate_limited")
		w.get(owner, "/v1/me").want(200, "")
		w.get(anon, "/v1/games").want(200, "")
		w.clk.Move(6 * time.Second)
		w.bearer("Bearer mr_x").want(401, "unauthorized")
	})
}

func TestRatesArePerCallerAndTold(t *testing.T) {
	onOneWith(t, limited(func(l *gate.Limits) {
		l.Default, l.Following = httpx.Rate{Count: 3, Per: time.Minute}, httpx.Rate{Count: 2, Per: time.Minute}
		l.Register = httpx.Rate{Count: 1, Per: time.Hour}
	}), func(w *world) {
		got := w.get(anon, "/v1/games").want(200, "")
		if p, r := got.header.Get("RateLimit-Policy"), got.header.Get("RateLimit"); p != `"default";q=3;w=60` || r != `"default";r=2;t=20` {
			t.Errorf("got %s and %s, want 2 of 3 left, all back in 20 s", p, r)
		}
		w.do(anon, "POST", "/v1/users", map[string]any{"name": "one"}).want(201, "")
		w.do(anon, "POST", "/v1/users", map[string]any{"name": "two"}).want(429, "rate_limited")
		w.get(anon, "/v1/games").want(429, "rate_limited")
		w.get(anon, "/v1/nowhere").want(429, "rate_limited")
		w.get(anon, "/livez").want(200, "")
		w.get(owner, "/v1/me").want(200, "") // counted per user
		w.get(anon, "/games").want(429, "")
		w.get(anon, "/").want(200, "") // pages that follow what happens are counted by themselves
		w.get(anon, "/games/toy").want(200, "")
		if got := w.get(anon, "/").want(429, ""); got.header.Get("RateLimit-Policy") != `"following";q=2;w=60` {
			t.Errorf("after two such pages of two the policy is %s", got.header.Get("RateLimit-Policy"))
		}

		w.get(anon, "/v1/games", "X-Forwarded-For", "203.0.113.9").want(429, "rate_limited")
		w.clk.Move(20 * time.Second)
		w.get(anon, "/v1/games").want(200, "")
	})
}

// A bot that answers slowly holds up its owner's calls, and nobody else's.
func TestSlowBotsHoldUpTheirOwnersCallsAlone(t *testing.T) {
	onOneWith(t, limited(func(l *gate.Limits) { l.Calls, l.AllCalls = 2, 20 }), func(w *world) {
		slow, quick := w.bot(owner), w.bot(other)
		answers, arrived, release := w.greet, make(chan struct{}), make(chan struct{})
		w.greet = func(url string) (protocol.HelloAnswer, error) {
			arrived <- struct{}{}
			<-release
			return answers(url)
		}
		var waiting sync.WaitGroup
		for range 2 {
			waiting.Go(func() { w.do(owner, "POST", "/v1/bots/"+slow.ID+"/check", nil) })
			<-arrived
		}
		if got := w.do(owner, "POST", "/v1/bots/"+slow.ID+"/check", nil).want(429, "rate_limited"); got.header.Get("Retry-After") != "5" {
			t.Errorf("got Retry-After %q, want 5 seconds", got.header.Get("Retry-After"))
		}
		waiting.Go(func() { w.do(other, "POST", "/v1/bots/"+quick.ID+"/check", nil).want(200, "") })
		<-arrived
		close(release)
		waiting.Wait()
	})
}
