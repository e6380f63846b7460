package store_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/storetest"
)

// Results that share a transaction do not share their fate.
func TestOneBadEndOfManyAtOnceHarmsNoOther(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		x, list := w.running(8, nil)
		for i := range list {
			list[i] = w.claim(list[i])
		}
		bad := errors.New("bad")
		w.warm(8)
		ended := race(len(list), func(i int) error {
			return w.Finish(w.ctx, list[i], won(list[i], 0), func(*store.Tx) error {
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
			done := w.match(m.ID).Status == tournament.MatchDone
			if want := i != 3 && i != 5; done != want {
				t.Errorf("match %d: done %v, want %v", i, done, want)
			}
			if !done { // who was refused may try again
				w.must(w.Finish(w.ctx, m, won(m, 0), nil))
			}
		}
		after, err := w.Tournament(w.ctx, x.ID)
		w.must(err)
		if after.Status != tournament.Finished {
			t.Errorf("the tournament is %s", after.Status)
		}
		w.must(w.CheckRatings(w.ctx, x.LadderID))
	})
}
