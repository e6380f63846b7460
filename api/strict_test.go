package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
)

func TestBodiesAreReadStrictly(t *testing.T) {
	onOne(t, func(w *world) {
		for name, row := range map[string]struct{ body, pointer string }{ // package strict has all that can be wrong
			"duplicate key": {`{"name":"a1","name":"a2"}`, "/name"},
			"unknown key":   {`{"name":"a1","is_admin":true}`, "/is_admin"},
			"missing key":   {`{}`, "/name"},
			"null":          {`{"name":null}`, "/name"},
			"two values":    {`{"name":"a1"}{"name":"a2"}`, ""},
			"empty":         {``, ""},
		} {
			got := w.do(anon, "POST", "/v1/users", row.body).want(400, "bad_json")
			if p := into[wire.Problem](got); len(p.Errors) != 1 || p.Errors[0].Pointer != row.pointer || p.Detail == "" {
				t.Errorf("%s: got %+v, want the place %q", name, p, row.pointer)
			}
		}

		at := "/v1/schedules/" + w.series(func(*schedule.Schedule) {}).ID
		for _, key := range []string{"capacity", "config", "clock", "starts_at"} {
			w.do(organiser, "PATCH", at, `{"name":"cup {number}","`+key+`":null}`).want(400, "bad_json").place("/" + key)
		}
		w.do(owner, "PATCH", "/v1/webhooks/"+w.hooked(owner).ID, `{"enabled":null}`).want(400, "bad_json").place("/enabled")

		long := `{"name":"` + strings.Repeat("a", httpx.MaxBodyBytes) + `"}`
		w.do(anon, "POST", "/v1/users", long).want(413, "too_large")
		w.do(owner, "DELETE", "/v1/bots/01890000-0000-7000-8000-000000000000", long).want(413, "too_large")
		exact := `{"name":"ab"}` + strings.Repeat(" ", httpx.MaxBodyBytes-len(`{"name":"ab"}`))
		w.do(anon, "POST", "/v1/users", exact).want(201, "")
		for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "application/json; charset", "application/jsonx", "application/problem+json"} {
			w.do(anon, "POST", "/v1/users", `{"name":"cd"}`, "Content-Type", kind).want(415, "unsupported_media_type")
		}
		w.do(anon, "POST", "/v1/users", `{"name":"cd"}`, "Content-Encoding", "gzip").want(415, "unsupported_media_type")
		w.do(anon, "POST", "/v1/users", `{"name":"cd"}`, "Content-Type", "application/json; charset=utf-8").want(201, "")
		w.do(owner, "POST", "/v1/bots/"+w.bot(owner).ID+"/check", `{"force":true}`).want(400, "bad_json")
		w.do(owner, "POST", "/v1/bots/"+w.bot(owner).ID+"/check", `{}`).want(200, "")
	})
}

// extra are keys of our tables that no request may set.
var extra = []string{
	"id", "owner_id", "user_id", "status", "reason", "role", "rating", "version_id", "created_at", "organiser_id", "ladder", "ladder_id",
	"hash", "token", "revoked_at", "started_at", "ended_at", "games", "author", "build", "secrets", "seed", "nonce", "epoch", "number", "matches_at_capacity",
	"schedule_id", "paused_at", "invite_hash", "tournaments_made", "missed_starts", "next_starts", "due_at",
}

func TestNoRequestSetsWhatIsOurs(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		for _, o := range newCaller(w, 1).ops {
			row := w.rowOf(o.route())
			if o.op.RequestBody == nil || len(row.may()) == 0 {
				continue
			}
			method, path, body := w.scene(row, list[0])
			for _, key := range extra {
				given, _ := body.(map[string]any)
				if _, own := given[key]; own || key == "schedule_id" && row.route == "POST /v1/series" {
					continue
				}
				sent := map[string]any{key: "x"}
				maps.Copy(sent, given)
				w.do(row.may()[0], method, path, sent).want(400, "bad_json").place("/" + key)
			}
		}
	})
}

