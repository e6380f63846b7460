package cheats_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/issuertest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
)

// platform is molerun as its users meet it: processes that serve and work on a Postgres database of their own, and bots.
type platform struct {
	base, database string
	binary         string
	issuer         *issuertest.Issuer // whom the platform trusts
	admin          *user
	organiser      *user
	bots           *httptest.Server
	people         atomic.Int64
	mu             sync.Mutex
	brains         map[string]http.Handler // by path
	logs           []*clitest.Process
	files          int // that the process that serves may have open; 0 is as many as the tests

	announcing sync.Mutex
	announcer  *user // of the tournaments that are announced now
	announced  int
}

// newPlatform starts one that serves, with workers of so many slots each, until the test ends.
func newPlatform(t *testing.T, binary string, slots ...int) *platform {
	t.Helper()
	p := bare(t, binary)
	p.run(t, binary, "serve", "--listen", p.address(), "--workers", "0").Line(t)
	for _, n := range slots {
		p.run(t, binary, "work", "--workers", fmt.Sprint(n))
	}
	p.admin, p.organiser = p.appointed(t, "admin"), p.appointed(t, "organiser")
	return p
}

// narrowPlatform is one whose only process serves and plays, and may have the fewest files open with which it starts.
func narrowPlatform(t *testing.T, binary string, slots int) *platform {
	t.Helper()
	p := bare(t, binary)
	for p.files = 300; p.files < 10000; p.files *= 2 {
		limited := fmt.Sprintf(`ulimit -n %d; exec "$0" "$@"`, p.files)
		serve := p.run(t, "sh", "-c", limited, binary, "serve", "--listen", p.address(), "--workers", fmt.Sprint(slots))
		if _, err := serve.Out.ReadString('\n'); err == nil {
			p.admin, p.organiser = p.appointed(t, "admin"), p.appointed(t, "organiser")
			return p
		}
	}
	t.Fatalf("serve did not start:\n%s", p.logs[len(p.logs)-1].Log)
	return nil
}

// bare is a database, an address, and where bots live.
func bare(t *testing.T, binary string) *platform {
	t.Helper()
	p := &platform{base: "http://" + clitest.FreeAddress(t), database: storetest.PostgresURL(t), binary: binary, issuer: issuertest.New(t), brains: map[string]http.Handler{}}
	p.issuer.Redirect = p.base + "/login/callback"
	p.bots = httptest.NewServer(http.HandlerFunc(p.route))
	t.Cleanup(p.bots.Close) // after the processes, which might still wait for an answer
	return p
}

// address is where the API listens.
func (p *platform) address() string { return strings.TrimPrefix(p.base, "http://") }

// run starts a process of the platform.
func (p *platform) run(t *testing.T, args ...string) *clitest.Process {
	t.Helper()
	c := exec.Command(args[0], args[1:]...)
	c.Env = append(os.Environ(), "MOLERUN_DATABASE="+p.database, "MOLERUN_ALLOW_PRIVATE_BOTS=127.0.0.0/8", "MOLERUN_METRICS=",
		"MOLERUN_REQUESTS_PER_MINUTE=100000", "MOLERUN_LOG_LEVEL=warn", "MOLERUN_PUBLIC_URL="+p.base,
		"MOLERUN_OIDC_ISSUER="+p.issuer.URL, "MOLERUN_OIDC_CLIENT_ID="+issuertest.ClientID, "MOLERUN_OIDC_CLIENT_SECRET="+issuertest.ClientSecret)
	process := clitest.Start(t, c)
	p.logs = append(p.logs, process)
	t.Cleanup(process.Kill)
	return process
}

func (p *platform) route(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	h := p.brains[r.URL.Path]
	p.mu.Unlock()
	if h == nil {
		http.NotFound(w, r)
		return
	}
	h.ServeHTTP(w, r)
}

// user is somebody with an account, or a visitor without, at an address of their own.
type user struct {
	id, name, token string
	base            string
	head            http.Header // sent with every request
	client          *http.Client
}

// saying is the user with further headers in each request.
func (u *user) saying(head http.Header) *user {
	other := *u
	other.head = head
	return &other
}

