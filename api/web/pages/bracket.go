package pages

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
)

// Round is a round of the schedule.
type Round struct {
	Number int
	Name   string
	Tables []Table
	Notes  []string      // byes, absences, walkovers
	Lines  template.HTML // from the round before in a bracket, made by [Join]
}

// Table is what is compared.
type Table struct {
	Name    string
	Sides   []Side
	Over    bool
	Sealed  bool
	Matches []string
}

// Side is a bot at a table.
type Side struct {
	BotID, Bot, Points string
	Best               bool
}

// The gap between two rounds of a bracket in the units of its lines, and a round with such a gap: the style sheet has 2.4 rem and
// 14 rem more.
const gapWide, roundWide = 100.0, 100.0 * (14 + 2.4) / 2.4

// Join draws how each bot came to a tie from its last one before, dashed from one that it lost. A bot that has not played yet,
// or whose table is sealed, comes from nowhere. The ties of a round stand evenly below each other: tie i of n has its middle at
// (i + ½) / n of the height.
func Join(rounds []Round) {
	for k, r := range rounds {
		var b strings.Builder
		for i, t := range r.Tables {
			for _, side := range t.Sides {
				if from, back, class := cameFrom(rounds[:k], side.BotID); back > 0 {
					fmt.Fprintf(&b, `<path class="%s" d="M%.0f %.1fH%.0fV%.1fH%.0f"/>`, class, roundWide*float64(1-back), from, gapWide/2, middle(i, len(r.Tables)), gapWide)
				}
			}
		}
		if b.Len() > 0 {
			rounds[k].Lines = template.HTML(`<svg class="joins" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">` + b.String() + `</svg>`) // numbers alone
		}
	}
}

// cameFrom returns the height of a bot's last tie, how many rounds back it was, 0 if there is none, and whether it was won or lost.
func cameFrom(rounds []Round, botID string) (float64, int, string) {
	for back := 1; back <= len(rounds); back++ {
		tables := rounds[len(rounds)-back].Tables
		for i, t := range tables {
			at := slices.IndexFunc(t.Sides, func(s Side) bool { return s.BotID == botID })
			if at < 0 {
				continue
			}
			class := "won"
			if !t.Sides[at].Best && slices.ContainsFunc(t.Sides, func(s Side) bool { return s.Best }) {
				class = "lost"
			}
			return middle(i, len(tables)), back, class
		}
	}
	return 0, 0, ""
}

func middle(i, n int) float64 { return 100 * (float64(i) + .5) / float64(n) }
