package api_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// keyed asks with an Idempotency-Key.
func (w *world) keyed(who, key, path, body string) answer {
	w.t.Helper()
	return w.do(who, "POST", path, body, "Idempotency-Key", key)
}

const aKey = "6f1c9a52-b0e8-4d1f-9a52-b0e84d1f6f1c"

func TestAKeyMakesACreationHappenOnce(t *testing.T) {
	onOne(t, func(w *world) {
		const bot = `{"name":"once","url":"https://x.example/"}`
		first := w.keyed(owner, aKey, "/v1/bots", bot).want(201, "")
		again := w.keyed(owner, aKey, "/v1/bots", bot).want(201, "")
		// the same answer, marked
		same(t, "again.body", string(again.body), string(first.body))
		same(t, `again.header.Get("Location")`, again.header.Get("Location"), first.header.Get("Location"))
		same(t, `again.header.Get("Idempotent-Replayed")`, again.header.Get("Idempotent-Replayed"), "true")
		same(t, `first.header.Get("Idempotent-Replayed")`, first.header.Get("Idempotent-Replayed"), "")
		same(t, "audit lines of both", len(w.audited()), 1)
		for key := range first.header {
			if !slices.Contains([]string{"X-Request-Id", "Ratelimit", "Ratelimit-Policy"}, key) && first.header.Get(key) != again.header.Get(key) {
				t.Errorf("%s: got %q, want %q as the first time", key, again.header.Get(key), first.header.Get(key))
			}
		}
		w.keyed(owner, aKey, "/v1/bots", strings.Replace(bot, "once", "twice", 1)).want(422, "key_reused")
		w.keyed(owner, aKey, "/v1/bots?x=1", bot).want(422, "key_reused")
		w.keyed(other, aKey, "/v1/bots", bot).want(409, "name_taken") // their own key
		w.keyed(owner, aKey, "/v1/tokens", `{}`).want(201, "")        // another route
		w.clk.Move(24 * time.Hour)
		w.keyed(owner, aKey, "/v1/bots", bot).want(409, "name_taken") // forgotten
	})
}

// What is kept of an answer tells nobody the token or the secret in it.
func TestAnAnswerIsKeptSoThatTheDatabaseCannotReadIt(t *testing.T) {
	onOne(t, func(w *world) {
		made := into[wire.UserCreated](w.keyed(anon, aKey, "/v1/users", `{"name":"ada-lovelace"}`).want(201, ""))
		again := into[wire.UserCreated](w.keyed(anon, aKey, "/v1/users", `{"name":"ada-lovelace"}`).want(201, ""))
		same(t, "the token again", made.Token.Token, again.Token.Token)
		w.bearer("Bearer "+again.Token.Token).want(200, "")
		far := httptest.NewRequestWithContext(t.Context(), "POST", "/v1/users", strings.NewReader(`{"name":"ada-lovelace"}`))
		far.Header.Set("Content-Type", "application/json")
		far.Header.Set("Idempotency-Key", aKey)
		far.RemoteAddr = "198.51.100.7:1234"
		w.send(far).want(409, "name_taken") // somebody else, who knows the key
		kept, err := w.store.ClaimKey(t.Context(), httpx.Hash("ip:192.0.2.1", "/v1/users", aKey), httpx.Hash("/v1/users", "application/json", `{"name":"ada-lovelace"}`))
		if err != nil || kept.Answer == "" {
			t.Fatalf("got %+v (%v), want the answer: else this test could not catch a leak", kept, err)
		}
		plain, err := base64.RawStdEncoding.DecodeString(kept.Answer)
		text := kept.Answer + string(plain)
		if err != nil {
			t.Fatalf("the database has %q (%v)", text, err)
		}
		same(t, `strings.Contains(text, "mr_")`, strings.Contains(text, "mr_"), false)
		same(t, `strings.Contains(text, "ada-lovelace")`, strings.Contains(text, "ada-lovelace"), false) // a short name stands in random letters now and then
		same(t, "strings.Contains(text, aKey)", strings.Contains(text, aKey), false)
	})
}

