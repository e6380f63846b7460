package faults_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

const (
	database = "molerun"
	workers  = 3
	slots    = 8
)

// platform is molerun as its operator runs it: an API and workers, each reaching Postgres and the bots through a link.
type platform struct {
	t                *testing.T
	binary, dir      string
	nodes            [2]*cluster  // of Postgres: a primary and its standby, or the primary alone
	first            atomic.Int32 // which of them takes writes
	database, direct string       // through the link, and past it
	toDatabase       [2]*clitest.Link
	toBots           *clitest.Link
	bots             *proc
	listen           string
	organiser        string // their token

	// Who does something to a part of the platform holds its lock.
	apiLock, postgresLock, botsLock, databaseLinkLock, schemaLock sync.Mutex
	workerLocks                                                   [workers]sync.Mutex

	mu      sync.Mutex
	workers [workers]*proc
	api     *proc
	asks    []Ask
	ofBots  []Window
	frozen  []Window
	hooked  []Delivery
	stream  []int64
	keys    map[string]bool // of storms; true if anybody was answered
	storms  sync.WaitGroup
	ended   []string
	over    bool
}

func newPlatform(t *testing.T, small int) *platform {
	t.Helper()
	x := &platform{t: t, dir: t.TempDir(), listen: clitest.FreeAddress(t), keys: map[string]bool{}}
	x.binary = clitest.Build(t, x.dir, "-tags=faults,nomsgpack")
	x.nodes[0] = newCluster(t, small)
	must.OK(x.t, x.primary().ask("CREATE DATABASE "+database))
	if small == 0 {
		x.nodes[1] = newStandby(t)
		must.OK(x.t, x.nodes[1].follow(x.nodes[0]))
	}
	var addresses, folders []string
	for i, node := range x.nodes {
		if node == nil {
			continue
		}
		x.toDatabase[i] = clitest.NewLink(t, "127.0.0.1:0", node.dial, storetest.Messages)
		addresses, folders = append(addresses, x.toDatabase[i].Address()), append(folders, node.dir)
	}
	x.database, x.direct = linked(strings.Join(addresses, ","), database), socketURL(strings.Join(folders, ","), database)
	x.command("migrate")
	x.organiser = x.command("admin", "token", "organiser")
	x.startBots()
	return x
}

// primary is the server that takes writes.
func (x *platform) primary() *cluster { return x.nodes[x.first.Load()] }

// link is the way to it.
func (x *platform) link() *clitest.Link { return x.toDatabase[x.first.Load()] }

