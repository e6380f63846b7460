package fit_test

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// ladders returns how many ladders a simulation plays. With few, wantsCoverage allows a wider band; at night it is 2 points.
func ladders() int {
	if os.Getenv("MOLERUN_NIGHTLY") != "" {
		return 4000
	}
	return 20
}

// truth is a simulated ladder's: what is so, in Elo.
type truth struct {
	strength, role []float64 // by player; each with mean 0
	seat           []float64 // by seat; mean 0
	team           map[int]float64
}

func spread(r *rand.Rand, n int, sd float64) []float64 {
	out := make([]float64, n)
	mean := 0.0
	for i := range out {
		out[i] = sd * r.NormFloat64()
		mean += out[i] / float64(n)
	}
	for i := range out {
		out[i] -= mean
	}
	return out
}

// hits counts how often intervals hold what is so.
type hits struct{ in, of int }

func (h *hits) count(e fit.Estimate, is float64) {
	h.of++
	if e.Low <= is && is <= e.High {
		h.in++
	}
}

func (h hits) share() float64 { return float64(h.in) / float64(h.of) }

// wantsCoverage wants 93 to 97 %, or within four standard errors of 95 % where there are few intervals.
func wantsCoverage(t *testing.T, what string, h hits) {
	t.Helper()
	band := max(.02, 4*math.Sqrt(.95*.05/float64(h.of)))
	t.Logf("%s: %.3f of %d", what, h.share(), h.of)
	if math.Abs(h.share()-.95) > band {
		t.Errorf("%s: the 95 %% interval holds the truth %.1f %% of %d times, want within %.1f of 95", what, 100*h.share(), h.of, 100*band)
	}
}

const bots = 12

// A ladder of duels: strengths spread by 170 Elo, the first seat ahead by 40.
func TestCoverageOfTwoPlayers(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	var rated, gap, seat hits
	for range ladders() {
		is := truth{strength: spread(r, bots, 170), seat: []float64{20, -20}}
		var all []fit.Match
		for range 20 * bots * (bots - 1) / 2 {
			p, q := two(r)
			result := "0"
			if r.Float64() < rating.Expected(is.strength[p]+is.seat[0]-is.strength[q]-is.seat[1]) {
				result = "1"
			}
			all = append(all, duel(p, q, result))
		}
		f := run(t, bots, nil, fit.Standard(), all...)
		for i, p := range f.Players {
			rated.count(p.Estimate, 1500+is.strength[i])
			gap.count(f.Difference(i, (i+1)%bots), is.strength[i]-is.strength[(i+1)%bots])
		}
		seat.count(f.Seat[2][0], is.seat[0])
	}
	wantsCoverage(t, "ratings", rated)
	wantsCoverage(t, "differences", gap)
	wantsCoverage(t, "the seat's advantage", seat)
}

func two(r *rand.Rand) (p, q int) {
	p = r.IntN(bots)
	return p, (p + 1 + r.IntN(bots-1)) % bots
}

// Tables of four, placed one after another with chances like 10^(strength/400). The comparisons of a table depend on each
// other: the textbook's own error would be too small.
func TestCoverageOfTablesOfFour(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	var rated, seat, naive hits
	for range ladders() {
		is := truth{strength: spread(r, bots, 100), seat: spread(r, 4, 25)}
		var all []fit.Match
		for range 600 {
			all = append(all, placed(r, r.Perm(bots)[:4], is))
		}
		f := run(t, bots, nil, fit.Standard(), all...)
		for i, p := range f.Players {
			rated.count(p.Estimate, 1500+is.strength[i])
		}
		textbook := run(t, bots, nil, fit.Prior{Bot: 350, Version: 100, Seat: 100}, all...)
		for i, p := range textbook.Players {
			_, model := textbook.Both(i, -1)
			naive.count(fit.Estimate{Low: p.Elo - 1.96*model, High: p.Elo + 1.96*model}, 1500+is.strength[i])
		}
		for s, e := range f.Seat[4] {
			seat.count(e, is.seat[s])
		}
	}
	wantsCoverage(t, "ratings", rated)
	wantsCoverage(t, "the seats' advantages", seat)
	if naive.share() > .93 {
		t.Errorf("the textbook's own intervals hold %.1f %%: this simulation would not notice their use", 100*naive.share())
	}
}

