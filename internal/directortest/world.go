package directortest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// Clock is a wall clock that tests move. While nobody has set it, it is the system's.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock that stands at noon of 2026-03-01, in another zone and with nanoseconds, which must not show.
func NewClock() *Clock {
	return &Clock{now: time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.FixedZone("east", 3600))}
}

// Now returns the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now.IsZero() {
		return time.Now()
	}
	return c.now
}

// Set sets the clock.
func (c *Clock) Set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = at
}

// Move moves the clock.
func (c *Clock) Move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// World is a platform with shortcuts for what most tests need first.
type World struct {
	*store.Store
	*director.Director
	T     *testing.T
	Ctx   context.Context
	Clock *Clock
	Org   tournament.User // who announces tournaments
}

// NewWorld returns a platform on a fresh database, with an organiser.
func NewWorld(t *testing.T, open storetest.Open) *World {
	t.Helper()
	w := &World{T: t, Ctx: t.Context(), Clock: NewClock()}
	w.Use(open(store.Options{Now: w.Clock.Now}))
	w.Org = w.NewUser("org")
	return w
}

// Live returns a platform over a store, with an organiser. Tournaments are planned by the system's clock.
func Live(t *testing.T, s *store.Store) *World {
	t.Helper()
	w := &World{T: t, Ctx: t.Context(), Clock: &Clock{}}
	w.Use(s)
	w.Org = w.NewUser("org")
	return w
}

// Use goes on with another process's store.
func (w *World) Use(s *store.Store) {
	w.Store, w.Director = s, New(s)
}

// Must ends the test at an error.
func (w *World) Must(err error) {
	w.T.Helper()
	if err != nil {
		w.T.Fatal(err)
	}
}

// Did ends the test if what should be done was not; nobody looks at what came of it.
func (w *World) Did(_ any, err error) {
	w.T.Helper()
	w.Must(err)
}

// Refused checks that an error is the sentinel, and has facts around it.
func Refused(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: got %v, want %v", what, err, want)
	} else if err.Error() == want.Error() {
		t.Errorf("%s: %v says no facts", what, err)
	}
}

// Alike fails the test, which goes on, unless got is what is wanted, field by field.
func Alike(t *testing.T, what string, want, got any, options ...cmp.Option) {
	t.Helper()
	if diff := cmp.Diff(want, got, options...); diff != "" {
		t.Errorf("%s (-want +got)\n%s", what, diff)
	}
}

// Err returns the error of a call that also returns something, for [Refused].
func Err[V any](_ V, err error) error { return err }

// NewUser returns a user who owns nothing yet.
func (w *World) NewUser(name string) tournament.User {
	w.T.Helper()
	u, _, err := w.CreateUser(w.Ctx, tournament.User{Name: name, Role: tournament.RoleOwner}, tournament.Token{Hash: [32]byte{1}})
	w.Must(err)
	return u
}

// NewBot returns a bot that plays the toy games.
func (w *World) NewBot(name string, owner tournament.User) tournament.Bot {
	w.T.Helper()
	b, _, err := w.CreateBot(w.Ctx, tournament.Bot{Name: name, OwnerID: owner.ID},
		tournament.Version{URL: "http://" + name, Secrets: tournament.Secrets{"whsec_1"}, Build: "b1", Games: []string{storetest.Toy, storetest.ToyTeams, "demol"}}, 1000)
	w.Must(err)
	return b
}

// Rivals returns bots that play the toy games, each of an owner of its own.
func (w *World) Rivals(names ...string) []tournament.Bot {
	w.T.Helper()
	var bots []tournament.Bot
	for _, name := range names {
		bots = append(bots, w.NewBot(name, w.NewUser(name)))
	}
	return bots
}

// Greet has the owner of a bot resume it: it passes the check, or fails it.
func (w *World) Greet(botID, failure string) (tournament.Bot, error) {
	return Greet(w.Ctx, w.Store, w.Director, botID, failure)
}

// Greet has the owner of a bot of a platform resume it: it passes the check, or fails it.
func Greet(ctx context.Context, s *store.Store, d *director.Director, botID, failure string) (tournament.Bot, error) {
	b, err := s.Bot(ctx, botID)
	if err != nil {
		return b, err
	}
	return d.Greeted(ctx, director.Greeting{BotID: botID, VersionID: b.VersionID, Began: s.Now(), Failure: failure, Ends: b.Pause})
}

// Check has a bot pass a health check, or fail it.
func (w *World) Check(botID, failure string) (tournament.Health, error) {
	b, err := w.Bot(w.Ctx, botID)
	if err != nil {
		return tournament.Health{}, err
	}
	return w.Checked(w.Ctx, botID, b.VersionID, failure)
}