// command runs molerun past the link.
func (x *platform) command(args ...string) string {
	x.t.Helper()
	c := exec.Command(x.binary, append(args, "--database", x.direct)...)
	out, err := c.Output()
	if err != nil {
		x.t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (x *platform) botsLog() string { return filepath.Join(x.dir, "bots.log") }

func (x *platform) startBots() {
	x.t.Helper()
	p := &proc{Cmd: exec.Command(os.Args[0]), ended: make(chan struct{})}
	p.Env = append(os.Environ(), envBots+"="+x.botsLog())
	p.Stderr = &p.log
	_, err := p.StdinPipe() // its end ends them
	must.OK(x.t, err)
	out, err := p.StdoutPipe()
	must.OK(x.t, err)
	must.OK(x.t, p.Start())
	x.t.Cleanup(func() { _ = p.Process.Kill(); _ = p.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	must.OK(x.t, err)
	x.bots = p
	x.toBots = clitest.NewLink(x.t, "127.0.0.1:0", func() (net.Conn, error) { return net.Dial("tcp", strings.TrimSpace(address)) }, Bots(x.asked))
}

func (x *platform) asked(a Ask) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.asks = append(x.asks, a)
}

func (x *platform) early(p *proc) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.over {
		x.ended = append(x.ended, fmt.Sprintf("%v: %v\n%s", p.Args[1:], p.ProcessState, p.last()))
	}
}

func (x *platform) env(more ...string) []string {
	return append(more, "MOLERUN_DATABASE="+x.database, "MOLERUN_LISTEN="+x.listen, "MOLERUN_METRICS=", "MOLERUN_LOG_LEVEL=warn",
		"MOLERUN_ALLOW_PRIVATE_BOTS=127.0.0.0/8", "MOLERUN_REQUESTS_PER_MINUTE=1000000")
}

// work starts a worker that is nobody's yet.
func (x *platform) work(more ...string) *proc {
	p, err := run(x.early, x.env(more...), x.binary, "work", "--workers", fmt.Sprint(slots))
	if err != nil {
		panic(err) // the machine has no processes left
	}
	return p
}

// setWorker makes p the worker of a place, whose lock is held.
func (x *platform) setWorker(i int, p *proc) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.workers[i] = p
}

func (x *platform) worker(i int) *proc {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.workers[i]
}

func (x *platform) startAPI() {
	p, err := run(x.early, x.env(), x.binary, "serve", "--workers", "0")
	if err != nil {
		panic(err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.api = p
}

func (x *platform) theAPI() *proc {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.api
}

func (x *platform) start() {
	x.startAPI()
	for i := range workers {
		x.setWorker(i, x.work())
	}
	x.t.Cleanup(func() {
		x.mu.Lock()
		x.over = true
		x.mu.Unlock()
		for i := range workers {
			x.worker(i).kill()
		}
		x.theAPI().kill()
	})
}

// of notes the time of a fault of the bots' side.
func (x *platform) of(list *[]Window, from time.Time) {
	x.mu.Lock()
	defer x.mu.Unlock()
	*list = append(*list, Window{From: from, To: time.Now()})
}

// open is a store past the links, for who makes the tournaments.
func (x *platform) open() *store.Store {
	x.t.Helper()
	db, err := store.Open(x.t.Context(), x.direct, store.Options{Now: time.Now, Rand: rand.Reader, Program: "molerun test", MaxConns: 4})
	must.OK(x.t, err)
	x.t.Cleanup(func() { _ = db.Close() })
	return db
}

// enrol makes bots of as many owners; the first owner has a webhook.
func (x *platform) enrol(db *store.Store, n int) (list []tournament.Bot) {
	x.t.Helper()
	hook := httptest.NewServer(http.HandlerFunc(x.hook))
	x.t.Cleanup(hook.Close)
	var games []string
	for _, g := range catalog.All() {
		games = append(games, g.Info().ID)
	}
	for i := range n {
		name := fmt.Sprintf("bot-%d", i)
		owner, _, err := db.CreateUser(x.t.Context(), tournament.User{Name: "owner-of-" + name, Role: tournament.RoleOwner},
			tournament.Token{ID: "token-" + name, Hash: hashOf(name)})
		must.OK(x.t, err)
		bot, _, err := db.CreateBot(x.t.Context(), tournament.Bot{OwnerID: owner.ID, Name: name, Status: tournament.BotActive},
			tournament.Version{Number: 1, URL: fmt.Sprintf("http://%s/%d", x.toBots.Address(), i), Games: games}, 10)
		must.OK(x.t, err)
		list = append(list, bot)
		if i == 0 {
			_, err := db.CreateWebhook(x.t.Context(), tournament.Webhook{
				UserID: owner.ID, URL: hook.URL, Secret: "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
				Kinds: []tournament.EventKind{tournament.EventMatchFinished},
			}, 10)
			must.OK(x.t, err)
		}
	}
	return list
}

// hook receives events.
func (x *platform) hook(_ http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var told struct {
		Type string
		Data struct {
			Match string `json:"match_id"`
		}
	}
	if err != nil || json.Unmarshal(body, &told) != nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.hooked = append(x.hooked, Delivery{ID: r.Header.Get("Webhook-Id"), About: told.Type + " " + told.Data.Match})
}

// watch reads the public stream as a browser does: it comes again after the last number that it read.
func (x *platform) watch(ctx context.Context) {
	last := "0"
	for ctx.Err() == nil {
		last = x.watchOnce(ctx, last)
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
}

func (x *platform) watchOnce(ctx context.Context, last string) string {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+x.listen+"/v1/events", nil)
	if err != nil {
		panic(err)
	}
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Last-Event-ID", last)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return last
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return last
	}
	id := last
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		var n int64
		switch {
		case name == "id":
			id = value
		case lines.Text() == "" && id != last:
			last = id
			if _, err := fmt.Sscan(id, &n); err == nil {
				x.mu.Lock()
				x.stream = append(x.stream, n)
				x.mu.Unlock()
			}
		}
	}
	return last
}

// post asks the API under an idempotency key until it answers, or for so long, and reports whether it did. That the answer was
// lost with the process that made it is an answer too; it comes after a minute.
func (x *platform) post(key string, body any, long time.Duration) (bool, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return false, err
	}
	client := http.Client{Timeout: 5 * time.Second}
	for began := time.Now(); time.Since(began) < long; time.Sleep(200 * time.Millisecond) {
		r, err := http.NewRequest(http.MethodPost, "http://"+x.listen+"/v1/tournaments", bytes.NewReader(text))
		if err != nil {
			return false, err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+x.organiser)
		r.Header.Set("Idempotency-Key", key)
		answer, err := client.Do(r)
		if err != nil {
			continue // it was cut off, or nobody is there
		}
		var problem struct{ Code, Detail string }
		err = json.NewDecoder(answer.Body).Decode(&problem)
		_ = answer.Body.Close()
		switch {
		case answer.StatusCode/100 == 2 || problem.Code == "answer_lost":
			return true, nil
		case answer.StatusCode/100 == 5 || problem.Code == "in_progress" || err != nil:
		default:
			return false, fmt.Errorf("key %s: %d %s: %s", key, answer.StatusCode, problem.Code, problem.Detail)
		}
	}
	return false, nil
}

// newDirector makes tournaments in a store.
func newDirector(db *store.Store) *director.Director {
	return director.New(db, director.Options{Engines: catalog.Find, Rand: rand.Reader})
}
