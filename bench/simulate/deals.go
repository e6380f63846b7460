package main

import (
	"context"
	"fmt"
	"math"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// DealsRow is what it is worth to take the luck of the deals out of the points of De Mol, over events of one length.
type DealsRow struct {
	Matches  int
	Events   int
	Record   DealsCount
	Own      DealsCount // by a fit of the event alone
	Adjusted DealsCount // by a fit of the event, and of three times as many matches before it
}

// DealsCount is how well one way to count points does.
type DealsCount struct {
	Ahead     Share   // events in which the better of the two bots has more points
	Intervals Share   // that hold the points that a bot can expect, over all deals and all luck
	Half      float64 // of the intervals, in points, the mean
	Until     float64 // a bot, until the better is ahead in 95 of 100 events

	sum, squares float64 // of the lead of the better one
}

const (
	dealsBots   = 12
	dealsBefore = 3    // times as many matches as the event's
	dealsApart  = 50.  // Elo between the first bot and the second
	dealsSD     = 150. // of the others, as in [Options]
	sure95      = 1.6448536269514722
)

// playDeals plays so many events of each length from the seed: twelve bots, two tables a round of five, six or seven seats drawn by lot.
// Two of the bots have 50 Elo between them. lengths are rounds, each 4 or more.
func playDeals(ctx context.Context, lengths []int, events int, seed uint64) ([]DealsRow, error) {
	var out []DealsRow
	for _, rounds := range lengths {
		row := DealsRow{Matches: rounds, Events: events}
		for number := range events {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := row.play(number, seed); err != nil {
				return nil, fmt.Errorf("%d matches, event %d: %w", rounds, number, err)
			}
		}
		row.Record.settle(row)
		row.Own.settle(row)
		row.Adjusted.settle(row)
		out = append(out, row)
	}
	return out, nil
}

// play plays one event and counts it.
func (x *DealsRow) play(number int, seed uint64) error {
	r := game.Stream(seedOf(seed, x.Matches, number), 0, "deals")
	f := forms()[2]
	is := f.draw(dealsBots, dealsSD, r)
	is.strength[0], is.strength[1] = dealsApart/2, -dealsApart/2
	is.role[0], is.role[1] = 0, 0
	h, err := fit.New(dealsBots, nil, f.prior)
	if err != nil {
		return err
	}
	event := f.rounds(x.Matches, is, r)
	if err := h.Add(event...); err != nil {
		return err
	}
	own, err := h.Fit()
	if err != nil {
		return err
	}
	if err := h.Add(f.rounds(dealsBefore*x.Matches, is, r)...); err != nil {
		return err
	}
	more, err := h.Fit()
	if err != nil {
		return err
	}
	x.count(event, trueStrengths(f, is), fittedStrengths(own), fittedStrengths(more))
	return nil
}

// rounds plays so many rounds of all bots at two tables.
func (f form) rounds(n int, is truth, r *game.Rand) []fit.Match {
	var list []fit.Match
	for range n {
		order, size := r.Perm(dealsBots), 5+r.IntN(3)
		for _, bots := range [][]int{order[:size], order[size:]} {
			list = append(list, fit.Match{Match: f.teams(bots, is, r)})
		}
	}
	return list
}

// teamGame returns a match as the standings see it.
func teamGame(m rating.Match) rating.TeamGame {
	var g rating.TeamGame
	for _, s := range m.Seats {
		g.Seats = append(g.Seats, s.Player)
		g.Team = append(g.Team, s.Team)
		g.Points = append(g.Points, float64(2-s.Rank))
	}
	return g
}

func trueStrengths(f form, is truth) rating.Strengths {
	s := rating.Strengths{Teams: [2]string{"agent", "mole"}, Advantage: f.team}
	const start = float64(rating.Start) / 1000
	for i, x := range is.strength {
		s.As = append(s.As, [2]float64{x + is.role[i] + start, x - is.role[i] + start})
	}
	return s
}

func fittedStrengths(f *fit.Fit) rating.Strengths {
	s := rating.Strengths{Teams: f.Teams, Advantage: map[int]float64{}}
	for _, p := range f.Players {
		s.As = append(s.As, [2]float64{p.Roles[0].Elo, p.Roles[1].Elo})
	}
	for n, e := range f.Team {
		s.Advantage[n] = e.Elo
	}
	return s
}

// count compares what each way to count says with what the bots can expect.
func (x *DealsRow) count(event []fit.Match, is, own, more rating.Strengths) {
	points, expected := make([]float64, dealsBots), make([]float64, dealsBots)
	blocks := make([][]rating.TeamGame, len(event))
	for i, m := range event {
		g := teamGame(m.Match)
		blocks[i] = []rating.TeamGame{g}
		means := is.Means(g)
		for seat, e := range g.Seats {
			points[e] += g.Points[seat]
			expected[e] += means[seat]
		}
	}
	alike := rating.Strengths{Teams: is.Teams, As: make([][2]float64, dealsBots)} // deals are worth nothing
	x.Record.add(points, expected, rating.Lucks(dealsBots, alike.Deals(blocks)))
	x.Own.add(points, expected, rating.Lucks(dealsBots, own.Deals(blocks)))
	x.Adjusted.add(points, expected, rating.Lucks(dealsBots, more.Deals(blocks)))
}

func (c *DealsCount) add(points, expected []float64, lucks []*rating.Luck) {
	without := make([]float64, len(points))
	for e, luck := range lucks {
		without[e] = points[e] - luck.Points
		c.Intervals.count(math.Abs(without[e]-expected[e]) <= luck.Half)
		c.Half += luck.Half
	}
	lead := without[0] - without[1]
	c.Ahead.count(lead > 0)
	c.sum += lead
	c.squares += lead * lead
}

// settle takes the leads as normal: at n matches a bot the mean lead is √n times as many deviations as at one.
func (c *DealsCount) settle(x DealsRow) {
	n := float64(x.Events)
	mean := c.sum / n
	sd := math.Sqrt(max(0, c.squares/n-mean*mean))
	c.Half /= n * dealsBots
	c.Until = float64(x.Matches) * math.Pow(sure95*sd/mean, 2)
}
