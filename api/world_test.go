package api_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

func TestMain(m *testing.M) {
	for _, kind := range []string{"application/schema+json"} {
		openapi3filter.RegisterBodyDecoder(kind, openapi3filter.JSONBodyDecoder)
	}
	for _, kind := range []string{"text/markdown", "text/html", "text/css", "text/javascript", "image/svg+xml", "image/png", "text/csv", "text/calendar", "application/atom+xml", "application/x-ndjson", "application/gzip", "application/x-tar", "text/event-stream"} {
		openapi3filter.RegisterBodyDecoder(kind, openapi3filter.FileBodyDecoder)
	}
	storetest.Main(m, func() error { return goleak.Find() })
}

// logbook is a log that tests can read.
type logbook struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logbook) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func logTo(l *logbook) *slog.Logger {
	return slog.New(slog.NewJSONHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// The people of the tests.
const (
	anon      = "anon"
	other     = "other"     // a user without anything
	owner     = "owner"     // has the bots
	rival     = "rival"     // an organiser of nothing
	organiser = "organiser" // has the tournaments
	admin     = "admin"
)

func people() []string { return []string{anon, other, owner, rival, organiser, admin} }

// world is an API on a fresh database.
type world struct {
	cards    int // that were made up
	t        *testing.T
	logins   int // made
	clk      *directortest.Clock
	store    *store.Store
	director *director.Director
	api      *api.Server
	cfg      api.Config
	doc      *openapi3.T
	log      *logbook
	reg      *prometheus.Registry
	users    map[string]tournament.User
	tokens   map[string]string
	greet    func(url string) (protocol.HelloAnswer, error) // what every bot answers
	prove    func(url string) error                         // what every receiver of events answers
	serial   int
	builds   []string // that bots say in matches, by step
	live     *live
	held     []string      // letters that the relay of the tests has fetched
	relays   *atomic.Int64 // how often a relay was let in to fetch
	faulty   bool          // pages may answer with a fault of ours
}

// onBoth runs a test on SQLite and on Postgres, each in a world of its own.
func onBoth(t *testing.T, test func(w *world)) {
	t.Helper()
	onBothWith(t, nothing, test)
}

func onBothWith(t *testing.T, change func(*api.Config), test func(w *world)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, open storetest.Open) { test(newWorld(t, open, change)) })
}

// onSQLite runs a test for what the database has no part in.
func onSQLite(t *testing.T, change func(*api.Config), test func(w *world)) {
	t.Helper()
	storetest.SQLite(t, func(t *testing.T, open storetest.Open) { test(newWorld(t, open, change)) })
}

func nothing(*api.Config) {}

// onOne runs a test on SQLite, at night on Postgres too: one test of each resource is on both in the gate.
func onOne(t *testing.T, test func(w *world)) { onOneWith(t, nothing, test) }

func onOneWith(t *testing.T, change func(*api.Config), test func(w *world)) {
	t.Helper()
	storetest.One(t, func(t *testing.T, open storetest.Open) { test(newWorld(t, open, change)) })
}

func engines() []game.Engine {
	toy, _ := storetest.Engines(storetest.Toy)
	return []game.Engine{toy, game.Wrap(masks{}), game.Wrap(openMasks{})}
}

func findGame(id string) (game.Engine, bool) {
	for _, e := range engines() {
		if e.Info().ID == id {
			return e, true
		}
	}
	return catalog.Find(id)
}

// plenty are limits that no test meets by accident.
func plenty() gate.Limits {
	r := httpx.Rate{Count: 1_000_000, Per: time.Minute}
	return gate.Limits{
		Default: r, Following: r, Register: r, Login: r, Seat: r, Review: r, Reviews: 100, Card: r, Cards: 1000, CardsWaiting: 1000, FailedAuth: r, BadInvites: r, Outbound: r, Relay: r, Steps: httpx.Rate{Count: 10_000_000, Per: time.Minute}, Cache: 64 << 20, Keys: 1000, Calls: 1000, AllCalls: 1000, Bots: 1000, Tokens: 2, Matches: 1000,
		Versions: 1000, Tournaments: 1000, Schedules: 1000, Series: 1000, ClassLinks: 1000, Webhooks: 1000, Streams: 1000, AllStreams: 1000, SlowReader: time.Minute,
	}
}

