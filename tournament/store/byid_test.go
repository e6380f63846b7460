package store_test

import (
	"testing"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
)

func TestMatchesAreFoundByTheirIDs(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		_, list := w.Running(3, func(*tournament.Tournament) {})
		got := must.Get(w.MatchesByID(w.Ctx, []string{list[1].ID, "unknown", list[1].ID}))(w.T)
		directortest.Alike(t, "the matches", []tournament.Match{w.Reload(list[1].ID)}, got)
		if none, err := w.MatchesByID(w.Ctx, nil); err != nil || len(none) != 0 {
			t.Errorf("got %v, %v, want none", none, err)
		}
	})
}
