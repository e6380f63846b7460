package store_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/storetest"
)

// are checks that matches are in a state.
func (w *world) are(what string, want tournament.MatchStatus, list ...tournament.Match) {
	w.t.Helper()
	for _, m := range list {
		if got := w.match(m.ID); got.Status != want {
			w.t.Errorf("%s: %s (%s), want %s", what, got.Status, got.Reason, want)
		}
	}
}

func TestADisabledUsersMatchesGoAndOthersStay(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		me, you := w.user("me"), w.user("you")
		mine, yours := w.bots(me, 5), w.bots(you, 4)
		var asked []tournament.Match
		for i := range 4 { // two of them are parked
			m, err := w.ask(me, mine[i], mine[i+1])
			w.must(err)
			asked = append(asked, m)
		}
		against, err := w.ask(you, yours[0], mine[0])
		w.must(err)
		apart, err := w.ask(you, yours[0], yours[1])
		w.must(err)
		next, err := w.ask(you, yours[2], yours[3])
		w.must(err)
		if w.jobs(next.ID) != 0 {
			t.Fatal("the third challenge of a user is not parked")
		}
		running := w.claim(asked[0])
		l, _ := w.standing(storetest.Toy, 0, 600)
		for _, b := range []struct {
			owner tournament.User
			id    string
		}{{me, mine[0]}, {you, yours[0]}} {
			_, err := w.JoinLadder(w.ctx, l.ID, b.id, b.owner.ID, 600)
			w.must(err)
		}
		begun := w.claim(w.tick(l)[0])
		for _, b := range []struct {
			owner tournament.User
			id    string
		}{{me, mine[1]}, {you, yours[1]}} {
			_, err := w.JoinLadder(w.ctx, l.ID, b.id, b.owner.ID, 600)
			w.must(err)
		}
		waits := w.tick(l)[0]
		u, err := w.DisableUser(w.ctx, me.ID, "hangs")
		w.must(err)
		if u.DisabledAt == nil {
			t.Error("the account is open")
		}
		w.are("asked for by the disabled user", tournament.MatchVoid, asked...)
		w.are("against a bot of the disabled user", tournament.MatchVoid, against)
		w.are("a challenge of others", tournament.MatchQueued, apart, next)
		w.are("a ladder match that has begun", tournament.MatchRunning, begun)
		w.are("a ladder match that has not begun", tournament.MatchVoid, waits)
		if w.jobs(next.ID) != 1 {
			t.Error("the place of the void challenge is not given to the next")
		}
		refused(t, "renew", w.Renew(w.ctx, running.ID, running.Epoch, lease), tournament.ErrFenced)
		refused(t, "finish", w.Finish(w.ctx, running, won(running, 0), nil), tournament.ErrFenced)
		_, err = w.ask(me, mine[0], mine[1])
		refused(t, "ask while disabled", err, tournament.ErrDisabled)
		w.must(w.Finish(w.ctx, begun, best(begun), nil))
		w.must(w.CheckRatings(w.ctx, l.ID))
		if got, err := w.Ladder(w.ctx, l.ID); err != nil || got.NextSeq != got.LastSeq+1 {
			t.Errorf("the ladder waits for place %d of %d (%v)", got.NextSeq, got.LastSeq, err)
		}
	})
}

