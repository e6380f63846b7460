package rating

import (
	"cmp"
	"math"
	"slices"

	"github.com/molerun/molerun/tournament"
)

// Surplus is how much more one owner takes than the ratings expect where one other sits, beyond what it takes elsewhere.
type Surplus struct {
	tournament.Encounters
	Elsewhere float64 // score less expectation of a match without the partner, −1 to 1; 0 if there is none
	Z         float64 // the surplus in its standard deviations; 0 where nothing can vary
	P         float64 // the chance of such a surplus between strangers is at most this
	Adjusted  float64 // P times the number of pairs looked at, at most 1 (Bonferroni)
}

// Surpluses compares every owner with itself where one partner sits and where it does not, worst first. list has each owner's
// matches with each partner and, with Partner "", all of them. Whom the ratings take for weaker than it is has a surplus
// everywhere, and so none here.
//
// P is Hoeffding's bound for sums of independent scores between 0 and 1 (1963, theorem 1), at the expectation raised by what the
// owner takes too much elsewhere: it holds for two matches as for a thousand.
func Surpluses(list []tournament.Encounters) []Surplus {
	all := map[string]tournament.Encounters{}
	for _, e := range list {
		if e.Partner == "" {
			all[e.Owner] = e
		}
	}
	var out []Surplus
	for _, e := range list {
		if e.Partner != "" {
			out = append(out, beyond(e, all[e.Owner]))
		}
	}
	for i := range out {
		out[i].Adjusted = min(1, out[i].P*float64(len(out)))
	}
	slices.SortFunc(out, func(a, b Surplus) int {
		return cmp.Or(cmp.Compare(a.P, b.P), cmp.Compare(b.Z, a.Z), cmp.Compare(a.Owner, b.Owner), cmp.Compare(a.Partner, b.Partner))
	})
	return out
}

// beyond compares encounters with the rest of all.
func beyond(e, all tournament.Encounters) Surplus {
	out := Surplus{Encounters: e, P: 1}
	more, variance := e.Score-e.Expected, e.Variance
	if rest := float64(all.Matches - e.Matches); rest > 0 {
		out.Elsewhere = (all.Score - all.Expected - more) / rest
		share := float64(e.Matches) / rest
		more -= float64(e.Matches) * out.Elsewhere
		variance += share * share * (all.Variance - e.Variance)
	}
	if variance > 0 {
		out.Z = more / math.Sqrt(variance)
	}
	n := float64(e.Matches)
	if is, mean := e.Score/n, min(e.Expected/n+max(0, out.Elsewhere), 1); is > mean {
		out.P = math.Exp(-n * (entropy(is, mean) + entropy(1-is, 1-mean)))
	}
	return out
}

// entropy returns one term of the relative entropy of two coins.
func entropy(is, mean float64) float64 {
	if is == 0 {
		return 0
	}
	return is * math.Log(is/mean)
}
