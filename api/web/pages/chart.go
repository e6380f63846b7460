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
const chartWide, chartHigh, chartLeft, chartRight, chartTop, chartFoot = 480.0, 150.0, 34.0, 24.0, 10.0, 10.0

// curve is the line of a side or a seat over the steps of a match.
type curve struct {
	class, mark string    // in the style sheet; at its end
	at          []float64 // by step; NaN where it is not known
}

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
	var curves []curve
	sides := f.beats[f.Last()].score.Sides
	for i, side := range sides {
		c := curve{class: sideClass(side, i), mark: sideMark(side, sides)}
		for _, b := range f.beats {
			at := math.NaN()
			if i < len(b.score.Sides) {
				at = b.score.Sides[i].Points
			}
			c.at = append(c.at, at)
		}
		curves = append(curves, c)
	}
	return chart(title, curves, low, high, moments)
}

// chart draws curves of the same steps between two values, with a mark at each moment.
func chart(title string, curves []curve, low, high float64, moments []Move) template.HTML {
	steps := len(curves[0].at) - 1
	x := func(step int) float64 {
		return chartLeft + (chartWide-chartLeft-chartRight)*float64(step)/float64(max(1, steps))
	}
	y := func(points float64) float64 {
		return chartHigh - chartFoot - (chartHigh-chartTop-chartFoot)*(points-low)/(high-low)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="score" viewBox="0 0 %.0f %.0f" data-left="%.0f" data-right="%.0f" role="img" aria-label="%s">`,
		chartWide, chartHigh, chartLeft, chartWide-chartRight, html.EscapeString(title))
	for _, points := range ticks(low, high) {
		fmt.Fprintf(&b, `<path class="grid" d="M%.1f %.1fH%.1f"/><text x="%.1f" y="%.1f" text-anchor="end">%s</text>`,
			chartLeft, y(points), chartWide-chartRight, chartLeft-5, y(points)+4, strconv.FormatFloat(points, 'f', -1, 64))
	}
	for _, m := range moments {
		fmt.Fprintf(&b, `<path class="moment" d="M%.1f %.1fV%.1f"><title>%s</title></path>`, x(m.Step), 1.0, chartTop, html.EscapeString(m.Key))
	}
	last := make([]float64, len(curves))
	for i, c := range curves {
		last[i] = c.end()
	}
	ends := spread(last, y, chartHigh-chartFoot)
	for i, c := range curves {
		fmt.Fprintf(&b, `<path class="side %s" d="%s"/><text class="side %s" x="%.1f" y="%.1f">%s</text>`, c.class, c.line(x, y),
			c.class, chartWide-chartRight+4, ends[i]+4, html.EscapeString(c.mark))
	}
	b.WriteString(`<path class="now" d=""/></svg>`)
	return template.HTML(b.String()) // numbers, and words escaped
}

// line returns the way of a curve: a step where it changes, so that a long match stays short.
func (c curve) line(x func(int) float64, y func(float64) float64) string {
	var d strings.Builder
	before := math.NaN()
	for step, at := range c.at {
		switch {
		case math.IsNaN(at), at == before:
		case d.Len() == 0:
			fmt.Fprintf(&d, "M%.1f %.1f", x(step), y(at))
			before = at
		default:
			fmt.Fprintf(&d, "H%.1fV%.1f", x(step), y(at))
			before = at
		}
	}
	fmt.Fprintf(&d, "H%.1f", x(len(c.at)-1))
	return d.String()
}

// end returns the last value of a curve that is known.
func (c curve) end() float64 {
	for _, at := range slices.Backward(c.at) {
		if !math.IsNaN(at) {
			return at
		}
	}
	return 0
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
func spread(ends []float64, y func(float64) float64, foot float64) []float64 {
	const gap = 13.0
	order := make([]int, len(ends))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(y(ends[a]), y(ends[b])) })
	out := make([]float64, len(ends))
	next := chartTop
	for _, i := range order {
		out[i] = max(next, y(ends[i]))
		next = out[i] + gap
	}
	next = foot
	for _, i := range slices.Backward(order) {
		out[i] = min(next, out[i])
		next = out[i] - gap
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

// sideMark returns a side of some in one or two characters, which no other has: the first letter of its name, and the last where others
// begin alike, as grey and green do.
func sideMark(side game.Side, all []game.Side) string {
	if side.Name == "" {
		return strconv.Itoa(int(side.Seats.Lowest()))
	}
	mark := strings.ToUpper(side.Name[:1])
	if slices.ContainsFunc(all, func(x game.Side) bool { return x.Name != side.Name && strings.HasPrefix(x.Name, side.Name[:1]) }) {
		mark += side.Name[len(side.Name)-1:]
	}
	return mark
}
