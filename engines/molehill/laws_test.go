package molehill_test

import (
	"testing"

	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/internal/gametest"
)

func TestLaws(t *testing.T) {
	gametest.Run(t, molehill.Rules{}, gametest.Cases[molehill.State, molehill.Action]{MaxSteps: 200, Open: true})
}
