package login_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/login"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/issuertest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func TestMain(m *testing.M) { storetest.Main(m, func() error { return goleak.Find() }) }

// world is a platform with a login, and its issuer.
type world struct {
	*testing.T
	issuer *issuertest.Issuer
	store  *store.Store
	base   string
	log    *logbook
	clock  *directortest.Clock
}

// logbook is a log that tests read.
type logbook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logbook) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// readFiles reads what all worlds share.
var readFiles = sync.OnceValues(func() (*api.Files, error) { return api.ReadFiles(os.DirFS("../../docs"), nil) })

func newWorld(t *testing.T, open storetest.Open, change func(*api.Config)) *world {
	t.Helper()
	w := &world{T: t, issuer: issuertest.New(t), log: &logbook{}, clock: directortest.NewClock()}
	w.issuer.Now = w.clock.Now
	w.store = open(store.Options{Now: w.clock.Now})
	server := httptest.NewUnstartedServer(nil)
	w.base = "http://" + server.Listener.Addr().String()
	w.issuer.Redirect = w.base + "/login/callback"
	toy, _ := storetest.Engines(storetest.Toy)
	files, err := readFiles()
	must.OK(t, err)
	cfg := api.Config{
		Store:    w.store,
		Director: directortest.New(w.store),
		Engines:  []game.Engine{toy},
		Greet: func(context.Context, string, []string) (protocol.HelloAnswer, error) {
			return protocol.HelloAnswer{Author: "ada", Build: "b1", Games: []string{storetest.Toy}}, nil
		},
		Prove:    func(context.Context, tournament.Webhook) error { return nil },
		CheckURL: func(string) error { return nil },
		Now:      w.clock.Now,
		Rand:     rand.Reader,
		Logger:   slog.New(slog.NewJSONHandler(w.log, nil)),
		Version:  "test",
		Metrics:  prometheus.NewRegistry(),
		Files:    files,
		Limits:   gate.DefaultLimits(),
		Login: login.Settings{
			Issuer:       w.issuer.URL,
			ClientID:     issuertest.ClientID,
			ClientSecret: issuertest.ClientSecret,
			PublicURL:    w.base,
		},
	}
	cfg.Limits.Login.Count, cfg.Limits.Register.Count = 10_000, 10_000
	change(&cfg)
	handler, err := api.New(cfg)
	must.OK(t, err)
	server.Config.Handler = handler
	server.Start()
	t.Cleanup(server.Close)
	return w
}

// onOne runs a test on SQLite, at night on Postgres too.
func onOne(t *testing.T, change func(*api.Config), test func(t *testing.T, w *world)) {
	t.Helper()
	storetest.One(t, func(t *testing.T, open storetest.Open) { test(t, newWorld(t, open, change)) })
}

// onBoth runs a test on SQLite and on Postgres.
func onBoth(t *testing.T, change func(*api.Config), test func(t *testing.T, w *world)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, open storetest.Open) { test(t, newWorld(t, open, change)) })
}

// onSQLite runs a test for what the database has no part in.
func onSQLite(t *testing.T, change func(*api.Config), test func(t *testing.T, w *world)) {
	t.Helper()
	storetest.SQLite(t, func(t *testing.T, open storetest.Open) { test(t, newWorld(t, open, change)) })
}

func nothing(*api.Config) {}

// person is a browser.
type person struct {
	w      *world
	client *http.Client
}

