package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// Words says how accurate a seat was in each phase.
func (s Summary) Words() string {
	var phases []string
	for _, p := range s.Phases {
		phases = append(phases, fmt.Sprintf("%s %.0f %% in %s", p.Phase, 100*p.Accuracy, game.Plural(p.Decisions, "decision")))
	}
	return fmt.Sprintf("seat %d, accuracy: %s", s.Seat, cmp.Or(strings.Join(phases, ", "), "no decisions"))
}

// Costliest returns the decisions of a seat that certainly cost most, the costliest first. It skips what is not among the report's
// decisions: another platform may have written it.
func (r Report) Costliest(s Summary) []Decision {
	var out []Decision
	for _, i := range s.Costliest {
		if i >= 0 && i < len(r.Decisions) {
			out = append(out, r.Decisions[i])
		}
	}
	return out
}

// Cost says what a decision cost, and what was better.
func (d Decision) Cost() string {
	out := fmt.Sprintf("step %d, seat %d %s", d.Step, d.Seat, cmp.Or(d.Words, string(d.Action)))
	if d.Mark != "" {
		out += " (" + string(d.Mark) + ")"
	}
	out += fmt.Sprintf(": cost %.0f points of a hundred, %.0f to %.0f", 100*d.Regret, 100*d.Low, 100*d.High)
	if better := cmp.Or(d.BetterWords, string(d.Better)); better != "" {
		out += "; better: " + better
	}
	return out
}
