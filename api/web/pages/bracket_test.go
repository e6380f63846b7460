package pages_test

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/api/web/pages"
)

// side is a bot at a table that is over.
func side(bot string, best bool) pages.Side { return pages.Side{BotID: bot, Bot: bot, Best: best} }

func TestABracketsLinesGoFromEachBotsLastTie(t *testing.T) {
	first := pages.Round{Tables: []pages.Table{
		{Sides: []pages.Side{side("a", true), side("b", false)}},
		{Sides: []pages.Side{side("c", false), side("d", true)}},
	}}
	second := pages.Round{Tables: []pages.Table{{Sides: []pages.Side{side("c", false), side("e", false)}}}} // drawn; a, b and d pause
	third := pages.Round{Tables: []pages.Table{{Sealed: true}, {Sides: []pages.Side{side("a", true), side("e", false)}}}}
	rounds := []pages.Round{first, second, third}
	pages.Join(rounds)
	for i, want := range [][]string{
		nil,
		{`<path class="lost" d="M0 75.0H50V50.0H100"/>`},
		{`<path class="won" d="M-683 25.0H50V75.0H100"/>`, `<path class="won" d="M0 50.0H50V75.0H100"/>`},
	} {
		got := string(rounds[i].Lines)
		if n := strings.Count(got, "<path"); n != len(want) {
			t.Errorf("round %d: got %d lines, want %d: %s", i+1, n, len(want), got)
		}
		for _, line := range want {
			if !strings.Contains(got, line) {
				t.Errorf("round %d: got %s, want %s in it", i+1, got, line)
			}
		}
	}
}
