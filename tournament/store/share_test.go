package store_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/queue"
	"github.com/molerun/molerun/tournament/store/storetest"
)

// ask has bots play a match by challenge.
func (w *world) ask(asker tournament.User, bots ...string) (tournament.Match, error) {
	return w.Challenge(w.ctx, director.Challenge{
		Game: storetest.Toy, Config: []byte(`{"steps":3}`), Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(),
		Bots: bots, Asker: tournament.Asker{UserID: asker.ID},
	})
}

// bots are n bots of an owner; they take challenges.
func (w *world) bots(owner tournament.User, n int) (ids []string) {
	w.t.Helper()
	for i := range n {
		b := w.bot(fmt.Sprintf("%s-%02d", owner.Name, i), owner)
		_, err := w.TakeChallenges(w.ctx, b.ID, true)
		w.must(err)
		ids = append(ids, b.ID)
	}
	return ids
}

// queued counts the jobs of a queue that wait to be taken.
func (w *world) queued(queue string) int {
	w.t.Helper()
	var n int64
	w.must(w.SQL(w.ctx).Table("river_job").Where("state = 'available' AND queue = ?", queue).Count(&n).Error)
	return int(n)
}

func TestAUserHasSoManyChallengesOpenWhateverTheBots(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		me, you := w.user("me"), w.user("you")
		mine, yours := w.bots(me, 26), w.bots(you, 2) // two play in none of the first: a bot has a bound of its own
		var list []tournament.Match
		for i := range tournament.MaxAsked - 5 {
			m, err := w.ask(me, mine[i%24], mine[(i+1+i/24)%24])
			w.must(err)
			list = append(list, m)
		}
		made := race(20, func(i int) error { _, err := w.ask(me, mine[i], mine[(i+5)%24]); return err }, func(err error) {
			if !errors.Is(err, tournament.ErrLimit) {
				t.Errorf("got %v, want %v", err, tournament.ErrLimit)
			}
		})
		if made != 5 {
			t.Errorf("%d of 20 at once were taken beside %d, want 5", made, len(list))
		}
		_, err := w.ask(me, mine[24], mine[25])
		refused(t, "one more", err, tournament.ErrLimit)
		_, err = w.ask(you, yours...)
		w.must(err) // the bound is each user's own
		m := w.claim(list[0])
		w.must(w.Finish(w.ctx, m, won(m, 0), nil))
		_, err = w.ask(me, mine[24], mine[25])
		w.must(err)
	})
}

func TestAUsersChallengesWaitForOneAnotherAndForNobodyElses(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		me, you := w.user("me"), w.user("you")
		mine, yours := w.bots(me, 8), w.bots(you, 2)
		var list []tournament.Match
		for i := range 6 {
			m, err := w.ask(me, mine[i], mine[i+1])
			w.must(err)
			list = append(list, m)
		}
		theirs, err := w.ask(you, yours...)
		w.must(err)
		if n := w.queued(queue.Challenge); n != tournament.ChallengesAtOnce+1 || w.jobs(theirs.ID) != 1 || w.queued("default") != 0 {
			t.Fatalf("%d jobs, %d for the other's; want %d and 1", n, w.jobs(theirs.ID), tournament.ChallengesAtOnce+1)
		}
		_, _, err = w.Claim(w.ctx, store.PlayMatch{MatchID: theirs.ID}, "w", lease)
		w.must(err)
		for i, m := range list { // as each ends, the next one has a job
			if w.jobs(m.ID) != 1 {
				t.Fatalf("challenge %d of 6 has %d jobs, want 1", i+1, w.jobs(m.ID))
			}
			if after := i + tournament.ChallengesAtOnce; after < len(list) && w.jobs(list[after].ID) != 0 {
				t.Fatalf("challenge %d has a job before its turn", after+1)
			}
			switch m = w.claim(m); i {
			case 1:
				w.must(w.Void(w.ctx, m, "a fault of ours", nil))
			case 2:
				_, err = w.VoidMatch(w.ctx, m.ID, "by hand")
				w.must(err)
			default:
				w.must(w.Finish(w.ctx, m, won(m, 0), nil))
			}
		}
	})
}

// TestNoChallengeIsForgotten ends matches of one asker at once while others are asked for: after a sweep each match is over, has a
// job, or stands behind as many that have.
func TestNoChallengeIsForgotten(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		me := w.user("me")
		mine := w.bots(me, 20)
		w.warm(8)
		var both sync.WaitGroup
		both.Go(func() {
			for i := range 15 {
				if _, err := w.ask(me, mine[i], mine[i+1]); err != nil {
					t.Error(err)
				}
			}
		})
		both.Go(func() {
			for range 10 {
				for _, m := range w.all(store.MatchFilter{BotID: mine[1], Status: tournament.MatchQueued}) {
					if got, _, err := w.Claim(w.ctx, store.PlayMatch{MatchID: m.ID}, "w", lease); err == nil {
						if err := w.Finish(w.ctx, got, won(got, 0), nil); err != nil {
							t.Error(err)
						}
					}
				}
			}
		})
		both.Wait()
		for range 20 {
			_, err := w.Sweep(w.ctx, time.Hour)
			w.must(err)
			var going []tournament.Match
			for _, m := range w.all(store.MatchFilter{Status: tournament.MatchQueued}) {
				if w.jobs(m.ID) > 0 {
					going = append(going, m)
				}
			}
			left := len(w.all(store.MatchFilter{Status: tournament.MatchQueued}))
			if left == 0 {
				return
			}
			if len(going) < min(left, tournament.ChallengesAtOnce) {
				t.Fatalf("%d matches wait, %d have a job", left, len(going))
			}
			m := w.claim(going[0])
			w.must(w.Finish(w.ctx, m, won(m, 0), nil))
		}
		t.Error("the matches do not come to an end")
	})
}

