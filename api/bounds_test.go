package api_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// longConfig is a walled board on which nothing is decided, for so many rounds.
const longConfig = `{"board":{"w_um":1000000,"h_um":1000000,"circle":{"at_um":[500000,300000],"r_um":30000},"nichee":[300000,600000,700000,750000],` +
	`"rosserie":[],"loup_um":null,"walls_um":[[[200000,200000],[800000,200000]],[[800000,200000],[800000,800000]],[[800000,800000],[200000,800000]],` +
	`[[200000,800000],[200000,200000]]],"posts":[],"ramp":null},"points":50,"lead":10,"max_rounds":%d,"mole_turns":100,"noise":"shaky"}`

// longRounds are those of the longest match that may be asked for; the gate has a sixth of them.
func longRounds() int {
	if os.Getenv("MOLERUN_NIGHTLY") != "" {
		return 24
	}
	return 4
}

var speed = regexp.MustCompile(`"speed_mm_s":\d+`)

// shuffler flicks as gently as it may, so that its match takes as long as it may.
type shuffler struct{ nodder }

func (shuffler) Ask(_ context.Context, _ runner.Briefing, a runner.Ask) runner.Reply {
	var offer struct{ List, Examples []json.RawMessage }
	if err := json.Unmarshal(a.Offer, &offer); err != nil {
		return runner.Reply{Fault: tournament.FaultBadJSON}
	}
	action := append(offer.Examples, offer.List...)[0]
	return runner.Reply{Action: speed.ReplaceAll(action, []byte(`"speed_mm_s":1`)), Ledger: runner.Ledger{Elapsed: 1701 * time.Microsecond}}
}

// reel keeps the steps of a match and writes many at once.
type reel struct {
	w     *world
	m     tournament.Match
	steps []runner.Step
	most  int
}

func (r *reel) Append(_ context.Context, s runner.Step) error {
	if len(r.steps) == r.most {
		return errEnough
	}
	r.steps = append(r.steps, s)
	return nil
}

// write puts all steps into the database.
func (r *reel) write() {
	r.w.t.Helper()
	for part := range slices.Chunk(r.steps, 200) {
		var rows []string
		var values []any
		for _, s := range part {
			for _, d := range s.Turns {
				rows = append(rows, "(?, ?, ?, ?, '', ?, ?, ?, '', '', '', '', '', '', ?, 0)")
				values = append(values, r.m.ID, s.Step, int(d.Seat), string(d.Action), d.By, d.Why, string(d.Clock), hex.EncodeToString(s.Hash[:]))
			}
		}
		sql := "INSERT INTO decisions (match_id, step, seat, action, say, decided_by, why, clock, fault, reason, memo, debug, build, sent_ahead, hash, recorded_ms) VALUES "
		must.OK(r.w.t, r.w.store.SQL(r.w.t.Context()).Exec(sql+strings.Join(rows, ", "), values...).Error)
	}
}

// shoot plays a match of [longConfig], at most so many steps of it.
func (w *world) shoot(m tournament.Match, most int) *reel {
	w.t.Helper()
	ctx := w.t.Context()
	m, _, err := w.director.Claim(ctx, store.PlayMatch{MatchID: m.ID, Epoch: m.Epoch}, "test", time.Hour)
	must.OK(w.t, err)
	r := &reel{w: w, m: m, most: most}
	o, err := runner.Play(ctx, runner.SpecOf(m, game.Wrap(mole.Rules{}), nil), []runner.Player{shuffler{}, shuffler{}}, r)
	r.write()
	if err == nil {
		err = w.director.Finish(ctx, m, o, nil)
	}
	if err != nil && most > len(r.steps) {
		w.t.Fatal(err)
	}
	return r
}

// publicPaths are what anybody may read of a match, and all else that anybody may read, with the parameters that cost most.
func (w *world) publicPaths(m tournament.Match) []string {
	w.t.Helper()
	var out []string
	for _, row := range matrix {
		if !strings.HasPrefix(row.route, "GET ") || !strings.HasPrefix(row.want, "200") && !strings.Contains(row.route, "/matches/:id") {
			continue
		}
		_, path, _ := w.scene(row, m)
		out = append(out, path)
	}
	at, last := m.ID, longRounds()*350
	for _, path := range []string{"/matches/%s", "/embed/matches/%s", "/matches/%s/board.svg", "/v1/matches/%s/view"} {
		out = append(out, fmt.Sprintf(path+"?step=%d", at, last))
	}
	return append(out, fmt.Sprintf("/matches/%s/frames?from=%d", at, last), fmt.Sprintf("/matches/%s/moves?from=%d", at, last),
		fmt.Sprintf("/v1/matches/%s/events?after=%d", at, last), fmt.Sprintf("/v1/matches/%s/replay", at), "/v1/matches/export", "/v1/bots/"+m.Seats[0].BotID+"/records")
}