func newWorld(t *testing.T, open storetest.Open, change func(*api.Config)) *world {
	t.Helper()
	w := &world{
		t: t, clk: &directortest.Clock{}, log: &logbook{}, reg: prometheus.NewRegistry(),
		users: map[string]tournament.User{}, tokens: map[string]string{}, relays: &atomic.Int64{},
	}
	w.clk.Set(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	w.greet = func(string) (protocol.HelloAnswer, error) {
		return protocol.HelloAnswer{Author: "ada", Build: "b1", Games: []string{"toy", "masks", "chess"}}, nil
	}
	w.prove = func(string) error { return nil }
	w.store = open(store.Options{Now: w.clk.Now, Query: func(sql string) {
		if strings.HasPrefix(sql, "INSERT INTO relays ") {
			w.relays.Add(1)
		}
	}})
	w.director = directortest.Of(w.store, findGame)
	cfg := api.Config{
		Store: w.store, Director: w.director, Engines: engines(), Now: w.clk.Now, Rand: rand.Reader, Version: "test", Metrics: w.reg, Limits: plenty(),
		Logger: logTo(w.log),
		Files:  files(t),
		Greet: func(_ context.Context, url string, _ []string) (protocol.HelloAnswer, error) {
			return w.greet(url)
		},
		Prove: func(_ context.Context, hook tournament.Webhook) error { return w.prove(hook.URL) },
		CheckURL: func(raw string) error {
			if !strings.HasPrefix(raw, "https://") {
				return fmt.Errorf("%w: wants an https address", tournament.ErrBot) // as the guard does
			}
			return nil
		},
	}
	change(&cfg)
	w.cfg = cfg
	server, err := api.New(cfg)
	must.OK(t, err)
	w.api = server
	documents.Do(func() { closedDocument = closed(t, w.api.Document()) })
	w.doc = closedDocument
	for who, role := range map[string]tournament.Role{
		other: tournament.RoleOwner, owner: tournament.RoleOwner, rival: tournament.RoleOrganiser,
		organiser: tournament.RoleOrganiser, admin: tournament.RoleAdmin,
	} {
		w.join(who, role)
	}
	return w
}

// files returns what all worlds share: reading it takes as long as many a test.
func files(t *testing.T) *api.Files {
	t.Helper()
	out, err := readFiles()
	must.OK(t, err)
	return out
}

var readFiles = sync.OnceValues(func() (*api.Files, error) {
	return api.ReadFiles(rules{os.DirFS("../docs")}, append(engines(), catalog.All()...))
})

// All worlds serve the same document; to close and check it takes longer than most tests.
var (
	documents      sync.Once
	closedDocument *openapi3.T
)

// closed is the document in which objects have no keys but those written down, so that a forgotten one shows.
func closed(t *testing.T, doc *openapi3.T) *openapi3.T {
	t.Helper()
	for _, s := range doc.Components.Schemas {
		for _, property := range s.Value.Properties {
			if property.Ref != "" { // a copy, where the reference has a description
				closeObject(property.Value)
			}
		}
		closeObject(s.Value)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatalf("the document is not OpenAPI 3: %v", err)
	}
	doc.OpenAPI = "3.0.3" // validated by kin-openapi itself, which knows types with null: it compiles a 3.1 schema again for each answer
	return doc
}

func closeObject(s *openapi3.Schema) {
	if len(s.Properties) > 0 {
		s.AdditionalProperties = openapi3.AdditionalProperties{Has: new(bool)}
	}
}

// join adds a person with a token, past the API.
func (w *world) join(who string, role tournament.Role) {
	w.t.Helper()
	text, id, hash, err := tournament.NewToken(rand.Reader)
	must.OK(w.t, err)
	u, _, err := w.store.CreateUser(w.t.Context(), tournament.User{Name: who, Role: role}, tournament.Token{ID: id, Hash: hash, Scopes: tournament.AllScopes()})
	must.OK(w.t, err)
	w.users[who], w.tokens[who] = u, text
}

// answer is what came back.
type answer struct {
	t      *testing.T
	what   string
	status int
	header http.Header
	body   []byte
}

// into decodes the body.
func into[T any](a answer) T {
	a.t.Helper()
	var out T
	if err := json.Unmarshal(a.body, &out); err != nil {
		a.t.Fatalf("%s: %v in %s", a.what, err, a.body)
	}
	return out
}

// want checks the status and, for problems, the code; "" is any.
func (a answer) want(status int, code string) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("%s: got %d %s, want %d", a.what, a.status, a.body, status)
	}
	if code != "" {
		if got := into[wire.Problem](a).Code; got != code {
			a.t.Fatalf("%s: got code %q, want %q", a.what, got, code)
		}
	}
	return a
}

