package console

import (
	"testing"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
)

// A decision at one of many tables, its observation and its numbers written out.
func BenchmarkTables(b *testing.B) {
	for _, engine := range catalog.All() {
		b.Run(engine.Info().ID, func(b *testing.B) {
			x := &tables{engine: engine, n: 64}
			made, err := x.lay(setting{Seats: engine.Info().MinSeats})
			if err != nil {
				b.Fatal(err)
			}
			for i := range made.list {
				made.deal(i)
			}
			r := game.Stream(game.Seed{}, 0, "bench")
			for n := 0; b.Loop(); n++ {
				t := &made.list[n%made.n]
				choices := t.match.Choices()
				if err := t.match.Choose(int(choices[r.IntN(len(choices))])); err != nil {
					b.Fatal(err)
				}
				if err := made.run(n % made.n); err != nil {
					b.Fatal(err)
				}
				if n%made.n == 0 {
					made.standing()
				}
			}
		})
	}
}
