package main

import (
	"context"
	"fmt"
	"math"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// Field is what fits of small round robins of two players are worth, over all that were played of a size and a spread. The
// first seat is 40 Elo ahead; every pair meets four times.
type Field struct {
	Bots      int
	Spread    string // how the true strengths are spread: one of [spreads]
	Fit       string // one of [fits]
	Intervals Share
	HalfElo   float64 // of the intervals, the mean
	ErrorElo  float64 // mean and absolute
	Order
	RankWidth float64 // places from the best rank to the worst, the mean
}

// spreads are the forms that true strengths have in fields. Those of heavy tails are Student's t with four degrees of freedom,
// scaled to the SD. Camps have 1,000 Elo between them, near ones 500 and far ones 1,500; drawn ones as much as the fit believes.
var spreads = []string{"normal", "heavy tails", "near camps", "camps", "far camps", "drawn camps"}

// fits are compared: the fit without camps, and as ladders use it.
var fits = []string{"one field", "camps"}

// playFields plays so many round robins of each size and spread, from the seed. Normal ones and those with heavy tails have an SD of
// 100, 200, 350 and 700 Elo in turn; of camps, every other bot is of the stronger one, and each is spread by 60.
func playFields(ctx context.Context, each int, seed uint64) ([]Field, error) {
	var out []Field
	for _, bots := range []int{4, 6, 12, 20} {
		for _, spread := range spreads {
			rows := make([]Field, len(fits))
			for k, name := range fits {
				rows[k] = Field{Bots: bots, Spread: spread, Fit: name}
			}
			for number := range each {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				if err := field(rows, number, seed); err != nil {
					return nil, fmt.Errorf("%d bots, %s, number %d: %w", bots, spread, number, err)
				}
			}
			for i := range rows {
				n := float64(each * bots)
				rows[i].HalfElo /= n
				rows[i].ErrorElo /= n
				rows[i].RankWidth /= n
			}
			out = append(out, rows...)
		}
	}
	return out, nil
}

// field plays one round robin and counts it in the rows of all fits.
func field(rows []Field, number int, seed uint64) error {
	bots := rows[0].Bots
	r := game.Stream(seedOf(seed, bots, number), 0, rows[0].Spread)
	is := strengthsOf(rows[0].Spread, bots, number, r)
	matches := roundRobin(is, r)
	for k, known := range []bool{false, true} {
		prior := fit.Standard()
		prior.Camps = known
		f, err := fitted(bots, prior, matches)
		if err != nil {
			return err
		}
		rows[k].count(f.Players, f.Difference, is)
	}
	return nil
}

// strengthsOf draws the true strengths of a field, with mean 0.
func strengthsOf(spread string, bots, number int, r *game.Rand) []float64 {
	sd := []float64{100, 200, 350, 700}[number%4]
	switch spread {
	case "near camps":
		return camps(r, bots, 500)
	case "camps":
		return camps(r, bots, 1000)
	case "far camps":
		return camps(r, bots, 1500)
	case "drawn camps":
		return camps(r, bots, drawnGap(r))
	case "heavy tails":
		return students(r, bots, sd)
	default:
		return normals(r, bots, sd)
	}
}

const campSD = 60. // of the strengths in a camp

// drawnGap draws the distance between two camps from what the fit believes of it: the difference of two that are spread by the guess, and
// three deviations at least.
func drawnGap(r *game.Rand) float64 {
	for {
		if gap := math.Abs(normal(r)) * math.Sqrt2 * fit.Standard().Bot; gap > 3*campSD {
			return gap
		}
	}
}

// camps draws two of them, with so many Elo between them.
func camps(r *game.Rand, bots int, gap float64) []float64 {
	is := normals(r, bots, campSD)
	for i := range is {
		is[i] += gap / 2 * float64(1-2*(i%2))
	}
	return centred(is)
}

// students draws n numbers of Student's t with four degrees of freedom, whose variance is 2, and shifts them to the mean 0.
func students(r *game.Rand, n int, sd float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		squares := 0.0 // of four normal numbers: an exponential for each two
		for range 2 {
			squares -= 2 * math.Log(1-uniform(r))
		}
		out[i] = sd / math.Sqrt2 * normal(r) / math.Sqrt(squares/4)
	}
	return centred(out)
}

// roundRobin has each bot meet each other twice from either seat.
func roundRobin(is []float64, r *game.Rand) []fit.Match {
	var list []fit.Match
	const first = 40
	for i := range is {
		for j := range is {
			if i == j {
				continue
			}
			for range 2 {
				seats := []rating.Seat{{Player: i, Rank: 1}, {Player: j, Rank: 2}}
				if uniform(r) >= rating.Expected(is[i]-is[j]+first) {
					seats[0].Rank, seats[1].Rank = 2, 1
				}
				list = append(list, fit.Match{Match: rating.Match{Seats: seats}})
			}
		}
	}
	return list
}

// count adds what one fit says of the truth.
func (x *Field) count(players []fit.Player, difference func(i, j int) fit.Estimate, is []float64) {
	base := float64(rating.Start) / 1000
	for i, p := range players {
		x.Intervals.count(holds(p.Estimate, base+is[i]))
		x.HalfElo += (p.High - p.Low) / 2
		x.ErrorElo += math.Abs(p.Elo - base - is[i])
		x.RankWidth += float64(p.Worst - p.Best)
	}
	x.Order.count(players, difference, is)
}

// fitted fits matches of so many bots.
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
