package check_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/author/check"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/runner"
)

func TestAGoodBotHasNothingToMend(t *testing.T) {
	r := run(t, good(t, secret), nil, secret)
	for _, f := range r.Findings {
		if f.Level != check.OK && f.What != "latency" { // a busy machine may be slow
			t.Errorf("got %+v", f)
		}
	}
	for what, part := range map[string]string{
		"hello": "random", "signature": "all else refused", "manners": "no harm", "decision": "named", "parallel": "8 turns", "molehill": "a whole match",
	} {
		if !found(t, r, check.OK, what, part) {
			t.Errorf("nothing says that %s is right (%s): %+v", what, part, r.Findings)
		}
	}
}

// A bot that takes its luck from the decision gets the same check each time: the ids do not change, and no two games have the same.
func TestACheckRepeats(t *testing.T) {
	ids := func(only ...string) map[string]bool {
		seen := map[string]bool{}
		var mu sync.Mutex
		random, _ := house.Find("random")
		bot := random.Kit(1)
		bot.Log = slog.New(slog.DiscardHandler)
		h, err := kit.Handler(bot)
		must.OK(t, err)
		run(t, spoilt(h, func(m map[string]any, _ []byte) (int, []byte) {
			if id, ok := m["decision"].(string); ok {
				mu.Lock()
				defer mu.Unlock()
				seen[id] = true
			}
			return 0, nil
		}), only)
		return seen
	}
	once := ids("molehill")
	if len(once) < 20 {
		t.Errorf("%d decisions, want more", len(once))
	}
	if again := ids("molehill"); !maps.Equal(once, again) {
		t.Errorf("%d decisions, then %d, and not the same", len(once), len(again))
	}
	for id := range ids("molemajority") {
		if once[id] {
			t.Errorf("%s is asked in two games", id)
		}
	}
}

// Where somebody runs the check is no matter: folders have spaces and umlauts in their names.
func TestAFolderOfAnyNameWillDo(t *testing.T) {
	for _, name := range []string{"my bots", "Übung", "50%41"} {
		folder := filepath.Join(t.TempDir(), name)
		must.OK(t, os.Mkdir(folder, 0o700))
		t.Chdir(folder)
		if r := run(t, good(t, secret), []string{"molehill"}, secret); !found(t, r, check.OK, "molehill", "a whole match") {
			t.Errorf("in a folder %q: %+v", name, r.Findings)
		}
	}
}

// A bot whose language orders keys by chance decides the same when it is asked again.
func TestAnActionWrittenOtherwiseIsTheSame(t *testing.T) {
	var count atomic.Int64
	r := run(t, spoilt(good(t), func(m map[string]any, back []byte) (int, []byte) {
		var answer struct {
			Decision string
			Choose   *int
			Action   map[string]string
		}
		if json.Unmarshal(back, &answer) != nil || m["type"] != "turn" {
			return 0, nil
		}
		if answer.Choose != nil {
			answer.Action = map[string]string{}
			for key, value := range m["offer"].(map[string]any)["list"].([]any)[*answer.Choose].(map[string]any) {
				answer.Action[key] = value.(string)
			}
		}
		kind, rest := fmt.Sprintf(`"type":%q`, answer.Action["type"]), ""
		for key, value := range answer.Action {
			if key != "type" {
				rest = fmt.Sprintf("%q:%q", key, value)
			}
		}
		parts := []string{kind, rest}
		if count.Add(1)%2 == 0 {
			slices.Reverse(parts)
		}
		return 0, fmt.Appendf(nil, `{"decision":%q,"action":{%s}}`, answer.Decision, strings.Join(parts, ","))
	}), nil)
	if !found(t, r, check.OK, "decision", "the same when asked again") || count.Load() < 20 {
		t.Errorf("after %d answers got %+v", count.Load(), r.Findings)
	}
}

