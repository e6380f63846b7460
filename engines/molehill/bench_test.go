package molehill_test

import (
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molehill"
)

func BenchmarkPlayout(b *testing.B) {
	sim := game.Sim[molehill.Config, molehill.State, molehill.Action, molehill.View, molehill.Event]{Rules: molehill.Rules{}}
	r := game.Stream(game.Seed{1}, 0, "bench")
	c := molehill.Rules{}.Defaults()
	var s molehill.State
	moves := 0
	b.ReportAllocs()
	for b.Loop() {
		molehill.Rules{}.Deal(&s, c, 2, r, nil)
		moves += sim.Playout(&s, r)
	}
	b.ReportMetric(float64(moves)/b.Elapsed().Seconds()/1e6, "Mmoves/s")
}

// BenchmarkViewAndOffer measures what is asked of a table at every decision, over whole matches.
func BenchmarkViewAndOffer(b *testing.B) {
	e := game.Wrap(molehill.Rules{})
	var tables []game.Table
	table, _, err := e.New(nil, 2, game.Seed{1})
	for err == nil && table.Due() != 0 {
		tables = append(tables, table.Resample(game.Spectator, game.Seed{}))
		seat := table.Due().Lowest()
		_, err = table.Apply([]game.Turn{{Seat: seat, Action: table.House(seat)}})
	}
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		at := tables[i%len(tables)]
		seat := at.Due().Lowest()
		_, _ = at.View(seat), at.Offer(seat)
	}
}
