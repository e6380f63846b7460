package api_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"hash/crc32"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/texttest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
)

// oddTexts are hostile ones for a field of a request: all there are at night, else some, the empty one and those with NUL among
// them.
func oddTexts(r *mathrand.Rand) []string {
	list := texttest.Texts()
	if os.Getenv("MOLERUN_NIGHTLY") == "1" {
		for range 100 {
			list = append(list, texttest.Text(r))
		}
		return list
	}
	r.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	return append([]string{"", "\x00", "a\x00b", "\u202ecup", "' OR 1=1; --", strings.Repeat("\x00", 15)}, list[:2]...) // 15: as long as the id of a token
}

// odd are values of a property that have text in them; none for numbers and booleans.
func odd(s *openapi3.Schema, said string) []any {
	for _, part := range s.AllOf {
		s = part.Value
	}
	switch {
	case s.Type.Is("string") && len(s.Enum) > 0 && said == "":
		return nil // a choice that is empty is one left out, whatever the document says: docs/3
	case s.Type.Is("string"):
		return []any{said}
	case s.Type.Is("array"):
		return []any{[]any{said}}
	case s.Type.Is("object"), s.Type == nil:
		return []any{map[string]any{said: said}, map[string]any{"a": map[string]any{"b": []string{said}}}}
	}
	return nil
}

// TestNoTextInARequestIsAnErrorOfOurs: every string of every body, every query parameter and every part of a path, on both
// databases.
func TestNoTextInARequestIsAnErrorOfOurs(t *testing.T) {
	onBoth(t, func(w *world) {
		rnd := mathrand.New(mathrand.NewPCG(1, 1))
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		fields, sent, refused := 0, 0, 0
		look := func(got answer, what string) {
			sent++
			refused += btoi(got.status >= 400)
			if got.status >= 500 {
				w.t.Errorf("%s with %s: got %d %s", got.what, what, got.status, got.body)
			}
		}
		for _, o := range newCaller(w, 1).ops {
			row := w.rowOf(o.route())
			who := append(row.may(), anon)[0]
			var whole any = map[string]any{} // a body that is good
			if o.op.RequestBody != nil && len(o.params) > 0 {
				_, _, whole = w.scene(row, list[0])
			}
			for _, p := range o.params {
				fields++
				for _, said := range oddTexts(rnd) {
					look(w.send(oddRequest(w, o, p.Value, whole, who, said)), fmt.Sprintf("%s %+q", p.Value.Name, said))
				}
			}
			if o.op.RequestBody == nil {
				continue
			}
			schema := o.op.RequestBody.Value.Content["application/json"].Schema.Value
			for _, key := range append(sortedKeys(schema.Properties), "") {
				method, path, body := w.scene(row, list[0])
				given, isObject := body.(map[string]any)
				if !isObject {
					w.t.Fatalf("%s: the matrix has no body", row.route)
				}
				was := given[key]
				fields++
				for _, said := range oddTexts(rnd) {
					if key == "" { // a key that nobody knows
						given[said] = said
						look(w.do(who, method, path, given), fmt.Sprintf("the key %+q", said))
						delete(given, said)
						continue
					}
					for _, value := range odd(schema.Properties[key].Value, said) {
						given[key] = value
						look(w.do(who, method, path, given), fmt.Sprintf("%s %+q", key, value))
						if given[key] = was; was == nil {
							delete(given, key)
						}
					}
				}
			}
		}
		w.t.Logf("%d fields, %d requests, %d of them refused", fields, sent, refused)
		if fields < 150 || refused < sent/2 {
			w.t.Errorf("%d fields and %d of %d requests refused: the test asks for less than it says", fields, refused, sent)
		}
	})
}

