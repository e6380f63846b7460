package pages

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strings"
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