func TestWhatIsWrongIsFound(t *testing.T) {
	count := 0
	seen := map[any]bool{}
	var mu sync.Mutex
	for _, row := range []struct {
		name   string
		level  check.Level
		what   string
		part   string
		change func(m map[string]any, answer []byte) (status int, back []byte)
	}{
		{"challenge not echoed", check.Fault, "hello", "challenge", func(m map[string]any, _ []byte) (int, []byte) { return 200, []byte(`{"challenge":"x"}`) }},
		{"a redirect", check.Fault, "hello", "status 302", func(map[string]any, []byte) (int, []byte) { return 302, nil }},
		{"no game", check.Fault, "hello", `has no "games"`, func(m map[string]any, back []byte) (int, []byte) {
			return 0, bytes.Replace(back, []byte(`"games":["molehill"]`), []byte(`"games":[]`), 1)
		}},
		{"only a strange game", check.Fault, "hello", `names no game of the platform, but "chess", "Mole-Hill"; did you mean "molehill"?`, func(m map[string]any, back []byte) (int, []byte) {
			return 0, bytes.Replace(back, []byte(`"games":["molehill"]`), []byte(`"games":["chess","Mole-Hill"]`), 1)
		}},
		{"a strange game", check.Advice, "hello", "chess", func(m map[string]any, back []byte) (int, []byte) {
			return 0, bytes.Replace(back, []byte(`"games":["molehill"]`), []byte(`"games":["chess","molehill"]`), 1)
		}},
		{"no name", check.Advice, "hello", "no name", func(m map[string]any, back []byte) (int, []byte) {
			return 0, bytes.Replace(back, []byte(`"name":"random",`), nil, 1)
		}},
		{"unknown types refused", check.Fault, "manners", "unknown type: answered with status 404", func(m map[string]any, _ []byte) (int, []byte) {
			if m["type"] == "weather" {
				return 404, nil
			}
			return 0, nil
		}},
		{"unknown types answered", check.Advice, "manners", "unknown type is answered", func(m map[string]any, _ []byte) (int, []byte) {
			if m["type"] == "weather" {
				return 200, []byte(`{"ok":true}`)
			}
			return 0, nil
		}},
		{"large messages refused", check.Advice, "manners", "of 256 KiB: answered with status 413", func(m map[string]any, _ []byte) (int, []byte) {
			if m["pad"] != nil {
				return 413, nil
			}
			return 0, nil
		}},
		{"the end refused", check.Advice, "manners", "a message end: answered with status 500", func(m map[string]any, _ []byte) (int, []byte) {
			if m["type"] == "end" {
				return 500, nil
			}
			return 0, nil
		}},
		{"dead after junk", check.Fault, "manners", "does not answer hello any more", func() func(map[string]any, []byte) (int, []byte) {
			dead := false
			return func(m map[string]any, _ []byte) (int, []byte) {
				mu.Lock()
				defer mu.Unlock()
				if dead = dead || m == nil; dead {
					return 500, nil
				}
				return 0, nil
			}
		}()},
		{"another decision", check.Fault, "molehill", "the answer is for decision", turns(func(_, answer map[string]any) { answer["decision"] = "dec_7" })},
		{"no decision", check.Advice, "decision", "does not name", turns(func(_, answer map[string]any) { delete(answer, "decision") })},
		{"another answer each time", check.Advice, "decision", "answered otherwise", turns(func(_, answer map[string]any) {
			mu.Lock()
			defer mu.Unlock()
			count++
			answer["choose"] = count % 2
		})},
		{"a repeat refused", check.Fault, "molehill", "same webhook-id again, base, 2 seats", func(m map[string]any, _ []byte) (int, []byte) {
			mu.Lock()
			defer mu.Unlock()
			id, repeated := m["decision"], seen[m["decision"]]
			if seen[id] = true; repeated && id != nil {
				return 409, nil
			}
			return 0, nil
		}},
		{"one match at a time", check.Fault, "molehill", "many turns at once", func(m map[string]any, _ []byte) (int, []byte) {
			if match, _ := m["match"].(string); strings.HasSuffix(match, "-base-2-5") {
				return 503, nil
			}
			return 0, nil
		}},
		{"an unknown key of a turn refused", check.Fault, "molehill", "a key that is not known yet", func(m map[string]any, _ []byte) (int, []byte) {
			if m["later"] != nil {
				return 400, nil
			}
			return 0, nil
		}},
		{"choose out of range", check.Fault, "molehill", "illegal_action", turns(func(_, answer map[string]any) { answer["choose"] = 9999 })},
		{"an illegal action", check.Fault, "molehill", "illegal_action", turns(func(_, answer map[string]any) {
			delete(answer, "choose")
			answer["action"] = map[string]any{"type": "start", "at": "z9"}
		})},
		{"an unknown key", check.Fault, "molehill", "colour", turns(func(_, answer map[string]any) { answer["colour"] = "red" })},
		{"no JSON", check.Fault, "molehill", "bad_json", func(m map[string]any, _ []byte) (int, []byte) {
			if m["type"] == "turn" {
				return 200, []byte("a1")
			}
			return 0, nil
		}},
		{"too much to remember", check.Advice, "molehill", "memo", turns(func(_, answer map[string]any) { answer["memo"] = strings.Repeat("x", 5000) })},
		{"only for some variants", check.Fault, "molehill", "random_flowers, 2 seats, seat", func(m map[string]any, _ []byte) (int, []byte) {
			if config, _ := m["config"].(map[string]any); config["flowers"] == "random" {
				return 500, nil
			}
			return 0, nil
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if r := run(t, spoilt(good(t), row.change), nil); !found(t, r, row.level, row.what, row.part) {
				t.Errorf("got %+v, want %s: %s: …%s…", r.Findings, row.level, row.what, row.part)
			}
		})
	}
}

