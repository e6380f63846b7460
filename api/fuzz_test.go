package api_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

var uuidText = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// caller makes requests from the document alone, and of what the answers before said.
type caller struct {
	w   *world
	rnd *rand.Rand
	ids []string            // seen in answers, the last ones
	own map[string][]string // those at the head of an answer, by the first word of its path
	ops []operation

	over   tournament.Match  // a match of owner's that is over
	served map[string]string // see served
}

type operation struct {
	method, path string
	op           *openapi3.Operation
	params       openapi3.Parameters
}

// route is the operation's as the router has it.
func (o operation) route() string {
	return o.method + " " + strings.NewReplacer("{", ":", "}", "").Replace(o.path)
}

func newCaller(w *world, seed uint64) *caller {
	c := &caller{w: w, rnd: rand.New(rand.NewPCG(seed, 1)), own: map[string][]string{}}
	for path, item := range w.doc.Paths.Map() {
		for method, op := range item.Operations() {
			c.ops = append(c.ops, operation{
				method: method,
				path:   path,
				op:     op,
				params: slices.Concat(item.Parameters, op.Parameters),
			})
		}
	}
	slices.SortFunc(c.ops, func(a, b operation) int { return strings.Compare(a.path+a.method, b.path+b.method) })
	return c
}

func pick[T any](c *caller, list ...T) T { return list[c.rnd.IntN(len(list))] }

// one in n.
func (c *caller) one(n int) bool { return c.rnd.IntN(n) == 0 }

// junk are texts that no parameter wants.
func (c *caller) junk() string {
	return pick(c, "", "x", "' OR 1=1--", "../../etc/passwd", "00000000-0000-0000-0000-000000000000", strings.Repeat("a", 300), "é☃", "-1",
		"99999999999999999999", "%00", "null", "NaN", "1e400", "<script>", "\u202e", "{}", "0x1", "masks", "me")
}

func (c *caller) id() string {
	if len(c.ids) == 0 || c.one(8) {
		return c.junk()
	}
	return pick(c, c.ids...)
}

// value is one that fits the schema, mostly.
func (c *caller) value(name string, ref *openapi3.SchemaRef, depth int) any {
	unknown := ref == nil || ref.Value == nil
	if unknown || depth > 6 || c.one(40) {
		return pick[any](c, nil, true, -1, 1.5, c.junk(), []any{}, map[string]any{})
	}
	s := ref.Value
	switch {
	case len(s.AllOf) > 0:
		return c.value(name, s.AllOf[0], depth+1)
	case len(s.Enum) > 0:
		return pick(c, s.Enum...)
	case s.Type.Is("object"):
		return c.object(s, depth)
	case s.Type.Is("array"):
		list := []any{}
		for range c.rnd.IntN(4) {
			list = append(list, c.value(name, s.Items, depth+1))
		}
		return list
	case s.Type.Is("boolean"):
		return c.one(2)
	case s.Type.Is("integer"), s.Type.Is("number"):
		return pick(c, 0, 1, 2, 2, 3, 4, 8, 60, 1000, 5000, -1, 1<<31, 1<<53)
	}
	switch {
	case s.Format == "date-time":
		return c.w.clk.Now().Add(time.Duration(c.rnd.IntN(100)-20) * time.Hour).Format(time.RFC3339)
	case strings.HasSuffix(name, "id") || name == "bots":
		return c.id()
	case name == "game":
		return pick(c, "masks", "masks", "toy", "chess")
	case name == "name":
		return c.w.name("fuzz")
	case strings.HasSuffix(name, "url"):
		return pick(c, "https://bot.example/", "https://hook.example/", "http://127.0.0.1/", "ftp://x")
	}
	return pick(c, "text", "2026-03-01", "b1", "0 20 * * 5", "Europe/Amsterdam", c.junk())
}

