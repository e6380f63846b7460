package store_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
)

// Release 0.1.0 has other names for three options. It reads what this one writes, and the other way round.
func TestOptionsKeepTheirOlderNames(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		test := tournament.Test{Elo0: -5, Elo1: 5, Alpha: .01, Beta: .2, Normalised: true, MaxPairs: 40}
		for text, want := range map[string]tournament.FormatOptions{
			`{}`: {},
			`{"min_table":3,"rounds":5,"lasts_us":3600000000,"late_entries":true}`:                   {MinTable: 3, Rounds: 5, LastsMS: time.Hour.Milliseconds(), LateEntries: true},
			`{"test":{"elo0":-5,"elo1":5,"alpha":0.01,"beta":0.2,"normalised":true,"max_pairs":40}}`: {Test: test},
			`{"min_table_size":3,"lasts_ms":1000,"elo1":5}`:                                          {MinTable: 3, LastsMS: 1000, Test: tournament.Test{Elo1: 5}},
			`{"lasts_ms":1000,"paused_ms":500}`:                                                      {LastsMS: 1000, PausedMS: 500},
		} {
			x := w.Plan(nil)
			w.Must(w.SQL(w.Ctx).Exec("UPDATE tournaments SET options = ? WHERE id = ?", text, x.ID).Error)
			got := must.Get(w.Tournament(w.Ctx, x.ID))(w.T)
			directortest.Alike(t, text, want, got.Options)
			again := w.Plan(func(x *tournament.Tournament) { x.Options = want })
			got = must.Get(w.Tournament(w.Ctx, again.ID))(w.T)
			directortest.Alike(t, fmt.Sprintf("%s, written again", text), want, got.Options)
			var row string
			w.Must(w.SQL(w.Ctx).Raw("SELECT options FROM tournaments WHERE id = ?", again.ID).Scan(&row).Error)
			var old struct {
				MinTable int             `json:"min_table"`
				LastsUS  int64           `json:"lasts_us"`
				Test     tournament.Test `json:"test"`
			}
			w.Must(json.Unmarshal([]byte(row), &old))
			if old.MinTable != want.MinTable || old.LastsUS != want.Lasts().Microseconds() || old.Test != want.Test {
				t.Errorf("%s: 0.1.0 reads %+v of %s", text, old, row)
			}
		}
	})
}