func TestLadderEntriesAreCheckedWithTheirPlace(t *testing.T) {
	onOne(t, func(w *world) {
		w.cup(func(*tournament.Tournament) {}) // makes the ladder
		bot := w.bot(owner)
		const path = "/v1/ladders/masks/entries"
		w.do(owner, "POST", path, map[string]any{"bot_id": "x"}).want(422, "invalid").place("/bot_id")
		for _, n := range []int{-1, 0, 601} {
			w.do(owner, "POST", path, map[string]any{"bot_id": bot.ID, "matches_per_hour": n}).want(422, "invalid").place("/matches_per_hour")
		}
		w.do(owner, "POST", "/v1/ladders/chess/entries", map[string]any{"bot_id": bot.ID}).want(404, "not_found")
		got := into[wire.LadderPlace](w.do(owner, "POST", path, map[string]any{"bot_id": bot.ID}).want(201, ""))
		again := into[wire.LadderPlace](w.do(owner, "POST", path, map[string]any{"bot_id": bot.ID, "matches_per_hour": 40}).want(201, ""))
		if got.MatchesPerHour != tournament.DefaultMatchesPerHour || got.Bot != bot.Name || again.MatchesPerHour != 40 {
			t.Errorf("got %+v and then %+v, want the default and then 40", got, again)
		}
		w.do(owner, "DELETE", path+"/"+bot.ID, nil).want(204, "")
		w.do(owner, "DELETE", path+"/"+bot.ID, nil).want(404, "not_found")
	})
}

// misfit is a value of a key that a body is refused for, and the place that the refusal names.
type misfit struct {
	key   string
	value any // nil: without the key
	place string
}

// refuses wants each misfit in a body that is good otherwise to be refused.
func (w *world) refuses(path string, good func(*world) map[string]any, list []misfit) {
	w.t.Helper()
	for _, x := range list {
		body := good(w)
		body[x.key] = x.value
		if x.value == nil {
			delete(body, x.key)
		}
		got := w.do(organiser, "POST", path, body)
		got.what = fmt.Sprintf("%s with %s %v", path, x.key, x.value)
		got.want(422, "invalid").place(x.place)
	}
}