func TestARefusalIsNotKeptAndAChangeIsBoundToWhatWasSeen(t *testing.T) {
	onOne(t, func(w *world) {
		well := w.greet
		const bot = `{"name":"late","url":"https://x.example/"}`
		w.greet = func(string) (protocolHello, error) { return protocolHello{}, nil }
		w.keyed(owner, aKey, "/v1/bots", bot).want(422, "bot_refused")
		w.greet = func(string) (protocolHello, error) { panic("a bug") }
		w.keyed(owner, aKey, "/v1/bots", bot).want(500, "internal")
		w.greet = well
		if busy := w.keyed(owner, aKey, "/v1/bots", bot).want(409, "in_progress"); busy.header.Get("Retry-After") != "1" { // nobody knows what the panic left
			t.Errorf("got %v, want advice to ask again", busy.header)
		}
		w.clk.Move(2 * time.Minute)
		w.keyed(owner, aKey, "/v1/bots", bot).want(201, "")
		for _, key := range []string{"", "short", strings.Repeat("x", 65), "sixteen characters", "sixteen\tcharacters", "sechzehn-Zeichen-ä"} {
			w.keyed(owner, key, "/v1/bots", bot).want(400, "bad_idempotency_key")
		}
		r := withToken(httptest.NewRequestWithContext(t.Context(), "POST", "/v1/bots", strings.NewReader(bot)), w.tokens[owner])
		r.Header["Idempotency-Key"] = []string{aKey, aKey}
		w.send(r).want(400, "bad_idempotency_key")

		b := w.bot(owner)
		path := "/v1/bots/" + b.ID
		tag := func(who string) string { return w.get(who, path).want(200, "").header.Get("ETag") }
		first := tag(owner)
		w.ifMatch(owner, "POST", path+"/rotate-secret", first).want(200, "")
		w.ifMatch(owner, "POST", path+"/rotate-secret", first).want(412, "changed_meanwhile") // two secrets are live now
		for _, stale := range []string{"W/" + first, strings.TrimSuffix(first, `"`) + `-gzip"`, "W/", `""`, `"-"`} {
			w.ifMatch(owner, "DELETE", path, stale).want(412, "changed_meanwhile")
		}
		w.ifMatch(owner, "DELETE", path, tag(anon)).want(412, "changed_meanwhile") // sees less
		w.ifMatch(other, "DELETE", path, tag(other)).want(403, "not_yours")
		w.ifMatch(owner, "POST", "/v1/bots/01890000-0000-7000-8000-000000000000/check", first).want(404, "not_found")
		w.ifMatch(owner, "DELETE", "/v1/tokens/"+w.spare(owner), first).want(412, "changed_meanwhile")                // has no ETag
		w.ifMatch(owner, "POST", path+"/drop-old-secret", strings.TrimSuffix(tag(owner), `"`)+`-gzip"`).want(200, "") // as Apache compresses
		w.ifMatch(owner, "DELETE", path, `"x", W/`+tag(owner)).want(204, "")                                          // as nginx does
		cup := w.cup(func(*tournament.Tournament) {})
		at := "/v1/tournaments/" + cup.ID
		seen := w.get(organiser, at).header.Get("ETag")
		must.Get(w.director.Cancel(t.Context(), cup.ID, "rain"))(t)
		w.ifMatch(organiser, "POST", at+"/start", seen).want(412, "changed_meanwhile")
		w.ifMatch(organiser, "POST", at+"/start", "*").want(409, "wrong_state")
		w.do(owner, "POST", path+"/check", nil, "If-Match", first, "Idempotency-Key", aKey).want(412, "changed_meanwhile")
	})
}

func TestTheSameKeyAtOnceCarriesOutOneRequest(t *testing.T) {
	onBoth(t, func(w *world) {
		cup, err := json.Marshal(goodCup(w))
		must.OK(t, err)
		body := string(cup)
		var all sync.WaitGroup
		var mu sync.Mutex
		got := map[int]int{}
		for range 8 {
			all.Go(func() {
				status := w.keyed(organiser, aKey, "/v1/tournaments", body).status
				mu.Lock()
				defer mu.Unlock()
				got[status]++
			})
		}
		all.Wait()
		if n := len(into[wire.Page[wire.Tournament]](w.get(anon, "/v1/tournaments")).Data); n != 1 || got[201] < 1 || got[201]+got[409] != 8 {
			t.Errorf("got %v and %d tournaments, want one, and the answer or 409 for all", got, n)
		}
	})
}

// ifMatch asks for a change under a precondition.
func (w *world) ifMatch(who, method, path, tag string) answer {
	w.t.Helper()
	return w.do(who, method, path, nil, "If-Match", tag)
}

func TestAClientThatHangsUpMayAskAgain(t *testing.T) {
	onOne(t, func(w *world) {
		well := w.greet
		ctx, hangUp := context.WithCancel(t.Context())
		w.greet = func(url string) (protocolHello, error) { hangUp(); return well(url) }
		r := withToken(httptest.NewRequestWithContext(ctx, "POST", "/v1/bots", strings.NewReader(`{"name":"once","url":"https://x.example/"}`)), w.tokens[owner])
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", aKey)
		w.api.ServeHTTP(httptest.NewRecorder(), r)
		w.greet = well
		w.keyed(owner, aKey, "/v1/bots", `{"name":"once","url":"https://x.example/"}`).want(201, "")
	})
}