// Draft returns a tournament of two-seat toy matches that can be joined now and starts in an hour, which is not announced yet.
func (w *World) Draft() tournament.Tournament {
	now := w.Clock.Now()
	return tournament.Tournament{
		Name:        "cup",
		OrganiserID: w.Org.ID,
		Game:        storetest.Toy,
		Config:      []byte(`{"steps":3}`),
		Format:      tournament.RoundRobin,
		Table:       2,
		Cycles:      1,
		Rated:       true,
		Capacity:    100,
		Clock:       tournament.DefaultClock(),
		Limits:      tournament.DefaultFaultLimits(),
		OpensAt:     now.Add(-time.Hour),
		ClosesAt:    now.Add(30 * time.Minute),
		StartsAt:    now.Add(time.Hour),
	}
}

// Plan announces a [World.Draft], changed.
func (w *World) Plan(change func(*tournament.Tournament)) tournament.Tournament {
	w.T.Helper()
	t := w.Draft()
	if change != nil {
		change(&t)
	}
	t, err := w.CreateTournament(w.Ctx, t)
	w.Must(err)
	return t
}

// Running returns a started tournament of n bots, each of an owner of its own.
func (w *World) Running(n int, change func(*tournament.Tournament)) (tournament.Tournament, []tournament.Match) {
	w.T.Helper()
	t := w.Plan(change)
	for i := range n {
		w.Enter(t, w.Rivals(fmt.Sprintf("%s-%d", t.ID[len(t.ID)-6:], i))...)
	}
	t = w.Begin(t)
	return t, w.All(store.MatchFilter{TournamentID: t.ID})
}

// Enter enters bots in a tournament, each for its owner.
func (w *World) Enter(t tournament.Tournament, bots ...tournament.Bot) {
	w.T.Helper()
	for _, b := range bots {
		w.Did(w.Join(w.Ctx, t.ID, b.ID, b.OwnerID))
	}
}

// Begin enters bots in a tournament, and starts it.
func (w *World) Begin(t tournament.Tournament, bots ...tournament.Bot) tournament.Tournament {
	w.T.Helper()
	w.Enter(t, bots...)
	t, err := w.Start(w.Ctx, t.ID)
	w.Must(err)
	return t
}

// Over checks that a tournament has come to its end, and that its ladder's ratings are those of the matches.
func (w *World) Over(t tournament.Tournament) {
	w.T.Helper()
	now, err := w.Tournament(w.Ctx, t.ID)
	w.Must(err)
	if now.Status != tournament.Finished || now.Reason != "" && now.Format != tournament.SPRT {
		w.T.Errorf("the %s is %s (%s), want it finished", now.Format, now.Status, now.Reason)
	}
	if now.LadderID != "" {
		w.Must(w.CheckRatings(w.Ctx, now.LadderID))
	}
}

// All returns every match of a filter in schedule order, page by page.
func (w *World) All(f store.MatchFilter) []tournament.Match {
	w.T.Helper()
	var out []tournament.Match
	for after := ""; ; {
		list, next, err := w.Matches(w.Ctx, f, store.Page{After: after, Sort: store.Oldest})
		w.Must(err)
		out = append(out, list...)
		if next == "" {
			return out
		}
		after = next
	}
}

// Reload returns a match as it stands now.
func (w *World) Reload(id string) tournament.Match {
	w.T.Helper()
	m, err := w.Match(w.Ctx, id)
	w.Must(err)
	return m
}

// Lease is how long a worker has a match.
const Lease = 10 * time.Second

// Take claims a match for a worker.
func (w *World) Take(m tournament.Match) tournament.Match {
	w.T.Helper()
	claimed, _, err := w.Claim(w.Ctx, store.PlayMatch{MatchID: m.ID, Epoch: m.Epoch}, "w1", Lease)
	w.Must(err)
	return claimed
}

