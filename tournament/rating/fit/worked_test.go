package fit_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// flat is a prior that says next to nothing: what is left is the plain likelihood.
var flat = fit.Prior{Bot: 1e6, Version: 1e6}

// plain returns a prior without advantages.
func plain(sd float64) fit.Prior { return fit.Prior{Bot: sd, Version: 100} }

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

// duel returns a match of two seats: first's result is "1", "=" or "0".
func duel(first, second int, result string) fit.Match {
	r := map[string][2]int{"1": {1, 2}, "=": {1, 1}, "0": {2, 1}}[result]
	return fit.Match{Match: rating.Match{Seats: []rating.Seat{{Player: first, Rank: r[0]}, {Player: second, Rank: r[1]}}}}
}

// games returns duels of one pair, so many of each result.
func games(first, second, wins, draws, losses int) (out []fit.Match) {
	for result, n := range []int{losses, draws, wins} {
		for range n {
			out = append(out, duel(first, second, "0=1"[result:result+1]))
		}
	}
	return out
}

// table returns a match without teams: the players in the order they finished, seated in that order.
func table(finished ...int) fit.Match {
	var m fit.Match
	for i, p := range finished {
		m.Seats = append(m.Seats, rating.Seat{Player: p, Rank: i + 1})
	}
	return m
}

// lineUp returns a match of agents against moles.
func lineUp(agents, moles []int, agentsWin bool) fit.Match {
	var m fit.Match
	for _, team := range []struct {
		name    string
		players []int
		won     bool
	}{{"agent", agents, agentsWin}, {"mole", moles, !agentsWin}} {
		for _, p := range team.players {
			s := rating.Seat{Player: p, Rank: 2, Team: team.name}
			if team.won {
				s.Rank = 1
			}
			m.Seats = append(m.Seats, s)
		}
	}
	return m
}

func run(t rapid.TB, players int, parent []int, prior fit.Prior, matches ...fit.Match) *fit.Fit {
	t.Helper()
	h, err := fit.New(players, parent, prior)
	if err == nil {
		err = h.Add(matches...)
	}
	must.OK(t, err)
	return must.Get(h.Fit())(t)
}

// wants compares ratings and standard errors.
func wants(t *testing.T, f *fit.Fit, elo, se []float64, tolerance float64) {
	t.Helper()
	for i, p := range f.Players {
		if !near(p.Elo, elo[i], tolerance) || !near(p.SE, se[i], tolerance) {
			t.Errorf("player %d: got %.4f Elo with standard error %.4f, want %v and %v", i, p.Elo, p.SE, elo[i], se[i])
		}
	}
}

// wantsBoth compares the robust standard errors and the model's.
func wantsBoth(t *testing.T, f *fit.Fit, robust, model []float64, tolerance float64) {
	t.Helper()
	for i := range f.Players {
		if r, m := f.Both(i, -1); !near(r, robust[i], tolerance) || !near(m, model[i], tolerance) {
			t.Errorf("player %d: got standard errors %.4f (robust) and %.4f (model), want %v and %v", i, r, m, robust[i], model[i])
		}
	}
}

// The worked numbers of the design notes; each row's digits are its tolerance. Where there are two errors the larger counts.

func TestSeventyFiveToTwentyFive(t *testing.T) {
	f := run(t, 2, nil, flat, games(0, 1, 75, 0, 25)...)
	root := math.Sqrt(100. / 99) // every game is a cluster: the robust error is the model's but for G/(G-1)
	wantsBoth(t, f, []float64{20.0592 * root, 20.0592 * root}, []float64{20.0592, 20.0592}, 1e-4)
	wants(t, f, []float64{1595.424, 1404.576}, []float64{20.160, 20.160}, 6e-4)
	if d := f.Difference(0, 1); !near(d.Elo, 190.8485, 6e-5) || !near(d.Elo, 400*math.Log10(3), 1e-4) {
		t.Errorf("got a difference of %.5f, want 400·log10 3 = 190.8485", d.Elo)
	}
	if _, model := f.Both(0, 1); !near(model, 40.1184, 6e-5) || !near(model, 400/math.Ln10/math.Sqrt(100*.75*.25), 1e-4) {
		t.Errorf("got a standard error of %.5f, want s/sqrt(100·.75·.25) = 40.1184", model)
	}
}

func three() []fit.Match {
	return slices.Concat(games(0, 1, 7, 0, 3), games(1, 2, 6, 1, 3), games(0, 2, 9, 0, 1))
}

func TestThreeBots(t *testing.T) {
	f := run(t, 3, nil, flat, three()...)
	for i, want := range []float64{1665.993, 1485.815, 1348.192} {
		if got := f.Players[i].Elo; !near(got, want, 6e-4) {
			t.Errorf("without prior: player %d: got %.4f, want %v", i, got, want)
		}
		if _, got := f.Both(i, -1); !near(got, []float64{66.02, 57.39, 64.19}[i], 6e-3) {
			t.Errorf("without prior: player %d: got standard error %.4f, want %v", i, got, []float64{66.02, 57.39, 64.19}[i])
		}
	}
	f = run(t, 3, nil, plain(350), three()...)
	wants(t, f, []float64{1657.361, 1486.621, 1356.018}, []float64{62.9866, 56.6268, 61.4832}, 6e-4)
	wantsBoth(t, f, []float64{61.3482, 56.6268, 57.7224}, []float64{62.9866, 55.7234, 61.4832}, 6e-5)
	if _, model := f.Both(0, 1); !near(f.Difference(0, 1).Elo, 170.7405, 6e-5) || !near(model, 101.8069, 6e-5) {
		t.Errorf("first against second: got %.5f with standard error %.5f, want 170.7405 and 101.8069", f.Difference(0, 1).Elo, model)
	}
}

