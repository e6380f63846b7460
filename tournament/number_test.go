package tournament_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

func TestWordsOfTheAPIAreSpeltForPeople(t *testing.T) {
	for word, want := range map[string]string{
		"game_score": "game score", "sonneborn_berger": "Sonneborn–Berger", "buchholz": "Buchholz", "buchholz_cut1": "Buchholz Cut 1",
		"buchholz_median": "Median Buchholz", "koya": "Koya", "round_robin": "round robin",
	} {
		must.Same(t, word, tournament.Spaced(word), want)
	}
}

func TestNothingHasNoMinus(t *testing.T) {
	for _, row := range []struct {
		verb string
		x    float64
		want string
	}{
		{"%+.0f", -.3, "+0"},
		{"%+.0f", math.Copysign(0, -1), "+0"},
		{"%+.0f", .5, "+0"},
		{"%+.0f", -.6, "-1"},
		{"%.1f", -.04, "0.0"},
		{"%.1f", -.06, "-0.1"},
		{"%.2f", -.004, "0.00"},
		{"%+.4f", -.00004, "+0.0000"},
		{"%+.0f", -30, "-30"},
		{"%g", math.Copysign(0, -1), "0"},
		{"%.0f", math.NaN(), "NaN"},
		{"%+.0f", math.Inf(-1), "-Inf"},
	} {
		must.Same(t, fmt.Sprintf("%v by %s", row.x, row.verb), tournament.Number(row.verb, row.x), row.want)
	}
	if got := tournament.Interval("%+.0f", -.2, -12.4, -.4); got != "+0 [-12, +0]" {
		t.Errorf("got %q", got)
	}
}
