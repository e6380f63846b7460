package pages

import (
	"fmt"
	"html"
	"html/template"
	"strings"

	"github.com/molerun/molerun/tournament"
)

// Calibration is the page of a ladder's forecasts. Without forecasters there is nothing to judge yet.
type Calibration struct {
	Page
	ID, Game string
	tournament.Calibration
	SVG template.HTML // made by [Reliability]
}

// Reliability draws, by the chance that the favourites were given, how many won, each with its interval. What is on the
// diagonal has come true.
func Reliability(title string, bins []tournament.ForecastBin) template.HTML {
	const wide, high, left, right, top, foot = 560.0, 420.0, 52.0, 28.0, 16.0, 44.0
	x := func(chance float64) float64 { return left + (wide-left-right)*(chance-.5)*2 }
	low := 0.5
	for _, b := range bins {
		for b.Won.Low < low {
			low -= .1
		}
	}
	low = max(0, low)
	y := func(won float64) float64 { return high - foot - (high-top-foot)*(won-low)/(1-low) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="plot reliability" viewBox="0 0 %.0f %.0f" role="img" aria-label="%s">`, wide, high, html.EscapeString(title))
	for won := 1.0; won > low-.05; won -= .1 {
		fmt.Fprintf(&b, `<path class="grid" d="M%.1f %.1fH%.1f"/><text x="%.1f" y="%.1f" text-anchor="end">%.0f %%</text>`, left, y(won), wide-right, left-6, y(won)+4, 100*won)
	}
	for chance := .5; chance < 1.05; chance += .1 {
		fmt.Fprintf(&b, `<path class="grid" d="M%.1f %.1fV%.1f"/><text x="%.1f" y="%.1f" text-anchor="middle">%.0f %%</text>`, x(chance), top, high-foot, x(chance), high-foot+16, 100*chance)
	}
	fmt.Fprintf(&b, `<path class="version" d="M%.1f %.1fL%.1f %.1f"/>`, x(.5), y(.5), x(1), y(1))
	for _, bin := range bins {
		fmt.Fprintf(&b, `<path class="line" d="M%.1f %.1fV%.1f"/><circle class="dot" cx="%.1f" cy="%.1f" r="4"/>`,
			x(bin.Chance), y(bin.Won.Low), y(bin.Won.High), x(bin.Chance), y(bin.Won.Value))
	}
	fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="middle">chance that the favourite was given</text></svg>`, (left+wide-right)/2, high-8)
	return template.HTML(b.String()) // numbers, and the title escaped
}
