package simulate

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// ErrOptions is the code of options that make no simulation.
var ErrOptions = errors.New("bad_options")

// What one simulation may hold.
const (
	MinBots    = 20 // so that a table of ten has bots of ten owners
	MaxBots    = 1000
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
	// Progress hears, if it is not nil, how many ladders there are, and of every one that is done.
	Progress func(done, total int)
}

// Row is a Point over all ladders of a form and SD: shares are sums, errors means, farthest the largest.
type Row struct {
	Point
	Ladders int            `json:"ladders"`
	BySeed  []Share        `json:"ratings_held_by_seed"`
	SE      standardErrors `json:"standard_errors"`
}

// Summary is what a simulation found, by form, SD and matches a bot.
type Summary struct {
	Rows     []Row      `json:"rows"`
	Fairness []Fairness `json:"fairness"`
	Matches  int        `json:"matches"` // all that were played
}

// Run simulates. It depends on the options alone. each hears of every point of every ladder as it is reached, if it is not
// nil. The error is ErrOptions, that of ctx, or a fault of the parts that are simulated.
func Run(ctx context.Context, o Options, each func(Point)) (Summary, error) {
	var s Summary
	if err := o.Check(); err != nil {
		return s, err
	}
	all := forms()
	if o.Progress != nil {
		o.Progress(0, len(all)*len(o.SDs)*o.Ladders*o.Seeds)
	}
	for i, f := range all {
		for own, sd := range o.SDs {
			var points [][]Point
			var fair []Fairness
			ladders := o.Ladders * o.Seeds
			for number := range ladders {
				p, one, err := o.simulate(ctx, f, own, number+1, o.seed(i, number), each)
				if err != nil {
					return s, fmt.Errorf("%s, SD %v, ladder %d: %w", f.name, sd, number+1, err)
				}
				points, fair = append(points, p), append(fair, one)
				s.Matches += one.Matches
				if o.Progress != nil {
					o.Progress(len(s.Fairness)*ladders+number+1, len(all)*len(o.SDs)*ladders)
				}
			}
			s.Rows = append(s.Rows, pooled(points, o.Ladders)...)
			s.Fairness = append(s.Fairness, together(fair))
		}
	}
	return s, nil
}

// Check refuses, with ErrOptions, options that make no simulation; it says which and what is wanted.
func (o Options) Check() error {
	switch {
	case o.Bots < MinBots || o.Bots > MaxBots:
		return fmt.Errorf("%w: bots: want %d to %d, got %d", ErrOptions, MinBots, MaxBots, o.Bots)
	case o.Matches < 1 || o.Matches > 2*maxMatches/o.Bots:
		return fmt.Errorf("%w: matches: want 1 to %d a bot with %d bots, got %d", ErrOptions, 2*maxMatches/o.Bots, o.Bots, o.Matches)
	case o.Ladders < 1:
		return fmt.Errorf("%w: ladders: want 1 or more, got %d", ErrOptions, o.Ladders)
	case o.Seeds < 1:
		return fmt.Errorf("%w: seeds: want 1 or more, got %d", ErrOptions, o.Seeds)
	case len(o.SDs) == 0:
		return fmt.Errorf("%w: sd: want at least one", ErrOptions)
	}
	for _, sd := range o.SDs {
		if !(sd > 0 && sd <= 2000) {
			return fmt.Errorf("%w: sd: want above 0 and at most 2000 Elo, got %v", ErrOptions, sd)
		}
	}
	return nil
}

// seed is the luck of one ladder, by its number from 0 over all seeds. Ladders that differ in the SD alone have the same luck.
func (o Options) seed(form, number int) game.Seed {
	var s game.Seed
	binary.BigEndian.PutUint64(s[:], o.Seed+uint64(number/o.Ladders))
	binary.BigEndian.PutUint64(s[8:], uint64(form))
	binary.BigEndian.PutUint64(s[16:], uint64(number%o.Ladders))
	return s
}

func (o Options) simulate(ctx context.Context, f form, own, number int, seed game.Seed, each func(Point)) ([]Point, Fairness, error) {
	l, err := newLadder(f, o.Bots, o.SDs, own, seed)
	if err != nil {
		return nil, Fairness{}, err
	}
	var points []Point
	err = l.run(ctx, o.Matches, marks(o.Matches), func(mark int) error {
		p, err := l.point()
		p.SD, p.Ladder, p.MatchesABot = o.SDs[own], number, mark
		points = append(points, p)
		if each != nil && err == nil {
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

// marks are the numbers of matches a bot at which a ladder is measured: 10, 20, 50, 100, … below the last, and the last.
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

// pooled is one row for each mark. bySeed ladders after each other are of one seed.
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
			row.ToldAll.add(p.ToldAll)
			row.Advantages.add(p.Advantages)
			row.Farthest = max(row.Farthest, p.Farthest)
			row.Steps = max(row.Steps, p.Steps)
			row.Errors.Fit += p.Errors.Fit / n
			row.Errors.Told += p.Errors.Told / n
			row.Errors.ToldAll += p.Errors.ToldAll / n
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