func (w *world) person() *person {
	jar, err := cookiejar.New(nil)
	must.OK(w, err)
	return &person{w: w, client: &http.Client{
		Jar:           jar,
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// seen is an answer.
type seen struct {
	status int
	header http.Header
	body   string
}

// to is where the answer leads.
func (s seen) to() string { return s.header.Get("Location") }

// ask sends a request, a form if there is one; head are more headers, as pairs.
func (p *person) ask(method, at string, form url.Values, head ...string) seen {
	p.w.Helper()
	if form != nil {
		head = append([]string{"Content-Type", "application/x-www-form-urlencoded"}, head...)
	}
	return p.raw(method, at, form.Encode(), head...)
}

// raw is ask with a body of any kind.
func (p *person) raw(method, at, body string, head ...string) seen {
	p.w.Helper()
	if strings.HasPrefix(at, "/") {
		at = p.w.base + at
	}
	r, err := http.NewRequestWithContext(p.w.Context(), method, at, strings.NewReader(body))
	must.OK(p.w, err)
	r.Header.Set("Accept", "text/html")
	for i := 0; i < len(head); i += 2 {
		r.Header.Set(head[i], head[i+1])
	}
	answer, err := p.client.Do(r)
	must.OK(p.w, err)
	said, err := io.ReadAll(answer.Body)
	must.OK(p.w, errors.Join(err, answer.Body.Close()))
	return seen{status: answer.StatusCode, header: answer.Header, body: string(said)}
}

// goes is ask, and wants the status.
func (p *person) goes(status int, method, at string, form url.Values) seen {
	p.w.Helper()
	got := p.ask(method, at, form)
	if got.status != status {
		p.w.Fatalf("%s %s: got %d %s, want %d", method, at, got.status, got.body, status)
	}
	return got
}

// agrees goes to the issuer and logs in there as who; the address that leads back is not opened.
func (p *person) agrees(who string) string {
	p.w.Helper()
	sent := p.goes(303, "GET", "/login", nil).to()
	p.goes(200, "GET", sent, nil)
	return p.goes(302, "POST", sent, url.Values{"who": {who}}).to()
}

// joins logs in as somebody new, and registers.
func (p *person) joins(who string) {
	p.w.Helper()
	if to := p.goes(303, "GET", p.agrees(who), nil).to(); to != "/login/name" {
		p.w.Fatalf("somebody new is led to %s, want /login/name", to)
	}
	p.goes(200, "GET", "/login/name", nil)
	if to := p.goes(303, "POST", "/login/name", url.Values{"name": {who}}).to(); to != "/me" {
		p.w.Fatalf("a new account is led to %s, want /me", to)
	}
}

// cookie is the value of a cookie of the platform; "" without.
func (p *person) cookie(name string) string {
	at, err := url.Parse(p.w.base)
	must.OK(p.w, err)
	for _, c := range p.client.Jar.Cookies(at) {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// plant puts a cookie of the platform into the browser.
func (p *person) plant(name, value string) {
	at, err := url.Parse(p.w.base)
	must.OK(p.w, err)
	p.client.Jar.SetCookies(at, []*http.Cookie{{Name: name, Value: value, Path: "/"}})
}

// is the name that the browser is logged in under; "" for nobody.
func (p *person) is() string {
	p.w.Helper()
	id, err := p.w.store.SessionOf(p.w.Context(), tournament.LoginSecret(p.cookie("molerun_session")))
	if errors.Is(err, tournament.ErrNotFound) {
		return ""
	}
	must.OK(p.w, err)
	u, err := p.w.store.User(p.w.Context(), id)
	must.OK(p.w, err)
	return u.Name
}

// accounts is how many users there are.
func (w *world) accounts() int {
	w.Helper()
	list, _, err := w.store.Users(w.Context(), store.Page{Sort: store.Newest})
	must.OK(w, err)
	return len(list)
}

// token is a fresh user with a token that may do everything.
func (w *world) token(name string) string {
	w.Helper()
	return w.scoped(name, tournament.Token{Scopes: tournament.AllScopes()})
}

// scoped is a fresh user with a token like t.
func (w *world) scoped(name string, t tournament.Token) string {
	w.Helper()
	text, id, hash, err := tournament.NewToken(rand.Reader)
	t.ID, t.Hash = id, hash
	if err == nil {
		_, _, err = w.store.CreateUser(w.Context(), tournament.User{Name: name, Role: tournament.RoleOwner}, t)
	}
	must.OK(w, err)
	return text
}