// One result without a draw scatters as the model says. So blocks of one such may widen an interval and never narrow it; with a draw
// among them they may do both.
func TestSingleResultsDoNotNarrowIntervals(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	var all []fit.Match
	for range 60 {
		for i := range 4 {
			for j := range i {
				all = append(all, duel(i, j, won(r.Float64() < rating.Expected(float64(100*(i-j))))))
			}
		}
	}
	drawn := slices.Clone(all)
	drawn[0] = duel(1, 0, "=")
	narrower := 0
	f, g := run(t, 4, nil, plain(350), all...), run(t, 4, nil, plain(350), drawn...)
	for i := range f.Players {
		robust, model := f.Both(i, -1)
		if want := max(robust, model); !near(f.Players[i].SE, want, 1e-6) {
			t.Errorf("player %d: got an error of %.4f, want the larger of %.4f and %.4f", i, f.Players[i].SE, robust, model)
		}
		if robust, model = g.Both(i, -1); robust < model-.1 {
			narrower++
		}
		if !near(g.Players[i].SE, robust, 1e-6) {
			t.Errorf("player %d, with a draw: got an error of %.4f, want that of the blocks, %.4f", i, g.Players[i].SE, robust)
		}
	}
	if narrower == 0 {
		t.Error("the blocks would narrow no interval: this test would not notice it")
	}
}

func TestFiveWinsOfFiveStayFinite(t *testing.T) {
	f := run(t, 2, nil, plain(350), games(0, 1, 5, 0, 0)...)
	wants(t, f, []float64{1730.889, 1269.111}, []float64{132.5884, 132.5884}, 6e-4)
}

func TestTheFirstSeatsAdvantage(t *testing.T) {
	prior := flat
	prior.Seat = 1e6
	f := run(t, 2, nil, prior, append(games(0, 1, 8, 0, 2), games(1, 0, 6, 0, 4)...)...)
	logit := func(p float64) float64 { return 400 * math.Log10(p/(1-p)) }
	if d := f.Difference(0, 1).Elo; !near(d, 85.1937, 6e-5) || !near(d, (logit(.8)-logit(.6))/2, 6e-5) {
		t.Errorf("got a difference of %.5f, want 85.1937", d)
	}
	seat := f.Seat[2]
	if adv := seat[0].Elo - seat[1].Elo; !near(adv, 155.6303, 6e-5) || !near(adv, (logit(.8)+logit(.6))/2, 6e-5) {
		t.Errorf("got an advantage of %.5f, want 155.6303", adv)
	}
}

// eight returns line-ups agents|moles with 1 where the agents won.
func eight() (out []fit.Match) {
	for _, s := range strings.Fields("012|34=1 123|45=1 234|50=0 345|01=0 450|12=0 501|23=1 024|13=1 135|02=0") {
		d := func(i int) int { return int(s[i] - '0') }
		out = append(out, lineUp([]int{d(0), d(1), d(2)}, []int{d(4), d(5)}, s[7] == '1'))
	}
	return out
}

func TestThreeAgentsAgainstTwoMoles(t *testing.T) {
	f := run(t, 6, nil, fit.Prior{Bot: 200, Version: 100, Team: 200}, eight()...)
	wants(t, f, []float64{1642.375, 1579.104, 1593.266, 1343.990, 1383.953, 1457.313}, []float64{133.41, 126.20, 125.19, 130.97, 140.59, 141.68}, 6e-3)
	if a := f.Team[5]; !near(a.Elo, 18.9747, 6e-5) || !near(a.SE, 131.67, 6e-3) {
		t.Errorf("agents' advantage: got %.5f with standard error %.4f, want 18.9747 and 131.67", a.Elo, a.SE)
	}
	if f.Teams != [2]string{"agent", "mole"} {
		t.Errorf("got teams %v, want the agents first", f.Teams)
	}
}

func TestFreeForAllOfThreeAmongFour(t *testing.T) {
	var m []fit.Match
	for _, s := range strings.Fields("012 023 103 312 031 201 132 023") {
		m = append(m, table(int(s[0]-'0'), int(s[1]-'0'), int(s[2]-'0')))
	}
	f := run(t, 4, nil, plain(350), m...)
	wants(t, f, []float64{1691.948, 1496.651, 1405.700, 1405.700}, []float64{92.107, 93.873, 109.662, 85.723}, 6e-4)
	wantsBoth(t, f, []float64{83.347, 93.873, 109.662, 85.723}, []float64{92.107, 78.076, 80.536, 80.536}, 6e-4)
}

// The matches of a player that met nobody else say nothing, by whichever error: what the fit says of it are numbers.
func TestWhoMetNobodyElseIsToldInNumbers(t *testing.T) {
	first := lineUp([]int{0, 0, 0}, []int{0, 1}, false)
	first.Seats[0].Retired = true
	second := table(0, 0)
	second.Seats[0].Rank, second.Seats[1].Rank = 1, 1
	second.Seats[0].Retired = true
	for i, p := range run(t, 2, nil, every, first, second).Players {
		if sum := p.Elo + p.SE + p.Low + p.High; math.IsNaN(sum) {
			t.Errorf("player %d: got %+v", i, p.Estimate)
		}
	}
}
