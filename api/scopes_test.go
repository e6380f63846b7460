package api_test

import (
	"crypto/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// needs is the scope of a route; "" is none.
func needs(route string) tournament.Scope {
	if i := slices.IndexFunc(matrix, func(r rights) bool { return r.route == route }); i >= 0 {
		return matrix[i].scope
	}
	return ""
}

// token adds a token of a person and lets them use it under another name.
func (w *world) token(who, as string, t tournament.Token) {
	w.t.Helper()
	t.UserID = w.users[who].ID
	_, text, err := w.store.AddToken(w.t.Context(), rand.Reader, t)
	must.OK(w.t, err)
	w.tokens[as], w.users[as] = text, w.users[who]
}

func TestEveryScopeIsTriedAgainstEveryOperation(t *testing.T) {
	onOne(t, func(w *world) {
		scopes := tournament.AllScopes()
		for _, s := range scopes {
			w.token(admin, "may "+string(s), tournament.Token{Scopes: tournament.Scopes{s}})
		}
		for _, route := range w.api.Routes() {
			method, path, _ := strings.Cut(route, " ")
			path = param.ReplaceAllString(path, "01890000-0000-7000-8000-000000000000")
			need := needs(route)
			for _, has := range scopes {
				got := w.do("may "+string(has), method, path, nil)
				missing := got.status == 403 && into[wire.Problem](got).Code == "scope_missing"
				wholeAlone := route == "POST /v1/me/login-links" // its session may all that the account may
				if want := need != "" && need != tournament.ScopeRead && (need != has || wholeAlone); missing != want {
					t.Errorf("%s with a token that may %s: got %d %s; want it refused for its scope: %v", route, has, got.status, got.body, want)
				}
			}
		}
	})
}

// A token may no more than its user, and no more than its scopes.
func TestAScopeGivesNoRoleAndARoleNoScope(t *testing.T) {
	onOne(t, func(w *world) {
		w.get(owner, "/v1/users").want(403, "role_too_low")
		w.do(owner, "POST", "/v1/tokens", map[string]any{"scopes": []string{"admin"}}).want(403, "scope_missing")
		w.do(owner, "POST", "/v1/tournaments", goodCup(w)).want(403, "role_too_low")
		made := into[wire.TokenCreated](w.do(owner, "POST", "/v1/tokens", map[string]any{}).want(201, ""))
		same(t, "an owner's token may", strings.Join(made.Scopes, " "), "read bot enter account")

		w.token(admin, "clerk", tournament.Token{Scopes: tournament.Scopes{"bot", "enter", "organise", "account"}})
		b, cup := w.bot(owner), w.cup(func(*tournament.Tournament) {})
		w.do("clerk", "POST", "/v1/bots/"+b.ID+"/pause", nil).want(403, "not_yours")
		w.do("clerk", "POST", "/v1/tournaments/"+cup.ID+"/entries", map[string]any{"bot_id": b.ID}).want(403, "not_yours")
		w.do("clerk", "POST", "/v1/tournaments/"+cup.ID+"/cancel", nil).want(403, "not_yours")
		must.Say(t, string(w.get("clerk", "/v1/bots/"+b.ID).want(200, "").body), "not", "https://")
		w.do(admin, "POST", "/v1/bots/"+b.ID+"/pause", nil).want(200, "")

		s := scene{w: w, bot: w.bot(owner), cup: w.cup(func(*tournament.Tournament) {})}
		s.enter()
		path := "/v1/tournaments/" + s.cup.ID + "/entries/" + s.bot.ID
		w.token(organiser, "enters", tournament.Token{Scopes: tournament.Scopes{"enter"}})
		w.do("enters", "DELETE", path, nil).want(403, "not_yours")
		w.do(organiser, "DELETE", path, nil).want(204, "")
	})
}

// A token for one bot does for it what its owner may, and for a second bot of the same owner nothing at all.
func TestATokenForOneBotIsForThatBot(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		for _, row := range matrix {
			if s := row.scope; s != tournament.ScopeBot && s != tournament.ScopeEnter && row.route != "GET /v1/matches/:id/decisions" {
				continue
			}
			if row.route == "POST /mcp" { // its tools are about the token's own bot; they have a test of their own
				continue
			}
			s, method, path, body := w.staged(row, list[0])
			mine := s.bot.ID
			if strings.Contains(path, "/matches/") {
				mine = s.match.Seats[s.seat].BotID
			}
			if strings.HasSuffix(path, "/substitute") { // names a second bot, for which this token is not
				mine = ""
			}
			if row.route == "POST /v1/bots" || strings.Contains(row.route, "/v1/cards") || strings.HasPrefix(path, "/v1/relays/") { // a test of its own is below
				mine = ""
			}
			w.token(owner, "second", tournament.Token{Scopes: tournament.BotScopes(), BotID: w.bot(owner).ID})
			if got := w.do("second", method, path, body); got.status != 403 {
				t.Errorf("%s of another bot: got %d %s, want 403", row.route, got.status, got.body)
			} else if strings.Contains(path, "/v1/bots/"+s.bot.ID) && !strings.Contains(string(got.body), "this token is for one bot") {
				t.Errorf("%s of another bot of the same owner: got %s, want that the token is not for it", row.route, got.body)
			}
			if mine == "" {
				continue
			}
			w.token(owner, "first", tournament.Token{Scopes: tournament.BotScopes(), BotID: mine})
			if got := w.do("first", method, path, body); got.status >= 300 {
				t.Errorf("%s of its bot: got %d %s, want it done", row.route, got.status, got.body)
			}
		}
	})
}

