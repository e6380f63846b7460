package pages_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/internal/must"
)

func TestARaceHasALineABot(t *testing.T) {
	got := pages.RaceOf("Points <by> round", []pages.Racer{{Bot: "ada"}, {Bot: "bob"}}, [][]float64{{1, 2.5, 4}, {0, 1, 1}})
	svg := string(got.SVG)
	must.Say(t, svg,
		`aria-label="Points &lt;by&gt; round"`,
		`<path class="side s0" d="M44.0 166.0L136.0 127.0L228.0 68.5L320.0 10.0"/>`,
		`<path class="side s1" d="M44.0 166.0L136.0 166.0L228.0 127.0L320.0 127.0"/>`,
		`y="14.0">1</text>`,
		`y="131.0">2</text>`,
		`round 3</text></svg>`,
	)
	if figures := strings.Join(got.Bots[0].Points, " "); figures != "1 2.5 4" {
		t.Errorf("got the figures %q, want 1 2.5 4", figures)
	}
}

// Of an arena of a day the page draws some rounds, the last among them.
func TestARaceOfManyRoundsIsBounded(t *testing.T) {
	for _, rounds := range []int{200, 201, 86_400} {
		points := make([]float64, rounds)
		for i := range points {
			points[i] = float64(i + 1)
		}
		got := pages.RaceOf("Points", []pages.Racer{{Bot: "ada"}}, [][]float64{points})
		most, last := got.Bots[0].Points, got.Rounds[len(got.Rounds)-1]
		if len(most) > 200 || len(most) < 100 || len(most) != len(got.Rounds) || last != rounds || most[len(most)-1] != fmt.Sprint(rounds) {
			t.Errorf("of %d rounds %d are drawn, the last is %d with %s points", rounds, len(most), last, most[len(most)-1])
		}
		if want := fmt.Sprintf("round %d</text>", rounds); !strings.Contains(string(got.SVG), want) {
			t.Errorf("the drawing lacks %q", want)
		}
	}
}

func TestAWalkGoesBetweenItsBounds(t *testing.T) {
	got := pages.WalkOf("The path", []pages.Stand{{0, 0}, {1, -.5}, {1, -.5}, {2, 1}}, -2, 2)
	svg := string(got.SVG)
	must.Say(t, svg,
		`<path class="version" d="M44.0 10.0H320.0"/>`,
		`<path class="version" d="M44.0 166.0H320.0"/>`,
		`<path class="line" d="M44.0 88.0L182.0 107.5L182.0 107.5L320.0 49.0"/>`,
		`2 pairs</text></svg>`,
	)
	if want := "After 2 pairs the log-likelihood ratio (LLR) is 1.00."; !strings.HasPrefix(got.Text, want) {
		t.Errorf("got %q, want it to begin with %q", got.Text, want)
	}
	if len(got.Steps) != 3 {
		t.Errorf("got the steps %v, want each place once", got.Steps)
	}
}

// The marks at the ends of lines that end close together stand in the lines' order, and none over another or outside.
func TestTheMarksOfARaceAreInItsOrder(t *testing.T) {
	for _, ends := range [][]float64{
		{7.5, 7.4, 7.4, 7.3, 5, 4, 4, 3.9},
		{9, .1, .1, .1, .1, .1, 0, 0},
		{3, 3, 3, 3, 3, 3, 3, 3},
	} {
		var points [][]float64
		for _, p := range ends {
			points = append(points, []float64{0, p})
		}
		svg := string(pages.RaceOf("Points", make([]pages.Racer, len(ends)), points).SVG)
		before := 0.0
		for i := range ends {
			var at float64
			_, rest, _ := strings.Cut(svg, fmt.Sprintf(`<text class="side s%d" x="324.0" y="`, i))
			if _, err := fmt.Sscanf(rest, "%f", &at); err != nil {
				t.Fatal(err, svg)
			}
			if at < before+13 || at < 14 || at > 170 {
				t.Errorf("%v: the mark of %d stands at %v after %v", ends, i+1, at, before)
			}
			before = at
		}
	}
}