// TestTheSweeperFindsParkedChallenges begins with what two transactions that did not see each other may leave: room, and matches
// without a job.
func TestTheSweeperFindsParkedChallenges(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		me := w.user("me")
		bots := w.bots(me, 5)
		for i := range 4 {
			_, err := w.ask(me, bots[i], bots[i+1])
			w.must(err)
		}
		w.must(w.InTx(w.ctx, func(tx *store.Tx) error {
			return errors.Join(tx.Exec("UPDATE matches SET job_id = 0"), tx.Exec("DELETE FROM river_job"))
		}))
		for range 2 { // the second finds nothing to do
			_, err := w.Sweep(w.ctx, lease)
			w.must(err)
			if n := w.queued(queue.Challenge); n != tournament.ChallengesAtOnce {
				t.Fatalf("%d jobs after a sweep, want %d", n, tournament.ChallengesAtOnce)
			}
		}
	})
}

func TestMatchesWaitInTheQueueOfTheirSource(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		_, list := w.running(3, func(x *tournament.Tournament) { x.Rated = false })
		l, _ := w.standing(storetest.Toy, 4, 600)
		made := w.tick(l)
		waiting := len(made)
		if got := w.queued("default"); got != len(list) {
			t.Errorf("%d jobs for %d matches of the tournament", got, len(list))
		}
		if got := w.queued(queue.Ladder); got != waiting || waiting == 0 {
			t.Errorf("%d jobs for %d matches of the ladder", got, waiting)
		}
		m := w.claim(made[len(made)-1])
		w.must(w.Release(w.ctx, m.ID, m.Epoch))
		if got := w.queued(queue.Ladder); got != waiting+1 { // the old job was not taken from the queue in this test
			t.Errorf("%d jobs in the ladder's queue after a release, want %d", got, waiting+1)
		}
	})
}

func TestAnOwnersBotsHaveSoManyLadderMatchesOpen(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		l, _ := w.standing(storetest.Toy, 3, 600)
		other, err := w.EnsureLadder(w.ctx, storetest.ToyTeams)
		w.must(err)
		hog := w.user("hog")
		for _, id := range w.bots(hog, 12) {
			for _, ladder := range []string{l.ID, other.ID} {
				_, err := w.JoinLadder(w.ctx, ladder, id, hog.ID, 600)
				w.must(err)
			}
		}
		of := func(list []tournament.Match, owner tournament.User) (n int) {
			for _, m := range list {
				for _, s := range m.Seats {
					if s.OwnerID == owner.ID {
						n++
						break
					}
				}
			}
			return n
		}
		for range 3 { // nothing of the hog's ever ends
			for _, ladder := range []string{l.ID, other.ID} {
				_, err := w.MakeLadder(w.ctx, ladder, 2)
				w.must(err)
			}
			list := w.all(store.MatchFilter{Status: tournament.MatchQueued})
			if n := of(list, hog); n > 2 {
				t.Fatalf("the bots of one owner have %d matches open, want 2 at most", n)
			}
			for _, m := range list {
				if of([]tournament.Match{m}, hog) == 0 {
					m = w.claim(m)
					w.must(w.Finish(w.ctx, m, best(m), nil))
				}
			}
			w.clk.move(time.Minute)
		}
		house, _, err := w.CreateUser(w.ctx, tournament.User{Name: "house", Role: tournament.RoleAdmin}, tournament.Token{Hash: [32]byte{2}})
		w.must(err)
		for _, id := range w.bots(house, 20) {
			_, err := w.JoinLadder(w.ctx, l.ID, id, house.ID, 600)
			w.must(err)
		}
		for i := range 20 { // more than two tables hold, for them to meet
			u := w.user(fmt.Sprint("late", i))
			_, err := w.JoinLadder(w.ctx, l.ID, w.bot(fmt.Sprint("late", i), u).ID, u.ID, 600)
			w.must(err)
		}
		most := 0
		for tick := 0; tick < 20 && most < 3; tick++ { // who meets whom is drawn: the others may meet each other first
			_, err = w.MakeLadder(w.ctx, l.ID, 2)
			w.must(err)
			list := w.all(store.MatchFilter{LadderID: l.ID, Status: tournament.MatchQueued})
			for _, m := range list {
				if only := []tournament.Match{m}; of(only, house) == 0 && of(only, hog) == 0 {
					m = w.claim(m)
					w.must(w.Finish(w.ctx, m, best(m), nil))
				}
			}
			most = of(list, house)
			w.clk.move(time.Minute)
		}
		if most < 3 {
			t.Errorf("an administrator's bots have %d matches after 20 ticks, want them not to be counted", most)
		}
	})
}
