package pages_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// names finds the names beside the dots.
var names = regexp.MustCompile(`r="4"/><text x="([0-9.]+)" y="[0-9.]+" text-anchor="(start|end)">`)

// The line goes from agent to agent that nobody beats for the same money or less, the cheapest first; who says no cost is not drawn.
func TestTheLineOfCostsGoesThroughThoseThatNobodyBeatsForLess(t *testing.T) {
	row := func(name string, strength, cost float64) tournament.Card {
		return tournament.Card{Summary: tournament.CardSummary{Subject: name, Clean: tournament.Mean{Value: strength}, Matches: 100, CostUSD: cost}}
	}
	rows := []tournament.Card{row("dear & strong", 80, 900), row("silent", 90, 0), row("dear and weak", 40, 50), row("cheap", 50, 1), row("as cheap, weaker", 30, 1)}
	svg := string(pages.Costs("costs", rows))
	must.Say(t, svg, "dear &amp; strong", "dear and weak", "as cheap, wea…", `aria-label="costs"`, "$ a match", ">0.01<", ">10<")
	_, line, _ := strings.Cut(svg, `<path class="line" d="M`)
	line, _, _ = strings.Cut(line, `"`)
	if dots := strings.Count(svg, "<circle"); dots != 4 || strings.Contains(svg, "silent") || strings.Count(line, "L") != 1 {
		t.Errorf("%d dots and the line %s, want four, and a line from cheap to dear & strong", dots, line)
	}
	for _, at := range names.FindAllStringSubmatch(svg, -1) { // fourteen wide letters of the 15 px that phones show
		x, err := strconv.ParseFloat(at[1], 64)
		must.OK(t, err)
		if room := 14 * 16.0; at[2] == "start" && x+room > 560 || at[2] == "end" && x < room {
			t.Errorf("a name at %s, %s, has no room for wide letters", at[1], at[2])
		}
	}
	if one := pages.Costs("costs", rows[:2]); one != "" {
		t.Errorf("one agent with a cost is drawn: %s", one)
	}
}
