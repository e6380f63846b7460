package calibration_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/calibration"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// Eight bots, 100 Elo from each to the next.
const bots, apart = 8, 100

// ladder returns n games of two, in which the lower number wins as Elo expects of its lead, changed by lead.
func ladder(matches int, lead func(match int, elo float64) float64) calibration.Ladder {
	r := game.Stream(game.Seed{1}, 0, "calibration")
	l := calibration.Ladder{
		Parents: make([]int, bots),
		Prior:   fit.Standard(),
		Params:  func(int) rating.Params { return rating.Params{} },
	}
	for i := range l.Parents {
		l.Parents[i] = -1
	}
	for number := range matches {
		order := r.Perm(bots)
		a, b := order[0], order[1]
		seats := []rating.Seat{{Player: a, Rank: 1}, {Player: b, Rank: 2}}
		if float64(r.Uint64()>>11)/(1<<53) >= rating.Expected(lead(number, float64(apart*(b-a)))) {
			seats[0].Rank, seats[1].Rank = 2, 1
		}
		l.Matches = append(l.Matches, fit.Match{Match: rating.Match{Seats: seats}})
	}
	return l
}

func asTheyAre(_ int, elo float64) float64 { return elo }

func judge(t *testing.T, l calibration.Ladder) tournament.Calibration {
	t.Helper()
	c, err := calibration.Judge(context.Background(), l)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func holds(b tournament.ForecastBin) bool { return b.Won.Low <= b.Chance && b.Chance <= b.Won.High }

func TestChancesOfALadderThatIsAsTheModelSaysComeTrue(t *testing.T) {
	c := judge(t, ladder(1500, asTheyAre))
	if c.Judged != 1480 || c.Comparisons != 1480 || c.Matches != 1500 {
		t.Errorf("%d of %d matches judged, %d comparisons; want all but the first 20 of 1500", c.Judged, c.Matches, c.Comparisons)
	}
	if len(c.Forecasters) != 3 {
		t.Fatalf("got %+v, want three forecasters", c.Forecasters)
	}
	fitted, rated, coin := c.Forecasters[0], c.Forecasters[1], c.Forecasters[2]
	if !holds(*fitted.All) {
		t.Errorf("the fit's favourites were given %.3f and won %+v", fitted.All.Chance, fitted.All.Won)
	}
	off := 0
	for _, b := range fitted.Bins {
		if !holds(b) {
			off++
		}
	}
	if len(fitted.Bins) < 8 {
		t.Errorf("%d bins, want eight at least", len(fitted.Bins))
	}
	if off > 2 { // each of ten is off in 5 of 100
		t.Errorf("%d of %d bins are off: %+v", off, len(fitted.Bins), fitted.Bins)
	}
	if rated.BitsBehind.Value <= 0 {
		t.Errorf("the on-line ratings, which learn slowly, are behind by %+v bits; want more than 0", rated.BitsBehind)
	}
	if coin.BrierBehind.Low <= rated.BrierBehind.High {
		t.Errorf("a coin is behind by %+v, the ratings by %+v; want the coin surely further", coin.BrierBehind, rated.BrierBehind)
	}
}

// The planted fault: from match 500 on strength counts half of what it did, so the fit is too sure.
func TestChancesThatDoNotComeTrueAreSeen(t *testing.T) {
	c := judge(t, ladder(1500, func(match int, elo float64) float64 {
		if match >= 500 {
			return elo / 2
		}
		return elo
	}))
	if all := c.Forecasters[0].All; all.Won.High >= all.Chance {
		t.Errorf("favourites were given %.3f and won %+v; want surely less", all.Chance, all.Won)
	}
	last := c.Forecasters[0].Bins[len(c.Forecasters[0].Bins)-1]
	if last.Won.High >= last.Chance {
		t.Errorf("the surest favourites were given %.3f and won %+v; want surely less", last.Chance, last.Won)
	}
}

// With 1500 matches the last block begins at match 1469: 20, 24, 28, 33, …, each a fifth longer.
func TestAMatchIsForecastByAFitThatHasNotSeenItsBlock(t *testing.T) {
	chance := func(from, to int) float64 {
		l := ladder(1500, asTheyAre)
		for i := from; i < to; i++ {
			seats := l.Matches[i].Seats
			seats[0].Rank, seats[1].Rank = seats[1].Rank, seats[0].Rank
		}
		return judge(t, l).Forecasters[0].All.Chance
	}
	is := chance(0, 0)
	if got := chance(1470, 1500); got != is {
		t.Errorf("other results in the last block changed the fit's chances from %v to %v", is, got)
	}
	if got := chance(1000, 1030); math.Abs(got-is) < 1e-6 {
		t.Errorf("other results in an earlier block did not change the fit's chances: %v", got)
	}
}

func TestADealThatTheFitHasSeenIsNotJudged(t *testing.T) {
	l := ladder(40, asTheyAre)
	l.Matches[3].Block, l.Matches[30].Block = 1, 1  // seen among the first twenty
	l.Matches[36].Block, l.Matches[37].Block = 2, 2 // not seen before
	if c := judge(t, l); c.Judged != 19 {
		t.Errorf("%d matches judged, want 19 of the last 20", c.Judged)
	}
}

func TestThereIsNothingToJudgeInTheFirstMatches(t *testing.T) {
	for _, n := range []int{0, 1, 20} {
		want := tournament.Calibration{Matches: n}
		if diff := cmp.Diff(want, judge(t, ladder(n, asTheyAre))); diff != "" {
			t.Errorf("%d matches (-want +got)\n%s", n, diff)
		}
	}
}

func TestALongLadderTakesFewFits(t *testing.T) {
	for _, x := range []struct{ matches, fits int }{{21, 1}, {1000, 23}, {3000, 29}} {
		t.Run(fmt.Sprint(x.matches, " matches"), func(t *testing.T) {
			must.Same(t, "fits", judge(t, ladder(x.matches, asTheyAre)).Fits, x.fits)
		})
	}
}

func TestAMatchThatCannotBeRatedIsRefusedByItsPlace(t *testing.T) {
	l := ladder(30, asTheyAre)
	l.Matches[25].Seats[1].Player = bots
	_, err := calibration.Judge(context.Background(), l)
	if err == nil {
		t.Fatal("a match of an unknown version was taken")
	}
	if want := "match 25: "; err.Error()[:len(want)] != want {
		t.Errorf("got %v, want it to begin with %q", err, want)
	}
}
