package jobs_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/store"
)

// platform is a nightly schedule that two worker processes look after, by a clock that the test moves.
type platform struct {
	*world
	players *bots
	two     [2]*store.Store // one on SQLite, which is one process's
	started atomic.Int32    // tournaments, as the workers observe them
	nightly schedule.Schedule
	entrant [2]tournament.Bot
	stops   []func()
}

// newPlatform has a schedule at 02:30 in Amsterdam, whose registration opens an hour before and closes ten minutes before.
func newPlatform(t *testing.T, open storetest.Open, now time.Time) *platform {
	p := &platform{world: &world{directortest.NewWorld(t, open)}, players: newBots()}
	p.Clock.Set(now)
	p.two = [2]*store.Store{p.Store, p.Store}
	if strings.HasSuffix(t.Name(), "/postgres") {
		p.two[1] = open(store.Options{Now: p.Clock.Now})
	}
	for i := range p.entrant {
		p.entrant[i] = p.NewBot(fmt.Sprint("bot", i), p.NewUser(fmt.Sprint("owner", i)))
	}
	when := must.Get(schedule.Cron("30 2 * * *", "Europe/Amsterdam"))(p.T)
	p.nightly = must.Get(p.CreateSchedule(p.Ctx, schedule.Schedule{
		OrganiserID: p.Org.ID, When: when, Opens: time.Hour, Closes: 10 * time.Minute,
		Template: tournament.Tournament{
			Name: "night {number}", Game: storetest.Toy, Config: []byte(`{"steps":5}`), Format: tournament.RoundRobin, Table: 2, Cycles: 1, Rated: true,
			Capacity: 8, Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(),
			CheckIn: time.Hour, // opens with registration: who enters is checked in
		},
	}))(p.T)
	return p
}

// work starts both workers.
func (p *platform) work() {
	p.T.Helper()
	for _, s := range p.two {
		c := p.config(p.players)
		c.Store, c.Sweep = s, 5*time.Millisecond
		c.Director = directortest.New(s)
		c.Observe.Swept = func(_, tournaments int) { p.started.Add(int32(tournaments)) }
		p.stops = append(p.stops, p.run(c))
	}
}

// rest stops both workers.
func (p *platform) rest() {
	for _, stop := range p.stops {
		stop()
	}
	p.stops = nil
}

// tournaments returns the tournaments of the schedule in the order of their making.
func (p *platform) tournaments() []tournament.Tournament {
	p.T.Helper()
	list, _, err := p.Tournaments(p.Ctx, store.TournamentFilter{ScheduleID: p.nightly.ID}, store.Page{Sort: store.Oldest})
	p.Must(err)
	return list
}

// told counts how often it was told that the check-in of a tournament is open.
func (p *platform) told(tournamentID string) (n int) {
	p.T.Helper()
	for _, e := range must.Get(p.Feed(p.Ctx, tournamentID, 0, 1000))(p.T) {
		if e.Kind == tournament.EventTournamentCheckIn {
			n++
		}
	}
	return n
}

// enter waits until tournament number n is made and its check-in told of, and enters both bots.
func (p *platform) enter(n int) tournament.Tournament {
	p.T.Helper()
	p.until(fmt.Sprintf("tournament %d to be made", n), func() bool { return len(p.tournaments()) >= n })
	tour := p.tournaments()[n-1]
	for _, b := range p.entrant {
		p.Did(p.Join(p.Ctx, tour.ID, b.ID, b.OwnerID))
	}
	p.until("the check-in to be told of", func() bool { return p.told(tour.ID) > 0 })
	return tour
}

// check holds the starts against those wanted, and makes sure that each was started and played once.
func (p *platform) check(want ...string) {
	p.T.Helper()
	var got []string
	for i, tour := range p.tournaments() {
		got = append(got, tour.StartsAt.Format("01-02T15:04"))
		if tour.Number != i+1 || tour.Name != fmt.Sprintf("night %d", i+1) || tour.Status != tournament.Finished || len(p.matches(tour.ID)) != 1 {
			p.T.Errorf("tournament %d is %+v with %d matches, want it over with one", i+1, tour, len(p.matches(tour.ID)))
		}
		must.Same(p.T, tour.Name+": times told that check-in is open", p.told(tour.ID), 1)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		p.T.Errorf("starts at %v, want %v", got, want)
	}
	if n := int(p.started.Load()); n != len(want) {
		p.T.Errorf("the workers started %d tournaments, want %d", n, len(want))
	}
	p.Must(p.CheckRatings(p.Ctx, storetest.Toy))
}

