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
			gametest.BenchmarkResample(b, Rules{}, gametest.Case{Config: full, Seats: seats}, 20)
		})
	}
}