func (c *caller) object(s *openapi3.Schema, depth int) any {
	out := map[string]any{}
	for _, key := range sortedKeys(s.Properties) {
		needed := slices.Contains(s.Required, key)
		if needed && !c.one(25) || !needed && c.one(2) {
			out[key] = c.value(key, s.Properties[key], depth+1)
		}
	}
	if c.one(25) {
		out[pick(c, "id", "role", "is_admin", "rating", "owner_id", "x")] = c.junk()
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// kindOf is the first word of a path after the version.
func kindOf(path string) string {
	parts := strings.Split(path, "/")
	return parts[min(2, len(parts)-1)]
}

// ask sends one request for an operation, as somebody, and returns its status.
func (c *caller) ask(o operation) int {
	path, query := o.path, url.Values{}
	ends := strings.Contains(o.path, "/users/") || strings.Contains(o.path, "/tokens/") // must not end the people who ask
	for _, p := range o.params {
		switch p.Value.In {
		case "path":
			v := c.id()
			if own := c.own[kindOf(o.path)]; len(own) > 0 && p.Value.Name == "id" && !c.one(4) {
				v = pick(c, own...)
			}
			switch {
			case ends:
				v = c.junk()
			case p.Value.Name == "game" || strings.Contains(o.path, "/ladders/") && p.Value.Name == "id" && !c.one(4):
				v = pick(c, "masks", "toy", "chess")
			case p.Value.Name == "name":
				v = pick(c, "turn", "answer", "view", "x")
			}
			v = strings.ReplaceAll(v, "/", "") // a slash makes another route, whose errors are not this one's
			path = strings.ReplaceAll(path, "{"+p.Value.Name+"}", url.PathEscape(v))
		case "query":
			if p.Value.Required && !c.one(10) || c.one(4) {
				query.Set(p.Value.Name, fmt.Sprint(c.value(p.Value.Name, p.Value.Schema, 0)))
			}
		}
	}
	body := ""
	if b := o.op.RequestBody; b != nil {
		for _, m := range b.Value.Content {
			raw, err := json.Marshal(c.value("", m.Schema, 0))
			must.OK(c.w.t, err)
			body = string(raw)
		}
	}
	if c.one(50) {
		body = pick(c, "", "{", `{"a":1}{"a":2}`, `{"name":"a","name":"b"}`, "[]", "\x00", strings.Repeat("[", 100))
	}
	r := httptest.NewRequestWithContext(c.w.t.Context(), o.method, path, strings.NewReader(body))
	r.URL.RawQuery = query.Encode()
	if body != "" && !c.one(60) {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.one(6) {
		r.Header.Set("Idempotency-Key", pick(c, "key-key-key-key-1", "key-key-key-key-2", "short", c.w.name("a-long-enough-key")))
	}
	if c.one(12) {
		r.Header.Set(pick(c, "If-Match", "If-None-Match"), pick(c, "*", `"x"`, "x", c.junk()))
	}
	if who := pick(c, people()...); who != anon {
		r.Header.Set("Authorization", pick(c, "Bearer ", "Bearer ", "Bearer ", "Bearer ", "bearer  ")+c.w.tokens[who])
	}
	got := c.w.send(r)
	if got.status >= 500 {
		c.w.t.Errorf("%s %s with %q: got %d %s", o.method, r.URL, body, got.status, got.body)
	}
	if id := uuidText.FindString(string(got.body[:min(len(got.body), 60)])); id != "" && got.status < 300 {
		own := append(c.own[kindOf(o.path)], id)
		c.own[kindOf(o.path)] = slices.Clone(own[max(0, len(own)-40):])
	}
	c.ids = append(c.ids, uuidText.FindAllString(string(got.body[:min(len(got.body), 20_000)]), 20)...)
	if n := len(c.ids); n > 400 {
		c.ids = slices.Clone(c.ids[n-300:])
	}
	return got.status
}

// served says how to have what the matrix asks for only to be refused, which is too simple a game's.
func served(w *world) map[string]string {
	e, _ := catalog.Find("molehill")
	config, err := e.Configure(nil, 2)
	must.OK(w.t, err)
	_, list := w.started(func(t *tournament.Tournament) { t.Game, t.Config = "molehill", config }, owner, other)
	w.playOn(list[0], e, 1, dicer{})
	return map[string]string{
		"GET /assets/:name":                 "/assets/" + between(string(w.get(anon, "/").body), `"/assets/`, `"`),
		"GET /matches/:id/board.svg":        "/matches/" + list[0].ID + "/board.svg",
		"GET /games/:game/board.svg":        "/games/molehill/board.svg",
		"GET /v1/games/:game/schemas/:name": "/v1/games/molehill/schemas/view",
	}
}

// good asks what the matrix says that somebody may, one of those who may; changed: with something else in the body.
func (c *caller) good(o operation, changed bool) int {
	c.w.t.Helper()
	route := o.route()
	row := c.w.rowOf(route)
	if path, ok := c.served[route]; ok {
		row = rights{route: route, want: "200 200 200 200 200 200", path: func(scene) string { return path }}
	}
	if strings.HasSuffix(route, "/rematch") { // wants bots that nothing happened to since
		_, list := c.w.started(func(*tournament.Tournament) {}, owner, other)
		c.w.play(list[0], 100)
		c.over = list[0]
	}
	method, path, body := c.w.scene(row, c.over)
	if m, ok := body.(map[string]any); ok && changed && len(m) > 0 {
		m[pick(c, sortedKeys(m)...)] = pick[any](c, nil, true, -1, 2, 1.5, c.junk(), []any{}, map[string]any{})
	}
	who := pick(c, row.may()...)
	got := c.w.do(who, method, path, body)
	if got.status >= 500 {
		c.w.t.Errorf("%s as %s with %v: got %d %s", got.what, who, body, got.status, got.body)
	}
	return got.status
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestGeneratedRequestsAreAnsweredAsTheDocumentSays: every answer is held against the document (send does that), none is
// 5xx. An answer that took longer than a handler may would be a 503, so there is no slow one either. Every operation is
// taken at least once: the first requests, and a hundred others with something wrong in them, are made of what the matrix
// of rights knows; all others of the document alone.
func TestGeneratedRequestsAreAnsweredAsTheDocumentSays(t *testing.T) {
	count, seed := 2500, uint64(1) // on each database
	if os.Getenv("MOLERUN_NIGHTLY") == "1" {
		count, seed = 50_000, uint64(time.Now().UnixNano()) // any number
	}
	engine, _ := catalog.Find("molehill")
	onOneWith(t, func(c *api.Config) { c.Engines = append(engines(), engine) }, func(w *world) {
		t := w.t
		t.Logf("seed %d", seed)
		_, list := w.started(func(*tournament.Tournament) {}, owner, other, rival)
		over := slices.IndexFunc(list, func(m tournament.Match) bool { // the matrix wants the owner in it
			return slices.ContainsFunc(m.Seats, func(s tournament.MatchSeat) bool { return s.OwnerID == w.users[owner].ID })
		})
		for _, m := range list[:over+1] {
			w.play(m, 100)
		}
		w.play(list[over+1], 2)
		w.cup(func(*tournament.Tournament) {})
		w.do(anon, "POST", "/v1/nowhere", nil, "If-Match", `"x"`).want(404, "no_such_route") // and not 412: this test found it
		c := newCaller(w, seed)
		c.ops = slices.DeleteFunc(c.ops, func(o operation) bool {
			return slices.Contains([]string{"DELETE /v1/me", "POST /v1/me/rotate"}, o.method+" "+o.path)
		}) // they would take the people away
		c.ops = slices.DeleteFunc(c.ops, func(o operation) bool { // forms and a cookie: seats_test.go and api/login send odd ones
			return slices.ContainsFunc([]string{"/play/", "/seat", "/login", "/logout", "/me", "/class", "/v1/login/"}, func(at string) bool { return strings.HasPrefix(o.path, at) })
		})
		c.over, c.served = list[over], served(w)
		c.own["webhooks"] = []string{w.hooked(owner).ID}
		for _, m := range list {
			c.ids = append(c.ids, m.ID, m.TournamentID, m.Seats[0].BotID)
		}
		asked, taken, statuses := map[string]int{}, map[string]bool{}, map[int]int{}
		free := map[string]bool{} // taken though nothing in the request was known to be good
		failed := 0
		for n := range count {
			o := pick(c, c.ops...)
			if n < len(c.ops) {
				o = c.ops[n]
			}
			name, known := o.method+" "+o.path, n < len(c.ops) || n%(count/100) == 0
			status := 0
			if known {
				status = c.good(o, n >= len(c.ops))
			} else {
				status = c.ask(o)
				free[name] = free[name] || status < 300
			}
			asked[name]++
			statuses[status]++
			taken[name] = taken[name] || status < 300
			if failed += btoi(t.Failed()); failed > 300 { // requests since the first failure
				t.Fatalf("after %d requests", n+1)
			}
		}
		for _, o := range c.ops {
			if name := o.method + " " + o.path; !taken[name] {
				t.Errorf("%s: %d requests, none taken: this test does not know how to ask for it", name, asked[name])
			}
		}
		alone := slices.DeleteFunc(sortedKeys(free), func(name string) bool { return !free[name] })
		t.Logf("%d requests, %d operations, all taken, %d of them without help; statuses %v", count, len(asked), len(alone), statuses)
		if len(alone) < len(c.ops)/2 {
			t.Errorf("%d of %d operations were taken without help, want half", len(alone), len(c.ops))
		}
		for line := range strings.Lines(w.log.String()) {
			if !json.Valid([]byte(line)) {
				t.Fatalf("a line of the log is not JSON: %s", line)
			}
		}
	})
}
