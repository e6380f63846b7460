package director_test

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/queue"
)

// bots of the test's tournament: everybody meets everybody once, 15 matches, or 496 at night.
func cutBots() int {
	if os.Getenv("MOLERUN_NIGHTLY") == "1" {
		return 32
	}
	return 6
}

// A connection that breaks while a result is committed leaves its outcome unknown. Whoever tries again, as a worker does,
// makes the result count once: never twice, never not at all.
func TestAResultWhoseCommitWasCutCountsExactlyOnce(t *testing.T) {
	c, open := storetest.Through(t)
	w := newWorld(t, open)
	x, list := w.Running(cutBots(), nil)
	for i, m := range list {
		m = w.Take(m)
		how := []storetest.Cut{storetest.OnTheWayThere, storetest.OnTheWayBack}[i%2]
		finish := func() error {
			return w.Finish(w.Ctx, m, directortest.Won(m, 0), func(tx *store.Tx) error { // stands for the job that is completed with it
				return tx.SQL.Exec("UPDATE bots SET passes = passes + 1 WHERE id = ?", m.Seats[0].BotID).Error
			})
		}
		c.Arm(how, storetest.IsCommit)
		if err := finish(); err == nil || errors.Is(err, tournament.ErrFenced) || c.Cuts() != i+1 {
			t.Fatalf("match %d, cut %d: got %v after %d cuts, want an error that says nothing of the outcome", i, how, err, c.Cuts())
		}
		if done := w.Reload(m.ID).Status == tournament.MatchDone; done != (how == storetest.OnTheWayBack) {
			t.Fatalf("match %d, cut %d: done %v: the cut was not where it should be", i, how, done)
		}
		if err := finish(); how == storetest.OnTheWayThere && err != nil || how == storetest.OnTheWayBack && !errors.Is(err, tournament.ErrFenced) {
			t.Errorf("match %d, cut %d: tried again: %v", i, how, err)
		}
		directortest.Refused(t, "a third time", finish(), tournament.ErrFenced)
		events := must.First(w.RatingEvents(w.Ctx, store.RatingEventFilter{MatchID: m.ID}, store.Page{}))(w.T)
		if len(events) != 2 || w.Reload(m.ID).Status != tournament.MatchDone {
			t.Errorf("match %d, cut %d: %d rating events, status %s; want 2, done", i, how, len(events), w.Reload(m.ID).Status)
		}
	}
	completed, next := w.number("SELECT SUM(passes) FROM bots"), w.ladder(x.LadderID).NextSeq
	if completed != len(list) || next != int64(len(list))+1 {
		t.Errorf("%d jobs completed, ladder at %d; want %d, %d", completed, next, len(list), len(list)+1)
	}
	w.Over(x)
}

// A result goes to the database and back five times, whatever comes of it and however many there are at once: to begin, to
// end the matches and see what is due, to ask for ratings, to write them and see who hears, to tell and commit. A claim
// does so three times: to begin, to take the match, to tell and commit.
func TestAClaimTakesThreeWaysToTheDatabaseAndAResultFive(t *testing.T) {
	const claims, results = 3, 5
	c, open := storetest.Through(t)
	w := newWorld(t, open)
	_, list := w.Running(4, nil)
	for i, m := range list[:3] {
		ways := c.Ways()
		m = w.Take(m)
		must.Same(t, fmt.Sprintf("claim %d: ways", i), ways.Load(), claims)
		ways = c.Ways()
		w.Must(w.Finish(w.Ctx, m, directortest.Won(m, 0), func(tx *store.Tx) error { queue.Complete(tx.Tx, 1); return nil }))
		must.Same(t, fmt.Sprintf("result %d: ways", i), ways.Load(), results)
	}
}

// The same for a step: recorded once, and who does not know it reads it when the match is claimed again.
func TestAStepWhoseCommitWasCutIsRecordedOnce(t *testing.T) {
	c, open := storetest.Through(t)
	w := newWorld(t, open)
	_, list := w.Running(2, nil)
	m := w.Take(list[0])
	w.Must(w.AppendStep(w.Ctx, m.ID, m.Epoch, directortest.Step(1, 2))) // prepares the statement
	for i, how := range []storetest.Cut{storetest.OnTheWayThere, storetest.OnTheWayBack, storetest.OnTheWayThere, storetest.OnTheWayBack} {
		n := i + 2
		c.Arm(how, storetest.IsExecute)
		if err := w.AppendStep(w.Ctx, m.ID, m.Epoch, directortest.Step(n, 2)); err == nil || errors.Is(err, tournament.ErrFenced) || c.Cuts() != i+1 {
			t.Fatalf("step %d, cut %d: got %v after %d cuts, want an error that says nothing of the outcome", n, how, err, c.Cuts())
		}
		err := w.AppendStep(w.Ctx, m.ID, m.Epoch, directortest.Step(n, 2))
		if how == storetest.OnTheWayThere && err != nil || how == storetest.OnTheWayBack && !errors.Is(err, tournament.ErrFenced) {
			t.Errorf("step %d, cut %d: tried again: %v", n, how, err)
		}
		w.Must(w.Release(w.Ctx, m.ID, m.Epoch))
		next, recorded, err := w.Claim(w.Ctx, store.PlayMatch{MatchID: m.ID, Epoch: m.Epoch}, "w2", directortest.Lease)
		w.Must(err)
		if m = next; len(recorded) != n {
			t.Errorf("step %d, cut %d: %d steps are recorded", n, how, len(recorded))
		}
	}
}

// The same for the start of a tournament: its matches are made once.
func TestAStartWhoseCommitWasCutMakesTheMatchesOnce(t *testing.T) {
	c, open := storetest.Through(t)
	w := newWorld(t, open)
	for i, how := range []storetest.Cut{storetest.OnTheWayThere, storetest.OnTheWayBack} {
		x := w.Plan(nil)
		w.Enter(x, w.Rivals(fmt.Sprint("ant", i), fmt.Sprint("bee", i), fmt.Sprint("cat", i))...)
		c.Arm(how, storetest.IsCommit)
		if _, err := w.Start(w.Ctx, x.ID); err == nil || errors.Is(err, tournament.ErrState) || c.Cuts() != i+1 {
			t.Fatalf("cut %d: got %v after %d cuts, want an error that says nothing of the outcome", how, err, c.Cuts())
		}
		if _, err := w.Start(w.Ctx, x.ID); how == storetest.OnTheWayThere && err != nil || how == storetest.OnTheWayBack && !errors.Is(err, tournament.ErrState) {
			t.Errorf("cut %d: tried again: %v", how, err)
		}
		jobs := w.number("SELECT COUNT(*) FROM river_job")
		if made := len(w.All(store.MatchFilter{TournamentID: x.ID})); made != 3 || jobs != 3*(i+1) {
			t.Errorf("cut %d: %d matches and %d jobs, want 3 and %d", how, made, jobs, 3*(i+1))
		}
	}
}
