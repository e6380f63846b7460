package store_test

import (
	"testing"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/storetest"
)

func TestSchedulesCanBeTakenBackAndPutInAgainWithoutLoss(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		x, list := w.running(2, nil)
		p := w.migrations()
		_, err := p.DownTo(w.ctx, 1)
		w.must(err)
		if err := w.SQL(w.ctx).Exec("SELECT schedule_id FROM tournaments").Error; err == nil {
			t.Error("the columns are still there")
		}
		_, err = p.Up(w.ctx)
		w.must(err)
		if got, err := w.Tournament(w.ctx, x.ID); err != nil || got.Status != tournament.Running || w.match(list[0].ID).TournamentID != x.ID {
			t.Errorf("the tournament is %+v (%v)", got, err)
		}
	})
}
