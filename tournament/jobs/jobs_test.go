package jobs_test

import (
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/jobs"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

func TestMain(m *testing.M) { storetest.Main(m, func() error { return goleak.Find() }) }

// bots are the players of all seats. What they answer depends on bot, opponents' number of seats and step alone, so that
// results do not depend on who plays when. They keep what they were asked.
type bots struct {
	mu    sync.Mutex
	asked map[string]int // by match/step/seat
	ended map[string]int // by match
	// before, if set, is called before each answer.
	before func(ctx context.Context, m *tournament.Match, a runner.Ask)
}

func newBots() *bots { return &bots{asked: make(map[string]int), ended: make(map[string]int)} }

func (b *bots) player(_ context.Context, m *tournament.Match, seat game.Seat) (runner.Player, error) {
	return &bot{b, m, seat}, nil
}

type bot struct {
	all  *bots
	m    *tournament.Match
	seat game.Seat
}

func (p *bot) Start(context.Context, runner.Briefing) error { return nil }
func (p *bot) RoundTrip() time.Duration                     { return 0 }
func (p *bot) End(context.Context, runner.Briefing, *game.Result, int) {
	p.all.mu.Lock()
	defer p.all.mu.Unlock()
	p.all.ended[p.m.ID]++
}

func (p *bot) Ask(ctx context.Context, _ runner.Briefing, a runner.Ask) runner.Reply {
	p.all.mu.Lock()
	p.all.asked[key(p.m.ID, a.Step, p.seat)]++
	p.all.mu.Unlock()
	if p.all.before != nil {
		p.all.before(ctx, p.m, a)
	}
	h := sha256.Sum256(fmt.Appendf(nil, "%s/%d/%d/%d", p.m.Seats[p.seat].BotName, p.m.Round, p.m.Block, a.Step))
	return runner.Reply{Action: fmt.Appendf(nil, `{"n":%d}`, h[0]%9)}
}

func key(match string, step int, seat game.Seat) string {
	return fmt.Sprintf("%s/%d/%d", match, step, seat)
}

type world struct{ *directortest.World }

func newWorld(t *testing.T, open storetest.Open) *world { return liveWorld(t, open(store.Options{})) }

func liveWorld(t *testing.T, s *store.Store) *world { return &world{directortest.Live(t, s)} }

// on runs f with a platform of its own on the databases of [storetest.Each], or another function of that package.
func on(t *testing.T, databases func(*testing.T, func(*testing.T, storetest.Open)), f func(t *testing.T, w *world)) {
	t.Helper()
	databases(t, func(t *testing.T, open storetest.Open) { f(t, newWorld(t, open)) })
}

// tournament returns a rated round robin of n bots whose start is due.
func (w *world) tournament(n int, config string) tournament.Tournament {
	w.T.Helper()
	t := w.Plan(func(t *tournament.Tournament) {
		t.Config, t.Duplicate, t.Capacity, t.StartsAt = []byte(config), true, n, w.Clock.Now().Add(-time.Minute)
	})
	for i := range n {
		u := w.Org // the first bot is the organiser's
		if i > 0 {
			u = w.NewUser(fmt.Sprint("owner", i))
		}
		w.Did(w.Join(w.Ctx, t.ID, w.NewBot(fmt.Sprint("bot", i), u).ID, u.ID))
	}
	return t
}

func (w *world) config(b *bots) jobs.Config {
	return jobs.Config{
		Store: w.Store, Director: w.Director, Engines: storetest.Engines, Players: b.player, Slots: 4,
		Lease: 2 * time.Second, Renew: 200 * time.Millisecond, Sweep: 50 * time.Millisecond,
	}
}

// run works in the background until stop is called.
func (w *world) run(c jobs.Config) (stop func()) {
	w.T.Helper()
	ctx, cancel := context.WithCancel(w.Ctx)
	done := make(chan error, 1)
	go func() { done <- jobs.Run(ctx, c) }()
	stop = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-done:
			if err != nil {
				w.T.Errorf("Run: %v", err)
			}
		case <-time.After(time.Minute):
			w.T.Error("Run goes on a minute after the end of its context")
		}
	})
	w.T.Cleanup(stop)
	return stop
}

