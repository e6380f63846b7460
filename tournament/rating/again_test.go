package rating_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
)

// TestRegisteringAnewGainsNoRank plays a bot 300 below the mean of 60 others, which registers again whenever its rating falls 150
// below the start. Ranked among all lines it shows ten places and more too
// many; ranked once it is established it hardly ever has a rank.
func TestRegisteringAnewGainsNoRank(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	others := make([]float64, 60) // settled: their rating is their strength
	for i := range others {
		others[i] = 1500 + 200*rng.NormFloat64()
	}
	rank := func(elo float64) int {
		place := 1
		for _, o := range others {
			if o > elo {
				place++
			}
		}
		return place
	}
	const strength, shed = 1200.0, 1350.0
	me, all, allRanks, ranked, ranks := rating.New(), 0, 0, 0, 0
	for range 20_000 {
		elo := float64(me.Rating) / 1000
		foe := others[0] // whose rating is nearest
		for _, o := range others {
			if math.Abs(o-elo) < math.Abs(foe-elo) {
				foe = o
			}
		}
		score := 0.0
		if rng.Float64() < 1/(1+math.Pow(10, (foe-strength)/400)) {
			score = 1
		}
		me.Rating += rating.Milli(1000 * rating.WideRule.Gain(me.Games) * (score - 1/(1+math.Pow(10, (foe-elo)/400))))
		me.Games++
		elo = float64(me.Rating) / 1000
		if all, allRanks = all+1, allRanks+rank(elo); me.Games >= tournament.ProvisionalGames {
			ranked, ranks = ranked+1, ranks+rank(elo)
		}
		if elo < shed {
			me = rating.New()
		}
	}
	before := float64(allRanks) / float64(all)
	after := float64(ranks) / max(1, float64(ranked))
	t.Logf("true rank %d of 61; shown among all lines %.1f; ranked in %d of %d matches, then at %.1f", rank(strength), before, ranked, all, after)
	if float64(rank(strength))-before < 10 {
		t.Errorf("registering again showed rank %.1f of a true %d: the simulation has no such cheat", before, rank(strength))
	}
	if float64(ranked) > 0.10*float64(all) {
		t.Errorf("it has a rank after %d of %d matches, want a tenth of them at most", ranked, all)
	}
}
