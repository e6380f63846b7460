package card

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/engines/game/text"
)

// String writes an estimate as "57 [49, 65]".
func (e Estimate) String() string {
	return fmt.Sprintf("%.0f [%.0f, %.0f]", whole(e.Value), whole(e.Low), whole(e.High))
}

// Percent writes a share as "57 % [49, 65]".
func (e Estimate) Percent() string {
	return fmt.Sprintf("%.0f %% [%.0f, %.0f]", whole(100*e.Value), whole(100*e.Low), whole(100*e.High))
}

func whole(x float64) float64 { return math.RoundToEven(x) + 0 } // no -0

// Markdown returns the card for people.
func (c Card) Markdown() []byte {
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# %s\n", text.Literal(c.Subject.Name))
	if c.Subject.Build != "" {
		line("Build %s.\n", text.Literal(c.Subject.Build))
	}
	line("Plan %s (%.12s) against pool %d (%.12s), by %s; %d ms for each decision and %d ms a match.\n", c.Plan.Name, c.Plan.Hash, c.Pool.Version, c.Pool.Hash, c.Program, c.Clock.LimitMS, c.Clock.BankMS)
	line("Strength: 0 is the random bot, 100 the best bot of the pool; in brackets the 95 %% interval. Clean: a fault is replaced by an action of the rules. With errors: a match with a fault is lost.\n")
	line("| game | clean | with errors | matches | with faults | decisions | faults | median, ms | 95 %%, ms |")
	line("|---|---|---|---|---|---|---|---|---|")
	for i, g := range c.Games {
		median, p95 := "", ""
		if i < len(c.Run.Times) { // a card that was not checked may have none
			median, p95 = MS(c.Run.Times[i].MedianUS), MS(c.Run.Times[i].P95US)
		}
		line("| %s %s | %s | %s | %d | %d | %d | %s | %s | %s |", g.Game, g.Variant, g.Clean, g.WithErrors, g.Matches, g.Faulty, g.Decisions, faults(g.Faults), median, p95)
	}
	line("| all | %s | %s | | | | | | |\n", c.Clean, c.WithErrors)
	line("| game | | of | matches | share [95 %%] | with errors | |")
	line("|---|---|---|---|---|---|---|")
	for _, g := range c.Games {
		for _, o := range g.Opponents {
			beaten := ""
			if o.Beaten {
				beaten = "beaten"
			}
			line("| %s | against | %s | %d | %s | %s | %s |", g.Game, o.Bot, 2*o.Pairs, o.Share.Percent(), o.WithErrors.Percent(), beaten)
		}
		for _, s := range g.ByRole {
			line("| %s | role | %s | %d | %s | | |", g.Game, s.Of, s.Matches, s.Share.Percent())
		}
		for _, s := range g.BySeat {
			line("| %s | seat | %s | %d | %s | | |", g.Game, s.Of, s.Matches, s.Share.Percent())
		}
	}
	c.claims(line)
	return b.Bytes()
}

// claims writes what the subject said beside its decisions.
func (c Card) claims(line func(format string, args ...any)) {
	if len(c.Run.Usage) > 0 {
		line("\nUsage, by the subject's own account:\n")
		line("| game | decisions that say it | models | tokens in | tokens out | cost, $ |")
		line("|---|---|---|---|---|---|")
		for _, u := range c.Run.Usage {
			line("| %s | %d | %s | %s | %s | %s |", u.Game, u.Decisions, text.Literal(strings.Join(u.Models, ", ")), claim.Said(u.InputTokens), claim.Said(u.OutputTokens), claim.Said(u.CostUSD))
		}
	}
	if !slices.ContainsFunc(c.Games, func(g Game) bool { return g.Beliefs != nil }) {
		return
	}
	line("\nBeliefs about what was hidden; less is better. Beside them is what the rules alone tell at the same decisions.\n")
	line("| game | beliefs | Brier | by the rules | log, nats | by the rules |")
	line("|---|---|---|---|---|---|")
	for _, g := range c.Games {
		if b := g.Beliefs; b != nil {
			line("| %s | %d | %.4f | %.4f | %.4f | %.4f |", g.Game, b.Beliefs, b.Brier, b.RulesBrier, b.Log, b.RulesLog)
		}
	}
}

// MS writes microseconds of a card's times in milliseconds.
func MS(us int64) string {
	if us < 50 {
		return "< 0.1"
	}
	return strconv.FormatFloat(float64(us)/1000, 'f', 1, 64)
}

func faults(list []Fault) string {
	var parts []string
	for _, f := range list {
		parts = append(parts, fmt.Sprintf("%d %s", f.Count, text.Literal(f.Kind)))
	}
	return strings.Join(parts, ", ")
}

// Badge returns the card as a small picture: an SVG.
func (c Card) Badge() []byte {
	const char, height = 7, 20 // pixels of a character, about
	left, right := "molerun "+c.Plan.Name, c.Clean.String()
	l, r := 10+char*utf8.RuneCountInString(left), 10+char*utf8.RuneCountInString(right)
	title := html.EscapeString(fmt.Sprintf("%s: strength %s clean, %s with errors, in plan %s of pool %d", c.Subject.Name, c.Clean, c.WithErrors, c.Plan.Name, c.Pool.Version))
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" role="img" aria-label="%[3]s"><title>%[3]s</title>`+
		`<rect width="%[4]d" height="%[2]d" fill="#333"/><rect x="%[4]d" width="%[5]d" height="%[2]d" fill="#1a5fa8"/>`+
		`<g fill="#fff" font-family="Verdana,sans-serif" font-size="11" text-anchor="middle"><text x="%[6]d" y="14">%[7]s</text><text x="%[8]d" y="14">%[9]s</text></g></svg>`+"\n",
		l+r, height, title, l, r, l/2, html.EscapeString(left), l+r/2, html.EscapeString(right))
}
