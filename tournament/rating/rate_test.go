package rating_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/rating"
)

// states returns players with the given ratings in Elo and no matches.
func states(elo ...float64) []rating.State {
	var out []rating.State
	for _, r := range elo {
		out = append(out, rating.State{Rating: rating.Milli(math.Round(1000 * r))})
	}
	return out
}

// ranks seats player i in seat i.
func ranks(rank ...int) []rating.Seat {
	var out []rating.Seat
	for i, r := range rank {
		out = append(out, rating.Seat{Player: i, Rank: r})
	}
	return out
}

// teams seats the agents first; player i in seat i.
func teams(agents, moles int, agentsWin bool) []rating.Seat {
	var out []rating.Seat
	for i := range agents + moles {
		s := rating.Seat{Player: i, Rank: 2, Team: "agent"}
		if i >= agents {
			s.Team = "mole"
		}
		if (i < agents) == agentsWin {
			s.Rank = 1
		}
		out = append(out, s)
	}
	return out
}

func atSize(n int, a rating.Advantage) map[int]rating.Advantage {
	return map[int]rating.Advantage{n: a}
}

func rate(t *testing.T, m rating.Match, players []rating.State, p rating.Params) []rating.Delta {
	t.Helper()
	return must.Get(rating.Rate(m, players, p))(t)
}

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

// The worked examples: change in Elo, exact to the milli they are rounded to; expected scores to six digits.
func TestWorkedExamples(t *testing.T) {
	seat := func(elo ...float64) map[int]rating.Advantage {
		return atSize(len(elo), rating.Advantage{Seat: elo})
	}
	agents := func(n int, elo float64) map[int]rating.Advantage {
		return atSize(n, rating.Advantage{Team: map[string]float64{"agent": elo}})
	}
	row := func(name string, elo []float64, seats []rating.Seat, k float64, tables map[int]rating.Advantage, expected, change []float64) {
		t.Run(name, func(t *testing.T) {
			deltas := rate(t, rating.Match{Seats: seats}, states(elo...), rating.Params{FixedK: k, Tables: tables})
			if len(deltas) != len(change) {
				t.Fatalf("got %d deltas, want %d", len(deltas), len(change))
			}
			for i, d := range deltas {
				if got := float64(d.Change) / 1000; !near(got, change[i], .00051) {
					t.Errorf("player %d: change: got %.4f, want %.4f", i, got, change[i])
				}
				if i < len(expected) && !near(d.Expected, expected[i], 5.1e-7) {
					t.Errorf("player %d: expected score: got %.7f, want %.6f", i, d.Expected, expected[i])
				}
			}
		})
	}
	row("1600 loses to 1500", []float64{1600, 1500}, ranks(2, 1), 32, nil, []float64{.640065, .359935}, []float64{-20.4821, 20.4821})
	row("1500 beats 1900", []float64{1500, 1900}, ranks(1, 2), 32, nil, nil, []float64{29.0909, -29.0909})
	row("the seat worth 35 wins between equals", []float64{1500, 1500}, ranks(1, 2), 32, seat(35, 0), []float64{.550199}, []float64{14.3936, -14.3936})
	row("the same, shared between the seats", []float64{1500, 1500}, ranks(1, 2), 32, seat(17.5, -17.5), []float64{.550199}, []float64{14.3936, -14.3936})

	// The examples with c = .6 are the scale of four seats; those with c = 1/3 are the same with K·(1/3)/.6.
	row("four equals", []float64{1500, 1500, 1500, 1500}, ranks(1, 2, 3, 4), 32, nil, []float64{1.5, 1.5, 1.5, 1.5}, []float64{28.8, 9.6, -9.6, -28.8})
	row("four equals, c=1/3", []float64{1500, 1500, 1500, 1500}, ranks(1, 2, 3, 4), 32/1.8, nil, nil, []float64{16, 5.3333, -5.3333, -16})
	four, fourE := []float64{1600, 1550, 1500, 1400}, []float64{1.971275, 1.703385, 1.428537, .896803}
	row("four with a tie", four, ranks(2, 1, 3, 3), 24, nil, fourE, []float64{.4136, 18.6713, -13.3709, -5.7140})
	row("four with a tie, c=1/3", four, ranks(2, 1, 3, 3), 24/1.8, nil, fourE, []float64{.2298, 10.3729, -7.4283, -3.1744})
	three, threeE := []float64{1500, 1520, 1480}, []float64{1.085499, 1.085499, .829003}
	row("three with seats", three, ranks(3, 1, 2), 32, seat(20, 0, -20), threeE, []float64{-26.0520, 21.9480, 4.1040})
	row("three with seats, c=1/2", three, ranks(3, 1, 2), 32/1.5, seat(20, 0, -20), threeE, []float64{-17.3680, 14.6320, 2.7360})

	// The examples name the total of a team, 2K.
	row("three agents beat two moles", []float64{1500, 1500, 1500, 1500, 1500}, teams(3, 2, true), 24, nil, nil, []float64{8, 8, 8, -12, -12})
	five := []float64{1550, 1500, 1480, 1520, 1470}
	row("offset -60, agents win", five, teams(3, 2, true), 24, agents(5, -60), []float64{.465516, .465516, .465516, .534484, .534484}, []float64{8.5517, 8.5517, 8.5517, -12.8276, -12.8276})
	row("offset -60, moles win", five, teams(3, 2, false), 24, agents(5, -60), nil, []float64{-7.4483, -7.4483, -7.4483, 11.1724, 11.1724})
	ten := []float64{1500, 1500, 1500, 1500, 1500, 1500, 1500, 1500, 1500, 1500}
	row("six against four, moles win", ten, teams(6, 4, false), 24, agents(10, -100), []float64{.359935},
		[]float64{-2.8795, -2.8795, -2.8795, -2.8795, -2.8795, -2.8795, 4.3192, 4.3192, 4.3192, 4.3192})
	row("an offset of another size does not count", ten, teams(6, 4, false), 24, agents(9, -100), []float64{.5}, split(ten, -4, 6, 6))
}

