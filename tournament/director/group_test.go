package director_test

import (
	"errors"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// Results that share a transaction do not share their fate.
func TestOneBadEndOfManyAtOnceHarmsNoOther(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
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
		w.Over(x)
	})
}

// What a match costs does not grow with its tournament: no statement that claims or ends it reads all matches, seats or decisions.
func TestNoMatchReadsAWholeTournament(t *testing.T) {
	storetest.One(t, func(t *testing.T, open storetest.Open) {
		var mu sync.Mutex
		var asked []string
		w := newWorld(t, func(o store.Options) *store.Store {
			o.Query = func(sql string) {
				mu.Lock()
				defer mu.Unlock()
				asked = append(asked, sql)
			}
			return open(o)
		})
		_, list := w.Running(8, func(x *tournament.Tournament) { x.Cycles, x.Duplicate = 20, true }) // 1,120 matches
		w.Must(w.SQL(w.Ctx).Exec("ANALYZE").Error)                                                   // now it knows that one tournament has them all
		asked = nil
		m := w.Take(list[0])
		w.Must(w.Finish(w.Ctx, m, directortest.Won(m, 0), nil))
		read := regexp.MustCompile(`(?m)^SCAN (matches|match_seats|decisions|m|o|s)\b`)
		plans := 0
		for _, sql := range asked {
			var plan []struct{ Detail string }
			if w.SQL(w.Ctx).Raw("EXPLAIN QUERY PLAN "+sql).Scan(&plan).Error != nil {
				continue // it begins or ends a transaction
			}
			plans++
			for _, step := range plan {
				if read.MatchString(step.Detail) && !strings.HasSuffix(step.Detail, "USING INDEX matches_running") { // one runs here
					t.Errorf("%s in\n%s", step.Detail, sql)
				}
			}
		}
		if plans < 10 {
			t.Errorf("%d plans of %d statements, want those of both transactions", plans, len(asked))
		}
	})
}