// placed returns a table of players in the order of their seats, ranked by lots.
func placed(r *rand.Rand, players []int, is truth) fit.Match {
	m := fit.Match{Match: rating.Match{Seats: make([]rating.Seat, len(players))}}
	weight, total := make([]float64, len(players)), 0.0
	for i, p := range players {
		weight[i] = math.Pow(10, (is.strength[p]+is.seat[i])/400)
		total += weight[i]
	}
	for rank := range players {
		at, lot := 0, r.Float64()*total
		for ; at < len(players)-1 && (weight[at] == 0 || lot >= weight[at]); at++ {
			lot -= weight[at]
		}
		m.Seats[at] = rating.Seat{Player: players[at], Rank: rank + 1}
		total -= weight[at]
		weight[at] = 0
	}
	return m
}

// moles is how many of so many seats are moles.
var moles = map[int]int{5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}

// De Mol at tables of five to ten, each size with an advantage of its own; bots are better in one role than in the other.
func TestCoverageOfHiddenTeams(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 3))
	var rated, role, team hits
	for range ladders() / 2 {
		is := truth{strength: spread(r, bots, 70), role: spread(r, bots, 50), team: map[int]float64{5: -120, 6: -60, 7: -30, 8: 0, 9: 20, 10: 40}}
		var all []fit.Match
		for range 1200 {
			n := 5 + r.IntN(6)
			all = append(all, hidden(r, r.Perm(bots)[:n], is))
		}
		f := run(t, bots, nil, fit.HiddenTeams(), all...)
		for i, p := range f.Players {
			rated.count(p.Estimate, 1500+is.strength[i])
			role.count(p.Roles[0], 1500+is.strength[i]+is.role[i])
			role.count(p.Roles[1], 1500+is.strength[i]-is.role[i])
		}
		for n, e := range f.Team {
			team.count(e, is.team[n])
		}
	}
	wantsCoverage(t, "ratings", rated)
	wantsCoverage(t, "strengths as agent and as mole", role)
	wantsCoverage(t, "the agents' advantages", team)
}

// hidden returns a De Mol match of players, the last of them moles.
func hidden(r *rand.Rand, players []int, is truth) fit.Match {
	n := len(players)
	agents := n - moles[n]
	lead := is.team[n]
	for i, p := range players {
		if i < agents {
			lead += 2 * float64(n-agents) / float64(n) * (is.strength[p] + is.role[p])
		} else {
			lead -= 2 * float64(agents) / float64(n) * (is.strength[p] - is.role[p])
		}
	}
	return lineUp(players[:agents], players[agents:], r.Float64() < rating.Expected(lead))
}

// Pairs of games on one deal with seats swapped. In some of the pairs one draw of luck decides both: as luck for a seat,
// which evens out within the pair, or as luck for a bot, which counts double. Counted as blocks the intervals are right
// either way; as single games they would be too wide or too narrow.
func TestCoverageOfDuplicatePairs(t *testing.T) {
	for _, row := range []struct {
		name         string
		ofSeat       bool
		asGames      [2]float64 // share held when the games count singly: between
		sharedOfFour int
	}{
		{"luck of the seat", true, [2]float64{.975, 1}, 3},
		{"luck of the bot", false, [2]float64{0, .91}, 3},
	} {
		r := rand.New(rand.NewPCG(5, 4))
		var blocks, games hits
		for range ladders() {
			is := truth{strength: spread(r, bots, 150)}
			var paired, single []fit.Match
			for block := range 10 * bots * (bots - 1) / 2 {
				p, q := two(r)
				wins := rating.Expected(is.strength[p] - is.strength[q])
				first, second := r.Float64(), r.Float64()
				if r.IntN(4) < row.sharedOfFour {
					if second = first; row.ofSeat {
						second = 1 - first
					}
				}
				for _, m := range []fit.Match{duel(p, q, won(first < wins)), duel(q, p, won(second >= wins))} {
					single = append(single, m)
					m.Block = block + 1
					paired = append(paired, m)
				}
			}
			f, g := run(t, bots, nil, fit.Standard(), paired...), run(t, bots, nil, fit.Standard(), single...)
			for i, p := range f.Players {
				blocks.count(p.Estimate, 1500+is.strength[i])
				games.count(g.Players[i].Estimate, 1500+is.strength[i])
			}
		}
		wantsCoverage(t, row.name, blocks)
		if s := games.share(); s < row.asGames[0] || s > row.asGames[1] {
			t.Errorf("%s, games counted singly: %.3f held, want %v: this simulation would not notice lost blocks", row.name, s, row.asGames)
		}
	}
}

func won(b bool) string {
	if b {
		return "1"
	}
	return "0"
}
