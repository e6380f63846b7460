package molehill_test

import (
	"testing"

	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/internal/gametest"
)

func BenchmarkPlayout(b *testing.B) {
	gametest.BenchmarkPlayout(b, molehill.Rules{}, gametest.Case{Seats: 2})
}

func BenchmarkAsk(b *testing.B) { gametest.BenchmarkAsk(b, engine, gametest.Case{Seats: 2}) }
