package cli_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/jobs"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// built is the folder of the binary that all tests of this package share, made when the first of them asks for it.
var built struct {
	sync.Mutex
	dir, binary string
}

func TestMain(m *testing.M) {
	storetest.Main(m, func() error { return os.RemoveAll(built.dir) })
}

// molerun is the path of the program, built once.
func molerun(t testing.TB) string {
	t.Helper()
	built.Lock()
	defer built.Unlock()
	if built.binary == "" {
		var err error
		if built.dir, err = os.MkdirTemp("", "molerun"); err != nil {
			t.Fatal(err)
		}
		built.binary = clitest.Build(t, built.dir)
	}
	return built.binary
}

// asked is one time a bot was asked for a decision.
type asked struct {
	body [32]byte
	at   time.Time
}

// swarm is some bots at one address that keep count of what they were asked. What they answer is a function of view and
// offer alone.
type swarm struct {
	*httptest.Server
	delay time.Duration
	mu    sync.Mutex
	asks  map[string][]asked // by decision
}

func newSwarm(t *testing.T, delay time.Duration) *swarm {
	s := &swarm{delay: delay, asks: map[string][]asked{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.answer))
	t.Cleanup(s.Close)
	return s
}

func (s *swarm) answer(w http.ResponseWriter, r *http.Request) {
	at := time.Now()
	body, err := io.ReadAll(r.Body)
	var turn protocol.Turn
	if err != nil || json.Unmarshal(body, &turn) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if turn.Type != protocol.TypeTurn {
		_, _ = w.Write([]byte("{}"))
		return
	}
	s.mu.Lock()
	s.asks[turn.Decision] = append(s.asks[turn.Decision], asked{sha256.Sum256(body), at})
	s.mu.Unlock()
	time.Sleep(s.delay)
	h := fnv.New64a()
	_, _ = h.Write(turn.View)
	answer, err := kit.Random(turn.Offer, rand.New(rand.NewPCG(h.Sum64(), 1)))
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// cup makes owners, bots and a rated round robin, and starts it with luck that is the same for the same seed.
func cup(t *testing.T, url string, bots *swarm, cycles int) (*store.Store, tournament.Tournament) {
	t.Helper()
	ctx := t.Context()
	db, err := store.Open(ctx, url, store.Options{
		Now: time.Now, Rand: rand.NewChaCha8([32]byte{7}), Program: "molerun test", MaxConns: 8,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	user := func(name string, role tournament.Role) tournament.User {
		u, _, err := db.CreateUser(ctx, tournament.User{Name: name, Role: role}, tournament.Token{ID: "token-" + name, Hash: sha256.Sum256([]byte(name))})
		must(err)
		return u
	}
	organiser := user("organiser", tournament.RoleOrganiser)
	engine, _ := catalog.Find("molehill")
	config, err := engine.Configure(nil, 2)
	must(err)
	d := directortest.Of(db, catalog.Find)
	ladder, err := d.EnsureLadder(ctx, "molehill")
	must(err)
	now := time.Now()
	cup, err := d.CreateTournament(ctx, tournament.Tournament{
		Name: "chaos", OrganiserID: organiser.ID, Game: "molehill", Config: config, Format: tournament.RoundRobin, Table: 2, Cycles: cycles, Duplicate: true,
		Rated: true, LadderID: ladder.ID, Capacity: 5, Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(),
		OpensAt: now.Add(-time.Minute), ClosesAt: now.Add(time.Hour), StartsAt: now.Add(2 * time.Hour), Status: tournament.Scheduled,
	})
	must(err)
	for i := range 5 {
		name := fmt.Sprintf("bot-%d", i)
		owner := user("owner-of-"+name, tournament.RoleOwner)
		bot, _, err := db.CreateBot(ctx, tournament.Bot{OwnerID: owner.ID, Name: name, Status: tournament.BotActive},
			tournament.Version{Number: 1, URL: fmt.Sprintf("%s/%d", bots.URL, i), Games: []string{"molehill"}}, 10)
		must(err)
		_, err = d.Join(ctx, cup.ID, bot.ID, owner.ID)
		must(err)
	}
	cup, err = d.Start(ctx, cup.ID)
	must(err)
	return db, cup
}

// worker starts a process that plays so many matches at a time.
func worker(t *testing.T, binary, database string, slots int) *clitest.Process {
	t.Helper()
	return clitest.Start(t, exec.Command(binary, "work", "--database", database, "--workers", fmt.Sprint(slots), "--metrics", "", "--allow-private-bots"))
}

func nightly() bool { return os.Getenv("MOLERUN_NIGHTLY") != "" }

func TestKilledWorkersLoseNothing(t *testing.T) {
	t.Parallel()
	kills, cycles := 60, 10 // 200 matches
	if nightly() {
		kills, cycles = 1000, 150
	}
	const workers, slots = 3, 8
	binary := molerun(t)
	bots := newSwarm(t, 15*time.Millisecond)
	url := storetest.PostgresURL(t)
	db, cup := cup(t, url, bots, cycles)

	serve := clitest.Start(t, exec.Command(binary, "serve", "--database", url, "--workers", "0", "--listen", "127.0.0.1:0", "--metrics", ""))
	defer serve.Kill()
	base := serve.Line(t)
	work := func() *clitest.Process { return worker(t, binary, url, slots) }
	alive := make([]*clitest.Process, workers)
	for i := range alive {
		alive[i] = work()
	}
	defer func() {
		for _, p := range alive {
			p.Kill()
		}
	}()
	luck := rand.New(rand.NewPCG(3, 4))
	for n := range kills {
		time.Sleep(time.Duration(60+luck.IntN(200)) * time.Millisecond)
		if s := status(t, base, cup.ID); s != string(tournament.Running) {
			t.Fatalf("the tournament is %s after %d kills: it was over too soon to show anything\n%s", s, n, alive[0].Log)
		}
		i := luck.IntN(workers)
		alive[i].Kill()
		alive[i] = work()
	}
	waitFor(t, func() bool {
		return status(t, base, cup.ID) == string(tournament.Finished) && rated(t, db)
	}, alive[0].Log)

	check(t, db, cup, bots, kills*slots)
	compare(t, ratings(t, db), ratings(t, reference(t, cycles)))
}

// status asks the API, which must be up all the time.
func status(t *testing.T, base, id string) string {
	t.Helper()
	response, err := http.Get(base + "/v1/tournaments/" + id)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var body struct{ Status, Detail string }
	if err := json.NewDecoder(response.Body).Decode(&body); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("status %d, %v: %s", response.StatusCode, err, body.Detail)
	}
	return body.Status
}

func rated(t *testing.T, db *store.Store) bool {
	t.Helper()
	l, err := db.Ladder(t.Context(), "molehill")
	if err != nil {
		t.Fatal(err)
	}
	return l.NextSeq == l.LastSeq+1
}

// waitFor is a bounded wait; the bound is for a broken program, not a measure.
// waitFor waits until done, for ten minutes at most: a machine with twenty others at work on it is that slow.
func waitFor(t *testing.T, done func() bool, log fmt.Stringer) {
	t.Helper()
	for range 6000 {
		if done() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("not over after ten minutes\n%s", log)
}

// all are the matches of a tournament in schedule order.
func all(t *testing.T, db *store.Store, cup tournament.Tournament) []tournament.Match {
	t.Helper()
	var out []tournament.Match
	for after := ""; ; {
		list, next, err := db.Matches(t.Context(), store.MatchFilter{TournamentID: cup.ID}, store.Page{Limit: 100, Sort: store.Oldest, After: after})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, list...)
		if after = next; after == "" {
			return out
		}
	}
}

// check holds the database against what the bots saw and against the rules.
func check(t *testing.T, db *store.Store, cup tournament.Tournament, bots *swarm, mostRepeats int) {
	t.Helper()
	ctx := t.Context()
	bots.mu.Lock()
	defer bots.mu.Unlock()
	list := all(t, db, cup)
	engine, _ := catalog.Find("molehill")
	repeats, resumed, decisions := 0, 0, 0
	for _, m := range list {
		if m.Status != tournament.MatchDone || m.Result == nil {
			t.Errorf("match %s is %s (%s), want done with a result", m.ID, m.Status, m.Reason)
			continue
		}
		if m.Epoch > 1 {
			resumed++
		}
		steps, err := db.Decisions(ctx, m.ID)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := runner.Write(&file, runner.SpecOf(m, engine, steps), m.Nonce); err != nil {
			t.Fatalf("match %s: %v", m.ID, err)
		}
		if _, err := replay.Verify(&file, catalog.Find); err != nil {
			t.Errorf("match %s: %v", m.ID, err)
		}
		for _, seat := range m.Seats {
			rows, err := db.SeatDecisions(ctx, m.ID, seat.Seat)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range rows {
				decisions++
				asks := bots.asks[runner.DecisionID(m.ID, d.Step-1, seat.Seat)]
				if d.By != replay.ByBot || len(asks) == 0 {
					t.Errorf("match %s step %d: decided by %s (%s) after %d asks, want by the bot", m.ID, d.Step, d.By, d.Reason, len(asks))
				}
				for i, a := range asks {
					if a.body != asks[0].body {
						t.Errorf("match %s step %d: ask %d differs from the first, want the same bytes", m.ID, d.Step, i+1)
					}
					if a.at.After(d.RecordedAt.Add(2 * time.Millisecond)) {
						t.Errorf("match %s step %d: asked at %v, recorded at %v: a recorded decision was asked again", m.ID, d.Step, a.at, d.RecordedAt)
					}
				}
				repeats += max(0, len(asks)-1)
			}
		}
	}
	if repeats > mostRepeats {
		t.Errorf("%d asks were repeated, want at most one a match under way and kill: %d", repeats, mostRepeats)
	}
	if resumed == 0 {
		t.Error("no match was ever resumed: the kills hit nothing")
	}
	if err := directortest.Of(db, catalog.Find).CheckRatings(ctx, "molehill"); err != nil {
		t.Error(err)
	}
	t.Logf("%d matches, %d resumed, %d decisions, %d asked twice for being unrecorded", len(list), resumed, decisions, repeats)
}

// reference plays the same tournament with one worker that nobody kills.
func reference(t *testing.T, cycles int) *store.Store {
	t.Helper()
	bots := newSwarm(t, 0)
	db, cup := cup(t, storetest.PostgresURL(t), bots, cycles)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- jobs.Run(ctx, jobs.Config{Store: db, Director: directortest.Of(db, catalog.Find), Engines: catalog.Find, Slots: 8, Players: players(t, db)})
	}()
	waitFor(t, func() bool {
		now, err := db.Tournament(ctx, cup.ID)
		if err != nil {
			t.Fatal(err)
		}
		return now.Status == tournament.Finished && rated(t, db)
	}, new(bytes.Buffer))
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	return db
}

// ratings are the ladder's rows by bot.
func ratings(t *testing.T, db *store.Store) map[string]int64 {
	t.Helper()
	rows, _, err := db.LadderRows(t.Context(), "molehill", store.Page{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int64{}
	for _, r := range rows {
		out[r.Bot] = r.OnlineMilli
	}
	return out
}

func compare(t *testing.T, got, want map[string]int64) {
	t.Helper()
	if len(got) != 5 || len(want) != 5 {
		t.Fatalf("%d and %d bots on the ladders, want 5", len(got), len(want))
	}
	for bot, milli := range want {
		if got[bot] != milli {
			t.Errorf("%s: %d thousandths with kills, %d without; want the same", bot, got[bot], milli)
		}
	}
}
