package director_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// Results that share a transaction do not share their fate.
func TestOneBadEndOfManyAtOnceHarmsNoOther(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		x, list := w.Running(8, nil)
		for i := range list {
			list[i] = w.Take(list[i])
		}
		bad := errors.New("bad")
		w.Warm(8)
		ended := directortest.Race(len(list), func(i int) error {
			return w.Finish(w.Ctx, list[i], directortest.Won(list[i], 0), func(*store.Tx) error {
				switch i {
				case 3:
					return bad
				case 5:
					panic("bug")
				}
				return nil
			})
		}, func(err error) {
			if !errors.Is(err, bad) && !strings.Contains(err.Error(), "panic: bug") {
				t.Error(err)
			}
		})
		if ended != len(list)-2 {
			t.Errorf("%d of %d ended, want all but two", ended, len(list))
		}
		for i, m := range list {
			done := w.Reload(m.ID).Status == tournament.MatchDone
			if want := i != 3 && i != 5; done != want {
				t.Errorf("match %d: done %v, want %v", i, done, want)
			}
			if !done { // who was refused may try again
				w.Must(w.Finish(w.Ctx, m, directortest.Won(m, 0), nil))
			}
		}
		after, err := w.Tournament(w.Ctx, x.ID)
		w.Must(err)
		if after.Status != tournament.Finished {
			t.Errorf("the tournament is %s", after.Status)
		}
		w.Must(w.CheckRatings(w.Ctx, x.LadderID))
	})
}
