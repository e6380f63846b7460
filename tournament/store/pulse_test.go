package store_test

import (
	"testing"
	"time"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/pulse"
)

func TestThePulseSaysWhoWaitsAndForHowLong(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		w.Clock.Set(time.Now()) // by which jobs wait
		x, list := w.Running(3, nil)
		cups := pulse.Waits{Game: storetest.Toy, Source: tournament.SourceTournament}
		w.Take(list[0])
		waiting := w.Plan(nil)
		u := w.NewUser("ann")
		b := w.NewBot("lynx", u)
		w.Did(w.JoinLadder(w.Ctx, x.LadderID, b.ID, u.ID, 6))
		// A pause is over: the matches have new jobs.
		w.Must(w.SQL(w.Ctx).Exec("UPDATE matches SET created_at = ?", w.Clock.Now().Add(-time.Hour)).Error)
		p := must.Get(pulse.Take(w.Ctx, w.DB))(w.T)
		if q := p.Queues[cups]; q.Queued != len(list)-1 || q.Running != 1 || q.Oldest > time.Minute {
			t.Errorf("the queue is %+v, want %d queued just now and one running", q, len(list)-1)
		}
		if l := p.Ladders[x.LadderID]; l.Eligible != 0 || l.Starved != 0 || p.Late != 0 || p.Bots[tournament.BotActive] != 4 {
			t.Errorf("ladder %+v, late by %v, bots %v; want nobody else there, nothing late and 4 active bots", l, p.Late, p.Bots)
		}
		w.Clock.Move(2 * time.Hour)
		p = must.Get(pulse.Take(w.Ctx, w.DB))(w.T)
		if got := p.Queues[cups].Oldest; (got - 2*time.Hour).Abs() > time.Minute {
			t.Errorf("the oldest match waits for %v, want 2h", got)
		}
		if l := p.Ladders[x.LadderID]; l.Starved != 0 {
			t.Errorf("ladder %+v, want its bot not starved: it waits for an owner, not for us", l)
		}
		if want := w.Clock.Now().Sub(waiting.StartsAt); p.Late != want.Truncate(time.Microsecond) {
			t.Errorf("the latest start is late by %v, want %v", p.Late, want)
		}
	})
}

// A bot is starved on a ladder that could give it a match and does not, whatever it plays elsewhere.
func TestThePulseCountsWhomALadderLeavesOut(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		l, bots := w.StandingLadder(storetest.Toy, 2, 600)
		other := must.Get(w.OpenLadder(w.Ctx, tournament.Ladder{ID: "slow", Game: storetest.Toy, Config: []byte(`{}`), ClockClass: tournament.ClockSlow}))(w.T)
		join := func(ladder string, b tournament.Bot) {
			w.Did(w.JoinLadder(w.Ctx, ladder, b.ID, b.OwnerID, 600))
		}
		for _, b := range bots {
			join(other.ID, b)
		}
		look := func(ladder string, eligible, starved int, why string) {
			t.Helper()
			p := must.Get(pulse.Take(w.Ctx, w.DB))(w.T)
			if got := p.Ladders[ladder]; got.Eligible != eligible || got.Starved != starved {
				t.Errorf("ladder %s: %+v, want %d eligible and %d starved: %s", ladder, got, eligible, starved, why)
			}
		}
		w.Clock.Move(2 * time.Hour)
		w.Tick(l)
		look(l.ID, 2, 0, "both have a match")
		look(other.ID, 2, 2, "their match is the other ladder's")
		w.Must(w.SQL(w.Ctx).Exec("UPDATE bots SET unproven_at = created_at WHERE id = ?", bots[0].ID).Error)
		look(other.ID, 0, 0, "one is greeted first, and the other alone")
		w.Must(w.SQL(w.Ctx).Exec("UPDATE bots SET unproven_at = NULL").Error)
		w.Must(w.SQL(w.Ctx).Exec("UPDATE bots SET owner_id = ?", bots[0].OwnerID).Error)
		look(other.ID, 0, 0, "bots of one owner never meet")
		w.Must(w.SQL(w.Ctx).Exec("UPDATE ladders SET plays = 'demol' WHERE id = ?", other.ID).Error)
		for i, name := range []string{"hare", "mink", "vole", "wren"} {
			u := w.NewUser(name)
			b := w.NewBot(name+"-bot", u)
			join(other.ID, b)
			if i == 2 {
				look(other.ID, 0, 0, "the smallest table of De Mol is of five owners")
			}
		}
		look(other.ID, 6, 2, "five owners")
	})
}

func TestThePulseTellsTheSourcesApart(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		w.Clock.Set(time.Now()) // by which jobs wait
		me := w.NewUser("me")
		bots := w.NewBots(me, 6)
		var list []tournament.Match
		for i := range 5 {
			m := must.Get(w.Ask(me, bots[i], bots[i+1]))(w.T)
			list = append(list, m)
		}
		l, _ := w.StandingLadder(storetest.Toy, 4, 600)
		made := w.Tick(l)
		w.Take(list[0])
		w.Clock.Move(time.Hour)
		p := must.Get(pulse.Take(w.Ctx, w.DB))(w.T)
		if q := p.Queues[pulse.Waits{Game: storetest.Toy, Source: tournament.SourceChallenge}]; q.Queued != 4 || q.Running != 1 || (q.Oldest-time.Hour).Abs() > time.Minute {
			t.Errorf("challenges: %+v; want four queued for an hour and one running", q)
		}
		if q := p.Queues[pulse.Waits{Game: storetest.Toy, Source: tournament.SourceLadder}]; q.Queued != len(made) || q.Running != 0 {
			t.Errorf("ladder: %+v; want %d queued", q, len(made))
		}
		w.Take(list[1])
		p = must.Get(pulse.Take(w.Ctx, w.DB))(w.T)
		if q := p.Queues[pulse.Waits{Game: storetest.Toy, Source: tournament.SourceChallenge}]; q.Queued != 3 || q.Oldest != 0 {
			t.Errorf("challenges: %+v; want three that wait for their asker's own, which no worker can help", q)
		}
	})
}

// A match that waits for its round's time, or for a bot that is away, waits for no worker.
func TestWhatNoWorkerMayTakeIsNoQueue(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		_, list := w.Running(4, func(t *tournament.Tournament) {
			t.Format, t.Options.Rounds, t.Options.RoundPauseMS = tournament.Swiss, 2, (12 * time.Hour).Milliseconds()
		})
		w.Clock.Set(time.Now()) // which jobs wait for
		w.PlayAll(list)
		_, list = w.Running(2, nil)
		w.Must(w.SQL(w.Ctx).Exec("UPDATE matches SET job_id = 0 WHERE id = ?", list[0].ID).Error)
		w.Clock.Move(11 * time.Hour)
		p := must.Get(pulse.Take(w.Ctx, w.DB))(w.T)
		if q := p.Queues[pulse.Waits{Game: storetest.Toy, Source: tournament.SourceTournament}]; q.Queued != 3 || q.Oldest != 0 {
			t.Errorf("%d queued, the oldest for %v; want 3 and 0", q.Queued, q.Oldest)
		}
	})
}