// place checks the place a problem points at.
func (a answer) place(pointer string) answer {
	a.t.Helper()
	p := into[wire.Problem](a)
	if len(p.Errors) != 1 || p.Errors[0].Pointer != pointer {
		a.t.Fatalf("%s: got places %+v, want %q", a.what, p.Errors, pointer)
	}
	return a
}

// some is any value that says something.
type some struct{}

// has wants what is at places of the answer, each followed by its value: "seats/0/bot_id", "x". What is not there is nil, and at "seats/#" is how
// many there are.
func (a answer) has(pairs ...any) answer {
	a.t.Helper()
	for pair := range slices.Chunk(pairs, 2) {
		at := into[any](a)
		for _, key := range strings.Split(pair[0].(string), "/") {
			list, _ := at.([]any)
			i, err := strconv.Atoi(key)
			switch in, _ := at.(map[string]any); {
			case key == "#":
				at = len(list)
			case err == nil && i < len(list):
				at = list[i]
			default:
				at = in[key]
			}
		}
		if pair[1] == (some{}) {
			holds(a.t, fmt.Sprint(a.what, ": ", pair[0]), at != nil && at != "" && at != false)
			continue
		}
		got, err := json.Marshal(at)
		must.OK(a.t, err)
		want, err := json.Marshal(pair[1])
		must.OK(a.t, err)
		same(a.t, fmt.Sprint(a.what, ": ", pair[0]), string(got), string(want))
	}
	return a
}

// do asks as one of the people; body is nil, text, or a value to be sent as JSON, and head are more headers, as pairs. Every answer is held against
// the document.
func (w *world) do(who, method, path string, body any, head ...string) answer {
	w.t.Helper()
	var text string
	switch b := body.(type) {
	case nil:
	case string:
		text = b
	default:
		raw, err := json.Marshal(b)
		must.OK(w.t, err)
		text = string(raw)
	}
	r := httptest.NewRequestWithContext(w.t.Context(), method, path, strings.NewReader(text))
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if who != anon {
		r.Header.Set("Authorization", "Bearer "+w.tokens[who])
	}
	for pair := range slices.Chunk(head, 2) {
		r.Header.Set(pair[0], pair[1])
	}
	return w.send(r)
}

func (w *world) get(who, path string, head ...string) answer {
	w.t.Helper()
	return w.do(who, "GET", path, nil, head...)
}

// send sends any request; the answer is held against the document.
func (w *world) send(r *http.Request) answer {
	w.t.Helper()
	var sent []byte
	if r.Body != nil {
		var err error
		sent, err = io.ReadAll(r.Body)
		must.OK(w.t, err)
		r.Body = io.NopCloser(bytes.NewReader(sent))
	}
	rec := httptest.NewRecorder()
	w.api.ServeHTTP(rec, r)
	a := answer{
		t:      w.t,
		what:   r.Method + " " + r.URL.String(),
		status: rec.Code,
		header: rec.Header(),
		body:   rec.Body.Bytes(),
	}
	w.validate(r, sent, a)
	return a
}

