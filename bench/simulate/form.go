package main

import (
	"math"
	"slices"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// form is a kind of table that ratings treat in a way of its own, with what is so of it, in Elo.
type form struct {
	name  string
	sizes []int           // of its tables; each is played as often
	seat  []float64       // by seat: its advantage, mean 0; where there are no teams
	team  map[int]float64 // by seats: the advantage of the agents
	prior fit.Prior
	bot   float64 // SD of the strengths where those of games of two have 350
}

// forms returns all forms. The advantages are of the size that games of hidden teams are known to have; the fit believes
// in 100 for a seat and 200 for a team before it has seen a match.
func forms() []form {
	return []form{
		{name: "2 players", sizes: []int{2}, seat: []float64{20, -20}, prior: fit.Standard(), bot: 350},
		{name: "free-for-all of 4", sizes: []int{4}, seat: []float64{30, 10, -10, -30}, prior: fit.Standard(), bot: 350},
		{
			name: "De Mol 5-10", sizes: []int{5, 6, 7, 8, 9, 10}, prior: fit.HiddenTeams(), bot: 200,
			team: map[int]float64{5: -120, 6: -60, 7: -30, 8: 0, 9: 20, 10: 40},
		},
	}
}

// moles are so many at a table of De Mol (rules: "Setup").
var moles = [...]int{5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}

// truth is how strong the bots are, in Elo with mean 0: as agent strength + role, as mole strength − role.
type truth struct{ strength, role []float64 }

// draw makes bots whose strengths, in games of two, have the standard deviation sd. In other forms one bot moves the
// result less: there the deviations are smaller, those of roles as the fit's prior has them.
func (f form) draw(bots int, sd float64, r *game.Rand) truth {
	by := sd / fit.Standard().Bot
	return truth{normals(r, bots, by*f.bot), normals(r, bots, by*f.prior.Role)}
}

// known returns the prior that knows the deviations from which draw drew: no estimate from the results alone errs less, on
// average, than the mean of the posterior under it.
func (f form) known(sd float64) fit.Prior {
	p, by := f.prior, sd/fit.Standard().Bot
	p.Bot, p.Role, p.Mean, p.Learn = by*f.bot, by*p.Role, true, false
	return p
}

// play draws who wins among bots by seat.
func (f form) play(bots []int, is truth, r *game.Rand) rating.Match {
	if f.team != nil {
		return f.teams(bots, is, r)
	}
	return f.placed(bots, is, r)
}

// placed ranks a table by lots: the first place goes to each with chances like 10^(strength/400), then the second among
// the others, and so on. Of every two the stronger is then ahead just as often as Elo expects.
func (f form) placed(bots []int, is truth, r *game.Rand) rating.Match {
	m := rating.Match{Seats: make([]rating.Seat, len(bots))}
	weight := make([]float64, len(bots))
	for i, b := range bots {
		weight[i] = math.Pow(10, (is.strength[b]+f.seat[i])/400)
	}
	for rank := range bots {
		total := 0.0
		for _, w := range weight {
			total += w
		}
		lot, at := uniform(r)*total, -1
		for i, w := range weight {
			if w == 0 {
				continue
			}
			if at = i; lot < w {
				break
			}
			lot -= w
		}
		m.Seats[at] = rating.Seat{Player: bots[at], Rank: rank + 1}
		weight[at] = 0
	}
	return m
}

// teams deals the teams and lets one win with the chances of docs/4-ratings.md: a seat counts by the size of the other team.
func (f form) teams(bots []int, is truth, r *game.Rand) rating.Match {
	n, dealt := len(bots), r.Perm(len(bots))
	m := rating.Match{Seats: make([]rating.Seat, n)}
	lead := f.team[n]
	for k, seat := range dealt {
		b, team := bots[seat], "mole"
		if k < moles[n] {
			lead -= 2 * float64(n-moles[n]) / float64(n) * (is.strength[b] - is.role[b])
		} else {
			team = "agent"
			lead += 2 * float64(moles[n]) / float64(n) * (is.strength[b] + is.role[b])
		}
		m.Seats[seat] = rating.Seat{Player: b, Rank: 2, Team: team}
	}
	winner := "mole"
	if uniform(r) < rating.Expected(lead) {
		winner = "agent"
	}
	for i := range m.Seats {
		if m.Seats[i].Team == winner {
			m.Seats[i].Rank = 1
		}
	}
	return m
}

// uniform draws from 0 up to but not 1.
func uniform(r *game.Rand) float64 { return float64(r.Uint64()>>11) / (1 << 53) }

// normal draws a number of the normal distribution with mean 0 and SD 1 (Box and Muller 1958).
func normal(r *game.Rand) float64 {
	return math.Sqrt(-2*math.Log(1-uniform(r))) * math.Cos(2*math.Pi*uniform(r))
}

// normals draws n normal numbers and shifts them to the mean 0.
func normals(r *game.Rand, n int, sd float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = sd * normal(r)
	}
	return centred(out)
}

// centred returns list shifted to the mean 0.
func centred(list []float64) []float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	out := slices.Clone(list)
	for i := range out {
		out[i] -= sum / float64(len(list))
	}
	return out
}
