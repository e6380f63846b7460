package pages

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// The drawing of a score over time, in its units.
const chartWide, chartHigh, chartLeft, chartRight, chartTop, chartFoot = 480.0, 150.0, 34.0, 20.0, 10.0, 10.0

// Chart draws the score of every side by step, with a mark at each key moment; "" where the game does not score or nothing was
// scored yet.
func (f *Replay) Chart(title string, moments []Move) template.HTML {
	low, high := 0.0, 0.0
	for _, b := range f.beats {
		for _, side := range b.score.Sides {
			low, high = min(low, side.Points), max(high, side.Points)
		}
	}
	if low == high {
		return ""
	}
	x := func(step int) float64 {
		return chartLeft + (chartWide-chartLeft-chartRight)*float64(step)/float64(max(1, f.Last()))
	}
	y := func(points float64) float64 {
		return chartHigh - chartFoot - (chartHigh-chartTop-chartFoot)*(points-low)/(high-low)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="score" id="score" viewBox="0 0 %.0f %.0f" data-left="%.0f" data-right="%.0f" role="img" aria-label="%s">`,
		chartWide, chartHigh, chartLeft, chartWide-chartRight, html.EscapeString(title))
	for _, points := range ticks(low, high) {
		fmt.Fprintf(&b, `<path class="grid" d="M%.1f %.1fH%.1f"/><text x="%.1f" y="%.1f" text-anchor="end">%s</text>`,
			chartLeft, y(points), chartWide-chartRight, chartLeft-5, y(points)+4, strconv.FormatFloat(points, 'f', -1, 64))
	}
	for _, m := range moments {
		fmt.Fprintf(&b, `<path class="moment" d="M%.1f %.1fV%.1f"><title>%s</title></path>`, x(m.Step), 1.0, chartTop, html.EscapeString(m.Key))
	}
	sides := f.beats[f.Last()].score.Sides
	ends := spread(sides, y, chartHigh-chartFoot)
	for i, side := range sides {
		fmt.Fprintf(&b, `<path class="side %s" d="%s"/><text class="side %s" x="%.1f" y="%.1f">%s</text>`, sideClass(side, i), f.line(i, x, y),
			sideClass(side, i), chartWide-chartRight+4, ends[i]+4, html.EscapeString(sideMark(side)))
	}
	b.WriteString(`<path class="now" id="now" d=""/></svg>`)
	return template.HTML(b.String()) // numbers, and words escaped
}

// line returns the way of a side's score: a step where it changes, so that a long match stays short.
func (f *Replay) line(side int, x func(int) float64, y func(float64) float64) string {
	var d strings.Builder
	before := math.NaN()
	for step, b := range f.beats {
		if side >= len(b.score.Sides) || b.score.Sides[side].Points == before {
			continue
		}
		if before = b.score.Sides[side].Points; d.Len() == 0 {
			fmt.Fprintf(&d, "M%.1f %.1f", x(step), y(before))
			continue
		}
		fmt.Fprintf(&d, "H%.1fV%.1f", x(step), y(before))
	}
	fmt.Fprintf(&d, "H%.1f", x(f.Last()))
	return d.String()
}

// ticks returns three to six round values from low to high.
func ticks(low, high float64) []float64 {
	step := 1.0
	for (high-low)/step > 5 {
		if step *= 2; (high-low)/step > 5 {
			step *= 2.5
		}
	}
	var out []float64
	for at := math.Ceil(low/step) * step; at <= high; at += step {
		out = append(out, at)
	}
	return out
}

// spread returns where the marks at the ends of the lines stand, from the top down to foot: beside their lines, in the lines' order, none
// over another.
func spread(sides []game.Side, y func(float64) float64, foot float64) []float64 {
	const apart = 13.0
	order := make([]int, len(sides))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(y(sides[a].Points), y(sides[b].Points)) })
	out := make([]float64, len(sides))
	next := chartTop
	for _, i := range order {
		out[i] = max(next, y(sides[i].Points))
		next = out[i] + apart
	}
	next = foot
	for _, i := range slices.Backward(order) {
		out[i] = min(next, out[i])
		next = out[i] - apart
	}
	return out
}

// sideClass returns the class of a side in the style sheet: its seat's, or its name's.
func sideClass(side game.Side, i int) string {
	if side.Name != "" {
		return "n-" + side.Name
	}
	return fmt.Sprintf("s%d", i)
}

// sideMark returns a side in one or two characters.
func sideMark(side game.Side) string {
	if side.Name != "" {
		return strings.ToUpper(side.Name[:1])
	}
	return strconv.Itoa(int(side.Seats.Lowest()))
}
