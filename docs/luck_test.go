package docs_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/mole"
	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/engines/molemajority"
)

func TestTheWeightsOfLuckAreThoseOfTheEngines(t *testing.T) {
	guide, err := os.ReadFile("4-ratings.md")
	if err != nil {
		t.Fatal(err)
	}
	for id, weights := range map[string][]float64{
		"cia": cia.Rules{}.Weights(), "demol": demol.Rules{}.Weights(), "mole": mole.Rules{}.Weights(), "molehill": molehill.Rules{}.Weights(), "molemajority": molemajority.Rules{}.Weights(),
	} {
		row := fmt.Sprintf("| `%s` | %s |", id, strings.ReplaceAll(strings.Trim(fmt.Sprint(weights), "[]"), " ", ", "))
		if !strings.Contains(string(guide), row) {
			t.Errorf("4-ratings.md has no row %s", row)
		}
	}
}
