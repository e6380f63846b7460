package catalog_test

import (
	"slices"
	"testing"

	"github.com/molerun/molerun/engines/catalog"
)

func TestGamesAreListedOnceByIDAndCanBeFound(t *testing.T) {
	var ids []string
	for _, e := range catalog.All() {
		info := e.Info()
		ids = append(ids, info.ID)
		found, ok := catalog.Find(info.ID)
		if !ok || found.Info().ID != info.ID {
			t.Errorf("Find(%q): got %v, want the game of that id", info.ID, ok)
		}
		for _, v := range info.Variants {
			for seats := info.MinSeats; seats <= info.MaxSeats; seats++ {
				if _, err := e.Configure([]byte(v.Config), seats); err != nil {
					t.Errorf("%s: variant %s at %d seats: %v", info.ID, v.Name, seats, err)
				}
			}
		}
		if info.Name == "" || info.Version < 1 {
			t.Errorf("%s: want a name and a rules version, got %+v", info.ID, info)
		}
		if len(info.Variants) == 0 || info.Variants[0].Name != "base" {
			t.Errorf("%s: want the variant base first, got %+v", info.ID, info.Variants)
		}
	}
	if !slices.IsSorted(ids) || len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Errorf("ids: got %v, want each once, in order", ids)
	}
}

func TestAnUnknownGameIsNotFound(t *testing.T) {
	for _, id := range []string{"", "Molehill", "mole hill", "chess"} {
		if _, ok := catalog.Find(id); ok {
			t.Errorf("Find(%q): got a game, want none", id)
		}
	}
}
