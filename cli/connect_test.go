package cli_test

import (
	"bufio"
	"context"
	"errors"
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
	"sync/atomic"
	"testing"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament/store"
)

// breaking returns the way to a URL, whose connections all break at some of the requests, or one does after the request has arrived, until
// there were so many cuts.
func breaking(t *testing.T, url string, cuts int) *clitest.Link {
	t.Helper()
	l := clitest.NewLink(t, "127.0.0.1:0", func() (net.Conn, error) { return net.Dial("tcp", strings.TrimPrefix(url, "http://")) }, clitest.Pieces)
	luck, next := mathrand.New(mathrand.NewPCG(1, 2)), 20
	l.Choose(func(clitest.Unit) (clitest.Cut, bool) {
		if next--; next > 0 || cuts == 0 {
			return 0, false
		}
		cuts--
		next = 1 + luck.IntN(6)
		return []clitest.Cut{clitest.All, clitest.After}[luck.IntN(2)], true
	})
	return l
}

// fox is a bot that says in each answer to a turn how often it was asked it, and keeps count. It goes away with some of what it is asked, and
// comes back at once; and it wants each view in words.
type fox struct {
	mu    sync.Mutex
	asked map[string]int // by webhook-id
}

func (f *fox) serve(t *testing.T) string {
	t.Helper()
	decide := func(_ context.Context, turn *protocol.Turn) (protocol.Answer, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if turn.Text == "" {
			return protocol.Answer{}, errors.New("no view in words")
		}
		a := kit.Pick(0)
		a.Debug = fmt.Sprintf("%s#%d", turn.Decision, f.asked[turn.Decision])
		return a, nil
	}
	h, err := kit.Handler(kit.Bot{Name: "fox", Build: "b1", Text: true, Games: map[string]kit.Decide{"molehill": decide}}, starterSecret)
	must.OK(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		id := r.Header.Get(protocol.HeaderID)
		f.asked[id]++
		goes := f.asked[id] == 1 && len(f.asked)%10 == 0
		f.mu.Unlock()
		if goes {
			panic(http.ErrAbortHandler)
		}
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
	if nightly() { // the store's own tests hold both databases to the same messages
		t.Run("postgres", func(t *testing.T) { brokenLink(t, storetest.PostgresURL(t)) })
	}
}

func brokenLink(t *testing.T, db string) {
	settingsIn(t)
	url := serving(t, db)
	line := breaking(t, url, 50)
	f := &fox{asked: map[string]int{}}
	told(t, "", "login", url, "--name", "ada")
	fails(t, 1, []string{"bot", "create", "fox", "relay:fox", "--secret", starterSecret}, "molerun connect running", "next: molerun connect fox --to")
	stop := connecting(t, "Fox", "--to", f.serve(t), "--platform", "http://"+line.Address())
	told(t, "", "bot", "create", "fox", "relay:fox", "--secret", starterSecret)
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
	if line.Cuts() != 50 || again == 0 || again > 2*50 {
		t.Errorf("%d cuts and %d links more, want 50 and 1 to 100", line.Cuts(), again)
	}
	if asked := len(f.asked); taken > asked || carried < asked || taken+refused > carried || taken < decided/2 {
		t.Errorf("of %d messages, %d of them decisions, %d were carried, %d answers taken and %d refused", asked, decided, carried, taken, refused)
	}
	t.Logf("%d decisions, %d of them asked more than once; %s", decided, twice, said)
}

// A connect that is told to end brings the answer that its bot is at: the platform would give the message to another only when it has heard
// nothing for three seconds, of which the bot pays.
func TestConnectThatEndsBringsWhatItCarries(t *testing.T) {
	settingsIn(t)
	url := serving(t, migrated(t))
	asked, goOn := make(chan struct{}), make(chan struct{})
	thinks, err := kit.Handler(kit.Bot{Name: "fox", Games: map[string]kit.Decide{"molehill": nil}}, starterSecret)
	must.OK(t, err)
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(asked)
		<-goOn
		thinks.ServeHTTP(w, r)
	}))
	t.Cleanup(slow.Close)
	told(t, "", "login", url, "--name", "ada")
	var out strings.Builder
	read, write := io.Pipe()
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	go func() {
		ended <- cli.MainContext(ctx, []string{"connect", "fox", "--to", slow.URL}, strings.NewReader(""), &out, write)
		_ = write.Close()
	}()
	said := bufio.NewScanner(read)
	said.Scan() // connected
	created := make(chan int, 1)
	go func() {
		code, _, _ := call("", "bot", "create", "fox", "relay:fox", "--secret", starterSecret)
		created <- code
	}()
	<-asked // the hello
	end()
	if said.Scan(); !strings.HasPrefix(said.Text(), "brings 1 message under way to its end") {
		t.Errorf("connect says %q", said.Text())
	}
	go func() { _, _ = io.Copy(io.Discard, read) }()
	close(goOn)
	if code := <-created; code != 0 {
		t.Errorf("the hello that was under way failed: exit code %d", code)
	}
	if code := <-ended; code != 0 || !strings.HasPrefix(out.String(), "1 message carried, 1 answer taken") {
		t.Errorf("exit code %d, %q", code, out.String())
	}
	aFailedCheckSaysWhatMendsIt(t) // with the same account
	connectSaysWhereElseItsBotPlays(t)
}

