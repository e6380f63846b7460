package pages

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/tournament"
)

// Scorecard holds what the page of an agent's card shows.
type Scorecard struct {
	Page
	Hash    string
	Reason  string // why its matches may be another agent's
	Checked *time.Time
	Card    card.Card
}

// Scorecards is the page of all cards that were checked.
type Scorecards struct {
	List[tournament.Card]
	SVG template.HTML // made by [Costs]
}

// Costs draws how strong agents are by what a match costs them, in dollars, with a line through those that no other agent beats for the
// same money or less; "" unless two say what they cost.
func Costs(title string, rows []tournament.Card) template.HTML {
	const wide, high, left, right, top, foot = 560.0, 320.0, 40.0, 24.0, 16.0, 40.0
	price := func(c tournament.Card) float64 { return math.Log10(c.Summary.MatchCost()) }
	rows = slices.DeleteFunc(slices.Clone(rows), func(c tournament.Card) bool { return c.Summary.CostUSD <= 0 })
	if len(rows) < 2 {
		return ""
	}
	slices.SortStableFunc(rows, func(a, b tournament.Card) int {
		return cmp.Or(cmp.Compare(price(a), price(b)), cmp.Compare(b.Summary.Clean.Value, a.Summary.Clean.Value))
	})
	from, to := math.Floor(price(rows[0])), math.Floor(price(rows[len(rows)-1]))+1
	least, most := 0.0, 100.0
	for _, c := range rows {
		least, most = min(least, c.Summary.Clean.Value), max(most, c.Summary.Clean.Value)
	}
	x := func(c tournament.Card) float64 { return left + (wide-left-right)*(price(c)-from)/(to-from) }
	y := func(strength float64) float64 { return high - foot - (high-top-foot)*(strength-least)/(most-least) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="plot" viewBox="0 0 %.0f %.0f" role="img" aria-label="%s">`, wide, high, html.EscapeString(title))
	for _, strength := range ticks(least, most) {
		fmt.Fprintf(&b, `<path class="grid" d="M%.1f %.1fH%.1f"/><text x="%.1f" y="%.1f" text-anchor="end">%.0f</text>`, left, y(strength), wide-right, left-6, y(strength)+4, strength)
	}
	for tenth := from; tenth <= to; tenth++ {
		at := left + (wide-left-right)*(tenth-from)/(to-from)
		fmt.Fprintf(&b, `<path class="grid" d="M%.1f %.1fV%.1f"/><text x="%.1f" y="%.1f" text-anchor="middle">%g</text>`, at, top, high-foot, at, high-foot+16, math.Pow(10, tenth))
	}
	best, line := math.Inf(-1), ""
	for _, c := range rows {
		s := c.Summary
		if s.Clean.Value > best {
			best = s.Clean.Value
			line += fmt.Sprintf("%s%.1f %.1f", map[bool]string{true: "M", false: "L"}[line == ""], x(c), y(best))
		}
		at, anchor := x(c)+7, "start"
		if x(c) > wide/2 { // there is more room to the left of it
			at, anchor = x(c)-7, "end"
		}
		fmt.Fprintf(&b, `<circle class="dot" cx="%.1f" cy="%.1f" r="4"/><text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, x(c), y(s.Clean.Value), at, y(s.Clean.Value)+4, anchor, html.EscapeString(shortName(s.Subject)))
	}
	fmt.Fprintf(&b, `<path class="line" d="%s"/><text x="%.1f" y="%.1f" text-anchor="middle">$ a match</text></svg>`, line, (left+wide-right)/2, high-8)
	return template.HTML(b.String()) // numbers, and words escaped
}

// shortName cuts a name for a drawing.
func shortName(name string) string {
	const most = 14
	if r := []rune(name); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return name
}
