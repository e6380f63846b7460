package director_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/tournament/director/directortest"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/storetest"
)

// What a worker is given is the match as it stands from then on, with what was recorded before.
func TestAClaimGivesTheMatchAsItStands(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := directortest.NewWorld(t, open)
		_, list := w.Running(3, nil)
		job := store.PlayMatch{MatchID: list[0].ID}
		for epoch := range 2 {
			job.Epoch = int64(epoch)
			m, recorded, err := w.Claim(w.Ctx, job, "w", directortest.Lease)
			w.Must(err)
			stored, err := w.Match(w.Ctx, m.ID)
			w.Must(err)
			if diff := cmp.Diff(stored, m); diff != "" {
				t.Errorf("claim %d: %s", epoch+1, diff)
			}
			if len(recorded) != epoch {
				t.Errorf("claim %d: %d steps are recorded, want %d", epoch+1, len(recorded), epoch)
			}
			w.Must(w.AppendStep(w.Ctx, m.ID, m.Epoch, directortest.Step(epoch+1, 2)))
			w.Must(w.Release(w.Ctx, m.ID, m.Epoch))
		}
	})
}
