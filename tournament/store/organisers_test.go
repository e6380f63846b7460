package store_test

import (
	"errors"
	"testing"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// Of two lists of co-organisers at once one is in the place of the other, whatever they are of.
func TestCoOrganisersNamedAtOnceAreOneOfTheLists(t *testing.T) {
	on(t, storetest.Postgres, func(t *testing.T, w *world) {
		a, b := w.NewUser("a"), w.NewUser("b")
		x := w.Plan(nil)
		w.Warm(2)
		for range 30 {
			for _, lists := range [][]string{{a.ID, a.ID}, {a.ID, b.ID}} {
				w.Must(w.SetCoOrganisers(w.Ctx, store.Tournaments, x.ID, nil))
				directortest.Race(2, func(i int) error { return w.SetCoOrganisers(w.Ctx, store.Tournaments, x.ID, []string{lists[i]}) }, func(err error) { t.Error(err) })
				if list, err := w.CoOrganisers(w.Ctx, x.ID); err != nil || len(list) != 1 {
					t.Fatalf("%d co-organisers of two lists of one (%v)", len(list), err)
				}
			}
		}
	})
}

func TestWhoIsDeletedOrganisesNothing(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, u := w.Plan(nil), w.NewUser("u")
		w.Must(w.DeleteUser(w.Ctx, u.ID, "u"))
		if err := w.SetCoOrganisers(w.Ctx, store.Tournaments, x.ID, []string{w.Org.ID, u.ID}); !errors.Is(err, tournament.ErrNotFound) {
			t.Errorf("got %v, want %v", err, tournament.ErrNotFound)
		}
	})
}
