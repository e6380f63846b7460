package jobs_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/jobs"
	"github.com/molerun/molerun/tournament/store"
)

// Forecasts are judged while results come in; the claim and the rest are undone so that the end is judged without a wait.
func TestForecastsOfALadderAreJudgedAndKept(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		tour := w.tournament(6, `{"steps":2}`)
		w.run(w.config(newBots()))
		w.until("the end of the tournament", w.finished(tour.ID))
		l := must.Get(w.Ladder(w.Ctx, storetest.Toy))(w.T)
		var got tournament.Calibration
		w.until("a calibration of all results", func() bool {
			got = must.Get(w.Calibration(w.Ctx, storetest.Toy))(w.T)
			if got.ToSeq == l.LastSeq {
				return true
			}
			w.Must(w.SQL(w.Ctx).Exec("DELETE FROM calibrations").Error)
			w.Must(w.SQL(w.Ctx).Exec("UPDATE ladders SET calibrate_after_ms = 0").Error)
			return false
		})
		want := must.Get(jobs.JudgeLadder(w.Ctx, w.Director, storetest.Engines, storetest.Toy))(w.T)
		directortest.Alike(t, "the calibration, judged by hand", want, got, cmpopts.IgnoreFields(tournament.Calibration{}, "Took", "MadeAt"))
		if got.MadeAt.IsZero() {
			t.Error("it has no time")
		}
		if got.Matches != 30 || got.Judged < 8 || len(got.Forecasters) != 3 {
			t.Errorf("got %d of %d matches judged for %d forecasters; want most of the last 10 of 30 for 3", got.Judged, got.Matches, len(got.Forecasters))
		}
	})
}

func TestALadderIsDueForACalibrationWithATenthMoreResults(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		w.tournament(2, `{"steps":2}`)
		w.Must(w.InTx(w.Ctx, func(tx *store.Tx) error {
			_, err := tx.EnsureLadder(storetest.Toy)
			return err
		}))
		places := func(rated int64) {
			w.Must(w.SQL(w.Ctx).Exec("UPDATE ladders SET last_seq = ?, next_seq = ?", rated, rated+1).Error)
		}
		due := func() bool {
			ids := must.Get(w.DueCalibrations(w.Ctx))(w.T)
			return len(ids) == 1
		}
		save := func(seq int64, rest time.Duration) {
			w.Must(w.SaveCalibration(w.Ctx, tournament.Calibration{LadderID: storetest.Toy, ToSeq: seq}, rest))
		}
		for _, step := range []struct {
			name string
			do   func()
			due  bool
		}{
			{"without a result", func() { places(0) }, false},
			{"with a first result", func() { places(1) }, true},
			{"judged at 100", func() { places(100); save(100, 0) }, false},
			{"with 109", func() { places(109) }, false},
			{"with 110", func() { places(110) }, true},
			{"claimed", func() {
				ours := must.Get(w.ClaimCalibration(w.Ctx, storetest.Toy))(w.T)
				if !ours {
					t.Error("the first claim was not taken")
				}
				if again, err := w.ClaimCalibration(w.Ctx, storetest.Toy); again || err != nil {
					t.Errorf("a second claim was taken (%v)", err)
				}
			}, false},
			{"judged by one that has seen less", func() { save(90, 0) }, false},
			{"while it rests", func() { save(110, time.Hour); places(200) }, false},
			{"after its rest", func() { save(110, 0) }, true},
		} {
			step.do()
			must.Same(t, step.name+": due", due(), step.due)
		}
		if got, err := w.Calibration(w.Ctx, storetest.Toy); err != nil || got.ToSeq != 110 {
			t.Errorf("got one of place %d (%v), want 110", got.ToSeq, err)
		}
	})
}
