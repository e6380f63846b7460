package molehill_test

import (
	"testing"

	"github.com/molerun/molerun/engines/gametest"
	"github.com/molerun/molerun/engines/molehill"
)

func TestLaws(t *testing.T) {
	gametest.Run(t, molehill.Rules{}, gametest.Cases[molehill.State, molehill.Action]{MaxSteps: 200, Open: true})
}