func TestADisabledUsersBotsLeaveTournaments(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		me := w.user("me")
		mine := w.bots(me, 1)[0]
		enter := func(change func(*tournament.Tournament)) tournament.Tournament {
			x := w.plan(change)
			for _, name := range []string{"a", "b", "c"} {
				u := w.user(name + x.ID)
				_, err := w.Join(w.ctx, x.ID, w.bot(name+x.ID, u).ID, u.ID)
				w.must(err)
			}
			_, err := w.Join(w.ctx, x.ID, mine, me.ID)
			w.must(err)
			return x
		}
		waits := enter(nil)
		round, err := w.Start(w.ctx, enter(nil).ID)
		w.must(err)
		swiss, err := w.Start(w.ctx, enter(func(x *tournament.Tournament) { x.Format, x.Options.Rounds = tournament.Swiss, 3 }).ID)
		w.must(err)
		_, err = w.DisableUser(w.ctx, me.ID, "cheats")
		w.must(err)
		for _, x := range []tournament.Tournament{waits, round, swiss} {
			list, err := w.Entries(w.ctx, x.ID)
			w.must(err)
			for _, e := range list {
				if (e.WithdrawnAt != nil) != (e.BotID == mine) {
					t.Errorf("%s %s: bot %s withdrawn %v", x.Format, x.Status, e.BotName, e.WithdrawnAt)
				}
			}
		}
		for _, m := range w.all(store.MatchFilter{TournamentID: round.ID, BotID: mine}) {
			w.are("a match of the round robin", tournament.MatchVoid, m)
		}
		for range 4 {
			for _, x := range []tournament.Tournament{round, swiss} {
				for _, m := range w.all(store.MatchFilter{TournamentID: x.ID, Status: tournament.MatchQueued}) {
					m = w.claim(m)
					w.must(w.Finish(w.ctx, m, won(m, 0), nil))
				}
			}
		}
		for _, x := range []tournament.Tournament{round, swiss} {
			if got, err := w.Tournament(w.ctx, x.ID); err != nil || got.Status != tournament.Finished {
				t.Errorf("the %s is %s (%v), want it finished without the bot", x.Format, got.Status, err)
			}
		}
		_, err = w.EnableUser(w.ctx, me.ID)
		w.must(err)
		list, err := w.Entries(w.ctx, waits.ID)
		w.must(err)
		if !slices.ContainsFunc(list, func(e tournament.Entry) bool { return e.BotID == mine && e.WithdrawnAt != nil }) {
			t.Errorf("enabled again, the entries are %+v; want the bot out", list)
		}
	})
}

// TestDisablingWhileWorkersClaim disables a user while his matches are claimed and ended and others' tournaments go on: afterwards
// none of his challenges is open, and nothing has failed for another reason than that.
func TestDisablingWhileWorkersClaim(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		me := w.user("me")
		bots := w.bots(me, 12)
		for i := range 11 {
			_, err := w.ask(me, bots[i], bots[i+1])
			w.must(err)
		}
		x := w.plan(func(x *tournament.Tournament) { x.OwnerEntries = 3 })
		for _, id := range bots[:3] {
			_, err := w.Join(w.ctx, x.ID, id, me.ID)
			w.must(err)
		}
		for _, name := range []string{"v", "w"} {
			u := w.user(name)
			_, err := w.Join(w.ctx, x.ID, w.bot(name, u).ID, u.ID)
			w.must(err)
		}
		x, err := w.Start(w.ctx, x.ID)
		w.must(err)
		w.warm(8)
		list := w.all(store.MatchFilter{Status: tournament.MatchQueued})
		var all sync.WaitGroup
		for part := range 4 {
			all.Go(func() {
				for i := part; i < len(list); i += 4 {
					m, _, err := w.Claim(w.ctx, store.PlayMatch{MatchID: list[i].ID}, "w", lease)
					if err == nil && i%3 > 0 {
						err = w.Finish(w.ctx, m, won(m, 0), nil)
					}
					if err != nil && !errors.Is(err, tournament.ErrState) && !errors.Is(err, tournament.ErrFenced) {
						t.Errorf("match %d: %v", i, err)
					}
				}
			})
		}
		all.Go(func() {
			if _, err := w.DisableUser(w.ctx, me.ID, "hangs"); err != nil {
				t.Error(err)
			}
		})
		all.Wait()
		w.must(w.Evict(w.ctx))
		for _, m := range w.all(store.MatchFilter{}) {
			if m.TournamentID == "" && !m.Status.Over() {
				t.Errorf("a challenge of the disabled user is %s", m.Status)
			}
		}
		entries, err := w.Entries(w.ctx, x.ID)
		w.must(err)
		for _, e := range entries {
			if (e.WithdrawnAt != nil) != (e.OwnerID == me.ID) {
				t.Errorf("bot %s: withdrawn %v", e.BotName, e.WithdrawnAt)
			}
		}
	})
}
