package jobs

import (
	"testing"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
)

func TestRatingsThatFailHoldUpNoOtherLadder(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := directortest.NewWorld(t, open)
		for _, game := range []string{storetest.Toy, storetest.ToyTeams} {
			_, list := w.Running(2, func(x *tournament.Tournament) { x.Game = game })
			w.PlayAll(list)
		}
		for _, sql := range []string{ // nothing is rated yet, and a result of the first ladder cannot be read
			"DELETE FROM rating_events", "DELETE FROM ratings", "UPDATE ladders SET next_seq = 1",
			"UPDATE matches SET result = '{' WHERE ladder_id = 'toy' AND ladder_seq = 1",
		} {
			w.Must(w.SQL(w.Ctx).Exec(sql).Error)
		}
		if err := (&worker{c: Config{Store: w.Store}, director: w.Director}).applyPending(w.Ctx); err == nil {
			t.Error("a result that cannot be read is no error")
		}
		for id, want := range map[string]int64{storetest.Toy: 1, storetest.ToyTeams: 2} {
			if l, err := w.Ladder(w.Ctx, id); err != nil || l.NextSeq != want {
				t.Errorf("ladder %s goes on at place %d, want %d (%v)", id, l.NextSeq, want, err)
			}
		}
	})
}

func TestTheSweepRatesWhatIsBehindAPausedTournament(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := directortest.NewWorld(t, open)
		x, _ := w.Running(2, nil)
		w.Did(w.PauseTournament(w.Ctx, x.ID))
		_, list := w.Running(2, nil)
		w.PlayAll(list)
		w.Must((&worker{c: Config{Store: w.Store}, director: w.Director}).applyPending(w.Ctx))
		if l, err := w.Ladder(w.Ctx, storetest.Toy); err != nil || l.NextSeq != 2 {
			t.Errorf("the ladder goes on at place %d, want 2 (%v)", l.NextSeq, err)
		}
	})
}

// A ladder with more versions than a fit takes is fitted all the same, each time, by those that played last; so is its calibration.
func TestALadderWithManyVersionsIsFitted(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := directortest.NewWorld(t, open)
		_, list := w.Running(5, nil)
		few := &ladderFit{most: 3}
		for i, m := range list {
			w.Must(w.Played(m, 0))
			f := must.Get(few.refit(w.Ctx, w.Director, storetest.Engines, storetest.Toy))(w.T)
			again := must.Get((&ladderFit{most: 3}).refit(w.Ctx, w.Director, storetest.Engines, storetest.Toy))(w.T)
			l := must.Get(w.Ladder(w.Ctx, storetest.Toy))(w.T)
			if f.ToSeq != l.NextSeq-1 || len(f.Rows) > 3 || len(f.Rows) != len(again.Rows) || f.Matches != again.Matches {
				t.Errorf("after match %d: a fit of %d versions and %d matches up to place %d, from nothing of %d and %d", i, len(f.Rows), f.Matches, f.ToSeq, len(again.Rows), again.Matches)
			}
			w.Must(w.SaveFit(w.Ctx, f, 0))
		}
		if c, err := judge(w.Ctx, w.Director, storetest.Engines, storetest.Toy, 3); err != nil || c.ToSeq == 0 {
			t.Errorf("calibration up to place %d: %v", c.ToSeq, err)
		}
	})
}