// split returns first for the first n of like, second for the rest.
func split(like []float64, first, second float64, n int) []float64 {
	out := make([]float64, len(like))
	for i := range out {
		if out[i] = second; i < n {
			out[i] = first
		}
	}
	return out
}

// https://en.wikipedia.org/wiki/Elo_rating_system: five games rated together from one rating.
func TestWikipediaSeries(t *testing.T) {
	want := []float64{.505756, .686300, .785027, .538778, .350705}
	total := 0.0
	for i, opponent := range []float64{1609, 1477, 1388, 1586, 1720} {
		e := rating.Expected(1613 - opponent)
		if !near(e, want[i], 5.1e-7) {
			t.Errorf("against %v: got %.7f, want %.6f", opponent, e, want[i])
		}
		total += e
	}
	if !near(total, 2.866566, 1e-6) || !near(32*(2.5-total), -11.7301, 5.1e-5) {
		t.Errorf("got total %.6f and change %.4f, want 2.866566 and -11.7301", total, 32*(2.5-total))
	}
}

func TestGain(t *testing.T) {
	for rule, gains := range map[rating.Rule]map[int]float64{
		rating.FirstRule: {0: 49.6429, 1: 46.3333, 10: 28.9583, 30: 15.7955, 72: 8.0814, 73: 8, 74: 8, 1000: 8},
		rating.WideRule:  {0: 69.5, 1: 66.1905, 10: 46.3333, 30: 27.8, 153: 8.0347, 154: 8, 1000: 8},
	} {
		for games, want := range gains {
			if got := rule.Gain(games); !near(got, want, 5.1e-5) {
				t.Errorf("rule %d after %d games: got %.4f, want %.4f", rule, games, got, want)
			}
		}
	}
}

