package store_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/storetest"
)

// jobs counts the jobs for a match that wait to be taken.
func (w *world) jobs(matchID string) int {
	w.t.Helper()
	var n int64
	w.must(w.SQL(w.ctx).Table("river_job").Where("state = 'available' AND CAST(args AS TEXT) LIKE ?", "%"+matchID+"%").Count(&n).Error)
	return int(n)
}

func TestAPausedTournamentBeginsNoMatchAndEndsThoseThatBegan(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		x, list := w.running(3, nil)
		begun, lost, waiting := w.claim(list[0]), w.claim(list[1]), list[2]
		paused, err := w.PauseTournament(w.ctx, x.ID)
		w.must(err)
		stored, err := w.Tournament(w.ctx, x.ID)
		w.must(err)
		if paused.PausedAt == nil || stored.PausedAt == nil || !stored.PausedAt.Equal(*paused.PausedAt) || stored.Status != tournament.Running {
			t.Errorf("paused at %v, stored %v, %s; want both the same, and running", paused.PausedAt, stored.PausedAt, stored.Status)
		}
		_, err = w.PauseTournament(w.ctx, x.ID)
		refused(t, "pause twice", err, tournament.ErrState)

		_, _, err = w.Claim(w.ctx, store.PlayMatch{MatchID: waiting.ID}, "w", lease)
		refused(t, "begin a match", err, tournament.ErrState)
		if m := w.match(waiting.ID); m.Status != tournament.MatchQueued || m.Epoch != 0 {
			t.Errorf("the match that waits is %s at epoch %d, want queued at 0", m.Status, m.Epoch)
		}
		w.must(w.Finish(w.ctx, begun, won(begun, 0), nil))
		w.must(w.Release(w.ctx, lost.ID, lost.Epoch)) // its worker stopped
		again, _, err := w.Claim(w.ctx, store.PlayMatch{MatchID: lost.ID, Epoch: lost.Epoch}, "w2", lease)
		w.must(err)
		w.must(w.Finish(w.ctx, again, won(again, 1), nil))

		before := w.jobs(waiting.ID) // the job that was there from the start; no worker took it in this test
		back, err := w.ResumeTournament(w.ctx, x.ID)
		w.must(err)
		if back.PausedAt != nil || w.jobs(waiting.ID) != before+1 {
			t.Errorf("resumed: paused at %v, %d new jobs for the match that waits; want none and one", back.PausedAt, w.jobs(waiting.ID)-before)
		}
		_, err = w.ResumeTournament(w.ctx, x.ID)
		refused(t, "resume twice", err, tournament.ErrState)
		last, _, err := w.Claim(w.ctx, store.PlayMatch{MatchID: waiting.ID}, "w", lease)
		w.must(err)
		w.must(w.Finish(w.ctx, last, won(last, 0), nil))
		if got, err := w.Tournament(w.ctx, x.ID); err != nil || got.Status != tournament.Finished {
			t.Errorf("after its last match it is %s (%v), want finished", got.Status, err)
		}
		_, err = w.PauseTournament(w.ctx, x.ID)
		refused(t, "pause a finished one", err, tournament.ErrState)
		_, err = w.PauseTournament(w.ctx, w.plan(nil).ID)
		refused(t, "pause one that has not started", err, tournament.ErrState)
		_, err = w.PauseTournament(w.ctx, "nothing")
		refused(t, "pause nothing", err, tournament.ErrNotFound)
	})
}

func TestAMatchIsParkedOnlyWhenAWorkerCameForIt(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		x, list := w.running(2, nil)
		for range 3 { // nobody comes: the first job still waits, and no other is needed
			_, err := w.PauseTournament(w.ctx, x.ID)
			w.must(err)
			_, err = w.ResumeTournament(w.ctx, x.ID)
			w.must(err)
		}
		if n := w.jobs(list[0].ID); n != 1 {
			t.Errorf("%d jobs, want 1", n)
		}
	})
}

func TestTheSweeperLeavesParkedMatchesAlone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		x, list := w.running(2, nil)
		_, err := w.PauseTournament(w.ctx, x.ID)
		w.must(err)
		_, _, err = w.Claim(w.ctx, store.PlayMatch{MatchID: list[0].ID}, "w", lease)
		refused(t, "begin a match", err, tournament.ErrState)
		if n, err := w.Sweep(w.ctx, 0); err != nil || n != 0 {
			t.Errorf("%d matches queued again (%v), want none", n, err)
		}
	})
}

func TestAPausedTournamentCanBeCancelled(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		x, list := w.running(2, nil)
		_, err := w.PauseTournament(w.ctx, x.ID)
		w.must(err)
		_, _, err = w.Claim(w.ctx, store.PlayMatch{MatchID: list[0].ID}, "w", lease)
		refused(t, "begin a match", err, tournament.ErrState)
		gone, err := w.Cancel(w.ctx, x.ID, "rain")
		w.must(err)
		stored, err := w.Tournament(w.ctx, x.ID)
		w.must(err)
		if gone.PausedAt != nil || stored.PausedAt != nil || stored.Status != tournament.Cancelled || w.match(list[0].ID).Status != tournament.MatchVoid {
			t.Errorf("cancelled, it is %s, paused at %v, its match %s", stored.Status, stored.PausedAt, w.match(list[0].ID).Status)
		}
	})
}

// TestNoMatchIsForgottenBetweenPauseAndResume lets workers claim while the tournament is paused and resumed again and again:
// in the end every match has been begun, or has a job that waits.
func TestNoMatchIsForgottenBetweenPauseAndResume(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		x, list := w.running(6, nil)
		w.must(w.InTx(w.ctx, func(tx *store.Tx) error { return tx.Exec("DELETE FROM river_job") })) // the workers below have them
		w.warm(8)
		var workers sync.WaitGroup
		for _, m := range list {
			workers.Go(func() {
				if _, _, err := w.Claim(w.ctx, store.PlayMatch{MatchID: m.ID}, "w", lease); err != nil && !errors.Is(err, tournament.ErrState) {
					t.Error(err)
				}
			})
		}
		for range 10 {
			_, err := w.PauseTournament(w.ctx, x.ID)
			w.must(err)
			_, err = w.ResumeTournament(w.ctx, x.ID)
			w.must(err)
		}
		workers.Wait()
		for _, m := range list {
			now, waiting := w.match(m.ID), w.jobs(m.ID)
			if (now.Status == tournament.MatchRunning) == (waiting > 0) {
				t.Errorf("match %s at epoch %d has %d jobs that wait", now.Status, now.Epoch, waiting)
			}
		}
	})
}
