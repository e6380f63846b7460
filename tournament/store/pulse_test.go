package store_test

import (
	"testing"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/pulse"
	"github.com/molerun/molerun/tournament/store/storetest"
)

func TestThePulseSaysWhoWaitsAndForHowLong(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		x, list := w.running(3, nil)
		cups := pulse.Waits{Game: storetest.Toy, Source: tournament.SourceTournament}
		w.claim(list[0])
		waiting := w.plan(nil)
		u := w.user("ann")
		b := w.bot("lynx", u)
		_, err := w.JoinLadder(w.ctx, x.LadderID, b.ID, u.ID, 6)
		w.must(err)
		p, err := pulse.Take(w.ctx, w.DB)
		w.must(err)
		if q := p.Queues[cups]; q.Queued != len(list)-1 || q.Running != 1 || q.Oldest != 0 {
			t.Errorf("the queue is %+v, want %d queued just now and one running", q, len(list)-1)
		}
		if l := p.Ladders[x.LadderID]; l.Eligible != 1 || l.Starved != 0 || p.Late != 0 || p.Bots[tournament.BotActive] != 4 {
			t.Errorf("ladder %+v, late %v, bots %v; want one eligible bot, not starved, nothing late, four bots", l, p.Late, p.Bots)
		}
		w.clk.move(2 * time.Hour)
		p, err = pulse.Take(w.ctx, w.DB)
		w.must(err)
		if got := p.Queues[cups].Oldest; got != 2*time.Hour {
			t.Errorf("the oldest match waits for %v, want 2h", got)
		}
		if l := p.Ladders[x.LadderID]; l.Starved != 1 {
			t.Errorf("ladder %+v, want its bot starved after two hours", l)
		}
		if want := w.clk.Now().Sub(waiting.StartsAt); p.Late != want.Truncate(time.Microsecond) {
			t.Errorf("the latest start is late by %v, want %v", p.Late, want)
		}
	})
}

func TestThePulseTellsTheSourcesApart(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		me := w.user("me")
		bots := w.bots(me, 6)
		var list []tournament.Match
		for i := range 5 {
			m, err := w.ask(me, bots[i], bots[i+1])
			w.must(err)
			list = append(list, m)
		}
		l, _ := w.standing(storetest.Toy, 4, 600)
		made := w.tick(l)
		w.claim(list[0])
		w.clk.move(time.Hour)
		p, err := pulse.Take(w.ctx, w.DB)
		w.must(err)
		if q := p.Queues[pulse.Waits{Game: storetest.Toy, Source: tournament.SourceChallenge}]; q.Queued != 4 || q.Running != 1 || q.Oldest != time.Hour {
			t.Errorf("challenges: %+v; want four queued for an hour and one running", q)
		}
		if q := p.Queues[pulse.Waits{Game: storetest.Toy, Source: tournament.SourceLadder}]; q.Queued != len(made) || q.Running != 0 {
			t.Errorf("ladder: %+v; want %d queued", q, len(made))
		}
		w.claim(list[1])
		p, err = pulse.Take(w.ctx, w.DB)
		w.must(err)
		if q := p.Queues[pulse.Waits{Game: storetest.Toy, Source: tournament.SourceChallenge}]; q.Queued != 3 || q.Oldest != 0 {
			t.Errorf("challenges: %+v; want three that wait for their asker's own, which no worker can help", q)
		}
	})
}