// What the platform refuses of an answer, the check names as the platform does, everywhere that it asks for a decision, without words of Go's.
// A bot that knows talk in one of its phases alone loses every match in the other, though the actions are of one type.
func TestEachPhaseIsAsked(t *testing.T) {
	for _, phase := range []string{"talk", "vote_talk"} {
		random, _ := house.Find("random")
		bot := random.Kit(1)
		bot.Games = map[string]kit.Decide{"demol": bot.Games["demol"]}
		h, err := kit.Handler(bot)
		must.OK(t, err)
		report := run(t, spoilt(h, func(m map[string]any, _ []byte) (int, []byte) {
			if view, _ := m["view"].(map[string]any); view["phase"] == phase {
				return http.StatusOK, []byte(`{"choose":1000}`)
			}
			return 0, nil
		}), []string{"demol"})
		if !found(t, report, check.Fault, "demol", "talk, ") {
			t.Errorf("got %+v of a bot that fails in the phase %s, want it found", report.Findings, phase)
		}
	}
}

func TestACheckJudgesAsThePlatformDoes(t *testing.T) {
	for name, row := range map[string]struct {
		answer       string // as it is sent; then the connection is closed
		reason, next string
	}{
		"compressed":    {"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n\x1f\x8b", "bad_json: the body is compressed", "docs/1-bot.md"},
		"a redirect":    {"HTTP/1.1 302 Found\r\nLocation: http://bot.example/move\r\nContent-Length: 0\r\n\r\n", `status: answered with status 302 to "http://bot.example/move"`, "register that"},
		"created":       {"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}", "status: answered with status 201, want 200", "choose 201 for a POST"},
		"no content":    {"HTTP/1.1 204 No Content\r\n\r\n", "status: answered with status 204, want 200", "204 for an empty body"},
		"bad request":   {"HTTP/1.1 422 No\r\nContent-Length: 0\r\n\r\n", "status: answered with status 422, want 200", "read any body as JSON"},
		"unauthorised":  {"HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n", "status: answered with status 401, want 200", "the same secret"},
		"forbidden":     {"HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n", "status: answered with status 403, want 200", "CSRF"},
		"not found":     {"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", "status: answered with status 404, want 200", "look at the path"},
		"no POST":       {"HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n", "status: answered with status 405, want 200", "answer POST there"},
		"too long":      {"HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n", "status: answered with status 413, want 200", "raise its limit"},
		"too many":      {"HTTP/1.1 429 No\r\nContent-Length: 0\r\n\r\n", "status: answered with status 429, want 200", "a limit on requests"},
		"long headers":  {"HTTP/1.1 200 OK\r\nX-A: " + strings.Repeat("x", 20000) + "\r\nContent-Length: 2\r\n\r\n{}", "too_large: the headers are larger", "docs/1-bot.md"},
		"a long body":   {"HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n" + strings.Repeat(" ", 70000), "too_large: the body is larger", "docs/1-bot.md"},
		"nothing":       {"", "connect: the connection was closed before an answer began", "the bot's log"},
		"half a body":   {"HTTP/1.1 200 OK\r\nContent-Length: 70\r\n\r\n{", "connect: the connection was closed before the answer was complete", "the bot's log"},
		"no HTTP":       {"\x15\x03\x01 hi\r\n\r\n", "connect: the answer is not HTTP/1.1", "the bot's log"},
		"its own error": {"HTTP/1.1 500 No\r\nContent-Length: 4\r\n\r\nboom", `status: answered with status 500, want 200: "boom"`, "the bot's log"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inner := good(t)
			r := run(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				untilItsDeadline := row.answer == "" && bytes.Contains(body, []byte(`"check-molehill"`)) // where it would be sent again
				if !bytes.Contains(body, []byte(`"type":"turn","match"`)) || untilItsDeadline {
					r.Body = io.NopCloser(bytes.NewReader(body))
					inner.ServeHTTP(w, r)
					return
				}
				conn, _, err := w.(http.Hijacker).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				defer conn.Close()
				_, _ = io.WriteString(conn, row.answer)
			}), nil)
			asked := 0
			for _, f := range r.Findings {
				if f.Level != check.Fault {
					continue
				}
				asked++
				if f.What != "parallel" && (!strings.HasPrefix(f.Detail, strings.TrimSuffix(row.reason, `: "boom"`)) || !strings.Contains(f.Next, row.next)) {
					t.Errorf("got %+v, want %s, and next %s", f, row.reason, row.next)
				}
			}
			if asked < 2 || !found(t, r, check.Fault, "molehill", row.reason) {
				t.Errorf("got %+v, want %s alone and in a whole match", r.Findings, row.reason)
			}
		})
	}
}