// from is a client at an address of this machine, 127.x.y.z.
func from(t *testing.T, address string) *http.Client {
	t.Helper()
	transport := &http.Transport{
		DialContext:         (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}).DialContext,
		MaxIdleConnsPerHost: 16,
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// visitor is somebody without an account, at an address that nobody else has.
func (p *platform) visitor(t *testing.T) *user {
	n := p.people.Add(1)
	address := fmt.Sprintf("127.%d.%d.%d", 1+n/62500, 1+n/250%250, 1+n%250)
	return &user{base: p.base, client: from(t, address), name: fmt.Sprintf("u%d", n)}
}

// owner registers an account.
func (p *platform) owner(t *testing.T) *user {
	t.Helper()
	u := p.visitor(t)
	var made struct {
		User  struct{ ID string }
		Token struct{ Token string }
	}
	u.do(t, http.MethodPost, "/v1/users", fields{"name": u.name}, &made)
	u.id, u.token = made.User.ID, made.Token.Token
	return u
}

// appointed is an account with a role, made by whoever operates the platform.
func (p *platform) appointed(t *testing.T, role string) *user {
	t.Helper()
	u := p.visitor(t)
	c := exec.Command(p.binary, "admin", "token", u.name, "--role", role, "--database", p.database)
	out, err := c.Output()
	if err != nil {
		t.Fatalf("admin token: %v %s", err, out)
	}
	u.token = strings.TrimSpace(string(out))
	return u
}

// fields is the body of a request.
type fields map[string]any

// try sends a request and returns the status; the body of an answer of 2xx goes to into, which may be nil.
func (u *user) try(method, path string, in, into any) (status int, text string, err error) {
	var body io.Reader
	if in != nil {
		b, err := json.Marshal(in)
		if err != nil {
			return 0, "", err
		}
		body = bytes.NewReader(b)
	}
	r, err := http.NewRequest(method, u.base+path, body)
	if err != nil {
		return 0, "", err
	}
	maps.Copy(r.Header, u.head)
	if in != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if u.token != "" {
		r.Header.Set("Authorization", "Bearer "+u.token)
	}
	answer, err := u.client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err == nil && into != nil && answer.StatusCode/100 == 2 {
		err = json.Unmarshal(b, into)
	}
	return answer.StatusCode, string(b), err
}

// do is [user.try] for what must be answered with 2xx.
func (u *user) do(t *testing.T, method, path string, in, into any) {
	t.Helper()
	status, text, err := u.try(method, path, in, into)
	if err != nil || status/100 != 2 {
		t.Fatalf("%s %s: %d %v %s", method, path, status, err, text)
	}
}

// get reads what must be there. Matches that are played again for readers share few places: on a busy machine it waits for one.
func (u *user) get(t *testing.T, path string, into any) {
	t.Helper()
	for range 60 {
		status, text, err := u.try(http.MethodGet, path, nil, into)
		if err == nil && status/100 == 2 {
			return
		}
		if err != nil || status != http.StatusTooManyRequests {
			t.Fatalf("GET %s: %d %v %s", path, status, err, text)
		}
		time.Sleep(time.Second)
	}
	t.Fatalf("GET %s: 429 for a minute", path)
}

// status is that of a request whose answer may be a refusal, but not a failure of ours.
func (u *user) status(t *testing.T, method, path string, in, into any) int {
	t.Helper()
	status, text, err := u.try(method, path, in, into)
	if err != nil || status >= 500 {
		t.Fatalf("%s %s: %d %v %s", method, path, status, err, text)
	}
	return status
}

// player is a bot on the platform.
type player struct {
	id, name, url string
	owner         *user
}

// house serves a handler at a path of its own and returns the URL.
func (p *platform) house(h http.Handler) string {
	path := fmt.Sprintf("/b%d", p.people.Add(1))
	p.mu.Lock()
	p.brains[path] = h
	p.mu.Unlock()
	return p.bots.URL + path
}

// mind is the handler of a bot that answers all games by one function.
func mind(t *testing.T, decide kit.Decide, card kit.Bot, secrets ...string) http.Handler {
	t.Helper()
	card.Games = map[string]kit.Decide{}
	for _, game := range []string{"cia", "demol", "mole", "molehill", "molemajority"} {
		card.Games[game] = decide
	}
	card.Log = slog.New(slog.DiscardHandler)
	h, err := kit.Handler(card, secrets...)
	must.OK(t, err)
	return h
}

// enrol registers a bot of an owner's that lives at a URL.
func (p *platform) enrol(t *testing.T, owner *user, url string) player {
	t.Helper()
	x := player{name: fmt.Sprintf("bot-%d", p.people.Add(1)), url: url, owner: owner}
	var made struct{ Bot struct{ ID string } }
	owner.do(t, http.MethodPost, "/v1/bots", fields{"name": x.name, "url": url}, &made)
	x.id = made.Bot.ID
	return x
}

// bot registers a bot of a new owner that plays by decide.
func (p *platform) bot(t *testing.T, decide kit.Decide) player {
	t.Helper()
	return p.enrol(t, p.owner(t), p.house(mind(t, decide, kit.Bot{})))
}

// within waits until done, for two minutes at most: the bound is for what is broken, it measures nothing.
func (p *platform) within(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 1200 {
		if done() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	var logs strings.Builder
	for _, x := range p.logs {
		text := x.Log.String()
		logs.WriteString(text[max(0, len(text)-2000):])
	}
	t.Fatalf("%s: not within two minutes\n%s", what, &logs)
}
