package main

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/rating"
)

// Ratings follow the order in which matches were scheduled, though they end in another; nobody sits at two tables at once,
// and no more tables are played than there are machines.
func TestMatchesAreRatedInScheduleOrder(t *testing.T) {
	for _, f := range forms() {
		l, err := newLadder(f, 40, []float64{200}, 0, game.Seed{1})
		must.OK(t, err)
		var all []rating.Match
		late := false
		for step := range 200 {
			now := time.Duration(step) * tick
			must.OK(t, l.finish(now))
			old := len(l.queue)
			l.tick(now, step)
			for _, q := range l.queue[old:] {
				all = append(all, q.match.Match)
			}
			at, under := map[int]bool{}, 0
			for _, q := range l.queue {
				late = late || q.over
				if q.over {
					continue
				}
				under++
				for _, s := range q.match.Seats {
					if at[s.Player] {
						t.Fatalf("%s: bot %d sits at two tables", f.name, s.Player)
					}
					at[s.Player] = true
				}
			}
			if under > l.machines {
				t.Fatalf("%s: %d tables at once, want at most %d", f.name, under, l.machines)
			}
		}
		must.OK(t, l.finish(1000*time.Hour))
		start := make([]rating.State, 40)
		for i := range start {
			start[i] = rating.New()
		}
		want, err := rating.Fold(start, nil, all, rating.Params{Rule: rating.WideRule})
		if err != nil || !reflect.DeepEqual(l.online, want) || l.matches != len(all) {
			t.Errorf("%s: %d matches rated, %d scheduled: the ratings are not the fold of the schedule (%v)", f.name, l.matches, len(all), err)
		}
		if !late {
			t.Errorf("%s: no match ended before one scheduled earlier: this test would not notice another order", f.name)
		}
	}
}

// wantsShare wants a share of n draws within four standard errors of chance.
func wantsShare(t *testing.T, what string, in, n int, chance float64) {
	t.Helper()
	if got := float64(in) / float64(n); math.Abs(got-chance) > 4*math.Sqrt(chance*(1-chance)/float64(n)) {
		t.Errorf("%s: %.4f of %d draws, want %.4f", what, got, n, chance)
	}
}

// Of every two at a table the stronger is ahead as often as Elo says of their strengths and seats.
func TestPlacesFollowElo(t *testing.T) {
	const draws = 20_000
	is := truth{strength: []float64{150, 0, -40, -110}}
	r := game.Stream(game.Seed{2}, 0, "places")
	for _, f := range forms()[:2] {
		n := len(f.seat)
		bots := []int{3, 0, 2, 1}[:n]
		ahead := [4][4]int{}
		for range draws {
			m := f.play(bots, is, r)
			for i, s := range m.Seats {
				if s.Player != bots[i] {
					t.Fatalf("%s: bot %d in the seat of %d", f.name, s.Player, bots[i])
				}
				for j, o := range m.Seats {
					if s.Rank < o.Rank {
						ahead[i][j]++
					}
				}
			}
		}
		for i := range n {
			for j := range i {
				lead := is.strength[bots[i]] + f.seat[i] - is.strength[bots[j]] - f.seat[j]
				wantsShare(t, f.name, ahead[i][j], draws, rating.Expected(lead))
			}
		}
	}
}

// A worked number of the formula in docs/4-ratings.md: at five seats three agents, two moles, h = 2.4, so that agents who
// are 50 better on the mean lead by 120; here that is what the moles' advantage takes away again.
func TestTeamsWinAsTheirMeansSay(t *testing.T) {
	const draws = 20_000
	f := forms()[2]
	r := game.Stream(game.Seed{3}, 0, "teams")
	better := truth{strength: make([]float64, 5), role: []float64{25, 25, 25, 25, 25}} // 25 up as agent, 25 down as mole
	equal := truth{strength: make([]float64, 5), role: make([]float64, 5)}
	for _, row := range []struct {
		name string
		is   truth
		want float64
	}{{"agents 50 better", better, .5}, {"all equal", equal, rating.Expected(-120)}} {
		won, agents := 0, [5]int{}
		for range draws {
			m := f.play([]int{0, 1, 2, 3, 4}, row.is, r)
			size := 0
			for seat, s := range m.Seats {
				if s.Team == "agent" {
					size++
					agents[seat]++
				}
			}
			if size != 3 || !m.Teams() {
				t.Fatalf("%s: %d agents, want 3 and two teams", row.name, size)
			}
			if i := slices.IndexFunc(m.Seats, func(s rating.Seat) bool { return s.Team == "agent" }); m.Seats[i].Rank == 1 {
				won++
			}
		}
		wantsShare(t, row.name, won, draws, row.want)
		for _, n := range agents {
			wantsShare(t, row.name+", seats that are agents", n, draws, .6)
		}
	}
}

func TestStrengthsHaveTheirDeviationAndMeanZero(t *testing.T) {
	const n = 20_000
	for _, f := range forms() {
		is := f.draw(n, 350, game.Stream(game.Seed{4}, 0, "strengths"))
		for _, row := range []struct {
			list []float64
			want float64
		}{{is.strength, f.bot}, {is.role, f.prior.Role}} {
			mean, squares := 0.0, 0.0
			for _, x := range row.list {
				mean += x / n
				squares += x * x / n
			}
			if sd := math.Sqrt(squares); math.Abs(mean) > 1e-6 || math.Abs(sd-row.want) > 4*row.want/math.Sqrt(2*n) {
				t.Errorf("%s: mean %v, deviation %v, want 0 and %v", f.name, mean, sd, row.want)
			}
		}
	}
}

// One who never gets a match is not overlooked.
func TestTheLongestWaitCountsThoseWhoStillWait(t *testing.T) {
	tr := newTraffic(3)
	tr.seated(0, []int{1}, 2*time.Second, []float64{0, 0, 0})
	tr.stop(time.Minute, []time.Duration{0, 0, 10 * time.Second}, []bool{true, true, false})
	if want := 50 * time.Second; tr.longest != want {
		t.Errorf("longest wait %v, want %v", tr.longest, want)
	}
}

func TestLaddersAreMeasuredAtRoundNumbersAndAtTheEnd(t *testing.T) {
	for last, want := range map[int][]int{1: {1}, 10: {10}, 50: {10, 20, 50}, 60: {10, 20, 50, 60}, 200: {10, 20, 50, 100, 200}, 1500: {10, 20, 50, 100, 200, 500, 1000, 1500}} {
		if got := marks(last); !slices.Equal(got, want) {
			t.Errorf("%d matches: measured at %v, want %v", last, got, want)
		}
	}
}
