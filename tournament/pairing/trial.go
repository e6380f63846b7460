package pairing

import (
	"fmt"
	"slices"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating/sprt"
)

// pairsAtOnce is how many pairs of an sprt are under way together. What is begun when the test ends is played for nothing.
const pairsAtOnce = 16

// trial is the sequential test between the first entry and the second. A block is a pair with the seats swapped. Pairs are
// counted in the order of the schedule up to the first that is not over; one with a void match counts for nothing. So the
// verdict, and the pair that brings it, are the same whatever ends first.
type trial struct{ noLate }

func (trial) check(entries int, s Settings) error {
	if entries != 2 || s.SeatsPerTable != 2 || !s.Duplicate {
		return fmt.Errorf("%w: an sprt compares two entries at tables of two in duplicate pairs; it has %s", ErrOptions, game.Plural(entries, "entry"))
	}
	if err := testOf(s.Test).Check(); err != nil {
		return fmt.Errorf("%w: %w", ErrOptions, err)
	}
	return s.check(entries)
}

func (trial) ties(Settings) []Tie { return []Tie{ByPoints} }

func (trial) matches(_ int, s Settings) (int, error) { return 2 * s.Test.Filled().MaxPairs, nil }

func (trial) rounds(_ int, s Settings) int {
	return (s.Test.Filled().MaxPairs + pairsAtOnce - 1) / pairsAtOnce
}

// Next is Over as soon as the test has ended, with games open or not: they count for nobody.
func (f trial) next(c Contest) (Step, error) {
	if err := f.check(len(c.starters()), c.Settings); err != nil {
		return Step{}, err
	}
	made := 0
	out := slices.IndexFunc(c.Entries, func(x Entry) bool { return x.State == Withdrawn })
	if n := len(c.Rounds); n > 0 {
		last := c.Rounds[n-1]
		made = (n-1)*pairsAtOnce + len(last.Blocks) // only the last round there is may be shorter
		if out >= 0 {                               // what is open becomes void
			last.Blocks = slices.DeleteFunc(slices.Clone(last.Blocks), Block.Open)
			c.Rounds = append(slices.Clone(c.Rounds[:n-1]), last)
		}
	}
	j, err := judged(c)
	if err != nil {
		return Step{}, err
	}
	open, most := c.Open(), c.Settings.Test.Filled().MaxPairs
	undecided := fmt.Sprintf("undecided after %s of %d", game.Plural(j.Units, "pair"), most)
	if void := made - j.Units; void > 0 {
		undecided += fmt.Sprintf(", %d void", void)
	}
	switch {
	case j.State != sprt.Continue:
		return Step{Status: Over, Why: fmt.Sprintf("the test ended in %s after %s", j.State, game.Plural(j.Units, "pair"))}, nil
	case out >= 0:
		return Step{Status: Over, Why: fmt.Sprintf("%s: entry %d is out, %s", undecided, out+1, c.absent(out))}, nil
	case open == 0 && made >= most:
		return Step{Status: Over, Why: undecided}, nil
	}
	for e := range c.Entries {
		if why := c.absent(e); why != "" && open == 0 {
			return Step{Status: Wait, Why: fmt.Sprintf("for entry %d: %s", e+1, why)}, nil
		}
	}
	if open > 0 {
		return waiting(open), nil
	}
	r := Round{Before: j.tally}
	for i := range min(pairsAtOnce, most-made) {
		first := (made + i) % 2
		r.Blocks = append(r.Blocks, c.Settings.Block([]int{first, 1 - first}))
	}
	return Step{Status: Play, Round: r}, nil
}

// judgement is where a test stands, and what has counted: so many blocks of the last round.
type judgement struct {
	sprt.Verdict
	tally sprt.Tally
	last  int
}

func testOf(t tournament.Test) sprt.Test {
	t = t.Filled()
	return sprt.Test{Elo0: t.Elo0, Elo1: t.Elo1, Alpha: t.Alpha, Beta: t.Beta, Normalised: t.Normalised}
}

