package platform

import (
	"testing"

	"github.com/molerun/molerun/tournament"
)

func TestAnEstimateIsWrittenWithBothBounds(t *testing.T) {
	if got := estimate(tournament.Normal(1500, 51.02)); got != "1500.0 [1400.0, 1600.0]" {
		t.Errorf("ratings fit says %q", got)
	}
}
