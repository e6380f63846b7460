package fit_test

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/molerun/molerun/tournament/rating/fit"
)

// The guess of how far the advantage of De Mol's agents is from 0 is what the statistics of the house bots show: docs/decisions/0026.
func TestTheGuessOfTheAgentsAdvantageIsThatOfTheHouseBots(t *testing.T) {
	page, err := os.ReadFile("../../../docs/statistics.md")
	if err != nil {
		t.Fatal(err)
	}
	_, tables, _ := strings.Cut(string(page), "\n## demol, base\n")
	table, _, _ := strings.Cut(tables, "\n## ")
	squares, n := 0.0, 0.0
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) < 5 {
			continue
		}
		percent, _, _ := strings.Cut(strings.TrimSpace(cells[4]), " ")
		if won, err := strconv.ParseFloat(percent, 64); err == nil {
			advantage := 400 * math.Log10(won/(100-won))
			squares += advantage * advantage
			n++
		}
	}
	if n != 18 {
		t.Fatalf("%v lines of De Mol, want three bots at six sizes", n)
	}
	if is := math.Sqrt(squares / n); math.Round(is) != 96 || math.Abs(fit.HiddenTeams().Team-is) > 10 {
		t.Errorf("a root mean square of %.1f, want 96 as decision 0026 says; the guess is %v, want within 10", is, fit.HiddenTeams().Team)
	}
}