func TestSignaturesAreLookedAt(t *testing.T) {
	for _, row := range []struct {
		name    string
		bot     http.Handler
		secrets []string
		level   check.Level
		what    string
		part    string
	}{
		{"a bot without a secret", good(t), nil, check.Advice, "signature", "unsigned messages are accepted"},
		{"a bot that looks at no signature", good(t), []string{secret}, check.Fault, "signature", "a message signed with another secret is accepted"},
		{"a bot that wants a signature", good(t, secret), nil, check.Fault, "hello", "status 401"},
		{"a bot that minds no clock", dateless(t), []string{secret}, check.Advice, "signature", "ten minutes old is accepted"},
		{"a bot that reads one signature", single(t), []string{secret}, check.Fault, "signature", "two signatures"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if r := run(t, row.bot, nil, row.secrets...); !found(t, r, row.level, row.what, row.part) {
				t.Errorf("got %+v, want %s: %s: …%s…", r.Findings, row.level, row.what, row.part)
			}
		})
	}
}

func TestOnlyTheGamesAskedForArePlayed(t *testing.T) {
	r := run(t, good(t), []string{"demol"})
	if !found(t, r, check.Fault, "demol", "does not name this game") {
		t.Errorf("got %+v, want a fault of demol", r.Findings)
	}
	if found(t, r, check.OK, "molehill", "") {
		t.Errorf("got %+v, want nothing of molehill", r.Findings)
	}
}

func TestABotThatServesOneConnectionAtATimeIsToldSo(t *testing.T) {
	inner, kept := good(t), make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case kept <- r.RemoteAddr: // the first connection holds the bot
		default:
			first := <-kept
			kept <- first
			if first != r.RemoteAddr {
				_, _ = io.Copy(io.Discard, r.Body) // until it is read, the end of the connection is not seen
				<-r.Context().Done()
				return
			}
		}
		inner.ServeHTTP(w, r)
	}))
	defer server.Close()
	o := at(server.URL)
	o.Patience = 200 * time.Millisecond
	r, err := check.Run(t.Context(), o, func(check.Finding) {})
	must.OK(t, err)
	if !found(t, r, check.Fault, "parallel", "a second connection") {
		t.Errorf("got %+v, want a fault of parallel", r.Findings)
	}
}

// A bot is asked with the limit that its author names, in every message that has a clock, and judged by it.
func TestACheckGivesTheTimeThatItsAuthorNames(t *testing.T) {
	var mu sync.Mutex
	told := map[string]int{} // by type and limit
	server := httptest.NewServer(spoilt(good(t), func(m map[string]any, _ []byte) (int, []byte) {
		if clock, ok := m["clock"].(map[string]any); ok {
			mu.Lock()
			defer mu.Unlock()
			told[fmt.Sprint(m["type"], " ", clock["limit_ms"])]++
		}
		return 0, nil
	}))
	defer server.Close()
	o := at(server.URL)
	o.Limit = 90 * time.Second
	r, err := check.Run(t.Context(), o, func(check.Finding) {})
	must.OK(t, err)
	if len(told) != 2 || told["start 90000"] < 2 || told["turn 90000"] < 20 || r.Count(check.Fault) > 0 {
		t.Errorf("the bot is told %v, found is %+v; want 90000 in starts and turns, and no fault", told, r.Findings)
	}
	slow := []runner.Ledger{{Elapsed: 44 * time.Second}}
	for limit, want := range map[time.Duration]check.Level{90 * time.Second: check.OK, 80 * time.Second: check.Advice} {
		if got := check.Speed(slow, limit); len(got) != 1 || got[0].Level != want {
			t.Errorf("44 s of %s: %+v, want %s", limit, got, want)
		}
	}
}