func TestExpectedScoresOfTheTwoSidesAddUpToOne(t *testing.T) {
	for d := -3000.0; d <= 3000; d += .37 {
		if sum := rating.Expected(d) + rating.Expected(-d); sum != 1 {
			t.Fatalf("at %v Elo: got %v", d, sum)
		}
	}
	if rating.Expected(0) != .5 || rating.Expected(1e9) != 1 || rating.Expected(-1e9) != 0 {
		t.Error("0, far ahead and far behind must give 1/2, 1 and 0")
	}
}

// duel returns a match of two seats: first's result is "1", "=" or "0".
func duel(first, second int, result string) rating.Match {
	r := map[string][2]int{"1": {1, 2}, "=": {1, 1}, "0": {2, 1}}[result]
	return rating.Match{Seats: []rating.Seat{{Player: first, Rank: r[0]}, {Player: second, Rank: r[1]}}}
}

var sequence = []rating.Match{duel(0, 1, "1"), duel(1, 2, "1"), duel(0, 2, "="), duel(1, 0, "1"), duel(2, 0, "0"), duel(2, 1, "1")}

func TestFoldRatesInTheOrderGiven(t *testing.T) {
	start := []rating.State{rating.New(), rating.New(), rating.New()}
	after := [][3]rating.Milli{
		{1524821, 1475179, 1500000},
		{1524821, 1499998, 1473408},
		{1521418, 1499998, 1476811},
		{1498362, 1523054, 1476811},
		{1517537, 1523054, 1456438},
		{1517537, 1498741, 1480751},
	}
	for i, want := range after {
		table := must.Get(rating.Fold(start, nil, sequence[:i+1], rating.Params{}))(t)
		if got := [3]rating.Milli{table[0].Rating, table[1].Rating, table[2].Rating}; got != want {
			t.Errorf("after %d matches: got %v, want %v", i+1, got, want)
		}
	}
	var reversed []rating.Match
	for i := range sequence {
		reversed = append(reversed, sequence[len(sequence)-1-i])
	}
	table, err := rating.Fold(start, nil, reversed, rating.Params{})
	want := []rating.State{{Rating: 1521833, Games: 4}, {Rating: 1501547, Games: 4}, {Rating: 1479665, Games: 4}}
	if diff := cmp.Diff(want, table); err != nil || diff != "" {
		t.Errorf("reversed (-want +got):\n%s%v", diff, err)
	}
	if diff := cmp.Diff([]rating.State{rating.New(), rating.New(), rating.New()}, start); diff != "" {
		t.Errorf("Fold changed its input:\n%s", diff)
	}
}

// lichess-org/scalachess EloTest, K=40, whole points. They look the expectation up in FIDE's table of whole per cents, so
// a change may differ from ours by a hundredth of K and by the rounding.
func TestLichessEloVectors(t *testing.T) {
	for _, row := range []struct {
		own, other      float64
		win, loss, draw float64
	}{
		{1500, 1500, 20, -20, 0}, {1500, 1900, 37, -3, 17}, {1500, 1600, 26, -14, 6}, {2000, 1600, 3, -37, -17}, {2000, 1900, 14, -26, -6},
	} {
		for result, want := range map[string]float64{"1": row.win, "0": row.loss, "=": row.draw} {
			d := rate(t, duel(0, 1, result), states(row.own, row.other), rating.Params{FixedK: 40})[0]
			if got := float64(d.Change) / 1000; !near(got, want, 40*.01+.5) {
				t.Errorf("%v against %v, result %s: got %+.3f, want about %+v", row.own, row.other, result, got, want)
			}
		}
	}
}

// aiarena/aiarena-web test_elo.py: K=8 from 1600, ratings kept as whole points.
func TestAIArenaSeries(t *testing.T) {
	own := 1600.0
	want := []float64{1604, 1600, 1604, 1608, 1612, 1612, 1612, 1608, 1608, 1604, 1608, 1612, 1616, 1612, 1616, 1620, 1620, 1624, 1627, 1630}
	for i, result := range strings.Split("1 0 1 1 1 = = 0 = 0 1 1 1 0 1 1 = 1 1 1", " ") {
		d := rate(t, duel(0, 1, result), states(own, 3200-own), rating.Params{FixedK: 8})[0]
		if own += math.Round(float64(d.Change) / 1000); own != want[i] {
			t.Fatalf("after match %d: got %v, want %v", i+1, own, want[i])
		}
	}
}

