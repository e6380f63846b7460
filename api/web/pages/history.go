package pages

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// Point is what a fit said of a version, in Elo.
type Point struct {
	Version int
	Rating  float64
	Low     float64 // of the 95 % interval
	High    float64
}

// The drawing of a history, in its units.
const plotWide, plotHigh, plotLeft, plotRight, plotTop, plotFoot = 720.0, 240.0, 52.0, 12.0, 22.0, 28.0

// History draws ratings, one a fit, with a band around them, and a dashed line where a new version begins.
func History(title string, points []Point) template.HTML {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range points {
		low, high = min(low, p.Low), max(high, p.High)
	}
	step := 50.0
	for (high-low)/step > 6 {
		step *= 2
	}
	low, high = math.Floor(low/step)*step, math.Ceil(high/step)*step
	x := func(i int) float64 {
		return plotLeft + (plotWide-plotLeft-plotRight)*float64(i)/float64(max(1, len(points)-1))
	}
	y := func(r float64) float64 {
		return plotHigh - plotFoot - (plotHigh-plotTop-plotFoot)*(r-low)/max(1, high-low)
	}
	var b, line, upper, lower strings.Builder
	fmt.Fprintf(&b, `<svg class="plot" viewBox="0 0 %.0f %.0f" role="img" aria-label="%s">`, plotWide, plotHigh, html.EscapeString(title))
	for r := low; r <= high; r += step {
		fmt.Fprintf(&b, `<path class="grid" d="M%.1f %.1fH%.1f"/><text x="%.1f" y="%.1f" text-anchor="end">%.0f</text>`, plotLeft, y(r), plotWide-plotRight, plotLeft-6, y(r)+4, r)
	}
	for i, p := range points {
		if i == 0 || points[i-1].Version != p.Version {
			fmt.Fprintf(&b, `<path class="version" d="M%.1f %.1fV%.1f"/><text x="%.1f" y="%.1f">v%d</text>`, x(i), plotTop, plotHigh-plotFoot, x(i)+3, plotTop-8, p.Version)
		}
		fmt.Fprintf(&line, "%c%.1f %.1f", "ML"[min(i, 1)], x(i), y(p.Rating))
		fmt.Fprintf(&upper, "%c%.1f %.1f", "ML"[min(i, 1)], x(i), y(p.High))
	}
	for i := len(points) - 1; i >= 0; i-- {
		fmt.Fprintf(&lower, "L%.1f %.1f", x(i), y(points[i].Low))
	}
	fmt.Fprintf(&b, `<path class="band" d="%s%sZ"/><path class="line" d="%s"/>`, upper.String(), lower.String(), line.String())
	fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="end">%d fits</text></svg>`, plotWide-plotRight, plotHigh-8, len(points))
	return template.HTML(b.String()) // numbers, and the title escaped
}

// The drawings of a race and of a walk, in their units: as wide as a phone, so that their words are as large as others there.
const raceWide, raceHigh, raceLeft, raceRight, raceTop, raceFoot = 340.0, 190.0, 44.0, 20.0, chartTop, 24.0

// Race is the points of some bots by round.
type Race struct {
	SVG    template.HTML // made by [RaceOf]
	Rounds []int         // that are drawn, from 1: the last is among them
	Bots   []Racer
}

// Racer names a bot of a race, with its points after each round that is drawn.
type Racer struct {
	BotID, Bot string
	Points     []string
}

// maxDrawn bounds the rounds of a race that are drawn: an arena of a day has tens of thousands.
const maxDrawn = 200

// RaceOf draws points by round, all of one length, a line a bot, with the bot's place in the list at the line's end. Of many rounds it
// draws every second, third and so on.
func RaceOf(title string, bots []Racer, points [][]float64) *Race {
	rounds, high := len(points[0]), 0.0
	var drawn []int
	for r := rounds; r > 0; r -= 1 + (rounds-1)/maxDrawn {
		drawn = append(drawn, r)
	}
	slices.Reverse(drawn)
	ends := make([]float64, len(bots))
	for i, list := range points {
		for _, r := range drawn {
			bots[i].Points = append(bots[i].Points, strconv.FormatFloat(math.Round(10*list[r-1])/10, 'f', -1, 64))
		}
		high = max(high, slices.Max(list))
		ends[i] = list[rounds-1]
	}
	x := func(round int) float64 { return across(float64(round) / float64(rounds)) }
	y := func(p float64) float64 { return upward(p / max(1, high)) }
	b := canvas(title, ticks(0, max(1, high)), y)
	for i, at := range spread(ends, y, raceHigh-raceFoot) {
		fmt.Fprintf(b, `<path class="side s%d" d="M%.1f %.1f`, i, x(0), y(0))
		for _, r := range drawn {
			fmt.Fprintf(b, "L%.1f %.1f", x(r), y(points[i][r-1]))
		}
		fmt.Fprintf(b, `"/><text class="side s%d" x="%.1f" y="%.1f">%d</text>`, i, raceWide-raceRight+4, at+4, i+1)
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="end">round %d</text></svg>`, raceWide-raceRight, raceHigh-6, rounds)
	return &Race{SVG: template.HTML(b.String()), Rounds: drawn, Bots: bots} // numbers, and the title escaped
}

// Walk is the way of a sequential test between its bounds.
type Walk struct {
	SVG   template.HTML // made by [WalkOf]
	Text  string
	Steps []walkStep
}

// walkStep is the logarithm of the likelihoods' ratio after so many pairs.
type walkStep struct {
	Pairs int
	LLR   string
}

// Stand is where a test stood.
type Stand struct {
	Pairs int
	LLR   float64
}

// WalkOf draws where a test stood, with a line at each of its bounds.
func WalkOf(title string, stands []Stand, lower, upper float64) *Walk {
	out := &Walk{}
	low, high, last := lower, upper, stands[len(stands)-1]
	for i, s := range stands {
		low, high = min(low, s.LLR), max(high, s.LLR)
		if i == 0 || s != stands[i-1] {
			out.Steps = append(out.Steps, walkStep{Pairs: s.Pairs, LLR: tournament.Number("%.2f", s.LLR)})
		}
	}
	y := func(llr float64) float64 { return upward((llr - low) / (high - low)) }
	b := canvas(title, []float64{0}, y)
	for _, bound := range []struct {
		name string
		at   float64
		down float64 // of the word from the line
	}{{"H1", upper, 13}, {"H0", lower, -4}} {
		fmt.Fprintf(b, `<path class="version" d="M%.1f %.1fH%.1f"/><text x="%.1f" y="%.1f" text-anchor="end">%.2f</text><text x="%.1f" y="%.1f">%s</text>`,
			raceLeft, y(bound.at), raceWide-raceRight, raceLeft-5, y(bound.at)+4, bound.at, raceLeft+4, y(bound.at)+bound.down, bound.name)
	}
	b.WriteString(`<path class="line" d="`)
	for i, s := range stands {
		fmt.Fprintf(b, "%c%.1f %.1f", "ML"[min(i, 1)], across(float64(s.Pairs)/float64(max(1, last.Pairs))), y(s.LLR))
	}
	fmt.Fprintf(b, `"/><text x="%.1f" y="%.1f" text-anchor="end">%s</text></svg>`, raceWide-raceRight, raceHigh-6, game.Plural(last.Pairs, "pair"))
	out.SVG = template.HTML(b.String()) // numbers, and the title escaped
	out.Text = fmt.Sprintf("After %s the log-likelihood ratio (LLR) is %s. The test ends in H1, stronger, at %.2f or more, in H0, not stronger, at %.2f or less.", game.Plural(last.Pairs, "pair"), tournament.Number("%.2f", last.LLR), upper, lower)
	return out
}

// across returns how far from the left a share of the width is, upward how far from the top a share of the height.
func across(share float64) float64 { return raceLeft + (raceWide-raceLeft-raceRight)*share }
func upward(share float64) float64 {
	return raceHigh - raceFoot - (raceHigh-raceTop-raceFoot)*share
}

// canvas begins a drawing with a line across at each of some values.
func canvas(title string, lines []float64, y func(float64) float64) *strings.Builder {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="race" viewBox="0 0 %.0f %.0f" role="img" aria-label="%s">`, raceWide, raceHigh, html.EscapeString(title))
	for _, at := range lines {
		fmt.Fprintf(&b, `<path class="grid" d="M%.1f %.1fH%.1f"/><text x="%.1f" y="%.1f" text-anchor="end">%s</text>`,
			raceLeft, y(at), raceWide-raceRight, raceLeft-5, y(at)+4, strconv.FormatFloat(at, 'f', -1, 64))
	}
	return &b
}