// until waits for a condition; a minute without it is a failure.
func (w *world) until(what string, ok func() bool) {
	w.T.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			w.T.Fatalf("waited a minute for: %s", what)
		}
	}
}

func (w *world) finished(id string) func() bool {
	return func() bool {
		t := must.Get(w.Tournament(w.Ctx, id))(w.T)
		return t.Status == tournament.Finished
	}
}

func (w *world) matches(id string) []tournament.Match {
	w.T.Helper()
	return w.All(store.MatchFilter{TournamentID: id})
}

func TestADueTournamentIsStartedPlayedAndRated(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		b := newBots()
		c := w.config(b)
		var mu sync.Mutex
		var started, finished, decided, swept int
		count := func(n *int, by int) { mu.Lock(); defer mu.Unlock(); *n += by }
		c.Observe = jobs.Observer{
			Started:  func(*tournament.Match) { count(&started, 1) },
			Finished: func(*tournament.Match, *runner.Outcome) { count(&finished, 1) },
			Decided:  func(*tournament.Match, tournament.Fault, time.Duration) { count(&decided, 1) },
			Swept:    func(_, tournaments int) { count(&swept, tournaments) },
		}
		tour := w.tournament(5, `{"steps":3}`)
		stop := w.run(c)
		w.until("the end of the tournament", w.finished(tour.ID))
		stop()
		list := w.matches(tour.ID)
		for _, m := range list {
			if m.Status != tournament.MatchDone || m.Steps != 3 || m.Epoch != 1 || b.ended[m.ID] != 2 {
				t.Errorf("match %d.%d.%d is %+v, and its end was told %d times", m.Round, m.Block, m.Number, m, b.ended[m.ID])
			}
		}
		if got, want := []int{len(list), started, finished, decided, swept}, []int{20, 20, 20, 20 * 3 * 2, 1}; !slices.Equal(got, want) {
			t.Errorf("matches made, started, finished, decisions, tournaments started: %v, want %v", got, want)
		}
		for k, n := range b.asked {
			if n != 1 {
				t.Errorf("decision %s was asked %d times", k, n)
			}
		}
		l := must.Get(w.Ladder(w.Ctx, storetest.Toy))(w.T)
		if l.NextSeq != 21 {
			t.Errorf("the ladder waits for place %d, want 21", l.NextSeq)
		}
		w.Must(w.CheckRatings(w.Ctx, storetest.Toy))
	})
}

func TestALostWorkersMatchGoesOnFromItsRecordAndAsksNothingTwice(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		tour := w.tournament(2, `{"steps":6}`)
		w.Did(w.Start(w.Ctx, tour.ID))
		lost := w.matches(tour.ID)[0]

		// A worker plays two steps and is never heard of again.
		claimed := must.First(w.Claim(w.Ctx, store.PlayMatch{MatchID: lost.ID}, "lost", 300*time.Millisecond))(w.T)
		engine, _ := storetest.Engines(storetest.Toy)
		dead := newBots()
		var players []runner.Player
		for i := range 2 {
			p, _ := dead.player(w.Ctx, &claimed, game.Seat(i))
			players = append(players, p)
		}
		_, err := runner.Play(w.Ctx, runner.SpecOf(claimed, engine, nil), players, dying{w.Store, claimed, 2})
		if !errors.Is(err, errDead) {
			t.Fatalf("got %v, want the planted death", err)
		}

		b := newBots()
		stop := w.run(w.config(b))
		w.until("the end of the tournament", w.finished(tour.ID))
		stop()
		m := must.Get(w.Match(w.Ctx, lost.ID))(w.T)
		if m.Epoch != 2 || m.Steps != 6 {
			t.Errorf("%d attempts, %d steps; want 2, 6", m.Epoch, m.Steps)
		}
		for step := range 6 {
			want := 1
			if step < 2 {
				want = 0
			}
			if got := b.asked[key(lost.ID, step, 0)]; got != want {
				t.Errorf("step %d was asked %d times after the takeover, want %d", step, got, want)
			}
		}
		w.Must(w.CheckRatings(w.Ctx, storetest.Toy))
		recorded := must.Get(w.Decisions(w.Ctx, lost.ID))(w.T)
		if _, err := runner.Play(w.Ctx, runner.SpecOf(m, engine, recorded), players, nil); err != nil {
			t.Errorf("the record of two workers does not hold together: %v", err)
		}
	})
}

