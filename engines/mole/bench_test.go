package mole_test

import (
	"testing"

	"github.com/molerun/molerun/engines/mole"
	"github.com/molerun/molerun/internal/gametest"
)

func BenchmarkPlayout(b *testing.B) {
	gametest.BenchmarkPlayout(b, mole.Rules{}, gametest.Case{Config: `{"points":5,"max_rounds":60}`, Seats: 2})
}

func BenchmarkAsk(b *testing.B) {
	gametest.BenchmarkAsk(b, engine, gametest.Case{Config: `{"points":5,"max_rounds":60}`, Seats: 2})
}