func (w *world) validate(r *http.Request, sent []byte, a answer) {
	w.t.Helper()
	again := r.Clone(r.Context())
	again.Body = io.NopCloser(bytes.NewReader(sent))
	route, params := w.route(r.Method, r.URL.Path)
	if route == nil {
		if isPage(r) {
			if a.status >= 500 && !w.faulty {
				w.t.Errorf("%s: got %d %s", a.what, a.status, a.body)
			}
			return
		}
		if p := into[wire.Problem](a); !slices.Contains([]int{404, 405, 429}, a.status) || p.Status != a.status {
			w.t.Errorf("%s: got %d %s, want a 404, 405 or 429 problem, since the document does not have it", a.what, a.status, a.body)
		}
		return
	}
	options := &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true, MultiError: true}
	in := &openapi3filter.RequestValidationInput{Request: again, PathParams: params, Route: route, Options: options}
	if a.status < 300 {
		if err := openapi3filter.ValidateRequest(r.Context(), in); err != nil {
			w.t.Errorf("%s: the request was taken, but the document refuses it: %v", a.what, err)
		}
	}
	err := openapi3filter.ValidateResponse(r.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: a.status, Header: a.header, Body: io.NopCloser(bytes.NewReader(a.body)), Options: options,
	})
	if err != nil {
		w.t.Errorf("%s: %d is not as documented: %v", a.what, a.status, err)
	}
}

// route finds the operation of the document, and the values of its path parameters.
func (w *world) route(method, path string) (*routers.Route, map[string]string) {
	if item := w.doc.Paths.Value(path); item != nil && item.GetOperation(method) != nil { // before one with an id in this place
		return &routers.Route{Spec: w.doc, Path: path, PathItem: item, Method: method, Operation: item.GetOperation(method)}, nil
	}
	parts := strings.Split(path, "/")
	for template, item := range w.doc.Paths.Map() {
		if op := item.GetOperation(method); op != nil {
			if params, fits := paramsOf(template, parts); fits {
				return &routers.Route{Spec: w.doc, Path: template, PathItem: item, Method: method, Operation: op}, params
			}
		}
	}
	return nil, nil
}

// paramsOf returns the values of the parameters of a template, and whether a path fits it.
func paramsOf(template string, parts []string) (map[string]string, bool) {
	words, params := strings.Split(template, "/"), map[string]string{}
	if len(words) != len(parts) {
		return nil, false
	}
	for i, word := range words {
		if strings.HasPrefix(word, "{") {
			params[strings.Trim(word, "{}")] = parts[i]
		} else if word != parts[i] {
			return nil, false
		}
	}
	return params, true
}

// sitePages lists the routes of pages, as templates of the document, once: each listing makes the decoder of every operation.
var sitePages = sync.OnceValue(func() (list []string) {
	for _, page := range api.Pages() {
		list = append(list, param.ReplaceAllString(page, "{$1}"))
	}
	return list
})

// isPage reports whether a request is for a page of the site, which the document leaves out.
func isPage(r *http.Request) bool {
	parts := strings.Split(r.URL.Path, "/")
	return slices.ContainsFunc(sitePages(), func(page string) bool {
		method, path, _ := strings.Cut(page, " ")
		_, fits := paramsOf(path, parts)
		return fits && method == r.Method
	})
}

// noBot reports whether a request that was refused has made a bot all the same.
func (w *world) noBot(name string) {
	w.t.Helper()
	list, _, err := w.store.Bots(w.t.Context(), store.BotFilter{}, store.Page{Sort: store.Newest})
	if err != nil || slices.ContainsFunc(list, func(b tournament.Bot) bool { return b.Name == name }) {
		w.t.Errorf("%s was refused and is there (%v)", name, err)
	}
}

// rules are the documents of the repository, with those of a game that only tests play.
type rules struct{ fs.FS }

func (r rules) Open(name string) (fs.File, error) {
	if name == "rules/masks.md" {
		return fstest.MapFS{name: {Data: []byte("# Masks\n")}}.Open(name)
	}
	return r.FS.Open(name)
}

// same fails the test, which goes on, unless got is what is wanted.
func same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// holds fails the test, which goes on, unless what is so.
func holds(t *testing.T, what string, is bool) {
	t.Helper()
	if !is {
		t.Errorf("%s does not hold", what)
	}
}