var errDead = errors.New("dead")

// dying is a log that records so many steps and then fails.
type dying struct {
	s    *store.Store
	m    tournament.Match
	left int
}

func (d dying) Append(ctx context.Context, s runner.Step) error {
	if s.Step > d.left {
		return errDead
	}
	return d.s.AppendStep(ctx, d.m.ID, d.m.Epoch, s)
}

func TestAStoppedWorkerGivesItsMatchesBackAndVoidsNone(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		tour := w.tournament(4, `{"steps":8}`)
		b := newBots()
		b.before = func(ctx context.Context, _ *tournament.Match, a runner.Ask) {
			if a.Step == 5 {
				<-ctx.Done() // until the worker stops
			}
		}
		c := w.config(b)
		c.Lease = time.Hour   // a takeover cannot come from the lease
		var released sync.Map // a worker that stops may take a match up once more, and give it back again
		c.Observe.Released = func(m *tournament.Match) { released.Store(m.ID, true) }
		stop := w.run(c)
		w.until("a match in its sixth step", func() bool {
			b.mu.Lock()
			defer b.mu.Unlock()
			for _, m := range w.matches(tour.ID) {
				if b.asked[key(m.ID, 5, 0)] > 0 {
					return true
				}
			}
			return false
		})
		stop()
		resumed := make(map[string]int) // steps recorded by match
		for _, m := range w.matches(tour.ID) {
			if m.Status != tournament.MatchQueued {
				t.Errorf("match is %s (%s) after the stop, want queued", m.Status, m.Reason)
			}
			if m.Epoch > 0 {
				recorded := must.Get(w.Decisions(w.Ctx, m.ID))(w.T)
				resumed[m.ID] = len(recorded)
				if _, told := released.Load(m.ID); !told {
					t.Error("the worker does not say that it gave a match back")
				}
			}
		}
		if len(resumed) == 0 {
			t.Error("no match was in progress")
		}
		next := newBots()
		c.Players = next.player
		stop = w.run(c)
		w.until("the end of the tournament", w.finished(tour.ID))
		stop()
		for id, recorded := range resumed {
			for step := range recorded {
				if b.asked[key(id, step, 0)] != 1 || next.asked[key(id, step, 0)] != 0 {
					t.Errorf("match %s step %d was asked %d times before the stop and %d after; want 1 and 0", id, step, b.asked[key(id, step, 0)], next.asked[key(id, step, 0)])
				}
			}
		}
		w.Must(w.CheckRatings(w.Ctx, storetest.Toy))
	})
}

func TestAFailureOfOursVoidsTheMatchAndItIsPlayedAgain(t *testing.T) {
	for name, bad := range map[string]func(runner.Player) (runner.Player, error){
		"no player":      func(runner.Player) (runner.Player, error) { return nil, fmt.Errorf("%w: no key", tournament.ErrBot) },
		"panic":          func(runner.Player) (runner.Player, error) { panic("no key") },
		"platform fault": func(p runner.Player) (runner.Player, error) { return broken{p}, nil },
	} {
		t.Run(name, func(t *testing.T) {
			on(t, storetest.One, func(t *testing.T, w *world) {
				tour := w.tournament(3, `{"steps":2}`)
				b := newBots()
				c := w.config(b)
				c.Players = func(ctx context.Context, m *tournament.Match, seat game.Seat) (runner.Player, error) {
					p, err := b.player(ctx, m, seat)
					if m.LadderSeq == 2 && m.Replay == 0 && seat == 1 {
						return bad(p)
					}
					return p, err
				}
				voided := make(chan string, 10)
				c.Observe.Voided = func(_ *tournament.Match, reason string) { voided <- reason }
				stop := w.run(c)
				w.until("the end of the tournament", w.finished(tour.ID))
				stop()
				places := map[int64]tournament.MatchStatus{}
				for _, m := range w.matches(tour.ID) {
					places[m.LadderSeq] = m.Status
					if (m.Reason != "") != (m.Status == tournament.MatchVoid) {
						t.Errorf("place %d: %s, reason %q", m.LadderSeq, m.Status, m.Reason)
					}
				}
				if len(places) != 7 || places[0] != tournament.MatchVoid || places[2] != tournament.MatchDone {
					t.Errorf("places %v, want six that were played and one void match that gave its place to its replay", places)
				}
				if len(voided) != 1 {
					t.Errorf("observed %d void matches, want 1", len(voided))
				}
				w.Must(w.CheckRatings(w.Ctx, storetest.Toy))
				if l, err := w.Ladder(w.Ctx, storetest.Toy); err != nil || l.NextSeq != l.LastSeq+1 {
					t.Errorf("the ladder waits for place %d of %d (%v)", l.NextSeq, l.LastSeq, err)
				}
			})
		})
	}
}

