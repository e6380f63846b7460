package store_test

import (
	"errors"
	"os"
	"testing"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
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
	c, open := through(t)
	w := newWorld(t, open)
	x, list := w.running(cutBots(), nil)
	for i, m := range list {
		m = w.claim(m)
		how := []cut{onTheWayThere, onTheWayBack}[i%2]
		finish := func() error {
			return w.Finish(w.ctx, m, won(m, 0), func(tx *store.Tx) error { // stands for the job that is completed with it
				return tx.Exec("UPDATE bots SET passes = passes + 1 WHERE id = ?", m.Seats[0].BotID)
			})
		}
		c.arm(how, isCommit)
		if err := finish(); err == nil || errors.Is(err, tournament.ErrFenced) || int(c.cuts.Load()) != i+1 {
			t.Fatalf("match %d, cut %d: got %v after %d cuts, want an error that says nothing of the outcome", i, how, err, c.cuts.Load())
		}
		if done := w.match(m.ID).Status == tournament.MatchDone; done != (how == onTheWayBack) {
			t.Fatalf("match %d, cut %d: done %v: the cut was not where it should be", i, how, done)
		}
		if err := finish(); how == onTheWayThere && err != nil || how == onTheWayBack && !errors.Is(err, tournament.ErrFenced) {
			t.Errorf("match %d, cut %d: tried again: %v", i, how, err)
		}
		refused(t, "a third time", finish(), tournament.ErrFenced)
		events, _, err := w.RatingEvents(w.ctx, store.RatingEventFilter{MatchID: m.ID}, store.Page{})
		w.must(err)
		if len(events) != 2 || w.match(m.ID).Status != tournament.MatchDone {
			t.Errorf("match %d, cut %d: %d rating events, status %s; want 2, done", i, how, len(events), w.match(m.ID).Status)
		}
	}
	var completed int
	w.must(w.SQL(w.ctx).Raw("SELECT SUM(passes) FROM bots").Scan(&completed).Error)
	after, err := w.Tournament(w.ctx, x.ID)
	w.must(err)
	ladder, err := w.Ladder(w.ctx, x.LadderID)
	w.must(err)
	if completed != len(list) || after.Status != tournament.Finished || ladder.NextSeq != int64(len(list))+1 {
		t.Errorf("%d jobs completed, tournament %s, ladder at %d; want %d, finished, %d", completed, after.Status, ladder.NextSeq, len(list), len(list)+1)
	}
	w.must(w.CheckRatings(w.ctx, x.LadderID))
}

// The same for a step: recorded once, and who does not know it reads it when the match is claimed again.
func TestAStepWhoseCommitWasCutIsRecordedOnce(t *testing.T) {
	c, open := through(t)
	w := newWorld(t, open)
	_, list := w.running(2, nil)
	m := w.claim(list[0])
	w.must(w.AppendStep(w.ctx, m.ID, m.Epoch, step(1, 2))) // prepares the statement
	for i, how := range []cut{onTheWayThere, onTheWayBack, onTheWayThere, onTheWayBack} {
		n := i + 2
		c.arm(how, isExecute)
		if err := w.AppendStep(w.ctx, m.ID, m.Epoch, step(n, 2)); err == nil || errors.Is(err, tournament.ErrFenced) || int(c.cuts.Load()) != i+1 {
			t.Fatalf("step %d, cut %d: got %v after %d cuts, want an error that says nothing of the outcome", n, how, err, c.cuts.Load())
		}
		err := w.AppendStep(w.ctx, m.ID, m.Epoch, step(n, 2))
		if how == onTheWayThere && err != nil || how == onTheWayBack && !errors.Is(err, tournament.ErrFenced) {
			t.Errorf("step %d, cut %d: tried again: %v", n, how, err)
		}
		w.must(w.Release(w.ctx, m.ID, m.Epoch))
		next, recorded, err := w.Claim(w.ctx, store.PlayMatch{MatchID: m.ID, Epoch: m.Epoch}, "w2", lease)
		w.must(err)
		if m = next; len(recorded) != n {
			t.Errorf("step %d, cut %d: %d steps are recorded", n, how, len(recorded))
		}
	}
}

// The same for the start of a tournament: its matches are made once.
func TestAStartWhoseCommitWasCutMakesTheMatchesOnce(t *testing.T) {
	c, open := through(t)
	w := newWorld(t, open)
	for i, how := range []cut{onTheWayThere, onTheWayBack} {
		x := w.plan(nil)
		for _, name := range []string{"ant", "bee", "cat"} {
			u := w.user(name + string(rune('a'+i)))
			_, err := w.Join(w.ctx, x.ID, w.bot(u.Name, u).ID, u.ID)
			w.must(err)
		}
		c.arm(how, isCommit)
		if _, err := w.Start(w.ctx, x.ID); err == nil || errors.Is(err, tournament.ErrState) || int(c.cuts.Load()) != i+1 {
			t.Fatalf("cut %d: got %v after %d cuts, want an error that says nothing of the outcome", how, err, c.cuts.Load())
		}
		if _, err := w.Start(w.ctx, x.ID); how == onTheWayThere && err != nil || how == onTheWayBack && !errors.Is(err, tournament.ErrState) {
			t.Errorf("cut %d: tried again: %v", how, err)
		}
		var jobs int
		w.must(w.SQL(w.ctx).Raw("SELECT COUNT(*) FROM river_job").Scan(&jobs).Error)
		if made := len(w.all(store.MatchFilter{TournamentID: x.ID})); made != 3 || jobs != 3*(i+1) {
			t.Errorf("cut %d: %d matches and %d jobs, want 3 and %d", how, made, jobs, 3*(i+1))
		}
	}
}
