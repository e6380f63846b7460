package fit_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

var every = fit.Prior{Bot: 300, Version: 90, Team: 150, Seat: 80, Role: 60}

// drawMatches returns random matches of all forms: duels, tables of three and four, five in teams, with retirements, void
// ones, versions in several seats and blocks.
func drawMatches(t *rapid.T, players int, retire bool) []fit.Match {
	seats := func(n int) (out []int) {
		for range n {
			out = append(out, rapid.IntRange(0, players-1).Draw(t, "player"))
		}
		return out
	}
	var all []fit.Match
	for range rapid.IntRange(1, 30).Draw(t, "matches") {
		var m fit.Match
		switch n := rapid.SampledFrom([]int{2, 3, 4, 5, 6}).Draw(t, "seats"); n {
		case 5, 6:
			p := seats(n)
			m = lineUp(p[:n-2], p[n-2:], rapid.Bool().Draw(t, "agents win"))
		default:
			m = table(seats(n)...)
			for i := range m.Seats {
				m.Seats[i].Rank = rapid.IntRange(1, n).Draw(t, "rank")
			}
		}
		m.Seats[0].Retired = retire && rapid.IntRange(0, 4).Draw(t, "retired") == 0
		m.Void = rapid.IntRange(0, 9).Draw(t, "void") == 0
		m.Block = rapid.IntRange(0, 8).Draw(t, "block")
		all = append(all, m)
	}
	return all
}

// same compares two fits, player i of a being player name[i] of b.
func same(t *rapid.T, a, b *fit.Fit, name []int) {
	t.Helper()
	alike := func(what string, x, y fit.Estimate) {
		if !near(x.Elo, y.Elo, 1e-5) || !near(x.SE, y.SE, 1e-5) {
			t.Fatalf("%s: got %+v, want %+v", what, y, x)
		}
	}
	for i, p := range a.Players {
		q := b.Players[name[i]]
		alike(fmt.Sprint("player ", i), p.Estimate, q.Estimate)
		alike(fmt.Sprint("player as agent ", i), p.Roles[0], q.Roles[0])
		if p.Games != q.Games {
			t.Fatalf("player %d: got %d games, want %d", i, q.Games, p.Games)
		}
	}
	for n, e := range a.Team {
		alike(fmt.Sprint("team advantage at ", n), e, b.Team[n])
	}
	for n := range a.Seat {
		for s, e := range a.Seat[n] {
			alike(fmt.Sprint("seat advantage at ", n), e, b.Seat[n][s])
		}
	}
}

func TestNeitherNamesNorTheOrderOfMatchesMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 8).Draw(t, "players")
		matches := drawMatches(t, n, true)
		name := rapid.Permutation(seq(n)).Draw(t, "names")
		var other []fit.Match
		for _, i := range rapid.Permutation(seq(len(matches))).Draw(t, "order") {
			m := matches[i]
			m.Seats = slices.Clone(m.Seats)
			for k := range m.Seats {
				m.Seats[k].Player = name[m.Seats[k].Player]
			}
			other = append(other, m)
		}
		same(t, run(t, n, nil, every, matches...), run(t, n, nil, every, other...), name)
	})
}

func seq(n int) (out []int) {
	for i := range n {
		out = append(out, i)
	}
	return out
}

// A constant added to all strengths, or to all seats, changes no comparison; so the mean of those who played can be 1500.
func TestOnlyDifferencesCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 8).Draw(t, "players")
		matches := drawMatches(t, n, true)
		h, err := fit.New(n, nil, every)
		if err == nil {
			err = h.Add(matches...)
		}
		must.OK(t, err)
		if strengths, seats := h.Common(); strengths > 1e-12 || seats > 1e-12 {
			t.Fatalf("a comparison changes by %v per Elo added to all strengths, %v to all seats", strengths, seats)
		}
		f := run(t, n, nil, every, matches...)
		mean, played := 0.0, 0
		for _, p := range f.Players {
			if p.Games > 0 {
				mean, played = mean+p.Elo, played+1
			}
		}
		if played > 0 && !near(mean/float64(played), 1500, 1e-6) {
			t.Fatalf("the mean of who played is %v, want 1500", mean/float64(played))
		}
		for n, seats := range f.Seat {
			sum := 0.0
			for _, e := range seats {
				sum += e.Elo
			}
			if len(seats) != n || !near(sum, 0, 1e-6) {
				t.Fatalf("%d seats: got %d advantages with sum %v, want sum 0", n, len(seats), sum)
			}
		}
	})
}

