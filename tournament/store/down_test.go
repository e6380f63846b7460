package store_test

import (
	"testing"

	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
)

func TestSchedulesCanBeTakenBackAndPutInAgainWithoutLoss(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(2, nil)
		p := w.migrations()
		w.Did(p.DownTo(w.Ctx, 1))
		if err := w.SQL(w.Ctx).Exec("SELECT schedule_id FROM tournaments").Error; err == nil {
			t.Error("the columns are still there")
		}
		w.Did(p.Up(w.Ctx))
		if got, err := w.Tournament(w.Ctx, x.ID); err != nil || got.Status != tournament.Running || w.Reload(list[0].ID).TournamentID != x.ID {
			t.Errorf("the tournament is %+v (%v)", got, err)
		}
	})
}
