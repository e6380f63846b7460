package simulate

import (
	"math"

	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// plugIn is what a fit of the first release made of a round robin: how far bots are spread enters by its likeliest value, and what
// is not known of it is added afterwards as a symmetric normal term. It is here for comparison alone.
type plugIn struct {
	spread     float64 // Elo
	at, nudged *fit.Fit
	doubt      float64 // of the logarithm of the spread, its standard deviation; 0 where that is taken for known
}

const (
	pluggedNarrow = 1. / 64 // times the guess
	pluggedWidest = 4.
	pluggedStill  = 1e-3 // of the logarithm of the spread: known so well
	pluggedNudge  = .1   // of the same
)

func newPlugIn(bots int, matches []fit.Match) (plugIn, error) {
	var p plugIn
	guess := fit.Standard().Bot
	low, high := math.Log(pluggedNarrow), math.Log(pluggedWidest)
	for high-low > pluggedStill {
		middle := (low + high) / 2
		rises, err := slope(bots, matches, guess, guess*math.Exp(middle))
		if err != nil {
			return p, err
		}
		if rises > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	p.spread = guess * math.Exp(low)
	around := [2]float64{}
	for k, by := range []float64{1, math.Exp(pluggedNudge)} {
		var err error
		if around[k], err = slope(bots, matches, guess, p.spread*by); err != nil {
			return p, err
		}
	}
	precision := (around[0] - around[1]) / pluggedNudge
	if precision > 0 && high < math.Log(pluggedWidest) {
		p.doubt = 1 / math.Sqrt(precision)
	}
	var err error
	if p.at, err = fitted(bots, plugged(p.spread), matches); err != nil {
		return p, err
	}
	p.nudged, err = fitted(bots, plugged(p.spread*math.Exp(pluggedNudge)), matches)
	return p, err
}

// plugged is the prior of bots that are known to be spread by so much.
func plugged(spread float64) fit.Prior {
	return fit.Prior{Bot: spread, Version: spread, Seat: fit.Standard().Seat, Mean: true}
}

// slope is how fast the logarithm of the likelihood of the matches rises with that of the spread (MacKay 1992): Σx²/sd² less how
// many strengths the matches tell. The guess counts for one more bot. All matches are one block, so that errors are the model's own.
func slope(bots int, matches []fit.Match, guess, spread float64) (float64, error) {
	oneBlock := make([]fit.Match, len(matches))
	for i, m := range matches {
		m.Block = 1
		oneBlock[i] = m
	}
	f, err := fitted(bots, plugged(spread), oneBlock)
	if err != nil {
		return 0, err
	}
	squares, told := guess*guess, float64(bots)
	for _, player := range f.Players {
		x := player.Elo - float64(rating.Start)/1000
		squares += x * x
		told -= player.SE * player.SE / (spread * spread)
	}
	return squares/(spread*spread) - told, nil
}

// fitted is a fit of the matches of so many bots.
func fitted(bots int, prior fit.Prior, matches []fit.Match) (*fit.Fit, error) {
	h, err := fit.New(bots, nil, prior)
	if err != nil {
		return nil, err
	}
	if err := h.Add(matches...); err != nil {
		return nil, err
	}
	return h.Fit()
}

// players are the ratings with their intervals, and the ranks that follow from the differences.
func (p plugIn) players() []fit.Player {
	out := make([]fit.Player, len(p.at.Players))
	for i := range out {
		out[i].Estimate = p.doubted(p.at.Players[i].Estimate, p.nudged.Players[i].Estimate)
		out[i].Best, out[i].Worst = 1, len(out)
		for j := range out {
			d := p.difference(i, j)
			if d.High < 0 {
				out[i].Best++
			}
			if d.Low > 0 {
				out[i].Worst--
			}
		}
	}
	return out
}

func (p plugIn) difference(i, j int) fit.Estimate {
	return p.doubted(p.at.Difference(i, j), p.nudged.Difference(i, j))
}

// doubted adds to the error of an estimate what it moves by if the spread is another one.
func (p plugIn) doubted(at, nudged fit.Estimate) fit.Estimate {
	const normal95 = 1.959963984540054
	at.SE = math.Hypot(at.SE, (nudged.Elo-at.Elo)/pluggedNudge*p.doubt)
	at.Low, at.High = at.Elo-normal95*at.SE, at.Elo+normal95*at.SE
	return at
}
