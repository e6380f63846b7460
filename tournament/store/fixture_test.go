package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/director/directortest"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m, func() error { return goleak.Find() }) }

// clock is a wall clock that tests move; it starts in another zone and with nanoseconds, which must not show.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock {
	return &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.FixedZone("east", 3600))}
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// world is a store with shortcuts for what most tests need first.
type world struct {
	*store.Store
	*director.Director
	t   *testing.T
	ctx context.Context
	clk *clock
	org tournament.User
}

func newWorld(t *testing.T, open storetest.Open) *world {
	t.Helper()
	w := &world{t: t, ctx: t.Context(), clk: newClock()}
	w.on(open(store.Options{Now: w.clk.Now}))
	w.org = w.user("org")
	return w
}

// on goes on with another process's store.
func (w *world) on(s *store.Store) {
	w.Store, w.Director = s, directortest.New(s)
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// refused checks that an error is the sentinel, and has facts around it.
func refused(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: got %v, want %v", what, err, want)
	} else if err.Error() == want.Error() {
		t.Errorf("%s: %v says no facts", what, err)
	}
}

func (w *world) user(name string) tournament.User {
	w.t.Helper()
	u, _, err := w.CreateUser(w.ctx, tournament.User{Name: name, Role: tournament.RoleOwner}, tournament.Token{Hash: [32]byte{1}})
	w.must(err)
	return u
}

func (w *world) bot(name string, owner tournament.User) tournament.Bot {
	w.t.Helper()
	b, _, err := w.CreateBot(w.ctx, tournament.Bot{Name: name, OwnerID: owner.ID},
		tournament.Version{URL: "http://" + name, Secrets: tournament.Secrets{"whsec_1"}, Build: "b1", Games: []string{storetest.Toy, storetest.ToyTeams, "demol"}}, 1000)
	w.must(err)
	return b
}

// plan is a tournament of two-seat toy matches that can be joined now and starts in an hour.
func (w *world) plan(change func(*tournament.Tournament)) tournament.Tournament {
	w.t.Helper()
	now := w.clk.Now()
	t := tournament.Tournament{
		Name: "cup", OrganiserID: w.org.ID, Game: storetest.Toy, Config: []byte(`{"steps":3}`), Format: tournament.RoundRobin, Table: 2, Cycles: 1,
		Rated: true, Capacity: 100, Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(),
		OpensAt: now.Add(-time.Hour), ClosesAt: now.Add(30 * time.Minute), StartsAt: now.Add(time.Hour),
	}
	if change != nil {
		change(&t)
	}
	t, err := w.CreateTournament(w.ctx, t)
	w.must(err)
	return t
}

// running is a started tournament of n bots, each of an owner of its own.
func (w *world) running(n int, change func(*tournament.Tournament)) (tournament.Tournament, []tournament.Match) {
	w.t.Helper()
	t := w.plan(change)
	for i := range n {
		name := fmt.Sprintf("%s-%d", t.ID[len(t.ID)-6:], i)
		u := w.user(name)
		_, err := w.Join(w.ctx, t.ID, w.bot(name, u).ID, u.ID)
		w.must(err)
	}
	t, err := w.Start(w.ctx, t.ID)
	w.must(err)
	return t, w.all(store.MatchFilter{TournamentID: t.ID})
}

// all is every match of a filter in schedule order, page by page.
func (w *world) all(f store.MatchFilter) []tournament.Match {
	w.t.Helper()
	var out []tournament.Match
	for after := ""; ; {
		list, next, err := w.Matches(w.ctx, f, store.Page{After: after, Sort: store.Oldest})
		w.must(err)
		out = append(out, list...)
		if next == "" {
			return out
		}
		after = next
	}
}

func (w *world) match(id string) tournament.Match {
	w.t.Helper()
	m, err := w.Match(w.ctx, id)
	w.must(err)
	return m
}

const lease = 10 * time.Second

func (w *world) claim(m tournament.Match) tournament.Match {
	w.t.Helper()
	claimed, _, err := w.Claim(w.ctx, store.PlayMatch{MatchID: m.ID, Epoch: m.Epoch}, "w1", lease)
	w.must(err)
	return claimed
}

// won is an outcome in which the seat scores 3 and the others 0.
func won(m tournament.Match, winner int) runner.Outcome {
	n := len(m.Seats)
	o := runner.Outcome{Result: game.Result{Why: "steps"}, Faults: make([]int, n), P95: make([]time.Duration, n), Steps: 3, Hash: [32]byte{9}}
	for i := range n {
		o.Result.Rank, o.Result.Points = append(o.Result.Rank, 2), append(o.Result.Points, 0)
		if i == winner {
			o.Result.Rank[i], o.Result.Points[i] = 1, 3
		}
	}
	o.Rank = o.Result.Rank
	return o
}

// step is a recorded step of every seat.
func step(n, seats int) runner.Step {
	s := runner.Step{Step: n, Hash: [32]byte{byte(n)}}
	for i := range seats {
		s.Turns = append(s.Turns, runner.Decision{
			Turn:   replay.Turn{Seat: game.Seat(i), Action: []byte(`{"n":1,  "x":"é"}`), Say: "hi ☺", By: replay.ByBot, Why: "then", Clock: []byte(`{"elapsed_us": 5}`)},
			Reason: "r", Memo: "m", Debug: "d", Build: "b2", Then: []string{`{"n":2}`, `{"n":3}`},
		})
	}
	return s
}
