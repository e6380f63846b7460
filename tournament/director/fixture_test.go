package director_test

import (
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func TestMain(m *testing.M) { storetest.Main(m, func() error { return goleak.Find() }) }

// world is a platform with shortcuts of these tests.
type world struct{ *directortest.World }

func newWorld(t *testing.T, open storetest.Open) *world {
	t.Helper()
	return &world{directortest.NewWorld(t, open)}
}

// on runs f with a platform of its own on the databases of [storetest.Each], or another function of that package.
func on(t *testing.T, databases func(*testing.T, func(*testing.T, storetest.Open)), f func(t *testing.T, w *world)) {
	t.Helper()
	databases(t, func(t *testing.T, open storetest.Open) { f(t, newWorld(t, open)) })
}

// sameInPages checks that a ladder read in pages of 1 to most lines is the same as whole.
func (w *world) sameInPages(ladderID string, whole []tournament.LadderRow, most int) {
	w.T.Helper()
	for limit := 1; limit <= most; limit++ {
		var got []tournament.LadderRow
		for p := (store.Page{Limit: limit}); ; {
			rows, next, err := w.LadderRows(w.Ctx, ladderID, p)
			w.Must(err)
			got = append(got, rows...)
			if p.After = next; next == "" {
				break
			}
		}
		directortest.Alike(w.T, fmt.Sprintf("pages of %d", limit), whole, got)
	}
}
