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
	gametest.BenchmarkResample(b, Rules{}, gametest.Case{Seats: 4}, 4)
}