func TestWhatNoColumnHoldsIsRefusedWithItsPlace(t *testing.T) {
	onOne(t, func(w *world) {
		// TestWhatNoColumnHoldsIsRefusedWithItsPlace: wherever in a body it stands, also where no field of ours is.
		cup := goodCup(w)
		cup["config"] = map[string]any{"a": []any{1, map[string]any{"b": "x\x00"}}}
		got := w.do(organiser, "POST", "/v1/tournaments", cup)
		got.want(422, "invalid")
		if p := into[wire.Problem](got); len(p.Errors) != 1 || p.Errors[0].Pointer != "/config/a/1/b" || !strings.Contains(p.Errors[0].Detail, "U+0000") {
			w.t.Errorf("got %+v, want /config/a/1/b and U+0000", p.Errors)
		}
		for note, want := range map[string]int{"\u202egnp.exe": 422, "a\x00": 422, "two\nlines": 422, "mine: Größe 日本": 201} {
			if got := w.do(owner, "POST", "/v1/tokens", map[string]any{"note": note}); got.status != want {
				w.t.Errorf("a token with the note %+q: got %d %s, want %d", note, got.status, got.body, want)
			}
		}

		// The checksum of a token can be made by anybody.
		for _, id := range []string{strings.Repeat("\xff", 15), strings.Repeat("\x80", 15), "' OR 1=1; -----"} {
			head := "mr_" + id + strings.Repeat("A", 43)
			w.bearer("Bearer "+head+base62Sum(head)).want(401, "")
		}
	})
}

// oddRequest asks for an operation with a text in one parameter, and ids of nothing in the others.
func oddRequest(w *world, o operation, p *openapi3.Parameter, body any, who, said string) *http.Request {
	path, query := o.path, url.Values{}
	for _, other := range o.params {
		value := "00000000-0000-7000-8000-000000000000"
		if other.Value == p {
			value = said
		}
		switch {
		case other.Value.In == "path":
			path = strings.ReplaceAll(path, "{"+other.Value.Name+"}", strings.ReplaceAll(url.PathEscape("x" + value)[1:], "%2F", ""))
		case other.Value == p && p.In == "query":
			query.Set(p.Name, value)
		}
	}
	raw, err := json.Marshal(body)
	must.OK(w.t, err)
	r := httptest.NewRequestWithContext(w.t.Context(), o.method, path, bytes.NewReader(raw))
	r.URL.RawQuery = query.Encode()
	r.Header.Set("Content-Type", "application/json")
	if p.In == "header" {
		r.Header.Set(p.Name, said)
	}
	if who != anon {
		r.Header.Set("Authorization", "Bearer "+w.tokens[who])
	}
	return r
}

// base62Sum is the checksum of a token, as tournament/token.go describes it.
func base62Sum(head string) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	out, n := make([]byte, 6), crc32.ChecksumIEEE([]byte(head))
	for i := range out {
		out[len(out)-1-i] = digits[n%62]
		n /= 62
	}
	return string(out)
}

// TestNoTextOfAHelloIsAnErrorOfOurs: a bot's card is taken or refused as the bot's fault, whatever stands in it.
func TestNoTextOfAHelloIsAnErrorOfOurs(t *testing.T) {
	onOne(t, func(w *world) {
		card := map[string]any{}
		bot := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			var h protocol.Hello
			_ = json.NewDecoder(r.Body).Decode(&h)
			card["challenge"] = h.Challenge
			_ = json.NewEncoder(out).Encode(card)
		}))
		defer bot.Close()
		client := httpbot.NewClient(httpbot.Options{Guard: httpbot.Loopback()})
		defer client.Close()
		w.greet = func(string) (protocol.HelloAnswer, error) {
			return httpbot.Greet(context.Background(), httpbot.Config{URL: bot.URL, Client: client}, rand.Reader)
		}
		for _, key := range []string{"name", "author", "build", "games", "unknown"} {
			for _, said := range append(oddTexts(mathrand.New(mathrand.NewPCG(1, 2))), "plain") {
				card = map[string]any{"games": []string{"masks"}}
				switch key {
				case "games":
					card[key] = []string{"masks", said}
				case "unknown":
					card[said] = 1
				default:
					card[key] = said
				}
				got := w.do(owner, "POST", "/v1/bots", map[string]any{"name": w.name("odd"), "url": "https://bot.example/"})
				switch {
				case got.status != 201 && got.status != 422:
					w.t.Errorf("%s %+q: got %d %s, want 201 or 422", key, said, got.status, got.body)
				case strings.Contains(said, "\x00") && got.status != 422:
					w.t.Errorf("%s %+q was taken", key, said)
				case said == "plain" && key != "unknown" && got.status != 201:
					w.t.Errorf("%s %q: got %d %s, want 201", key, said, got.status, got.body)
				}
			}
		}
	})
}
