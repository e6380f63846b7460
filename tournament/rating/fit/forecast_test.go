package fit_test

import (
	"math"
	"slices"
	"testing"

	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// Of 400 games with A first A won 320, of 400 with B first B won 240: with hardly any prior the chances are those shares.
func TestAForecastKnowsWhoSitsFirst(t *testing.T) {
	var list []fit.Match
	for i := range 400 {
		list = append(list, duel(0, 1, won(i < 320)), duel(1, 0, won(i < 240)))
	}
	f := run(t, 2, nil, fit.Prior{Bot: 1e4, Version: 100, Seat: 1e4}, list...)
	for _, x := range []struct {
		first, second int
		want          float64
	}{{0, 1, .8}, {1, 0, .6}} {
		got := f.Forecasts(duel(x.first, x.second, "1").Match)
		if len(got) != 1 {
			t.Fatalf("%d before %d: %d forecasts, want one", x.first, x.second, len(got))
		}
		if math.Abs(got[0].Chance-x.want) > .002 {
			t.Errorf("%d first against %d: chance %.4f, want %.1f", x.first, x.second, got[0].Chance, x.want)
		}
		if got[0].Score != 1 {
			t.Errorf("%d first against %d won, and scored %v", x.first, x.second, got[0].Score)
		}
	}
}

func TestAForecastOfStrangersIsEven(t *testing.T) {
	f := run(t, 4, nil, fit.Standard(), duel(0, 1, "1"), duel(1, 0, "0"))
	table := rating.Match{Seats: []rating.Seat{{Player: 3, Rank: 1}, {Player: 2, Rank: 2}, {Player: 2, Rank: 3}}}
	got := f.Forecasts(table) // a size that has not been played, and two seats of one version
	if len(got) != 2 {
		t.Fatalf("%d forecasts, want two pairs of different versions", len(got))
	}
	for i, x := range got {
		if math.Abs(x.Chance-.5) > 1e-9 {
			t.Errorf("pair %d of strangers: chance %v, want ½", i, x.Chance)
		}
	}
}

// molesFirst returns a match of agents against moles with the moles in the first seats.
func molesFirst(agents, moles []int, agentsWon bool) fit.Match {
	m := lineUp(agents, moles, agentsWon)
	slices.Reverse(m.Seats)
	return m
}

// All bots are alike and the agents win three of four: the forecast, for the team of the first seat, is ¼ for the moles.
func TestAForecastOfTeamsIsForTheTeamOfTheFirstSeat(t *testing.T) {
	var list []fit.Match
	for i := range 400 {
		p := []int{i % 5, (i + 1) % 5, (i + 2) % 5, (i + 3) % 5, (i + 4) % 5}
		list = append(list, molesFirst(p[:3], p[3:], i/5%4 > 0))
	}
	f := run(t, 5, nil, fit.HiddenTeams(), list...)
	m := molesFirst([]int{0, 1, 2}, []int{3, 4}, true)
	got := f.Forecasts(m.Match)
	if len(got) != 1 {
		t.Fatalf("%d forecasts of two teams, want one", len(got))
	}
	if math.Abs(got[0].Chance-.25) > .02 {
		t.Errorf("chance of the moles %.3f, want about a quarter", got[0].Chance)
	}
	if got[0].Score != 0 {
		t.Errorf("the moles lost, and scored %v", got[0].Score)
	}
	m.Seats[2].Retired = true
	if got := f.Forecasts(m.Match); got != nil {
		t.Errorf("a team game from which a seat retired has forecasts: %v", got)
	}
}
