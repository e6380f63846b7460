package director_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/queue"
)

// queued counts the jobs of a queue that wait to be taken.
func (w *world) queued(queue string) int {
	w.T.Helper()
	var n int64
	w.Must(w.SQL(w.Ctx).Table("river_job").Where("state = 'available' AND queue = ?", queue).Count(&n).Error)
	return int(n)
}

func TestAUserHasSoManyChallengesOpenWhateverTheBots(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		me, you := w.NewUser("me"), w.NewUser("you")
		mine, yours := w.NewBots(me, 26), w.NewBots(you, 2) // two play in none of the first: a bot has a bound of its own
		var list []tournament.Match
		for i := range tournament.MaxAsked - 5 {
			m := must.Get(w.Ask(me, mine[i%24], mine[(i+1+i/24)%24]))(w.T)
			list = append(list, m)
		}
		made := directortest.Race(20, func(i int) error { _, err := w.Ask(me, mine[i], mine[(i+5)%24]); return err }, func(err error) {
			if !errors.Is(err, tournament.ErrLimit) {
				t.Errorf("got %v, want %v", err, tournament.ErrLimit)
			}
		})
		if made != 5 {
			t.Errorf("%d of 20 at once were taken beside %d, want 5", made, len(list))
		}
		directortest.Refused(t, "one more", directortest.Err(w.Ask(me, mine[24], mine[25])), tournament.ErrLimit)
		_, err := w.Ask(you, yours...)
		w.Must(err) // the bound is each user's own
		m := w.Take(list[0])
		w.Must(w.Finish(w.Ctx, m, directortest.Won(m, 0), nil))
		w.Did(w.Ask(me, mine[24], mine[25]))
	})
}

func TestAUsersChallengesWaitForOneAnotherAndForNobodyElses(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		me, you := w.NewUser("me"), w.NewUser("you")
		mine, yours := w.NewBots(me, 8), w.NewBots(you, 2)
		var list []tournament.Match
		for i := range 6 {
			m := must.Get(w.Ask(me, mine[i], mine[i+1]))(w.T)
			list = append(list, m)
		}
		theirs := must.Get(w.Ask(you, yours...))(w.T)
		if n := w.queued(queue.Challenge); n != tournament.ChallengesAtOnce+1 || w.jobs(theirs.ID) != 1 || w.queued("default") != 0 {
			t.Fatalf("%d jobs, %d for the other's; want %d and 1", n, w.jobs(theirs.ID), tournament.ChallengesAtOnce+1)
		}
		must.First(w.Claim(w.Ctx, store.PlayMatch{MatchID: theirs.ID}, "w", directortest.Lease))(w.T)
		for i, m := range list { // as each ends, the next one has a job
			if w.jobs(m.ID) != 1 {
				t.Fatalf("challenge %d of 6 has %d jobs, want 1", i+1, w.jobs(m.ID))
			}
			if after := i + tournament.ChallengesAtOnce; after < len(list) && w.jobs(list[after].ID) != 0 {
				t.Fatalf("challenge %d has a job before its turn", after+1)
			}
			switch m = w.Take(m); i {
			case 1:
				w.Must(w.Void(w.Ctx, m, "a fault of ours", nil))
			case 2:
				w.Did(w.VoidMatch(w.Ctx, m.ID, "by hand"))
			default:
				w.Must(w.Finish(w.Ctx, m, directortest.Won(m, 0), nil))
			}
		}
	})
}

// TestNoChallengeIsForgotten ends matches of one asker at once while others are asked for: after a sweep each match is over, has a
// job, or stands behind as many that have.
func TestNoChallengeIsForgotten(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		me := w.NewUser("me")
		mine := w.NewBots(me, 20)
		w.Warm(8)
		var both sync.WaitGroup
		both.Go(func() {
			for i := range 15 {
				if _, err := w.Ask(me, mine[i], mine[i+1]); err != nil {
					t.Error(err)
				}
			}
		})
		both.Go(func() {
			for range 10 {
				for _, m := range w.All(store.MatchFilter{BotID: mine[1], Status: tournament.MatchQueued, Named: []string{storetest.Toy}}) {
					if got, _, err := w.Claim(w.Ctx, store.PlayMatch{MatchID: m.ID}, "w", directortest.Lease); err == nil {
						if err := w.Finish(w.Ctx, got, directortest.Won(got, 0), nil); err != nil {
							t.Error(err)
						}
					}
				}
			}
		})
		both.Wait()
		for range 20 {
			w.Did(w.Sweep(w.Ctx, time.Hour))
			var going []tournament.Match
			for _, m := range w.All(store.MatchFilter{Status: tournament.MatchQueued}) {
				if w.jobs(m.ID) > 0 {
					going = append(going, m)
				}
			}
			left := len(w.All(store.MatchFilter{Status: tournament.MatchQueued}))
			if left == 0 {
				return
			}
			if len(going) < min(left, tournament.ChallengesAtOnce) {
				t.Fatalf("%d matches wait, %d have a job", left, len(going))
			}
			w.Must(w.Played(going[0], 0))
		}
		t.Error("the matches do not come to an end")
	})
}