func TestTheFitIsTheTopOfThePosterior(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "players")
		h, err := fit.New(n, nil, every)
		if err == nil {
			err = h.Add(drawMatches(t, n, true)...)
		}
		must.OK(t, err)
		gradient, bend, err := h.Slope()
		must.OK(t, err)
		for i := range gradient {
			if !(math.Abs(gradient[i]) < 1e-6*math.Sqrt(bend[i])) {
				t.Fatalf("parameter %d: the density rises by %v at the fit, where it bends by %v", i, gradient[i], bend[i])
			}
		}
	})
}

func TestAHistoryCanBeFittedAsItGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "players")
		all := drawMatches(t, n, true)
		cut := rapid.IntRange(0, len(all)).Draw(t, "cut")
		h, err := fit.New(n, nil, every)
		if err == nil {
			err = h.Add(all[:cut]...)
		}
		if err == nil {
			_, err = h.Fit()
		}
		if err == nil {
			err = h.Add(all[cut:]...)
		}
		must.OK(t, err)
		got := must.Get(h.Fit())(t)
		same(t, run(t, n, nil, every, all...), got, seq(n))
	})
}

func TestTwiceTheMatchesShrinkTheIntervalBySqrtTwo(t *testing.T) {
	once := three()
	one, two := run(t, 3, nil, flat, once...), run(t, 3, nil, flat, append(slices.Clone(once), once...)...)
	g := float64(len(once)) // clusters: the factor G/(G-1) aside, the robust error shrinks likewise
	correction := math.Sqrt((2 * g / (2*g - 1)) / (g / (g - 1)))
	for i := range 3 {
		robust, model := one.Both(i, -1)
		gotRobust, gotModel := two.Both(i, -1)
		if !near(gotModel, model/math.Sqrt2, 1e-3) || !near(gotRobust, correction*robust/math.Sqrt2, 1e-3) {
			t.Errorf("player %d: got errors %.4f and %.4f, want %.4f and %.4f", i, gotRobust, gotModel, correction*robust/math.Sqrt2, model/math.Sqrt2)
		}
		if !near(one.Players[i].Elo, two.Players[i].Elo, 1e-3) {
			t.Errorf("player %d: got %.4f, want %.4f", i, two.Players[i].Elo, one.Players[i].Elo)
		}
	}
}

// What is repeated inside a block is no news: the robust error stays, while the model believes the repetition.
func TestABlockCountsOnce(t *testing.T) {
	var once, blocks []fit.Match
	for i, m := range three() {
		once = append(once, m)
		m.Block = i + 1
		blocks = append(blocks, m, m, m)
	}
	one, got := run(t, 3, nil, flat, once...), run(t, 3, nil, flat, blocks...)
	if got.Blocks != len(once) || got.Matches != 3*len(once) {
		t.Errorf("got %d blocks of %d matches, want %d of %d", got.Blocks, got.Matches, len(once), 3*len(once))
	}
	for i := range 3 {
		robust, model := one.Both(i, -1)
		gotRobust, gotModel := got.Both(i, -1)
		if !near(gotRobust, robust, 1e-3) || !near(gotModel, model/math.Sqrt(3), 1e-3) || got.Players[i].SE < robust-1e-3 {
			t.Errorf("player %d: got errors %.4f and %.4f, want %.4f and %.4f", i, gotRobust, gotModel, robust, model/math.Sqrt(3))
		}
	}
}

func TestAnUntriedVersionIsWhereItsParentIs(t *testing.T) {
	f := run(t, 4, []int{-1, -1, 0, 2}, fit.Prior{Bot: 350, Version: 100}, games(0, 1, 30, 0, 10)...)
	for i, se := range map[int]float64{2: 100, 3: math.Sqrt(2) * 100} {
		se *= math.Sqrt(40. / 39) // 40 clusters
		if d := f.Difference(i, 0); !near(d.Elo, 0, 1e-6) || !near(d.SE, se, 1e-3) {
			t.Errorf("version %d: got %+v from the first, want 0 with standard error %.3f", i, d, se)
		}
		if p := f.Players[i]; p.Games != 0 || p.Best != 0 || p.Worst != 0 {
			t.Errorf("version %d has not played: got %+v", i, p)
		}
	}
	tied := run(t, 3, []int{-1, -1, 0}, fit.Prior{Bot: 350, Version: 100}, append(games(0, 1, 30, 0, 10), games(2, 1, 1, 0, 1)...)...)
	free := run(t, 3, nil, fit.Prior{Bot: 350, Version: 100}, append(games(0, 1, 30, 0, 10), games(2, 1, 1, 0, 1)...)...)
	if a, b := tied.Difference(0, 2).Elo, free.Difference(0, 2).Elo; !(a > 0 && a < b) {
		t.Errorf("an even start of a strong parent's child: %.1f behind with the tie, %.1f without; want less with it", a, b)
	}
}

