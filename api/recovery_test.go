package api_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// code is a recovery code for a person.
func (w *world) code(who string) string {
	w.t.Helper()
	return into[wire.RecoveryCode](w.do(admin, "POST", "/v1/users/"+w.users[who].ID+"/recovery", nil).want(201, "")).Code
}

func (w *world) recover(name, code string) answer {
	w.t.Helper()
	return w.do(anon, "POST", "/v1/recovery", map[string]any{"name": name, "code": code})
}

func TestAnAccountIsGivenBackOnce(t *testing.T) {
	onBoth(t, func(w *world) {
		code := w.code(owner)
		w.bearer("Bearer "+code).want(401, "unauthorized") // it is no token
		w.get(owner, "/v1/me").want(200, "")
		made := into[wire.TokenCreated](w.recover(owner, code).want(201, ""))
		w.get(owner, "/v1/me").want(401, "unauthorized") // the old token has ended
		w.bearer("Bearer "+made.Token).want(200, "").has("id", w.users[owner].ID)
		w.recover(owner, code).want(401, "unauthorized")
		lines := w.audited()
		if len(lines) != 2 {
			t.Fatalf("got the audit lines %+v, want the code's making and its use", lines)
		}
		same(t, "the use", lines[0].Operation, "POST /v1/recovery")
		same(t, "whose", lines[0].SubjectID, w.users[owner].ID)
		same(t, "who made it", lines[1].UserID, w.users[admin].ID)
	})
}

// linked links a login to a person's account.
func (w *world) linked(who string) tournament.LinkedIdentity {
	w.t.Helper()
	w.logins++
	secret := tournament.LoginSecret(fmt.Sprintf("login %d", w.logins))
	identity := tournament.Identity{Issuer: "https://id.example", Subject: string(secret)}
	err := w.store.BeginLogin(w.t.Context(), secret, tournament.Login{State: tournament.LoginProved, Identity: identity, ExpiresAt: w.clk.Now().Add(time.Hour)})
	if err == nil {
		err = w.store.Link(w.t.Context(), secret, w.users[who].ID)
	}
	must.OK(w.t, err)
	return tournament.LinkedIdentity{Identity: identity}
}

// session logs a browser in as a person.
func (w *world) session(who string) tournament.Session {
	w.t.Helper()
	return tournament.Session{ID: w.browser(who).Hash()[:tournament.LoginIDLen]}
}

// browser logs a browser in as a person, and returns the secret in its cookie.
func (w *world) browser(who string) tournament.LoginSecret {
	w.t.Helper()
	w.logins++
	secret := tournament.LoginSecret(fmt.Sprintf("session-%d", w.logins))
	must.OK(w.t, w.store.BeginSession(w.t.Context(), secret, w.users[who].ID))
	return secret
}

func TestWhoRotatesHasOneTokenThatMayNoMore(t *testing.T) {
	onOne(t, func(w *world) {
		ends := w.clk.Now().Add(time.Hour)
		w.token(owner, "short", tournament.Token{Scopes: tournament.Scopes{tournament.ScopeAccount}, ExpiresAt: &ends})
		w.do("short", "POST", "/v1/me/rotate", map[string]any{"name": other}).want(422, "invalid")
		w.get(owner, "/v1/me").want(200, "")
		made := into[wire.TokenCreated](w.do("short", "POST", "/v1/me/rotate", map[string]any{"name": owner}).want(201, ""))
		if made.ExpiresAt == nil || !made.ExpiresAt.Equal(ends) || !slices.Equal(made.Scopes, []string{"read", "account"}) {
			t.Errorf("got a token that may %v until %v, want what the one before might", made.Scopes, made.ExpiresAt)
		}
		for _, who := range []string{owner, "short"} {
			w.get(who, "/v1/me").want(401, "unauthorized")
		}
		w.bearer("Bearer "+made.Token).want(200, "")
		w.get(other, "/v1/me").want(200, "")
	})
}

func TestRecoveryCodesAreRefused(t *testing.T) {
	onOne(t, func(w *world) {
		first := w.code(owner)
		second := w.code(owner)
		for name, try := range map[string][2]string{
			"an older code": {owner, first}, "of another user": {other, second}, "of nobody": {"nobody", second}, "forged": {owner, forge(t, second)},
			"an access token": {owner, w.tokens[owner]}, "no code": {owner, "mr_"}, "nothing": {owner, ""},
		} {
			if got := w.recover(try[0], try[1]); got.status != 401 {
				t.Errorf("%s: got %d %s, want 401", name, got.status, got.body)
			}
		}
		w.get(owner, "/v1/me").want(200, "") // nothing of this ended a token
		w.clk.Move(24 * time.Hour)
		w.recover(owner, second).want(401, "unauthorized")
		third := w.code(owner)
		w.do(admin, "POST", "/v1/users/"+w.users[owner].ID+"/disable", map[string]any{"reason": "spam"}).want(200, "")
		w.recover(owner, third).want(401, "unauthorized")
		w.do(admin, "POST", "/v1/users/"+w.users[owner].ID+"/recovery", nil).want(409, "wrong_state")
		w.do(admin, "POST", "/v1/users/"+w.users[admin].ID+"/recovery", nil).want(409, "wrong_state")
	})
}

func TestACodeUsedTwiceAtOnceGivesOneToken(t *testing.T) {
	onOne(t, func(w *world) {
		code := w.code(owner)
		var mu sync.Mutex
		given := 0
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if w.recover(owner, code).status == 201 {
					mu.Lock()
					defer mu.Unlock()
					given++
				}
			})
		}
		all.Wait()
		same(t, "tokens given", given, 1)
	})
}

func TestGuessingCodesIsSlow(t *testing.T) {
	onOneWith(t, limited(func(l *gate.Limits) { l.FailedAuth = httpx.Rate{Count: 3, Per: time.Minute} }), func(w *world) {
		code := w.code(owner)
		for range 3 {
			w.recover(owner, forge(t, code)).want(401, "unauthorized")
		}
		w.recover(owner, forge(t, code)).want(429, "rate_limited")
		w.recover(owner, code).want(201, "") // whoever has the right one is not locked out
	})
}
