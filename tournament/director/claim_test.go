package director_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// What a worker is given is the match as it stands from then on, with what was recorded before.
func TestAClaimGivesTheMatchAsItStands(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		_, list := w.Running(3, nil)
		job := store.PlayMatch{MatchID: list[0].ID}
		for epoch := range 2 {
			job.Epoch = int64(epoch)
			m, recorded, err := w.Claim(w.Ctx, job, "w", directortest.Lease)
			w.Must(err)
			stored := must.Get(w.Match(w.Ctx, m.ID))(w.T)
			directortest.Alike(t, fmt.Sprintf("claim %d", epoch+1), stored, m)
			must.Same(t, "status", m.Status, tournament.MatchRunning)
			must.Same(t, "engine", m.Engine, "molerun test")
			if m.StartedAt == nil || len(recorded) != epoch {
				t.Errorf("claim %d: %d steps are recorded, want %d", epoch+1, len(recorded), epoch)
			}
			w.Must(w.AppendStep(w.Ctx, m.ID, m.Epoch, directortest.Step(epoch+1, 2)))
			w.Must(w.Release(w.Ctx, m.ID, m.Epoch))
		}
	})
}

// Claims at once share transactions. Each match has one winner all the same, and a job that has nothing to claim harms no other.
func TestClaimsAtOnceHaveOneWinnerEach(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		const workers = 3
		_, list := w.Running(4, nil)
		errs := make([][workers]error, len(list)+1) // by match; the last is none
		var wg sync.WaitGroup
		for i := range errs {
			job := store.PlayMatch{MatchID: "nobody"}
			if i < len(list) {
				job.MatchID = list[i].ID
			}
			for k := range workers {
				wg.Go(func() { _, _, errs[i][k] = w.Claim(w.Ctx, job, fmt.Sprint("w", k), directortest.Lease) })
			}
		}
		wg.Wait()
		for i, m := range list {
			won := 0
			for _, err := range errs[i] {
				if err == nil {
					won++
				} else if !errors.Is(err, tournament.ErrState) {
					t.Errorf("match %d: %v", i, err)
				}
			}
			if won != 1 {
				t.Errorf("match %d was claimed %d times", i, won)
			}
			if m = w.Reload(m.ID); m.Epoch != 1 {
				t.Errorf("match %d is at epoch %d, want 1", i, m.Epoch)
			}
		}
		for _, err := range errs[len(list)] {
			directortest.Refused(t, "no match", err, tournament.ErrNotFound)
		}
	})
}