func TestTournamentsAreCheckedWithTheirPlace(t *testing.T) {
	onOne(t, func(w *world) {
		now := w.clk.Now()
		w.refuses("/v1/tournaments", goodCup, []misfit{
			{"name", "", "/name"},
			{"name", strings.Repeat("x", 81), "/name"},
			{"name", "two\nlines", "/name"},
			{"name", " cup", "/name"},
			{"name", "Cup {number}", "/name"}, // which a schedule fills in
			{"game", "chess", "/game"},
			{"config", map[string]any{"rounds": 0}, "/config"},
			{"config", map[string]any{"rounds": "4"}, "/config/rounds"},
			{"config", map[string]any{"laps": 4}, "/config/laps"},
			{"table_size", 1, "/table_size"},
			{"table_size", 5, "/table_size"},
			{"format", "knockout", "/format"},
			{"format_options", map[string]any{"rounds": 3}, "/format_options/rounds"},
			{"format_options", map[string]any{"best_of": 2}, "/format_options/best_of"},
			{"format_options", map[string]any{"third_place": true}, "/format_options/third_place"},
			{"format_options", map[string]any{"group_size": 4}, "/format_options/group_size"},
			{"format_options", map[string]any{"finalists": 2}, "/format_options/finalists"},
			{"format_options", map[string]any{"playoff": "single_elimination"}, "/format_options/playoff"},
			{"format_options", map[string]any{"tie_breaks": []string{"wins", "height"}}, "/format_options/tie_breaks/1"},
			{"format_options", map[string]any{"lasts_ms": int64(1) << 62}, "/format_options/lasts_ms"},
			{"format_options", map[string]any{"round_pause_ms": 1000}, "/format_options/round_pause_ms"}, // a round robin's rounds have no order
			{"format_options", map[string]any{"late_entries": true}, "/format_options/late_entries"},
			{"format_options", map[string]any{"min_table_size": 1}, "/format_options/min_table_size"},
			{"format_options", map[string]any{"min_table_size": -1}, "/format_options/min_table_size"},
			{"format_options", map[string]any{"min_table_size": 3}, "/format_options/min_table_size"},
			{"cycles", 0, "/cycles"},
			{"cycles", 101, "/cycles"},
			{"capacity", 1, "/capacity"},
			{"capacity", 2049, "/capacity"},
			{"capacity", 2048, "/capacity"}, // more matches than allowed
			{"entries_per_owner", -1, "/entries_per_owner"},
			{"entries_per_owner", 5, "/entries_per_owner"}, // more than places
			{"entries_per_owner", 2, "/entries_per_owner"}, // rated, with hidden teams
			{"clock", map[string]any{"limit_ms": 9, "bank_ms": 0, "increment_ms": 0, "network_allowance_ms": 0}, "/clock/limit_ms"},
			{"clock", map[string]any{"limit_ms": 10, "bank_ms": int64(1) << 62, "increment_ms": 0, "network_allowance_ms": 0}, "/clock/bank_ms"},
			{"clock", map[string]any{"limit_ms": 10, "bank_ms": 0, "increment_ms": -(int64(1) << 62), "network_allowance_ms": 0}, "/clock/increment_ms"},
			{"clock", map[string]any{"limit_ms": 10, "bank_ms": 0, "increment_ms": 0, "network_allowance_ms": 1001}, "/clock/network_allowance_ms"},
			{"fault_limits", map[string]any{"max_faults_in_row": 0, "max_faults": 1}, "/fault_limits/max_faults_in_row"},
			{"fault_limits", map[string]any{"max_faults_in_row": 1, "max_faults": 1001}, "/fault_limits/max_faults"},
			{"opens_at", now.Add(-367 * 24 * time.Hour), "/opens_at"},
			{"closes_at", now.Add(-time.Minute), "/closes_at"},
			{"check_in_ms", 59_999, "/check_in_ms"},
			{"check_in_ms", -1, "/check_in_ms"},
			{"check_in_ms", 400 * 24 * 3600 * 1000, "/check_in_ms"},
			{"starts_at", now, "/starts_at"},
			{"starts_at", now.Add(-48 * time.Hour), "/starts_at"}, // also where the close would be wrong
			{"starts_at", now.Add(367 * 24 * time.Hour), "/starts_at"},
		})
		for format, options := range map[string]map[string]any{
			"swiss":              {"rounds": 3, "playoff": "double_elimination", "finalists": 4, "best_of": 2, "tie_breaks": []string{"koya", "performance"}},
			"single_elimination": {"best_of": 4, "third_place": true},
			"double_elimination": {"best_of": 2, "round_pause_ms": 180_000},
			"gauntlet":           nil,
			"groups":             {"group_size": 3, "finalists": 2},
			"arena":              {"lasts_ms": 60_000, "late_entries": true},
		} {
			body := goodCup(w)
			if body["format"] = format; options != nil {
				body["format_options"] = options
			}
			if format == "groups" {
				body["capacity"] = 6
			}
			got := into[wire.Tournament](w.do(organiser, "POST", "/v1/tournaments", body).want(201, ""))
			again := into[wire.Tournament](w.do(anon, "GET", "/v1/tournaments/"+got.ID, nil).want(200, ""))
			sent, _ := json.Marshal(options)
			if kept, _ := json.Marshal(again.Options); again.Format != format || len(kept) != len(sent) {
				t.Errorf("%s: got %s %s, want %s", format, again.Format, kept, sent)
			}
		}
		body := goodCup(w)
		made := into[wire.Tournament](w.do(organiser, "POST", "/v1/tournaments", body).want(201, ""))
		body["format"] = "arena" // of an hour, where nobody says how long, and also where a tournament becomes one
		for method, path := range map[string]string{"POST": "/v1/tournaments", "PATCH": "/v1/tournaments/" + made.ID} {
			send, status := body, 201
			if method == "PATCH" {
				send, status = map[string]any{"format": "arena"}, 200
			}
			w.do(organiser, method, path, send).want(status, "").has("format_options/lasts_ms", 3_600_000)
		}
		for key := range goodCup(w) {
			if key == "rated" { // follows from the rest
				continue
			}
			body := goodCup(w)
			delete(body, key)
			w.do(organiser, "POST", "/v1/tournaments", body).want(400, "bad_json").place("/" + key)
		}
		got := w.do(organiser, "POST", "/v1/tournaments", goodCup(w)).want(201, "")
		got.has("matches_at_capacity", 12) // 4·3/2 pairs twice
		got.has("config", map[string]any{"rounds": 4}, "clock/limit_ms", 1000, "fault_limits/max_faults_in_row", 3, "ladder", "masks")
	})
}

