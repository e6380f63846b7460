package fit

import (
	"slices"

	"github.com/molerun/molerun/tournament/rating"
)

// Forecasts returns the chances that the fit gives to a match that it has not seen: the mean over all that it believes, so they
// are nearer to ½ than those of the estimates. An advantage or a role of which no match says anything yet counts as 0. Players are
// numbered as in the fit's history; the match must be one that [History.Add] takes.
func (f *Fit) Forecasts(m rating.Match) []rating.Forecast {
	return m.Forecasts(func(i, j int) float64 {
		terms := []term{{int32(m.Seats[i].Player), 1}, {int32(m.Seats[j].Player), -1}}
		if seat, ok := f.model.seatAt[len(m.Seats)]; ok {
			terms = append(terms, term{seat + int32(i), 1}, term{seat + int32(j), -1})
		}
		return f.chance(terms)
	}, func() float64 {
		chance := f.chance(f.model.teamTerms(m.Seats))
		if first, _ := sides(m.Seats); first != m.Seats[0].Team {
			return 1 - chance
		}
		return chance
	})
}

// chance returns the mean chance of a comparison whose log-odds are a sum of terms, by parameter. Parameters that are not in the
// model add nothing.
func (f *Fit) chance(terms []term) float64 {
	at := f.model.at
	known := slices.DeleteFunc(terms, func(t term) bool { return int(t.param) >= len(at) || at[t.param] < 0 })
	for i, t := range known {
		known[i].param = at[t.param]
	}
	mean := 0.0
	for _, n := range f.believed(known) {
		p, _ := blurred(n.mean/scale, n.sd*n.sd/(scale*scale))
		mean += n.weight * p
	}
	return mean
}
