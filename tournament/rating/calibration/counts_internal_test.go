package calibration

import (
	"math"
	"testing"

	"github.com/molerun/molerun/tournament/rating"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("%s: got %.7f, want %.7f", what, got, want)
	}
}

// By hand: (0.2² + 0.6²)/2, and −(log₂ 0.8 + log₂ 0.4)/2.
func TestScoresAreTheMeanSquaredErrorAndTheMeanOfBits(t *testing.T) {
	c := newCounts()
	even := []rating.Forecast{{Chance: .5, Score: 1}}
	c.add(1, []rating.Forecast{{Chance: .8, Score: 1}}, even)
	c.add(2, []rating.Forecast{{Chance: .4, Score: 1}}, even)
	list := c.forecasters()
	near(t, "Brier score of the fit", list[byFit].Brier, .2)
	near(t, "bits of the fit", list[byFit].Bits, .8219281)
	near(t, "Brier score of the ratings", list[byRating].Brier, .25)
	near(t, "bits of a coin", list[byCoin].Bits, 1)
	near(t, "the coin behind the fit", list[byCoin].BrierBehind.Value, .05)
	// The two differences are .21 and −.11: their standard error is .16, and 1.96 of it is 0.3136.
	near(t, "the coin behind the fit at best", list[byCoin].BrierBehind.Low, .05-1.959964*.16)
	if list[byCoin].Bins != nil {
		t.Errorf("a coin has bins: %+v", list[byCoin].Bins)
	}
}

func TestAForecastIsCountedForItsFavourite(t *testing.T) {
	c := newCounts()
	c.add(1, []rating.Forecast{{Chance: .72, Score: 1}}, []rating.Forecast{{Chance: .5, Score: 1}})
	c.add(2, []rating.Forecast{{Chance: .28, Score: 1}}, []rating.Forecast{{Chance: 1, Score: 1}})
	list := c.forecasters()
	if n := len(list[byFit].Bins); n != 1 {
		t.Fatalf("%d bins, want the one from 0.70 to 0.75", n)
	}
	b := list[byFit].Bins[0]
	near(t, "from", b.From, .7)
	near(t, "to", b.To, .75)
	near(t, "the mean chance", b.Chance, .72)
	near(t, "the share won", b.Won.Value, .5)
	// Wilson's interval of 1 in 2.
	near(t, "low", b.Won.Low, .0945312)
	near(t, "high", b.Won.High, .9054688)
	if last := list[byRating].Bins; len(last) != 2 || last[1].To != 1 {
		t.Errorf("a chance of 1 belongs to the last bin, got %+v", last)
	}
}

func TestADealIsOneTrialAndAMatchCountsAsOne(t *testing.T) {
	apart, together := newCounts(), newCounts()
	pair := []rating.Forecast{{Chance: .8, Score: 1}, {Chance: .8, Score: 1}}
	for number := range 50 {
		apart.add(2*number, pair[:1], pair[:1])
		apart.add(2*number+1, pair[1:], pair[1:])
		together.add(number, pair, pair)
	}
	one, two := apart.forecasters()[byFit].All, together.forecasters()[byFit].All
	near(t, "matches apart", one.Matches, 100)
	near(t, "matches of a table with two pairs", two.Matches, 50)
	// All of n were won: Wilson's lower bound is n/(n + 1.96²).
	near(t, "low of 100 trials", one.Won.Low, 100/(100+3.8414588))
	near(t, "low of 50 trials", two.Won.Low, 50/(50+3.8414588))
}
