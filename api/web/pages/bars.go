package pages

import (
	"fmt"
	"html/template"
	"math"
	"slices"
)

// The drawings of bars, in their units.
const barWide, barHigh, barEdge = 120.0, 14.0, 5.0

// Span is a rating with its 95 % interval, in Elo.
type Span struct{ Low, Rating, High float64 }

// ScaleOf returns the scale on which all spans can be drawn, from one round number to another.
func ScaleOf(spans []Span) (low, high float64) {
	if len(spans) == 0 {
		return 0, 0
	}
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range spans {
		low, high = min(low, s.Low, s.Rating), max(high, s.High, s.Rating)
	}
	low, high = math.Floor(low/100)*100, math.Ceil(high/100)*100
	return low, max(high, low+100)
}

// Interval draws a span as a bar, with a mark at the rating and a line at each hundred, or where these are many at each five hundred.
func Interval(s Span, low, high float64) template.HTML {
	x := func(r float64) float64 { return barEdge + (barWide-2*barEdge)*(r-low)/(high-low) }
	grid, step := "", 100.0
	if high-low > 1000 {
		step = 500
	}
	for r := math.Ceil(low/step) * step; r <= high; r += step {
		grid += fmt.Sprintf("M%.1f 0V%.0f", x(r), barHigh)
	}
	return template.HTML(fmt.Sprintf(`<svg class="bar" viewBox="0 0 %.0f %.0f" aria-hidden="true"><path class="grid" d="%s"/><path class="span" d="M%.1f %.0fH%.1f"/><circle cx="%.1f" cy="%.0f" r="3.5"/></svg>`,
		barWide, barHigh, grid, x(s.Low), barHigh/2, x(s.High), x(s.Rating), barHigh/2)) // numbers alone
}

// Share draws a share from 0 to 1 as a bar, with a line at the half.
func Share(share float64) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg class="bar" viewBox="0 0 %.0f %.0f" preserveAspectRatio="none" aria-hidden="true"><rect class="rest" width="%.0f" height="%.0f"/><rect width="%.1f" height="%.0f"/><path class="half" d="M%.0f 0V%.0f"/></svg>`,
		barWide, barHigh, barWide, barHigh, barWide*share, barHigh, barWide/2, barHigh)) // numbers alone
}

// Trend draws what the last fits said of a version, the oldest first; nothing where there is but one.
func Trend(ratings []float64) template.HTML {
	if len(ratings) < 2 {
		return ""
	}
	low, high := slices.Min(ratings), slices.Max(ratings)
	first, now := ratings[0], ratings[len(ratings)-1]
	x := func(i int) float64 { return 2 + 52*float64(i)/float64(len(ratings)-1) }
	y := func(r float64) float64 { return barHigh - 2 - (barHigh-4)*(r-low)/max(20, high-low) } // a few Elo are no mountain
	line := ""
	for i, r := range ratings {
		line += fmt.Sprintf("%c%.1f %.1f", "ML"[min(i, 1)], x(i), y(r))
	}
	return template.HTML(fmt.Sprintf(`<svg class="trend" viewBox="0 0 58 %.0f" role="img" aria-label="from %.0f to %.0f in %d fits"><path d="%s"/><circle cx="%.1f" cy="%.1f" r="2"/></svg>`,
		barHigh, first, now, len(ratings), line, x(len(ratings)-1), y(now))) // numbers alone
}