func TestAnOutageOverTwoStartsIsCaughtUpOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		p := newPlatform(t, open, time.Date(2026, 3, 28, 0, 30, 0, 0, time.UTC))
		p.work()
		entered := p.enter(1) // 28 March, 01:30
		p.rest()
		// Nobody works while it ought to start, nor over the whole of the next two nights.
		back := time.Date(2026, 3, 30, 9, 0, 0, 0, time.UTC)
		p.Clock.Set(back)
		p.work()
		p.until("the end of the tournament that was late", p.finished(entered.ID))
		caught := p.enter(2)
		p.Clock.Set(back.Add(time.Hour))
		p.until("the end of the one that catches up", p.finished(caught.ID))
		p.Clock.Set(time.Date(2026, 3, 30, 23, 30, 0, 0, time.UTC))
		next := p.enter(3)
		p.Clock.Set(next.StartsAt)
		p.until("the end of the next one", p.finished(next.ID))
		time.Sleep(100 * time.Millisecond)
		p.rest()
		p.check("03-28T01:30", "03-30T10:00", "03-31T00:30")
		s := must.Get(p.Schedule(p.Ctx, p.nightly.ID))(p.T)
		var missed []string
		for _, at := range s.Missed {
			missed = append(missed, at.Format("01-02T15:04"))
		}
		if fmt.Sprint(missed) != "[03-29T01:00 03-30T00:30]" || s.MissedTotal != 2 {
			t.Errorf("%d missed: %v; want the two of the outage", s.MissedTotal, missed)
		}
	})
}

func TestAPausedTournamentGoesOnWhereItRested(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		tour := w.tournament(4, `{"steps":2}`)
		b := newBots()
		var asked atomic.Int32
		release := make(chan struct{})
		b.before = func(ctx context.Context, _ *tournament.Match, _ runner.Ask) {
			asked.Add(1)
			select {
			case <-ctx.Done():
			case <-release:
			}
		}
		c := w.config(b)
		c.Slots = 2
		stop := w.run(c)
		w.until("two matches to begin", func() bool { return asked.Load() == 4 })
		w.Did(w.PauseTournament(w.Ctx, tour.ID))
		close(release)
		count := func(s tournament.MatchStatus) (n int) {
			for _, m := range w.matches(tour.ID) {
				if m.Status == s {
					n++
				}
			}
			return n
		}
		w.until("the two to end", func() bool { return count(tournament.MatchDone) == 2 })
		time.Sleep(300 * time.Millisecond) // the slots are free, and six sweeps go by
		if done, queued := count(tournament.MatchDone), count(tournament.MatchQueued); done != 2 || queued != 10 {
			t.Errorf("paused: %d matches done, %d wait; want 2 and 10", done, queued)
		}
		stop()
		stop = w.run(c) // another worker finds it paused
		w.Did(w.ResumeTournament(w.Ctx, tour.ID))
		w.until("the end of the tournament", w.finished(tour.ID))
		stop()
		for _, m := range w.matches(tour.ID) {
			if m.Status != tournament.MatchDone || m.Epoch != 1 {
				t.Errorf("match %d.%d.%d is %s after %d attempts, want done after 1", m.Round, m.Block, m.Number, m.Status, m.Epoch)
			}
		}
		w.Must(w.CheckRatings(w.Ctx, storetest.Toy))
	})
}

// What cannot be carried out says nothing about the worker: it has looked, and counts what it did besides.
func TestAWorkerThatCannotStartATournamentStillSweeps(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		broken := w.Plan(func(t *tournament.Tournament) { t.StartsAt = w.Clock.Now().Add(-time.Minute) })
		w.Must(w.SQL(w.Ctx).Exec("UPDATE tournaments SET game = 'gone' WHERE id = ?", broken.ID).Error)
		lost := w.tournament(2, `{"steps":1}`)
		w.Did(w.Start(w.Ctx, lost.ID))
		must.First(w.Claim(w.Ctx, store.PlayMatch{MatchID: w.matches(lost.ID)[0].ID}, "lost", time.Millisecond))(w.T)
		var again atomic.Int32
		c := w.config(newBots())
		c.Observe.Swept = func(matches, _ int) { again.Add(int32(matches)) }
		w.run(c)
		w.until("the lost match to be counted", func() bool { return again.Load() == 1 })
	})
}