func TestBotsAreCheckedBeforeTheyAreTaken(t *testing.T) {
	onOne(t, func(w *world) {
		w.do(owner, "POST", "/v1/bots", map[string]any{"name": "b!", "url": "https://x.example"}).want(422, "invalid").place("/name")
		w.do(owner, "POST", "/v1/bots", map[string]any{"name": "bb", "url": ""}).want(422, "invalid").place("/url")
		plain := w.do(owner, "POST", "/v1/bots", map[string]any{"name": "bb", "url": "http://x.example"}).want(422, "invalid").place("/url")
		must.Say(t, into[wire.Problem](plain).Detail, "not", "bot_refused")
		w.do(owner, "POST", "/v1/bots", map[string]any{"name": "bb", "url": "https://" + strings.Repeat("x", 500)}).want(422, "invalid").place("/url")
		for _, secret := range []string{"x", "whsec_", "whsec_QUJD", "whsec_!!!!", "whsec_" + strings.Repeat("QUJD", 40)} {
			got := w.do(owner, "POST", "/v1/bots", map[string]any{"name": "bb", "url": "https://x.example", "secret": secret}).want(422, "invalid").place("/secret")
			if len(secret) > 10 && bytes.Contains(got.body, []byte(secret)) {
				t.Errorf("%s: the refusal repeats the secret", got.body)
			}
			if bytes.Contains(got.body, []byte("bad_secret")) {
				t.Errorf("%s: names the code of another refusal", got.body)
			}
		}
		ok := w.greet
		for _, row := range map[string]struct {
			games  []string
			author string
			err    error
			detail string
		}{
			"silent":       {nil, "", fmt.Errorf("%w: no echo of the challenge", tournament.ErrBot), "no echo of the challenge"},
			"unreachable":  {nil, "", refusal("connection refused"), "connection refused"},
			"no game":      {nil, "", nil, `has no "games"`},
			"other games":  {[]string{"chess"}, "", nil, `names no game of the platform, but "chess"; answer`},
			"wrong case":   {[]string{"Toy"}, "", nil, `"Toy"; did you mean "toy"?`},
			"broken":       {nil, "", fmt.Errorf("%w: the answer to hello %w", tournament.ErrBot, &strict.Error{Pointer: "/games", Reason: "wants a list"}), "the answer to hello at /games: wants a list"},
			"long-winded":  {[]string{"toy"}, strings.Repeat("x", 65), nil, "too long"},
			"wrong answer": {nil, "", fmt.Errorf("greet: %w", tournament.ErrBot), "refused"},
		} {
			w.greet = func(u string) (out protocolHello, err error) {
				out.Games, out.Author = row.games, row.author
				return out, row.err
			}
			got := w.do(owner, "POST", "/v1/bots", map[string]any{"name": "bb", "url": "https://x.example"}).want(422, "bot_refused")
			must.Say(t, into[wire.Problem](got).Detail, row.detail)
		}
		w.noBot("bb")
		w.greet = ok
		own := "whsec_" + strings.Repeat("QUJD", 8)
		got := w.do(owner, "POST", "/v1/bots", map[string]any{"name": "bb", "url": "https://x.example", "secret": own}).want(201, "")
		got.has("secret", own, "version/games", []string{"toy", "masks"}, "version/private/url", "https://x.example", "version/author", "ada")
		w.do(other, "POST", "/v1/bots", map[string]any{"name": "BB", "url": "https://x.example"}).want(409, "name_taken")
	})
}