// sink takes an answer and keeps what matters of it.
type sink struct {
	header http.Header
	status int
	bytes  int
}

func (s *sink) Header() http.Header { return s.header }
func (s *sink) WriteHeader(status int) {
	if s.status == 0 {
		s.status = status
	}
}

func (s *sink) Write(b []byte) (int, error) {
	s.WriteHeader(http.StatusOK)
	s.bytes += len(b)
	return len(b), nil
}
func (s *sink) Flush() {}

// visit reads a path as a browser at an address does.
func (w *world) visit(address, path string) *sink {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.RemoteAddr = address
	s := &sink{header: http.Header{}}
	w.api.ServeHTTP(s, r)
	return s
}

// onLong runs a test on a world with the limits of a public service, in which two of the longest matches are over and one runs.
func onLong(t *testing.T, test func(w *world, over, running tournament.Match)) {
	t.Helper()
	storetest.SQLite(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open, func(c *api.Config) {
			c.Limits = gate.DefaultLimits()
			c.Limits.Default.Count = 1_000_000 // what a request costs is tried, not how many there may be
			c.Engines = append(c.Engines, game.Wrap(mole.Rules{}))
		})
		_, list := w.started(func(c *tournament.Tournament) {
			c.Game, c.Config, c.Cycles, c.Rated = "mole", json.RawMessage(fmt.Sprintf(longConfig, longRounds())), 2, false
		}, owner, other)
		r := w.shoot(list[0], game.MaxSteps)
		if n, want := len(r.steps), longRounds()*401; n < want*9/10 {
			t.Fatalf("the longest match has %d steps, want nearly %d", n, want)
		}
		w.shoot(list[1], len(r.steps)-20)
		live := w.matchOf(list[1].ID)
		same(t, "a match that runs is", live.Status, tournament.MatchRunning)
		test(w, w.matchOf(list[0].ID), live)
	})
}