func TestIslandsAreToldApart(t *testing.T) {
	f := run(t, 5, nil, fit.Standard(), append(games(1, 4, 2, 0, 1), games(3, 2, 1, 1, 0)...)...)
	for i, want := range []int{0, 1, 2, 2, 1} {
		if got := f.Players[i].Island; got != want {
			t.Errorf("player %d: got island %d, want %d", i, got, want)
		}
	}
}

func TestRanksAreAsSureAsTheDifferences(t *testing.T) {
	f := run(t, 4, nil, plain(350), slices.Concat(games(0, 1, 55, 0, 45), games(0, 2, 190, 0, 10), games(1, 2, 190, 0, 10))...)
	for i, want := range [][2]int{{1, 2}, {1, 2}, {3, 3}, {0, 0}} {
		if p := f.Players[i]; p.Best != want[0] || p.Worst != want[1] {
			t.Errorf("player %d: got ranks %d to %d, want %d to %d", i, p.Best, p.Worst, want[0], want[1])
		}
	}
	if p := f.Players[0]; !near(p.High-p.Low, 2*1.959964*p.SE, 2e-3) {
		t.Errorf("300 matches: got %+v", p)
	}
}

// Line-ups of five among six equal bots are won as often as lost, but where bot 0 sits the agents win, whichever side it
// is on: it is the better agent and the worse mole.
func TestStrengthAsAgentAndAsMole(t *testing.T) {
	var all []fit.Match
	for i := range 4 * 6 * 10 {
		var five []int
		for k := range 6 {
			if p := (i + k) % 6; p != i/6%6 {
				five = append(five, p)
			}
		}
		r := i / 36 % 5
		five = append(five[r:], five[:r]...)
		all = append(all, lineUp(five[:3], five[3:], slices.Contains(five, 0) || i%2 == 0))
	}
	f := run(t, 6, nil, fit.HiddenTeams(), all...)
	if p := f.Players[0]; !(p.Roles[0].Elo > p.Elo+20) || !(p.Roles[1].Elo < p.Elo-20) || !near(p.Roles[0].Elo+p.Roles[1].Elo, 2*p.Elo, 1e-6) {
		t.Errorf("bot 0: got %+v; want it well above itself as an agent and as much below as a mole", p)
	}
	sum := 0.0
	for _, p := range f.Players {
		sum += p.Roles[0].Elo - p.Elo
	}
	if !near(sum, 0, 1e-6) {
		t.Errorf("role strengths sum to %v, want 0: what is common is the agents' advantage", sum)
	}
}

// Equal bots, the agents win three of four: that is A = 400·log10 3, whether or not there are role strengths to share it.
func TestWhatAllShareIsTheTeamsAdvantage(t *testing.T) {
	var all []fit.Match
	for i := range 400 {
		for shift := range 5 {
			p := []int{shift, (shift + 1) % 5, (shift + 2) % 5, (shift + 3) % 5, (shift + 4) % 5}
			all = append(all, lineUp(p[:3], p[3:], i%4 != 0))
		}
	}
	for _, role := range []float64{0, 75} {
		f := run(t, 5, nil, fit.Prior{Bot: 200, Version: 100, Team: 1e5, Role: role}, all...)
		if a := f.Team[5]; !near(a.Elo, 400*math.Log10(3), .01) || !(a.SE < 12) {
			t.Errorf("role strengths of %v: got %+v, want %.4f", role, a, 400*math.Log10(3))
		}
		deltas, err := rating.Rate(all[0].Match, fresh(5), rating.Params{Tables: map[int]rating.Advantage{5: {Team: map[string]float64{"agent": f.Team[5].Elo}}}})
		if err != nil || !near(deltas[0].Expected, .75, 1e-4) || all[0].Seats[0].Team != "agent" {
			t.Errorf("frozen: an agent is expected to score %v %v, want .75", deltas[0].Expected, err)
		}
	}
}