func TestATokenForOneBotHasItsMailboxAlone(t *testing.T) {
	onOne(t, func(w *world) {
		fetch := map[string]any{"relay": relayID, "holds": []string{}, "room": 1}
		first, second := w.bot(owner), w.bot(owner)
		for bot, box := range map[string]string{first.ID: "relay:one", second.ID: "relay:two"} {
			w.do(owner, "POST", "/v1/bots/"+bot+"/versions", map[string]any{"url": box}).want(201, "")
		}
		w.token(owner, "bound", tournament.Token{Scopes: tournament.BotScopes(), BotID: first.ID})
		w.do("bound", "POST", "/v1/relays/one/fetch", fetch).want(200, "")
		w.do("bound", "POST", "/v1/relays/two/fetch", fetch).want(403, "scope_missing")
		w.do("bound", "POST", "/v1/relays/none/fetch", fetch).want(403, "scope_missing")
		w.do("bound", "POST", "/v1/bots/"+first.ID+"/versions", map[string]any{"url": "relay:two"}).want(201, "") // to name it is not to have it
		w.do("bound", "POST", "/v1/relays/two/fetch", fetch).want(403, "scope_missing")
		w.do(owner, "POST", "/v1/relays/two/fetch", fetch).want(200, "")
	})
}

func TestTheLastUseOfATokenIsKeptToTheMinute(t *testing.T) {
	onOne(t, func(w *world) {
		w.token(owner, "used", tournament.Token{Note: "used"})
		last := func() *time.Time {
			t.Helper()
			for _, k := range into[wire.Page[wire.Token]](w.get(owner, "/v1/tokens").want(200, "")).Data {
				if k.Note == "used" {
					return k.LastUsedAt
				}
			}
			t.Fatal("the token is not listed")
			return nil
		}
		if at := last(); at != nil {
			t.Fatalf("an unused token was used at %v", at)
		}
		began := w.clk.Now()
		for _, step := range []struct{ wait, want time.Duration }{{0, 0}, {59 * time.Second, 0}, {time.Second, time.Minute}, {30 * time.Second, time.Minute}} {
			w.clk.Move(step.wait)
			w.get("used", "/v1/me").want(200, "")
			if at := last(); at == nil || !at.Equal(began.Add(step.want)) {
				t.Errorf("%v after the first use it was used last at %v, want %v after", w.clk.Now().Sub(began), at, step.want)
			}
		}
	})
}