// TestTheLongestMatchIsReadWithinBounds: 500 requests of every kind by one stranger over 40 connections are answered or learn how long
// to wait, never refused with another cause; what is kept stays within its bound, and another visitor is served.
func TestTheLongestMatchIsReadWithinBounds(t *testing.T) {
	onLong(t, func(w *world, over, running tournament.Match) {
		paths := append(w.publicPaths(over), w.publicPaths(running)...)
		const stranger, visitor = "192.0.2.1:1", "192.0.2.2:1"
		next, waits := make(chan string), atomic.Int32{}
		around := []string{"/", "/v1/matches", "/v1/matches/" + over.ID + "/decisions?seat=0", "/tournaments/" + over.TournamentID}
		visits := func() { // of somebody who looks around
			for _, path := range around {
				if got := w.visit(visitor, path).status; got != 200 && got != 401 {
					t.Errorf("another visitor gets %d for %s", got, path)
				}
			}
		}
		var wait sync.WaitGroup
		for range 40 {
			wait.Go(func() {
				for path := range next {
					switch got := w.visit(stranger, path); got.status {
					case 200, 204, 303, 401, 404, 409:
					case 429:
						waits.Add(1)
						if seconds, err := strconv.Atoi(got.header.Get("Retry-After")); err != nil || seconds < 1 {
							t.Errorf("%s: 429 with Retry-After %q", path, got.header.Get("Retry-After"))
						}
					default:
						t.Errorf("%s: got %d", path, got.status)
					}
				}
			})
		}
		for i := range 500 {
			next <- paths[i%len(paths)]
			if i%50 == 0 {
				visits()
			}
		}
		close(next)
		wait.Wait()
		t.Logf("%d kinds of requests, %d of 500 had to wait", len(paths), waits.Load())
		if kept, bound := int(w.gauge("molerun_kept_bytes")), gate.DefaultLimits().Cache; kept == 0 || kept > bound {
			t.Errorf("%d bytes are kept, want at most %d", kept, bound)
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		if m.HeapAlloc > 512<<20 {
			t.Errorf("%d MiB are in use", m.HeapAlloc>>20)
		}
		if os.Getenv("MOLERUN_NIGHTLY") != "" {
			t.Log(w.costs(over))
		}
	})
}

// gauge is the value of a metric without labels.
func (w *world) gauge(name string) float64 {
	w.t.Helper()
	list, err := w.reg.Gather()
	must.OK(w.t, err)
	for _, family := range list {
		if family.GetName() == name {
			return family.GetMetric()[0].GetGauge().GetValue()
		}
	}
	w.t.Fatalf("there is no metric %s", name)
	return 0
}

// TestWhatAStrangerHasPlayedAgainIsCounted: many long matches take as long as the share of a caller says, and nobody else's.
func TestWhatAStrangerHasPlayedAgainIsCounted(t *testing.T) {
	onOneWith(t, func(c *api.Config) { c.Limits.Steps.Count = 10 }, func(w *world) {
		_, list := w.played(func(c *tournament.Tournament) { c.Cycles = 6 }, owner, other)
		for i, m := range list {
			for _, path := range []string{"/v1/matches/%s/view?step=1", "/matches/%s/board.svg", "/matches/%s/moves"} { // a replay for all
				want := 200
				if i >= 2 {
					want = 429
				}
				if got := w.visit("192.0.2.1:1", fmt.Sprintf(path, m.ID)); got.status != want && !(want == 200 && got.status == 404) {
					t.Errorf("match %d, %s: got %d, want %d", i, path, got.status, want)
				}
			}
		}
		got := w.get(anon, "/v1/matches/"+list[5].ID+"/replay")
		if got.status == 429 && !bytes.Contains(got.body, []byte("try again in ")) {
			t.Errorf("got %s, want the seconds to wait", got.body)
		}
		same(t, "another caller gets", w.visit("198.51.100.1:1", "/v1/matches/"+list[5].ID+"/view").status, 200)
		w.clk.Move(time.Minute)
		same(t, "a minute later", w.visit("192.0.2.1:1", "/v1/matches/"+list[4].ID+"/view").status, 200)
	})
}

// cost is what a request costs a processor, and how often a caller may ask for it.
type cost struct {
	route      string
	took       time.Duration
	kilobytes  int
	each, most float64 // a second, cores
}

// costs is the table of docs/8: the most expensive requests about a match, each asked for the first time, and as often as the rates
// allow. -v shows it; it measures this machine, so nothing is held against it.
func (w *world) costs(m tournament.Match) string {
	w.t.Helper()
	limits := gate.DefaultLimits()
	requests := func(r httpx.Rate) float64 { return float64(r.Count) / r.Per.Seconds() }
	const card = 2000 // steps that a card counts as
	var rows []cost
	for _, path := range w.publicPaths(m) {
		route := strings.NewReplacer(m.ID, ":id", m.TournamentID, ":id", m.Seats[0].BotID, ":id").Replace(path)
		if slices.ContainsFunc(rows, func(r cost) bool { return r.route == route }) {
			continue
		}
		cfg := w.cfg
		cfg.Metrics = prometheus.NewRegistry()
		fresh, err := api.New(cfg) // nothing is kept
		must.OK(w.t, err)
		s := &sink{header: http.Header{}}
		r := httptest.NewRequest(http.MethodGet, path, nil)
		before := cpu(w.t)
		fresh.ServeHTTP(s, r)
		row := cost{route: route, took: cpu(w.t) - before, kilobytes: s.bytes >> 10, each: requests(limits.Default)}
		if strings.Contains(s.header.Get("RateLimit-Policy"), "following") {
			row.each = requests(limits.Following)
		}
		if route == "/" {
			row.each = 1 // made once a second for all who ask
		}
		counted := 0 // of the caller's steps
		switch {
		case strings.HasSuffix(route, "/card.png"):
			counted = card
		case strings.Contains(route, "/matches/:id") || strings.HasSuffix(route, "/records"):
			counted = m.Steps
		}
		if counted > 0 {
			row.each = min(row.each, float64(limits.Steps.Count)/limits.Steps.Per.Seconds()/float64(counted))
		}
		row.most = row.took.Seconds() * row.each
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b cost) int { return cmp.Compare(b.most, a.most) })
	out := fmt.Sprintf("a match of %d steps\n", m.Steps)
	for _, row := range rows[:10] {
		out += fmt.Sprintf("| `%s` | %.1f | %d | %.2f | %.2f |\n", row.route, row.took.Seconds()*1e3, row.kilobytes, row.each, row.most)
	}
	return out
}

// cpu is what the process has used of processors so far.
func cpu(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	must.OK(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