// Won returns an outcome in which the seat scores 3 and the others 0.
func Won(m tournament.Match, winner int) runner.Outcome {
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

// Step returns a recorded step of every seat.
func Step(n, seats int) runner.Step {
	s := runner.Step{Step: n, Hash: [32]byte{byte(n)}}
	for i := range seats {
		s.Turns = append(s.Turns, runner.Decision{
			Turn: replay.Turn{Seat: game.Seat(i), Action: []byte(`{"n":1,  "x":"é"}`), Say: "hi ☺", By: replay.ByBot, Why: "then", Clock: []byte(`{"elapsed_us": 5}`),
				Usage: []byte(`{"input_tokens":5}`), Belief: []byte(`{"1":{"mole":1}}`)},
			Reason: "r", Memo: "m", Debug: "d", Build: "b2", Then: []string{`{"n":2}`, `{"n":3}`},
		})
	}
	return s
}

// Warm opens n connections at once, so that a race begins with all of them ready. SQLite has one writer.
func (w *World) Warm(n int) {
	w.T.Helper()
	if w.Pool() == nil {
		return
	}
	var all sync.WaitGroup
	all.Add(n)
	Race(n, func(int) error {
		return w.InTx(w.Ctx, func(*store.Tx) error { all.Done(); all.Wait(); return nil })
	}, func(err error) { w.T.Error(err) })
}

// Race calls f n times at once, counts the successes and gives the refusals to check.
func Race(n int, f func(i int) error, check func(error)) int {
	won := 0
	var wg sync.WaitGroup
	var mu sync.Mutex
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			err := f(i)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won++
			} else {
				check(err)
			}
		})
	}
	close(start)
	wg.Wait()
	return won
}

// Second returns one more version of a bot.
func (w *World) Second(b tournament.Bot, games ...string) tournament.Version {
	w.T.Helper()
	v, err := w.AddVersion(w.Ctx, tournament.Version{BotID: b.ID, URL: "http://two", Secrets: tournament.Secrets{"whsec_2"}, Build: "b2", Note: "faster", Games: games}, 10)
	w.Must(err)
	return v
}

// Played plays a queued match to its end.
func (w *World) Played(m tournament.Match, winner int) error {
	m, _, err := w.Claim(w.Ctx, store.PlayMatch{MatchID: m.ID, Epoch: m.Epoch}, "w1", Lease)
	if err != nil {
		return err
	}
	for n := 1; n <= 3; n++ {
		if err := w.AppendStep(w.Ctx, m.ID, m.Epoch, Step(n, len(m.Seats))); err != nil {
			return err
		}
	}
	return w.Finish(w.Ctx, m, Won(m, winner), nil)
}

// PlayAll plays queued matches to their ends; the first seat wins.
func (w *World) PlayAll(list []tournament.Match) {
	w.T.Helper()
	for _, m := range list {
		w.Must(w.Played(m, 0))
	}
}

// Ask has bots play a match by challenge.
func (w *World) Ask(asker tournament.User, bots ...string) (tournament.Match, error) {
	return w.Challenge(w.Ctx, director.Challenge{
		Game: storetest.Toy, Config: []byte(`{"steps":3}`), Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(),
		Bots: bots, Asker: tournament.Asker{UserID: asker.ID},
	})
}

// NewBots returns n bots of an owner; they take challenges.
func (w *World) NewBots(owner tournament.User, n int) []string {
	w.T.Helper()
	var ids []string
	for i := range n {
		b := w.NewBot(fmt.Sprintf("%s-%02d", owner.Name, i), owner)
		w.Did(w.TakeChallenges(w.Ctx, b.ID, true))
		ids = append(ids, b.ID)
	}
	return ids
}

// StandingLadder returns a ladder with n bots on it, each of an owner of its own.
func (w *World) StandingLadder(gameID string, n, perHour int) (tournament.Ladder, []tournament.Bot) {
	w.T.Helper()
	l, err := w.EnsureLadder(w.Ctx, gameID)
	w.Must(err)
	var bots []tournament.Bot
	for i := range n {
		u := w.NewUser(fmt.Sprintf("owner-%02d", i))
		b := w.NewBot(fmt.Sprintf("bot-%02d", i), u)
		w.Did(w.JoinLadder(w.Ctx, l.ID, b.ID, u.ID, perHour))
		bots = append(bots, b)
	}
	return l, bots
}

// Tick makes the matches of a ladder, checks that nobody sits in two, and returns them.
func (w *World) Tick(l tournament.Ladder) []tournament.Match {
	w.T.Helper()
	n, err := w.MakeLadder(w.Ctx, l.ID, 1000)
	w.Must(err)
	list := w.All(store.MatchFilter{LadderID: l.ID, Status: tournament.MatchQueued})
	seen := map[string]bool{}
	for _, m := range list {
		for _, s := range m.Seats {
			if seen[s.BotID] {
				w.T.Errorf("%s waits for two matches", s.BotName)
			}
			seen[s.BotID] = true
		}
	}
	if n > len(list) {
		w.T.Errorf("made %d matches, %d wait", n, len(list))
	}
	return list
}