// A check that is stopped while a bot thinks blames nobody for the answer that it did not wait for.
func TestACheckThatIsStoppedFindsNothingMore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	bot := good(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if bytes.Contains(body, []byte(`"type":"turn","match"`)) {
			cancel()
			<-r.Context().Done()
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		bot.ServeHTTP(w, r)
	}))
	defer server.Close()
	r, err := check.Run(ctx, at(server.URL), func(check.Finding) {})
	if err == nil || ctx.Err() == nil {
		t.Errorf("got %v, want the end of the context", err)
	}
	for _, f := range r.Findings {
		if f.Level == check.Fault {
			t.Errorf("found %+v", f)
		}
	}
}

func TestLatencySaysWhereTimeWasLost(t *testing.T) {
	many := func(n int, l runner.Ledger) []runner.Ledger {
		list := make([]runner.Ledger, n)
		for i := range list {
			list[i] = l
		}
		return list
	}
	const ms = time.Millisecond
	quick := runner.Ledger{Elapsed: 2 * ms, FirstByte: ms}
	for _, row := range []struct {
		name    string
		ledgers []runner.Ledger
		want    []string // of each finding: level and a part of its text
	}{
		{"nothing was decided", nil, nil},
		{"quick", many(100, quick), []string{"ok p50 2.0 ms, p95 2.0 ms, at most 2.0 ms"}},
		{"a slow one in a hundred", append(many(99, quick), runner.Ledger{Elapsed: 900 * ms}), []string{"ok p50 2.0 ms, p95 2.0 ms, at most 900.0 ms"}},
		{"slow ones", append(many(90, quick), many(10, runner.Ledger{Elapsed: 600 * ms})...), []string{"advice p95 600.0 ms"}},
		{"headers and body apart", many(50, runner.Ledger{Elapsed: 44 * ms, FirstByte: ms, Body: 41 * ms}), []string{"ok p50 44.0 ms", "advice TCP_NODELAY"}},
		{"a byte at a time", many(50, runner.Ledger{Elapsed: 6600 * ms, FirstByte: ms, Body: 6500 * ms}), []string{"advice p50 6600.0 ms", "advice write the whole answer at once"}},
		{"one alone", many(1, quick), []string{"ok 1 decision: p50"}},
		{"thinking, not waiting", many(50, runner.Ledger{Elapsed: 44 * ms, FirstByte: 43 * ms}), []string{"ok p50 44.0 ms"}},
		{"a connection each", many(50, runner.Ledger{Elapsed: 2 * ms, Connect: ms}), []string{"ok", "advice keep connections open"}},
		{"few decisions", many(9, runner.Ledger{Elapsed: 2 * ms, Connect: ms}), []string{"ok"}},
		{"more than half of the limit", many(9, runner.Ledger{Elapsed: 501 * ms}), []string{"advice a decision is free up to 1000.0 ms"}},
	} {
		got := check.Speed(row.ledgers, time.Second)
		if len(got) != len(row.want) {
			t.Errorf("%s: got %+v, want %q", row.name, got, row.want)
			continue
		}
		for i, f := range got {
			level, part, _ := strings.Cut(row.want[i], " ")
			if string(f.Level) != level || !strings.Contains(f.Detail+f.Next, part) {
				t.Errorf("%s: got %+v, want %s", row.name, f, row.want[i])
			}
		}
	}
}

func TestABotThatRefusesBeforeItHasReadIsToldSoAndBlamedForNothingElse(t *testing.T) {
	unsigned := func(r *http.Request) bool { return r.Header.Get(protocol.HeaderSignature) == "" }
	for _, row := range []struct {
		name    string
		refuses func(*http.Request) bool
		keeps   bool
		what    string // of the fault; "" is none
	}{
		{"unsigned ones", unsigned, true, "signature"},
		{"unsigned ones, and closes", unsigned, false, ""},
		{"large ones", func(r *http.Request) bool { return r.ContentLength > 64<<10 }, true, "manners"},
	} {
		t.Run(row.name, func(t *testing.T) {
			url := hasty(t, good(t, secret), row.refuses, row.keeps)
			report, err := check.Run(t.Context(), at(url, secret), func(check.Finding) {})
			must.OK(t, err)
			faults := report.Count(check.Fault)
			if row.what == "" && faults != 0 || row.what != "" && (faults != 1 || !found(t, report, check.Fault, row.what, "the next on the same connection")) {
				t.Errorf("got %+v, want one fault at most, about the refusal", report.Findings)
			}
		})
	}
}

