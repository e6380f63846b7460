package pages_test

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/api/web/pages"
)

func TestARaceHasALineABot(t *testing.T) {
	got := pages.RaceOf("Points <by> round", []pages.Racer{{Bot: "ada"}, {Bot: "bob"}}, [][]float64{{1, 2.5, 4}, {0, 1, 1}})
	svg := string(got.SVG)
	for _, want := range []string{
		`aria-label="Points &lt;by&gt; round"`,
		`<path class="side s0" d="M34.0 166.0L129.3 127.0L224.7 68.5L320.0 10.0"/>`,
		`<path class="side s1" d="M34.0 166.0L129.3 166.0L224.7 127.0L320.0 127.0"/>`,
		`y="14.0">1</text>`,
		`y="131.0">2</text>`,
		`round 3</text></svg>`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("the drawing lacks %s:\n%s", want, svg)
		}
	}
	if figures := strings.Join(got.Bots[0].Points, " "); figures != "1 2.5 4" {
		t.Errorf("got the figures %q, want 1 2.5 4", figures)
	}
}

func TestAWalkGoesBetweenItsBounds(t *testing.T) {
	got := pages.WalkOf("The path", []pages.Stand{{0, 0}, {1, -.5}, {1, -.5}, {2, 1}}, -2, 2)
	svg := string(got.SVG)
	for _, want := range []string{
		`<path class="version" d="M34.0 10.0H320.0"/>`,
		`<path class="version" d="M34.0 166.0H320.0"/>`,
		`<path class="line" d="M34.0 88.0L177.0 107.5L177.0 107.5L320.0 49.0"/>`,
		`2 pairs</text></svg>`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("the drawing lacks %s:\n%s", want, svg)
		}
	}
	if want := "After 2 pairs the log-likelihood ratio (LLR) is 1.00."; !strings.HasPrefix(got.Text, want) {
		t.Errorf("got %q, want it to begin with %q", got.Text, want)
	}
	if len(got.Steps) != 3 {
		t.Errorf("got the steps %v, want each place once", got.Steps)
	}
}