// judged counts the pairs. A round is made only when those before it are over and have decided nothing: what they come to
// is kept in it, so that they are neither judged nor, where it is known, read again ([Round.Before]).
func judged(c Contest) (judgement, error) {
	test := testOf(c.Settings.Test)
	j := judgement{tally: sprt.Pairs()}
	if len(c.Rounds) == 0 { // a test that makes no sense has standings too, and is refused when it begins
		j.State = sprt.Continue
		j.Lower, j.Upper = test.Bounds()
		return j, nil
	}
	for i, r := range c.Rounds {
		if r.Before != nil {
			j.tally = slices.Clone(r.Before)
		}
		for k, b := range r.Blocks {
			if b.Open() {
				break
			}
			last := i == len(c.Rounds)-1
			if last {
				j.last = k + 1
			}
			if !b.Done() {
				continue
			}
			if err := j.tally.Add(scored(b)); err != nil {
				return j, err
			}
			if !last {
				continue
			}
			v, err := test.Judge(j.tally)
			if j.Verdict = v; err != nil || v.State != sprt.Continue {
				return j, err
			}
		}
	}
	var err error
	j.Verdict, err = test.Judge(j.tally)
	return j, err
}

// scored returns what the first entry took in a pair. Where both gave up, each has half of the game.
func scored(b Block) float64 {
	var sum float64
	for _, g := range b.Games {
		first := 0
		if g.Seats[1] == 0 {
			first = 1
		}
		sum += (g.Result.Points[first] - g.Result.Points[1-first] + 1) / 2
	}
	return sum
}

// counted returns an sprt with nothing but what counts; any other contest as it is.
func (c Contest) counted() Contest {
	if c.Settings.Format != tournament.SPRT || len(c.Rounds) == 0 {
		return c
	}
	j, err := judged(c)
	if err != nil {
		return c // standings tell the same of a test that makes no sense: all of it
	}
	rounds := make([]Round, len(c.Rounds))
	for i, r := range c.Rounds {
		if i == len(rounds)-1 {
			r.Blocks = r.Blocks[:j.last]
		}
		rounds[i] = Round{}
		for _, b := range r.Blocks {
			if b.Done() {
				rounds[i].Blocks = append(rounds[i].Blocks, b)
			}
		}
	}
	c.Rounds = rounds
	return c
}

// Trial returns where the sequential test of an sprt stands; nil for another format.
func Trial(c Contest) (*tournament.Trial, error) {
	if c.Settings.Format != tournament.SPRT {
		return nil, nil
	}
	j, err := judged(c)
	if err != nil {
		return nil, err
	}
	if c.Closed && j.State == sprt.Continue {
		j.State = "undecided"
	}
	x := c.Settings.Test.Filled()
	out := &tournament.Trial{
		Verdict:          string(j.State),
		Pairs:            j.Units,
		Tally:            j.tally,
		LLR:              j.LLR,
		Lower:            j.Lower,
		Upper:            j.Upper,
		Elo0:             x.Elo0,
		Elo1:             x.Elo1,
		IsNormalisedTest: x.Normalised,
	}
	s, err := sprt.Measure(j.tally)
	out.Elo, out.Low, out.High = s.Elo.Value, s.Elo.Low, s.Elo.High
	return out, err
}

// pathByPair is the most rounds of an sprt whose path has a place a pair; a longer one has a place a round.
const pathByPair = 16

// Path returns where the sequential test of an sprt stood from its beginning until now; nil for another format.
func Path(c Contest) ([]sprt.Verdict, error) {
	if c.Settings.Format != tournament.SPRT {
		return nil, nil
	}
	test, tally := testOf(c.Settings.Test), sprt.Pairs()
	var out []sprt.Verdict
	for _, r := range c.Rounds {
		if r.Before != nil {
			tally = slices.Clone(r.Before)
		}
		v, err := test.Judge(tally)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
		if len(c.Rounds) > pathByPair {
			continue
		}
		for _, b := range r.Blocks {
			if b.Open() || v.State != sprt.Continue {
				break
			}
			if !b.Done() {
				continue
			}
			if err := tally.Add(scored(b)); err != nil {
				return nil, err
			}
			if v, err = test.Judge(tally); err != nil {
				return nil, err
			}
			out = append(out, v)
		}
	}
	now, err := judged(c)
	return append(out, now.Verdict), err
}