// A connection cut while a seat's bot is looked up says nothing about the match.
func TestAPlayerThatCannotBeMadeNowIsMadeByTheNextAttempt(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		tour := w.tournament(3, `{"steps":2}`)
		b := newBots()
		c := w.config(b)
		c.Lease = time.Hour // a takeover cannot come from the lease
		c.Players = func(ctx context.Context, m *tournament.Match, seat game.Seat) (runner.Player, error) {
			if m.LadderSeq == 2 && seat == 1 && m.Epoch < 3 {
				return nil, driver.ErrBadConn
			}
			return b.player(ctx, m, seat)
		}
		stop := w.run(c)
		w.until("the end of the tournament", w.finished(tour.ID))
		stop()
		for _, m := range w.matches(tour.ID) {
			want := int64(1)
			if m.LadderSeq == 2 {
				want = 3
			}
			if m.Status != tournament.MatchDone || m.Epoch != want {
				t.Errorf("place %d: %s (%s) at attempt %d; want done at %d", m.LadderSeq, m.Status, m.Reason, m.Epoch, want)
			}
		}
	})
}

type broken struct{ runner.Player }

func (broken) Ask(context.Context, runner.Briefing, runner.Ask) runner.Reply {
	return runner.Reply{Fault: tournament.FaultPlatform, Reason: "no key"}
}

func TestManyWorkersRateExactlyAsOne(t *testing.T) {
	var first []tournament.LadderRow
	for _, workers := range []int{1, 3} {
		storetest.Each(t, func(t *testing.T, open storetest.Open) {
			w := newWorld(t, open)
			tour := w.tournament(6, `{"steps":2}`)
			for range workers {
				c := w.config(newBots())
				c.Store = open(store.Options{})
				c.Director = directortest.New(c.Store)
				w.run(c)
			}
			w.until("the end of the tournament", w.finished(tour.ID))
			w.Must(w.CheckRatings(w.Ctx, storetest.Toy))
			rows := must.First(w.LadderRows(w.Ctx, storetest.Toy, store.Page{}))(w.T)
			for i := range rows { // the fit comes when it comes, and the lines show it
				rows[i].BotID, rows[i].VersionID, rows[i].Milli, rows[i].Fit = "", "", 0, nil
			}
			slices.SortFunc(rows, func(a, b tournament.LadderRow) int { return strings.Compare(a.Bot, b.Bot) })
			if first == nil {
				first = rows
			}
			if len(rows) != 6 || !reflect.DeepEqual(rows, first) {
				t.Errorf("%d workers: %+v; one worker on SQLite: %+v", workers, rows, first)
			}
		})
	}
}

func TestAConfigThatCannotWorkIsRefused(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		for name, spoil := range map[string]func(*jobs.Config){
			"no store":              func(c *jobs.Config) { c.Store = nil },
			"no director":           func(c *jobs.Config) { c.Director = nil },
			"no engines":            func(c *jobs.Config) { c.Engines = nil },
			"no players":            func(c *jobs.Config) { c.Players = nil },
			"no slots":              func(c *jobs.Config) { c.Slots = 0 },
			"renewal after the end": func(c *jobs.Config) { c.Renew = c.Lease },
		} {
			c := w.config(newBots())
			spoil(&c)
			if err := jobs.Run(w.Ctx, c); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
	})
}
