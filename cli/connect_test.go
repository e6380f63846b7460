package cli_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament/store"
)

// link is a TCP line to an address that breaks at random pieces of traffic, before or after they have passed.
type link struct {
	to       string
	listener net.Listener
	wg       sync.WaitGroup

	mu     sync.Mutex
	luck   *mathrand.Rand
	open   map[net.Conn]bool
	pieces int // passed
	next   int // the piece to break at
	left   int // cuts to come
	cuts   int
}

func newLink(t *testing.T, url string, cuts int) *link {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &link{to: strings.TrimPrefix(url, "http://"), listener: listener, luck: mathrand.New(mathrand.NewPCG(1, 2)), open: map[net.Conn]bool{}, next: 40, left: cuts}
	l.wg.Go(func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", l.to)
			if err != nil {
				_ = from.Close()
				continue
			}
			l.mu.Lock()
			l.open[from], l.open[to] = true, true
			l.mu.Unlock()
			l.wg.Go(func() { l.pass(from, to) })
			l.wg.Go(func() { l.pass(to, from) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		l.breakAll()
		l.wg.Wait()
	})
	return l
}

func (l *link) url() string { return "http://" + l.listener.Addr().String() }

func (l *link) breakAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.open {
		_ = c.Close()
	}
	clear(l.open)
}

// now reports whether the line breaks at this piece, and whether the piece still passes.
func (l *link) now() (cut, passes bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pieces++; l.left == 0 || l.pieces < l.next {
		return false, true
	}
	l.left--
	l.cuts++
	l.next = l.pieces + 1 + l.luck.IntN(12)
	return true, l.luck.IntN(2) == 0
}

func (l *link) pass(from, to net.Conn) {
	defer func() { _, _ = from.Close(), to.Close() }()
	b := make([]byte, 64<<10)
	for {
		n, err := from.Read(b)
		if err != nil {
			return
		}
		cut, passes := l.now()
		if passes {
			if _, err := to.Write(b[:n]); err != nil {
				return
			}
		}
		if cut {
			l.breakAll()
			return
		}
	}
}

// fox is a bot that says in each answer to a turn how often it was asked it, and keeps count.
type fox struct {
	mu    sync.Mutex
	asked map[string]int // by webhook-id
}

func (f *fox) serve(t *testing.T, secret string) string {
	t.Helper()
	decide := func(_ context.Context, turn *protocol.Turn) (protocol.Answer, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		a := kit.Pick(0)
		a.Debug = fmt.Sprintf("%s#%d", turn.Decision, f.asked[turn.Decision])
		return a, nil
	}
	h, err := kit.Handler(kit.Bot{Name: "fox", Build: "b1", Games: map[string]kit.Decide{"molehill": decide}}, secret)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		f.asked[r.Header.Get(protocol.HeaderID)]++
		f.mu.Unlock()
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/"
}

// connecting runs molerun connect in this process until stop is called, which returns what it prints; it returns once the
// relay is connected.
func connecting(t *testing.T, args ...string) (stop func() string) {
	t.Helper()
	var out strings.Builder
	read, write := io.Pipe()
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan int, 1)
	go func() {
		ended <- cli.MainContext(ctx, append([]string{"connect"}, args...), strings.NewReader(""), &out, write)
		_ = write.Close()
	}()
	lines := bufio.NewReader(read)
	line, err := lines.ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "connected to ") {
		t.Fatalf("connect says %q (%v), want that it is connected", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	stop = sync.OnceValue(func() string {
		end()
		if code := <-ended; code != 0 {
			t.Errorf("connect ended with %d", code)
		}
		return out.String()
	})
	t.Cleanup(func() { stop() })
	return stop
}

// A whole tournament by way of a line that breaks fifty times: every decision is the bot's own, and of those that it gave
// twice one counts.
func TestALinkThatBreaksLosesNoDecision(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { brokenLink(t, "sqlite:"+filepath.Join(t.TempDir(), "m.db")) })
	t.Run("postgres", func(t *testing.T) { brokenLink(t, storetest.PostgresURL(t)) })
}

func brokenLink(t *testing.T, db string) {
	settingsIn(t)
	url := serving(t, db)
	line := newLink(t, url, 50)
	f := &fox{asked: map[string]int{}}
	secret := "whsec_" + strings.Repeat("QUJD", 11) + "0AAA"
	told(t, "", "login", url, "--name", "ada")
	if code, _, errs := call("", "bot", "create", "fox", "relay:fox", "--secret", secret); code != 1 || !strings.Contains(errs, "molerun connect running") || !strings.Contains(errs, "next: molerun connect fox --to") {
		t.Errorf("without a relay: exit code %d, %q; want 1, and the command to start", code, errs)
	}
	stop := connecting(t, "Fox", "--to", f.serve(t, secret), "--platform", line.url())
	told(t, "", "bot", "create", "fox", "relay:fox", "--secret", secret)
	cup := contest(t, url, db)
	w := opened(t, db)
	decided, twice := w.check(t, cup, f)
	said := stop()
	counts := regexp.MustCompile(`^(\d+) messages carried, (\d+) answers taken, (\d+) refused, the link made again (\d+) times\n$`).FindStringSubmatch(said)
	if counts == nil {
		t.Fatalf("connect prints %q", said)
	}
	var carried, taken, refused, again int
	for i, to := range []*int{&carried, &taken, &refused, &again} {
		_, _ = fmt.Sscan(counts[i+1], to)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case line.cuts != 50:
		t.Errorf("line.cuts is %v, want 50", line.cuts)
	case again == 0:
		t.Error("again is 0")
	case again > 2*50:
		t.Errorf("again is %v, want at most %v", again, 2*50)
	case taken > len(f.asked):
		t.Errorf("taken is %v, want at most %v", taken, len(f.asked))
	case carried < len(f.asked):
		t.Errorf("carried is %v, want at least %v", carried, len(f.asked))
	case taken+refused > carried:
		t.Errorf("taken+refused is %v, want at most %v", taken+refused, carried)
	case taken < decided/2:
		t.Errorf("taken is %v, want at least %v", taken, decided/2)
	}
	t.Logf("%d decisions, %d of them asked more than once; %s", decided, twice, said)
}

