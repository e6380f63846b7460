package cia

import (
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
)

func BenchmarkPlayout(b *testing.B) {
	for _, v := range (Rules{}).Info().Variants {
		b.Run(v.Name, func(b *testing.B) {
			gametest.BenchmarkPlayout(b, Rules{}, gametest.Case{Config: string(v.Config), Seats: 4})
		})
	}
}

func BenchmarkAsk(b *testing.B) {
	for _, v := range (Rules{}).Info().Variants {
		b.Run(v.Name, func(b *testing.B) {
			gametest.BenchmarkAsk(b, game.Wrap(Rules{}), gametest.Case{Config: string(v.Config), Seats: 4})
		})
	}
}

func BenchmarkResample(b *testing.B) {
	for _, seats := range []int{2, 7} {
		b.Run([]string{2: "2_seats", 7: "7_seats"}[seats], func(b *testing.B) {
			c := Rules{}.Defaults()
			c.TopSecret, c.Dossier = true, true
			var states []State
			sim := game.Sim[Config, State, Action, View, Event]{Rules: Rules{}}
			r := game.Stream(gametest.Seed(1), 0, "bench")
			for range 20 {
				var s State
				Rules{}.Deal(&s, c, seats, r, nil)
				for due := (Rules{}).Due(&s); due != 0; due = (Rules{}).Due(&s) {
					states = append(states, s)
					sim.Step(&s, due, r)
				}
			}
			for i := 0; b.Loop(); i++ {
				s := states[i%len(states)]
				Rules{}.Resample(&s, 0, r)
			}
		})
	}
}