// contest returns a tournament of fox and three others, played to its end.
func contest(t *testing.T, url, db string) (id string) {
	t.Helper()
	oda := organiser(t, db, "oda")
	id, _ = announce(t, url, oda, fields{
		"duplicate": false, "rated": false, "clock": fields{"limit_ms": 60000, "bank_ms": 60000, "increment_ms": 0, "network_allowance_ms": 150},
	})
	told(t, "", "bot", "enter", "fox", id)
	for i := range 3 {
		token, bot := author(t, url, fmt.Sprint("user", i), fields{"name": fmt.Sprint("bot", i), "url": random(t, 1).URL})
		enter(t, url, token, id, bot)
	}
	begin(t, url, oda, id)
	finishes(t, url, id)
	return id
}

// records is the database of a platform that runs.
type records struct{ *store.Store }

func opened(t *testing.T, db string) records {
	t.Helper()
	return records{storetest.OpenURL(t, db, store.Options{MaxConns: 2})}
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
				if d.By != replay.ByBot || d.Fault != "" || which < 1 || which > n {
					t.Errorf("match %s step %d: decided by %s, fault %q, by the answer to ask %d of %d", m.ID, s.Step, d.By, d.Fault, which, n)
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
	if turns != decided { // none on trial: the bot has longer for a decision than that lasts
		t.Errorf("fox was asked %d decisions, %d are recorded", turns, decided)
	}
	return decided, twice
}

// What the platform found wrong with a bot leads to what mends it: a check of the bot alone, with its own secret, finds no fault.
func aFailedCheckSaysWhatMendsIt(t *testing.T) {
	t.Helper()
	var refuses atomic.Bool
	well := bot(t, kit.Bot{Name: "fox", Games: map[string]kit.Decide{"cia": nil}}).Config.Handler
	fox := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refuses.Load() {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		well.ServeHTTP(w, r)
	}))
	t.Cleanup(fox.Close)
	told(t, "", "bot", "create", "hen", fox.URL)
	refuses.Store(true)
	_, errs := exits(t, 1, "bot", "check", "hen")
	says(t, errs, "next: the bot refuses the signature: have both sides the same secret", "; then molerun bot check hen")
}

// Who connects a bot that the platform reaches elsewhere, or that is an agent, learns it at once: nothing would ever come.
func connectSaysWhereElseItsBotPlays(t *testing.T) {
	t.Helper()
	at := (&fox{asked: map[string]int{}}).serve(t)
	for name, address := range map[string]string{"elsewhere": at, "owl": "agent:owl"} {
		told(t, "", "bot", "create", name, address, "--secret", starterSecret)
		read, write := io.Pipe()
		ctx, end := context.WithCancel(t.Context())
		ended := make(chan int, 1)
		go func() {
			ended <- cli.MainContext(ctx, []string{"connect", name, "--to", at}, strings.NewReader(""), io.Discard, write)
		}()
		line, err := bufio.NewReader(read).ReadString('\n')
		if want := "your bot " + name + " plays at " + address + ", not at relay:" + name; err != nil || !strings.HasPrefix(line, want) {
			t.Errorf("connect begins with %q (%v), want %q", line, err, want)
		}
		end()
		_ = read.Close()
		<-ended
	}
}
