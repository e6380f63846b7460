package fit_test

import (
	"math"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

func versus(first, second int, won bool) fit.Match {
	seats := []rating.Seat{{Player: first, Rank: 1}, {Player: second, Rank: 2}}
	if !won {
		seats[0].Rank, seats[1].Rank = 2, 1
	}
	return fit.Match{Match: rating.Match{Seats: seats}}
}

func fitted(t *testing.T, players int, prior fit.Prior, list []fit.Match) *fit.Fit {
	t.Helper()
	h, err := fit.New(players, nil, prior)
	must.OK(t, err)
	must.OK(t, h.Add(list...))
	f, err := h.Fit()
	must.OK(t, err)
	return f
}

// Of 400 games with A first A won 320, of 400 with B first B won 240: with hardly any prior the chances are those shares.
func TestAForecastKnowsWhoSitsFirst(t *testing.T) {
	var list []fit.Match
	for i := range 400 {
		list = append(list, versus(0, 1, i < 320), versus(1, 0, i < 240))
	}
	f := fitted(t, 2, fit.Prior{Bot: 1e4, Version: 100, Seat: 1e4}, list)
	for _, x := range []struct {
		first, second int
		want          float64
	}{{0, 1, .8}, {1, 0, .6}} {
		got := f.Forecasts(versus(x.first, x.second, true).Match)
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
	f := fitted(t, 4, fit.Standard(), []fit.Match{versus(0, 1, true), versus(1, 0, false)})
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

func team(agents, moles []int, agentsWon bool) rating.Match {
	var m rating.Match
	for _, p := range moles {
		m.Seats = append(m.Seats, rating.Seat{Player: p, Team: "mole", Rank: 1})
	}
	for _, p := range agents {
		m.Seats = append(m.Seats, rating.Seat{Player: p, Team: "agent", Rank: 2})
	}
	for i := range m.Seats {
		if agentsWon {
			m.Seats[i].Rank = 3 - m.Seats[i].Rank
		}
	}
	return m
}

// All bots are alike and the agents win three of four: the forecast, for the team of the first seat, is ¼ for the moles.
func TestAForecastOfTeamsIsForTheTeamOfTheFirstSeat(t *testing.T) {
	var list []fit.Match
	for i := range 400 {
		p := []int{i % 5, (i + 1) % 5, (i + 2) % 5, (i + 3) % 5, (i + 4) % 5}
		list = append(list, fit.Match{Match: team(p[:3], p[3:], i/5%4 > 0)})
	}
	f := fitted(t, 5, fit.HiddenTeams(), list)
	m := team([]int{0, 1, 2}, []int{3, 4}, true)
	got := f.Forecasts(m)
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
	if got := f.Forecasts(m); got != nil {
		t.Errorf("a team game from which a seat retired has forecasts: %v", got)
	}
}