// TestTheSweeperFindsParkedChallenges begins with what two transactions that did not see each other may leave: room, and matches
// without a job.
func TestTheSweeperFindsParkedChallenges(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		me := w.NewUser("me")
		bots := w.NewBots(me, 5)
		for i := range 4 {
			w.Did(w.Ask(me, bots[i], bots[i+1]))
		}
		w.Must(w.InTx(w.Ctx, func(tx *store.Tx) error {
			return errors.Join(tx.SQL.Exec("UPDATE matches SET job_id = 0").Error, tx.SQL.Exec("DELETE FROM river_job").Error)
		}))
		for range 2 { // the second finds nothing to do
			w.Did(w.Sweep(w.Ctx, directortest.Lease))
			if n := w.queued(queue.Challenge); n != tournament.ChallengesAtOnce {
				t.Fatalf("%d jobs after a sweep, want %d", n, tournament.ChallengesAtOnce)
			}
		}
	})
}

func TestMatchesWaitInTheQueueOfTheirSource(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		_, list := w.Running(3, func(x *tournament.Tournament) { x.Rated = false })
		l, _ := w.StandingLadder(storetest.Toy, 4, 600)
		made := w.Tick(l)
		waiting := len(made)
		if got := w.queued("default"); got != len(list) {
			t.Errorf("%d jobs for %d matches of the tournament", got, len(list))
		}
		if got := w.queued(queue.Ladder); got != waiting || waiting == 0 {
			t.Errorf("%d jobs for %d matches of the ladder", got, waiting)
		}
		m := w.Take(made[len(made)-1])
		w.Must(w.Release(w.Ctx, m.ID, m.Epoch))
		if got := w.queued(queue.Ladder); got != waiting+1 { // the old job was not taken from the queue in this test
			t.Errorf("%d jobs in the ladder's queue after a release, want %d", got, waiting+1)
		}
	})
}

func TestAnOwnersBotsHaveSoManyLadderMatchesOpen(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		l, _ := w.StandingLadder(storetest.Toy, 3, 600)
		other := must.Get(w.EnsureLadder(w.Ctx, storetest.ToyTeams))(w.T)
		hog := w.NewUser("hog")
		hogs := w.NewBots(hog, 12)
		for _, id := range hogs {
			for _, ladder := range []string{l.ID, other.ID} {
				w.Did(w.JoinLadder(w.Ctx, ladder, id, hog.ID, 600))
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
		told := 0
		for range 3 { // nothing of the hog's ever ends
			for _, ladder := range []string{l.ID, other.ID} {
				w.Did(w.MakeLadder(w.Ctx, ladder, 2))
			}
			list := w.All(store.MatchFilter{Status: tournament.MatchQueued})
			n := of(list, hog)
			if n > 2 {
				t.Fatalf("the bots of one owner have %d matches open, want 2 at most", n)
			}
			for _, id := range hogs {
				for _, s := range must.Get(w.LadderStates(w.Ctx, must.Get(w.Bot(w.Ctx, id))(w.T)))(w.T) {
					if s.Code == tournament.LadderNext && s.Owned == n {
						told++
					} else if s.Code == tournament.LadderNext {
						t.Errorf("the state of a bot says that its owner has %d matches open, want %d: %s", s.Owned, n, s)
					}
				}
			}
			for _, m := range list {
				if of([]tournament.Match{m}, hog) == 0 {
					w.best(m)
				}
			}
			w.Clock.Move(time.Minute)
		}
		if told == 0 {
			t.Error("no bot of the owner's is next, and says what it waits for")
		}
		house := must.First(w.CreateUser(w.Ctx, tournament.User{Name: "house", Role: tournament.RoleAdmin}, tournament.Token{Hash: [32]byte{2}}))(w.T)
		for _, id := range w.NewBots(house, 20) {
			w.Did(w.JoinLadder(w.Ctx, l.ID, id, house.ID, 600))
		}
		for i := range 20 { // more than two tables hold, for them to meet
			u := w.NewUser(fmt.Sprint("late", i))
			w.Did(w.JoinLadder(w.Ctx, l.ID, w.NewBot(fmt.Sprint("late", i), u).ID, u.ID, 600))
		}
		most := 0
		for tick := 0; tick < 20 && most < 3; tick++ { // who meets whom is drawn: the others may meet each other first
			w.Did(w.MakeLadder(w.Ctx, l.ID, 2))
			list := w.All(store.MatchFilter{LadderID: l.ID, Status: tournament.MatchQueued})
			for _, m := range list {
				if only := []tournament.Match{m}; of(only, house) == 0 && of(only, hog) == 0 {
					w.best(m)
				}
			}
			most = of(list, house)
			w.Clock.Move(time.Minute)
		}
		if most < 3 {
			t.Errorf("an administrator's bots have %d matches after 20 ticks, want them not to be counted", most)
		}
	})
}

// A round robin is made whole, round by round: what of it waits behind much of its own lets other tournaments pass.
func TestWhatIsFarFromItsTurnLetsOthersPass(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		w.Running(12, nil) // 66 matches
		w.Running(4, func(x *tournament.Tournament) { x.Format = tournament.Swiss })
		var got []int
		w.Must(w.SQL(w.Ctx).Raw("SELECT COUNT(*) FROM river_job WHERE queue = 'default' GROUP BY priority ORDER BY priority").Scan(&got).Error)
		must.SameList(t, "jobs by priority", got, []int{18, 48, 2})
	})
}