func TestARetiredSeatOfATeamLosesAlone(t *testing.T) {
	m := lineUp([]int{0, 1, 2}, []int{3, 4}, true)
	m.Seats[0].Retired = true // a winner on paper
	f := run(t, 5, nil, fit.HiddenTeams(), m)
	if d := f.Difference(0, 1).Elo; !(d < -10) || f.Players[0].Games != 1 {
		t.Errorf("the retired one: %+.1f from the others after %d games, want below -10 after 1", d, f.Players[0].Games)
	}
	for i := 1; i < 5; i++ {
		if got := f.Players[i]; got.Games != 0 || !near(f.Difference(i, 1).Elo, 0, 1e-6) {
			t.Errorf("player %d: got %+v, want no game and the same as the other three", i, got)
		}
	}
	many := run(t, 5, nil, fit.HiddenTeams(), slices.Repeat([]fit.Match{m}, 1000)...)
	if got := many.Difference(1, 0).Elo; !(got > 400) {
		t.Errorf("after a thousand: %.1f behind the others, want far behind", got)
	}
}

func TestAVersionAloneAtATableTellsOnlyOfSeats(t *testing.T) {
	f := run(t, 2, nil, fit.Standard(), games(1, 1, 30, 0, 10)...)
	if p := f.Players[1]; p.Games != 0 || p.Elo != 1500 || !(f.Seat[2][0].Elo > 50) {
		t.Errorf("got %+v and seats %+v, want 1500 after no game, and the first seat ahead", p, f.Seat[2])
	}
	none := run(t, 2, nil, plain(350), games(1, 1, 30, 0, 10)...)
	if len(none.Seat) != 0 || none.Players[1].Elo != 1500 {
		t.Errorf("without seats in the model: got %+v", none)
	}
}

func TestNoMatchesLeaveThePrior(t *testing.T) {
	void := fit.Match{Match: rating.Match{Void: true}}
	f := run(t, 2, nil, plain(350), void)
	if p := f.Players[0]; p.Elo != 1500 || !near(p.SE, 350, 1e-9) || f.Matches != 0 {
		t.Errorf("got %+v of %d matches", p, f.Matches)
	}
	f = run(t, 5, nil, fit.Standard(), void)
	if p := f.Players[0]; p.Elo != 1500 || !(p.SE > 350) {
		t.Errorf("with the spread not known: got %+v, want 1500, less sure than with a spread of 350", p)
	}
	if f := run(t, 0, nil, fit.Standard()); len(f.Players) != 0 {
		t.Errorf("of nobody: got %+v", f)
	}
}

func TestBadInputIsRefusedInWordsAndTakesNothing(t *testing.T) {
	ok := lineUp([]int{0, 1, 2}, []int{3, 4}, true)
	big := lineUp([]int{0, 1, 2, 0}, []int{3}, true)
	owls := lineUp([]int{0, 1, 2}, []int{3, 4}, true)
	owls.Seats[3].Team, owls.Seats[4].Team = "owl", "owl"
	for _, row := range []struct {
		name    string
		matches []fit.Match
		want    string
	}{
		{"unknown player", []fit.Match{ok, duel(0, 5, "1")}, "match 1: bad_match: seat 1: player 5 is outside 0..4"},
		{"other teams", []fit.Match{ok, owls}, `match 1: bad_match: teams "agent" and "owl", in other matches "agent" and "mole"`},
		{"other sizes", []fit.Match{ok, big}, `match 1: bad_match: 5 seats with 4 of team "agent", in other matches 3`},
	} {
		h := must.Get(fit.New(5, nil, fit.HiddenTeams()))(t)
		if err := h.Add(row.matches...); !errors.Is(err, rating.ErrMatch) || fmt.Sprint(err) != row.want {
			t.Errorf("%s: got %v, want %s", row.name, err, row.want)
		}
		if f, err := h.Fit(); err != nil || f.Matches != 0 || f.Players[0].Elo != 1500 {
			t.Errorf("%s: something was taken: %+v %v", row.name, f, err)
		}
		if err := h.Add(owls); err != nil {
			t.Errorf("%s: the refused match fixed the teams: %v", row.name, err)
		}
	}
	if _, err := fit.New(2, []int{1, -1}, fit.Standard()); !errors.Is(err, rating.ErrMatch) {
		t.Errorf("a parent younger than its child: got %v", err)
	}
}
