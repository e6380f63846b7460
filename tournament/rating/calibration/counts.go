package calibration

import (
	"math"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
)

const (
	bins     = 10   // from even to certain
	surest   = 1e-6 // no chance is taken for less: one surprise would outweigh all else
	exactBit = 1e9  // figures are kept to a billionth, so that processors agree
)

// The places of the forecasters.
const (
	byFit = iota
	byRating
	byCoin
	forecasters
)

var names = [forecasters]string{tournament.ForecastByFit, tournament.ForecastByRating, tournament.ForecastByCoin}

// counts adds up what came true. Comparisons of one deal are not independent: what a deal holds is counted by deal.
type counts struct {
	comparisons int
	weight      float64
	scores      [forecasters]score
	bins        [forecasters][bins]bin
	all         [forecasters]bin
	deals       []*deal // as they come
	at          map[int]int
}

// score is a sum of squared errors and of bits.
type score struct{ brier, bits float64 }

// deal is what the comparisons of one deal say: their weight, and by how much each forecaster was behind the fit.
type deal struct {
	weight float64
	behind [forecasters]score
}

func newCounts() *counts { return &counts{at: map[int]int{}} }

// add counts the comparisons of one match, which are in the same order in both lists.
func (c *counts) add(number int, fitted, rated []rating.Forecast) {
	at, known := c.at[number]
	if !known {
		at = len(c.deals)
		c.at[number], c.deals = at, append(c.deals, &deal{})
	}
	d := c.deals[at]
	share := 1 / float64(len(fitted))
	for i, f := range fitted {
		c.comparisons++
		c.weight += share
		d.weight += share
		forecasts := [forecasters]rating.Forecast{f, rated[i], {Chance: .5, Score: f.Score}}
		first := scoreOf(f)
		for k, x := range forecasts {
			s := scoreOf(x)
			c.scores[k].brier += share * s.brier
			c.scores[k].bits += share * s.bits
			d.behind[k].brier += share * (s.brier - first.brier)
			d.behind[k].bits += share * (s.bits - first.bits)
			c.put(k, number, share, x)
		}
	}
}

func scoreOf(f rating.Forecast) score {
	off, p := f.Chance-f.Score, min(1-surest, max(surest, f.Chance))
	return score{brier: off * off, bits: -f.Score*math.Log2(p) - (1-f.Score)*math.Log2(1-p)}
}

// put counts one forecast for its favourite.
func (c *counts) put(forecaster, deal int, share float64, f rating.Forecast) {
	if f.Chance < .5 {
		f = rating.Forecast{Chance: 1 - f.Chance, Score: 1 - f.Score}
	}
	at := min(bins-1, int((f.Chance-.5)*2*bins))
	c.bins[forecaster][at].add(deal, share, f)
	c.all[forecaster].add(deal, share, f)
}

// bin adds up comparisons with much the same chance.
type bin struct {
	comparisons           int
	weight, chance, score float64
	squares               float64         // of the weights of the deals
	deals                 map[int]float64 // weight by deal
}

func (b *bin) add(deal int, share float64, f rating.Forecast) {
	if b.deals == nil {
		b.deals = map[int]float64{}
	}
	b.comparisons++
	b.weight += share
	b.chance += share * f.Chance
	b.score += share * f.Score
	was := b.deals[deal]
	b.deals[deal] = was + share
	b.squares += share * (2*was + share)
}

// settle returns the bin with its interval. What a deal holds counts as one trial, and deals that weigh unequally as fewer than
// there are (Kish 1965: the square of the sum over the sum of squares).
func (b *bin) settle(from, to float64) tournament.ForecastBin {
	won := tournament.ShareOf(min(1, b.score/b.weight), b.weight*b.weight/b.squares)
	return tournament.ForecastBin{
		From:        from,
		To:          to,
		Comparisons: b.comparisons,
		Matches:     exact(b.weight),
		Chance:      exact(b.chance / b.weight),
		Won:         tournament.Mean{Value: exact(won.Value), Low: exact(won.Low), High: exact(won.High)},
	}
}

func exact(x float64) float64 { return math.Round(exactBit*x) / exactBit }

// forecasters returns the results; none if nothing was judged.
func (c *counts) forecasters() []tournament.Forecaster {
	if c.comparisons == 0 {
		return nil
	}
	list := make([]tournament.Forecaster, forecasters)
	for k := range list {
		f := tournament.Forecaster{
			Name:        names[k],
			Brier:       exact(c.scores[k].brier / c.weight),
			Bits:        exact(c.scores[k].bits / c.weight),
			BrierBehind: c.behind(func(d *deal) float64 { return d.behind[k].brier }),
			BitsBehind:  c.behind(func(d *deal) float64 { return d.behind[k].bits }),
		}
		if k != byCoin {
			for i := range c.bins[k] {
				if b := &c.bins[k][i]; b.comparisons > 0 {
					f.Bins = append(f.Bins, b.settle(.5+float64(i)/(2*bins), .5+float64(i+1)/(2*bins)))
				}
			}
			f.All = new(c.all[k].settle(.5, 1))
		}
		list[k] = f
	}
	return list
}

// behind returns the mean of a difference from the fit, with an interval for which a deal is one observation.
func (c *counts) behind(of func(*deal) float64) tournament.Mean {
	total := 0.0
	for _, d := range c.deals {
		total += of(d)
	}
	mean, squares := total/c.weight, 0.0
	for _, d := range c.deals {
		off := of(d) - d.weight*mean
		squares += off * off
	}
	n := float64(len(c.deals))
	half := 0.0
	if n > 1 {
		half = tournament.Reach * math.Sqrt(squares*n/(n-1)) / c.weight
	}
	return tournament.Mean{Value: exact(mean), Low: exact(mean - half), High: exact(mean + half)}
}