// FIDE handbook table 8.1.2, upper end of each class. It is a normal curve, the Elo formula a logistic one: within .01.
func TestFIDETable(t *testing.T) {
	upper := []float64{
		3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179, 188, 197, 206, 215, 225, 235,
		245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735,
	}
	for i, diff := range upper {
		if want := .5 + float64(i)/100; !near(rating.Expected(diff), want, .01) {
			t.Errorf("%v ahead: got %.4f, want about %.2f", diff, rating.Expected(diff), want)
		}
	}
}

func TestBadMatchesAreRefusedInWords(t *testing.T) {
	two := states(1500, 1500)
	ok := ranks(1, 2)
	team := func(change func(s []rating.Seat)) []rating.Seat {
		s := teams(3, 2, true)
		change(s)
		return s
	}
	for _, row := range []struct {
		name    string
		seats   []rating.Seat
		players []rating.State
		p       rating.Params
		want    string
	}{
		{"no seats", nil, two, rating.Params{}, "2 to 16 seats, this one has 0"},
		{"one seat", ok[:1], two, rating.Params{}, "2 to 16 seats, this one has 1"},
		{"seventeen seats", ranks(make([]int, 17)...), two, rating.Params{}, "this one has 17"},
		{"unknown player", ok, two[:1], rating.Params{}, "seat 1: player 1 is outside 0..0"},
		{"negative player", []rating.Seat{{Player: -1, Rank: 1}, {Rank: 1}}, two, rating.Params{}, "seat 0: player -1 is outside"},
		{"no rank", ranks(1, 0), two, rating.Params{}, "seat 1: rank 0"},
		{"negative games", ok, []rating.State{{}, {Games: -1}}, rating.Params{}, "player 1 has an impossible state"},
		{"rating beyond all bounds", ok, []rating.State{{Rating: 1 << 62}, {}}, rating.Params{}, "player 0 has an impossible state"},
		{"advantages of another size", ok, two, rating.Params{Tables: atSize(2, rating.Advantage{Seat: []float64{1, 2, 3}})}, "for 2 seats: 3 given"},
		{"one team", team(func(s []rating.Seat) { s[3].Team, s[4].Team, s[3].Rank, s[4].Rank = "agent", "agent", 1, 1 }), states(0, 0, 0, 0, 0), rating.Params{}, `every seat is on team "agent"`},
		{"three teams", team(func(s []rating.Seat) { s[4].Team = "owl" }), states(0, 0, 0, 0, 0), rating.Params{}, `seat 4: team "owl" is the third, after "agent" and "mole"`},
		{"seat without team", team(func(s []rating.Seat) { s[1].Team = "" }), states(0, 0, 0, 0, 0), rating.Params{}, "seat 1 has no team"},
		{"team divided in rank", team(func(s []rating.Seat) { s[2].Rank = 2 }), states(0, 0, 0, 0, 0), rating.Params{}, `seat 2: rank 2, though its team "agent" has rank 1`},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := rating.Rate(rating.Match{Seats: row.seats}, row.players, row.p)
			if !errors.Is(err, rating.ErrMatch) || !strings.Contains(fmt.Sprint(err), row.want) {
				t.Errorf("got %v, want bad_match with %q", err, row.want)
			}
		})
	}
}

func TestFoldNamesTheMatchItCannotRate(t *testing.T) {
	_, err := rating.Fold(states(1500, 1500), nil, []rating.Match{duel(0, 1, "1"), duel(1, 0, "="), duel(0, 2, "1")}, rating.Params{})
	if want := "match 2: bad_match: seat 1: player 2 is outside 0..1"; fmt.Sprint(err) != want || !errors.Is(err, rating.ErrMatch) {
		t.Errorf("got %v, want %s", err, want)
	}
}
