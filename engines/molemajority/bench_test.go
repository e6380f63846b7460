package molemajority

import (
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
)

func BenchmarkPlayout(b *testing.B) {
	for _, c := range gametest.Variants(Rules{}.Info()) {
		b.Run(c.String(), func(b *testing.B) { gametest.BenchmarkPlayout(b, Rules{}, c) })
	}
}

func BenchmarkAsk(b *testing.B) {
	for _, c := range gametest.Variants(Rules{}.Info()) {
		b.Run(c.String(), func(b *testing.B) { gametest.BenchmarkAsk(b, game.Wrap(Rules{}), c) })
	}
}

func BenchmarkResample(b *testing.B) {
	var states []State
	sim := game.Sim[Config, State, Action, View, Event]{Rules: Rules{}}
	r := game.Stream(gametest.Seed(1), 0, "bench")
	for range 4 {
		var s State
		Rules{}.Deal(&s, Rules{}.Defaults(), 4, r, nil)
		for due := (Rules{}).Due(&s); due != 0; due = (Rules{}).Due(&s) {
			states = append(states, s)
			sim.Step(&s, due, r)
		}
	}
	for i := 0; b.Loop(); i++ {
		s := states[i%len(states)]
		Rules{}.Resample(&s, 0, r)
	}
}
