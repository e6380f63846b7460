package pages

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/molerun/molerun/engines/game/claim"
)

// Claim says in words what a seat's bot claims of a match; beliefs are scored. "" where it claimed nothing of the kind.
type Claim struct {
	Seat                                      int
	Name                                      string
	Tokens, Cost                              string
	Beliefs, Brier, RulesBrier, Log, RulesLog string
}

// ClaimsOf returns the claims of those seats that have some, by what the seats are called.
func ClaimsOf(all []claim.Account, names []string) []Claim {
	var out []Claim
	for seat, a := range all {
		c := Claim{Seat: seat, Name: names[seat]}
		if a.Decisions > 0 {
			c.Tokens, c.Cost = claim.Said(a.InputTokens)+" in, "+claim.Said(a.OutputTokens)+" out", strings.ReplaceAll("$"+claim.Said(a.CostUSD()), "$–", "–")
		}
		c.believed(a)
		if c.Tokens != "" || c.Beliefs != "" {
			out = append(out, c)
		}
	}
	return out
}

// believed fills in how beliefs did, if there are any.
func (c *Claim) believed(a claim.Account) {
	if a.Own.Beliefs == 0 {
		return
	}
	four := func(x float64) string { return fmt.Sprintf("%.4f", x) }
	brier, log := a.Own.Mean()
	rulesBrier, rulesLog := a.Rules.Mean()
	c.Beliefs, c.Brier, c.RulesBrier, c.Log, c.RulesLog = fmt.Sprint(a.Own.Beliefs), four(brier), four(rulesBrier), four(log), four(rulesLog)
}

// BeliefsOf returns how the beliefs of a bot did, by the names of the games in which it gave some.
func BeliefsOf(all map[string]claim.Account) []Claim {
	var out []Claim
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := Claim{Name: name}
		if c.believed(all[name]); c.Beliefs != "" {
			out = append(out, c)
		}
	}
	return out
}