func TestTheOtherSchemeIsNamedWhereItWorks(t *testing.T) {
	server := httptest.NewServer(good(t, secret))
	defer server.Close()
	ask := func(url string) check.Report {
		report, err := check.Run(t.Context(), at(url, secret), func(check.Finding) {})
		must.OK(t, err)
		return report
	}
	report := ask(strings.Replace(server.URL, "http://", "https://", 1))
	next := report.Findings[0].Next
	if _, url, named := strings.Cut(next, ": check "); !named || url != server.URL || ask(url).Count(check.Fault) != 0 {
		t.Errorf("https to a server of http: got %+v, want to be sent to %s, where there is no fault", report.Findings, server.URL)
	}
	encrypted := httptest.NewUnstartedServer(good(t, secret))
	encrypted.Config.ErrorLog = log.New(io.Discard, "", 0)
	encrypted.StartTLS() // with a certificate that nobody trusts: there is no address to send anybody to
	defer encrypted.Close()
	for _, url := range []string{encrypted.URL, strings.Replace(encrypted.URL, "https://", "http://", 1)} {
		if report := ask(url); report.Count(check.Fault) != 1 || strings.Contains(report.Findings[0].Next, ": check ") {
			t.Errorf("%s: got %+v, want a fault and no other address", url, report.Findings)
		}
	}
}

// The check prints once, for each game and kind of drop, what was dropped from answers that count, with how often; it asks for beliefs where
// something is hidden.
func TestWhatIsDroppedFromAnswersIsToldOnce(t *testing.T) {
	random, _ := house.Find("random")
	for name, row := range map[string]struct {
		game  string
		spoil func(answer map[string]any, asks []any)
		want  []string // of the advice; none: there is none
	}{
		"right beliefs": {"cia", func(answer map[string]any, asks []any) {
			belief := map[string]any{}
			for _, q := range asks {
				q := q.(map[string]any)
				belief[q["about"].(string)] = map[string]any{q["answers"].([]any)[0].(string): 1}
			}
			if len(asks) > 0 {
				answer["belief"] = belief
			}
		}, nil},
		"answers to what was not asked": {"cia", func(answer map[string]any, asks []any) {
			if len(asks) > 0 {
				answer["belief"] = map[string]any{"nobody": map[string]any{"mole": 1}}
			}
		}, []string{"belief was dropped: "}},
		"chances above 1": {"demol", func(answer map[string]any, asks []any) {
			for _, q := range asks {
				q := q.(map[string]any)
				answer["belief"] = map[string]any{q["about"].(string): map[string]any{q["answers"].([]any)[0].(string): 7}}
			}
		}, []string{"belief was dropped: "}},
		"beliefs where nothing is hidden": {"molehill", func(answer map[string]any, _ []any) {
			answer["belief"] = map[string]any{"1": map[string]any{"mole": 1}}
		}, []string{"belief was dropped: nothing was asked for"}},
		"two things": {"molehill", func(answer map[string]any, _ []any) {
			answer["usage"], answer["memo"] = map[string]any{"input_tokens": -1}, 7
		}, []string{"memo was dropped: it is not a string", "usage was dropped: "}},
		"a key too many": {"molehill", func(answer map[string]any, _ []any) { answer["then"] = 7 }, []string{"then was dropped"}},
	} {
		t.Run(name, func(t *testing.T) {
			bot := random.Kit(1)
			bot.Games = map[string]kit.Decide{row.game: bot.Games[row.game]}
			h, err := kit.Handler(bot, secret)
			must.OK(t, err)
			r := run(t, spoilt(h, turns(func(m, answer map[string]any) {
				asks, _ := m["asks"].([]any)
				row.spoil(answer, asks)
			})), nil, secret)
			var got []string
			for _, f := range r.Findings {
				if f.Level != check.OK && f.What == row.game {
					got = append(got, f.Detail)
				}
			}
			if len(got) != len(row.want) {
				t.Fatalf("got %q, want %q once each", got, row.want)
			}
			for i, part := range row.want {
				if !strings.Contains(got[i], part) || !strings.Contains(got[i], " (the first of ") {
					t.Errorf("got %q, want %q and how often", got[i], part)
				}
			}
		})
	}
}
