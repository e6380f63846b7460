package main

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// What one simulation may hold.
const (
	minBots    = 20 // so that a table of ten has bots of ten owners
	maxBots    = 1000
	maxMatches = 1_000_000 // of one ladder
)

// Options say what is simulated: every form of table, with every SD, so many ladders.
type Options struct {
	Bots    int
	Matches int // each bot plays on average, 1 or more
	Ladders int // of each form and SD, 1 or more
	// SDs are standard deviations of the true strengths in games of two, in Elo, each above 0. In De Mol strengths have
	// 200/350 of it and the difference between the roles 75/350.
	SDs  []float64
	Seed uint64
	// Seeds are so many from Seed on, 1 or more. Each has Ladders of each form and SD.
	Seeds int
}

// Row is a Point over all ladders of a form and SD: shares are sums, errors means, farthest the largest.
type Row struct {
	Point
	Ladders int
	BySeed  []Share
	SE      standardErrors
}

// Summary is what a simulation found, by form, SD and matches a bot.
type Summary struct {
	Rows     []Row
	Fairness []Fairness
	Matches  int // all that were played
}

// simulate plays all ladders of o. Its results depend on o alone. each is called with every point of every ladder as it is reached.
func simulate(ctx context.Context, o Options, each func(Point)) (Summary, error) {
	var s Summary
	if err := o.check(); err != nil {
		return s, err
	}
	for i, f := range forms() {
		for own, sd := range o.SDs {
			var points [][]Point
			var fair []Fairness
			ladders := o.Ladders * o.Seeds
			for number := range ladders {
				p, one, err := o.ladder(ctx, f, own, number+1, o.seed(i, number), each)
				if err != nil {
					return s, fmt.Errorf("%s, SD %v, ladder %d: %w", f.name, sd, number+1, err)
				}
				points, fair = append(points, p), append(fair, one)
				s.Matches += one.Matches
			}
			s.Rows = append(s.Rows, pooled(points, o.Ladders)...)
			s.Fairness = append(s.Fairness, together(fair))
		}
	}
	return s, nil
}

// check refuses options that make no simulation. Its error says which option and what is wanted.
func (o Options) check() error {
	switch {
	case o.Bots < minBots || o.Bots > maxBots:
		return fmt.Errorf("bots: want %d to %d, got %d", minBots, maxBots, o.Bots)
	case o.Matches < 1 || o.Matches > 2*maxMatches/o.Bots:
		return fmt.Errorf("matches: want 1 to %d a bot with %d bots, got %d", 2*maxMatches/o.Bots, o.Bots, o.Matches)
	case o.Ladders < 1:
		return fmt.Errorf("ladders: want 1 or more, got %d", o.Ladders)
	case o.Seeds < 1:
		return fmt.Errorf("seeds: want 1 or more, got %d", o.Seeds)
	}
	for _, sd := range o.SDs {
		if !(sd > 0 && sd <= 2000) {
			return fmt.Errorf("sd: want above 0 and at most 2000 Elo, got %v", sd)
		}
	}
	return nil
}

// seed returns the seed of one ladder, by its number from 0 over all seeds. Ladders that differ in the SD alone share a seed.
func (o Options) seed(form, number int) game.Seed {
	return seedOf(o.Seed+uint64(number/o.Ladders), form, number%o.Ladders)
}

// seedOf returns the seed of what is the number-th of its kind in a run.
func seedOf(run uint64, kind, number int) game.Seed {
	var s game.Seed
	binary.BigEndian.PutUint64(s[:], run)
	binary.BigEndian.PutUint64(s[8:], uint64(kind))
	binary.BigEndian.PutUint64(s[16:], uint64(number))
	return s
}

func (o Options) ladder(ctx context.Context, f form, own, number int, seed game.Seed, each func(Point)) ([]Point, Fairness, error) {
	l, err := newLadder(f, o.Bots, o.SDs, own, seed)
	if err != nil {
		return nil, Fairness{}, err
	}
	var points []Point
	err = l.run(ctx, o.Matches, marks(o.Matches), func(mark int) error {
		p, err := l.point()
		p.SD, p.Ladder, p.MatchesABot = o.SDs[own], number, mark
		points = append(points, p)
		if err == nil {
			each(p)
		}
		return err
	})
	if err != nil {
		return nil, Fairness{}, err
	}
	fair := l.fairness()
	fair.SD = o.SDs[own]
	return points, fair, nil
}

// marks returns the numbers of matches a bot at which a ladder is measured: 10, 20, 50, 100, … below the last, and the last.
func marks(last int) []int {
	var out []int
	for unit := 10; unit < last; unit *= 10 {
		for _, by := range []int{1, 2, 5} {
			if by*unit < last {
				out = append(out, by*unit)
			}
		}
	}
	return append(out, last)
}

// pooled returns one row for each mark. Each bySeed successive ladders have one seed.
func pooled(ladders [][]Point, bySeed int) []Row {
	rows := make([]Row, len(ladders[0]))
	n := float64(len(ladders))
	for k := range rows {
		row := Row{Point: ladders[0][k], Ladders: len(ladders)}
		row.Point = Point{Form: row.Form, SD: row.SD, MatchesABot: row.MatchesABot}
		var all []Point
		for number, points := range ladders {
			p := points[k]
			all = append(all, p)
			if number%bySeed == 0 {
				row.BySeed = append(row.BySeed, Share{})
			}
			row.BySeed[number/bySeed].add(p.Ratings)
			row.Matches += p.Matches
			row.Ratings.add(p.Ratings)
			row.Order.add(p.Order)
			row.Roles.add(p.Roles)
			row.KnownSDs.add(p.KnownSDs)
			row.Advantages.add(p.Advantages)
			row.Farthest = max(row.Farthest, p.Farthest)
			row.Errors.Fit += p.Errors.Fit / n
			row.Errors.Known += p.Errors.Known / n
			row.Errors.KnownSDs += p.Errors.KnownSDs / n
			row.Errors.Online += p.Errors.Online / n
			row.Errors.Plain += p.Errors.Plain / n
		}
		row.SE = errorsOf(all)
		rows[k] = row
	}
	return rows
}

// together sums up several ladders: matches and hours are sums, what is worst is the worst, the others are means.
func together(list []Fairness) Fairness {
	out, n := list[0], float64(len(list))
	for _, f := range list[1:] {
		out.Matches += f.Matches
		out.Hours += f.Hours
		out.MedianWaitS += f.MedianWaitS
		out.GapElo += f.GapElo
		out.AnyGapElo += f.AnyGapElo
		out.WorstMean = max(out.WorstMean, f.WorstMean)
		out.Longest = max(out.Longest, f.Longest)
		out.FewestMatches = min(out.FewestMatches, f.FewestMatches)
		out.MostMatches = max(out.MostMatches, f.MostMatches)
		out.FewestMet = min(out.FewestMet, f.FewestMet)
	}
	out.MedianWaitS /= n
	out.GapElo /= n
	out.AnyGapElo /= n
	return out
}