func TestQueriesAreReadStrictly(t *testing.T) {
	onOne(t, func(w *world) {
		b := w.bot(owner)
		for path, place := range map[string]string{
			"/v1/bots?named=x":                            "?named",
			"/v1/bots?limit=0":                            "?limit",
			"/v1/bots?limit=101":                          "?limit",
			"/v1/bots?limit=ten":                          "?limit",
			"/v1/bots?limit=+5":                           "?limit",
			"/v1/bots?limit=05":                           "?limit",
			"/v1/bots?limit=5&limit=6":                    "?limit",
			"/v1/bots?Limit=5":                            "?Limit",
			"/v1/bots?status=happy":                       "?status",
			"/v1/bots?game=chess":                         "?game",
			"/v1/bots?owner=you":                          "?owner",
			"/v1/bots?cursor=" + strings.Repeat("x", 600): "?cursor",
			"/v1/bots/" + b.ID + "?x=1":                   "?x",
			"/v1/games/toy?x=1":                           "?x",
			"/v1/me?x=1":                                  "?x",
			"/v1/tournaments?schedule=1":                  "?schedule",
			"/v1/schedules?status=running":                "?status",
			"/v1/schedules?game=chess":                    "?game",
			"/v1/matches?tournament=1":                    "?tournament",
			"/v1/matches?ladder=A":                        "?ladder",
			"/v1/matches?status=over":                     "?status",
			"/version?verbose":                            "?verbose",
			"/docs?a":                                     "?a",
			"/openapi.json?v=3":                           "?v",
		} {
			w.get(owner, path).want(400, "bad_query").place(place)
		}
		w.get(owner, "/v1/bots?a=%zz").want(400, "bad_query")
		w.get(owner, "/v1/bots?a;b").want(400, "bad_query")
		w.get(anon, "/v1/bots?owner=me").want(401, "unauthorized")
		w.do(owner, "POST", "/v1/users?name=x", `{"name":"xy"}`).want(400, "bad_query")
		w.do(owner, "DELETE", "/v1/bots/"+b.ID+"?force=1", nil).want(400, "bad_query")
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		for _, q := range []string{"", "?seat=2", "?seat=-1", "?seat=x"} {
			w.get(owner, "/v1/matches/"+list[0].ID+"/decisions"+q).want(400, "bad_query").place("?seat")
		}
		for _, q := range []string{"?seat=2", "?seat=-1", "?seat=00", "?seat="} {
			w.get(owner, "/v1/matches/"+list[0].ID+"/view"+q).want(400, "bad_query").place("?seat")
		}
		w.play(list[0], 100)
		for _, q := range []string{"?step=5", "?step=-1", "?step=x"} { // a match of four steps
			w.get(owner, "/v1/matches/"+list[0].ID+"/view"+q).want(400, "bad_query").place("?step")
		}
		w.get(owner, "/v1/matches/"+list[0].ID+"/events?after=-1").want(400, "bad_query").place("?after")
	})
}

func TestWhatIsWrongIsNeverOursToShow(t *testing.T) {
	onOne(t, func(w *world) {
		w.greet = func(string) (protocolHello, error) { panic("SELECT secret FROM bots") }
		got := w.do(owner, "POST", "/v1/bots", map[string]any{"name": "bb", "url": "https://x.example"}).want(500, "internal")
		p := into[wire.Problem](got)
		if bytes.Contains(got.body, []byte("SELECT")) || p.RequestID == "" || p.RequestID != got.header.Get("X-Request-Id") {
			t.Errorf("got %s, want a fixed text and the request id", got.body)
		}
		found := false
		for line := range strings.Lines(w.log.String()) {
			var l map[string]any
			must.OK(t, json.Unmarshal([]byte(line), &l))
			found = found || l["request_id"] == p.RequestID && l["level"] == "ERROR" && strings.Contains(fmt.Sprint(l["err"]), "SELECT secret")
		}
		if !found {
			t.Error("the log does not tell what happened under the request id")
		}
		must.OK(t, w.store.Close())
		for _, path := range []string{"/v1/bots", "/v1/me", "/v1/ladders"} {
			if got := w.get(owner, path); got.status < 500 {
				t.Errorf("%s without a database: got %d, want never open", path, got.status)
			}
		}
		if p := into[wire.Problem](w.get(anon, "/readyz?verbose").want(503, "not_ready")); !strings.HasPrefix(p.Detail, "database: it fails, and the server's log says why (") || !strings.Contains(p.Detail, "serving: ok (") {
			t.Errorf("without a database: %q, want what is not well", p.Detail)
		}
		w.get(anon, "/livez").want(200, "")
	})
}