// contest returns a tournament of fox and three others, played to its end.
func contest(t *testing.T, url, db string) (id string) {
	t.Helper()
	organiser := strings.TrimSpace(told(t, "", "admin", "token", "organiser", "--database", db))
	at := func(d time.Duration) string { return time.Now().UTC().Add(d).Format(time.RFC3339) }
	cup := inside(curl(t, 201, organiser, "POST", url+"/v1/tournaments", fmt.Sprintf(`{"name":"Cuts","game":"molehill","table_size":2,"format":"round_robin",
		"cycles":1,"duplicate":false,"rated":true,"capacity":4,"opens_at":%q,"closes_at":%q,"starts_at":%q,
		"clock":{"limit_ms":60000,"bank_ms":60000,"increment_ms":0,"network_allowance_ms":150}}`, at(-time.Minute), at(time.Hour), at(time.Hour))), "id")
	told(t, "", "bot", "enter", "fox", cup)
	others := pure(t)
	for i := range 3 {
		token := inside(curl(t, 201, "", "POST", url+"/v1/users", fmt.Sprintf(`{"name":"user%d"}`, i)), "token", "token")
		bot := curl(t, 201, token, "POST", url+"/v1/bots", fmt.Sprintf(`{"name":"bot%d","url":"%s/%d"}`, i, others.URL, i))
		curl(t, 201, token, "POST", url+"/v1/tournaments/"+cup+"/entries", fmt.Sprintf(`{"bot_id":%q}`, inside(bot, "bot", "id")))
	}
	curl(t, 200, organiser, "POST", url+"/v1/tournaments/"+cup+"/start", "")
	for end := time.Now().Add(90 * time.Second); inside(curl(t, 200, "", "GET", url+"/v1/tournaments/"+cup, ""), "status") != "finished"; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the tournament did not end")
		}
	}
	return cup
}

// records is the database of a platform that runs.
type records struct{ *store.Store }

func opened(t *testing.T, db string) records {
	t.Helper()
	s, err := store.Open(t.Context(), db, store.Options{Now: time.Now, Rand: rand.Reader, Program: "molerun test", MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return records{s}
}

// check holds the record of a tournament against what fox knows of it: how many decisions it made, and how many of them it
// was asked for more than once.
func (w records) check(t *testing.T, cup string, f *fox) (decided, twice int) {
	t.Helper()
	list, _, err := w.Matches(t.Context(), store.MatchFilter{TournamentID: cup}, store.Page{Limit: store.MaxPage})
	if err != nil || len(list) != 6 {
		t.Fatalf("%d matches (%v), want 6", len(list), err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	used := map[string]bool{}
	for _, m := range list {
		steps, err := w.Decisions(t.Context(), m.ID)
		if err != nil || m.Status != "done" {
			t.Errorf("match %s is %s (%v)", m.ID, m.Status, err)
		}
		for _, s := range steps {
			for _, d := range s.Turns {
				if m.Seats[d.Seat].BotName != "fox" {
					continue
				}
				decided++
				id, last, _ := strings.Cut(d.Debug, "#")
				n, which := f.asked[id], 0
				_, _ = fmt.Sscan(last, &which)
				if used[id] {
					t.Errorf("match %s step %d: an answer to %s is used a second time", m.ID, s.Step, id)
				}
				used[id] = true
				switch {
				case d.By != replay.ByBot:
					t.Errorf("match %s step %d: d.By is %v, want %v", m.ID, s.Step, d.By, replay.ByBot)
				case d.Fault != "":
					t.Errorf(`match %s step %d: d.Fault is %q, want ""`, m.ID, s.Step, d.Fault)
				case which < 1:
					t.Errorf("match %s step %d: which is %v, want at least 1", m.ID, s.Step, which)
				case which > n:
					t.Errorf("match %s step %d: which is %v, want at most %v", m.ID, s.Step, which, n)
				}
				if n > 1 {
					twice++
				}
			}
		}
	}
	turns := 0
	for id := range f.asked {
		if strings.HasPrefix(id, "dec_") {
			turns++
		}
	}
	if turns != decided+1 { // the one on trial before the first round is recorded nowhere
		t.Errorf("fox was asked %d decisions, %d are recorded, want one fewer", turns, decided)
	}
	return decided, twice
}
