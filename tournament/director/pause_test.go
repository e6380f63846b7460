package director_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// jobs counts the jobs for a match that wait to be taken.
func (w *world) jobs(matchID string) int {
	w.T.Helper()
	var n int64
	w.Must(w.SQL(w.Ctx).Table("river_job").Where("state = 'available' AND CAST(args AS TEXT) LIKE ?", "%"+matchID+"%").Count(&n).Error)
	return int(n)
}

func TestAPausedTournamentBeginsNoMatchAndEndsThoseThatBegan(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(3, nil)
		begun, lost, waiting := w.Take(list[0]), w.Take(list[1]), list[2]
		paused := must.Get(w.PauseTournament(w.Ctx, x.ID))(w.T)
		stored := must.Get(w.Tournament(w.Ctx, x.ID))(w.T)
		if diff := cmp.Diff(paused, stored); diff != "" || paused.PausedAt == nil || stored.Status != tournament.Running {
			t.Errorf("paused at %v it is %s: %s", paused.PausedAt, stored.Status, diff)
		}
		directortest.Refused(t, "pause twice", directortest.Err(w.PauseTournament(w.Ctx, x.ID)), tournament.ErrState)

		_, _, err := w.Claim(w.Ctx, store.PlayMatch{MatchID: waiting.ID}, "w", directortest.Lease)
		directortest.Refused(t, "begin a match", err, tournament.ErrState)
		if m := w.Reload(waiting.ID); m.Status != tournament.MatchQueued || m.Epoch != 0 {
			t.Errorf("the match that waits is %s at epoch %d, want queued at 0", m.Status, m.Epoch)
		}
		w.Must(w.Finish(w.Ctx, begun, directortest.Won(begun, 0), nil))
		w.Must(w.Release(w.Ctx, lost.ID, lost.Epoch)) // its worker stopped
		again := must.First(w.Claim(w.Ctx, store.PlayMatch{MatchID: lost.ID, Epoch: lost.Epoch}, "w2", directortest.Lease))(w.T)
		w.Must(w.Finish(w.Ctx, again, directortest.Won(again, 1), nil))

		before := w.jobs(waiting.ID) // the job that was there from the start; no worker took it in this test
		back := must.Get(w.ResumeTournament(w.Ctx, x.ID))(w.T)
		if back.PausedAt != nil || w.jobs(waiting.ID) != before+1 {
			t.Errorf("resumed: paused at %v, %d new jobs for the match that waits; want none and one", back.PausedAt, w.jobs(waiting.ID)-before)
		}
		directortest.Refused(t, "resume twice", directortest.Err(w.ResumeTournament(w.Ctx, x.ID)), tournament.ErrState)
		last := must.First(w.Claim(w.Ctx, store.PlayMatch{MatchID: waiting.ID}, "w", directortest.Lease))(w.T)
		w.Must(w.Finish(w.Ctx, last, directortest.Won(last, 0), nil))
		w.Over(x)
		directortest.Refused(t, "pause a finished one", directortest.Err(w.PauseTournament(w.Ctx, x.ID)), tournament.ErrState)
		directortest.Refused(t, "pause one that has not started", directortest.Err(w.PauseTournament(w.Ctx, w.Plan(nil).ID)), tournament.ErrState)
		directortest.Refused(t, "pause nothing", directortest.Err(w.PauseTournament(w.Ctx, "nothing")), tournament.ErrNotFound)
	})
}

func TestAMatchIsParkedOnlyWhenAWorkerCameForIt(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		x, list := w.Running(2, nil)
		for range 3 { // nobody comes: the first job still waits, and no other is needed
			w.Did(w.PauseTournament(w.Ctx, x.ID))
			w.Did(w.ResumeTournament(w.Ctx, x.ID))
		}
		must.Same(t, "jobs", w.jobs(list[0].ID), 1)
	})
}

func TestAPausedTournamentCanBeCancelled(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		x, list := w.Running(2, nil)
		w.Did(w.PauseTournament(w.Ctx, x.ID))
		_, _, err := w.Claim(w.Ctx, store.PlayMatch{MatchID: list[0].ID}, "w", directortest.Lease)
		directortest.Refused(t, "begin a match", err, tournament.ErrState)
		if n, err := w.Sweep(w.Ctx, 0); err != nil || n != 0 {
			t.Errorf("%d parked matches queued again (%v), want none", n, err)
		}
		gone := must.Get(w.Cancel(w.Ctx, x.ID, "rain"))(w.T)
		stored := must.Get(w.Tournament(w.Ctx, x.ID))(w.T)
		if gone.PausedAt != nil || stored.PausedAt != nil || stored.Status != tournament.Cancelled {
			t.Errorf("got %+v, stored %+v; want it cancelled and paused no more", gone, stored)
		}
		w.are("a parked match", tournament.MatchVoid, list[0])
	})
}

// TestNoMatchIsForgottenBetweenPauseAndResume lets workers claim while the tournament is paused and resumed again and again:
// in the end every match has been begun, or has a job that waits.
func TestNoMatchIsForgottenBetweenPauseAndResume(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(6, nil)
		w.Must(w.InTx(w.Ctx, func(tx *store.Tx) error { return tx.SQL.Exec("DELETE FROM river_job").Error })) // the workers below have them
		w.Warm(8)
		var workers sync.WaitGroup
		for _, m := range list {
			workers.Go(func() {
				if _, _, err := w.Claim(w.Ctx, store.PlayMatch{MatchID: m.ID}, "w", directortest.Lease); err != nil && !errors.Is(err, tournament.ErrState) {
					t.Error(err)
				}
			})
		}
		for range 10 {
			w.Did(w.PauseTournament(w.Ctx, x.ID))
			w.Did(w.ResumeTournament(w.Ctx, x.ID))
		}
		workers.Wait()
		for _, m := range list {
			now, waiting := w.Reload(m.ID), w.jobs(m.ID)
			if (now.Status == tournament.MatchRunning) == (waiting > 0) {
				t.Errorf("match %s at epoch %d has %d jobs that wait", now.Status, now.Epoch, waiting)
			}
		}
	})
}

// Sweeps leave a paused arena alone. Resuming it makes it due again, without the bots that have left.
func TestNobodyLooksAtAnArenaWhileItIsPaused(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, bots := w.field(4, func(x *tournament.Tournament) {
			x.Format, x.Options.LastsMS = tournament.Arena, time.Hour.Milliseconds()
		})
		due := func(want bool) {
			t.Helper()
			if ids := must.Get(w.DueRounds(w.Ctx))(w.T); slices.Contains(ids, x.ID) != want {
				t.Errorf("due is %v, want the arena there: %v", ids, want)
			}
		}
		due(true)
		w.Did(w.PauseTournament(w.Ctx, x.ID))
		due(false)
		w.Must(w.SQL(w.Ctx).Exec("UPDATE matches SET status = 'void', ended_at = created_at WHERE tournament_id = ?", x.ID).Error)
		due(false) // with nothing open, too
		w.Did(w.RetireBot(w.Ctx, bots[0].ID, "gone"))
		w.Clock.Move(1000 * time.Hour)
		w.Did(w.ResumeTournament(w.Ctx, x.ID))
		due(true)
		w.Must(w.Advance(w.Ctx, x.ID))
		list := w.open(x)
		if len(list) == 0 || slices.ContainsFunc(list, func(m tournament.Match) bool { return sits(m, bots[0].ID) }) {
			t.Errorf("resumed, it plays %v, want matches of those who are there", list)
		}
	})
}
