package pairing

import (
	"fmt"
	"slices"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/pairing/designs"
)

// gauntlet lets each challenger meet everybody of the field, and nobody of the field meet each other but beside a
// challenger. It never waits for results.
type gauntlet struct{ noLate }

func (gauntlet) check(entries int, s Settings) error { return s.check(entries) }

func (gauntlet) ties(Settings) []Tie { return []Tie{ByPoints, ByWins, BySonneborn, ByScore} }

func (f gauntlet) matches(entries int, s Settings) (int, error) { return f.most(entries, s), nil }

// most returns the matches of as many challengers as others, which make the most tables.
func (gauntlet) most(entries int, s Settings) int {
	return (entries/2 + 1) * ((entries + 1) / 2) * s.cycles() * s.games(s.SeatsPerTable)
}

// rounds counts those of one challenger, which meets most, at tables of two; at larger ones all tables, as each may share a bot with the next.
func (f gauntlet) rounds(entries int, s Settings) int {
	if s.SeatsPerTable == 2 {
		return s.cycles() * max(0, entries-1)
	}
	return f.most(entries, s) / s.games(s.SeatsPerTable)
}

func (gauntlet) next(c Contest) (Step, error) { return c.follow() }

func (f gauntlet) plan(c Contest) ([]Round, error) {
	_, field := f.sides(c)
	c.Settings.SeatsPerTable = c.Settings.seats(1 + len(field))
	lineups, err := f.lineups(c)
	if err != nil {
		return nil, err
	}
	rounds := designs.Packed(lineups, len(c.Entries))
	designs.TakeSeats(rounds, len(c.Entries), c.Settings.SeatsPerTable)
	out := make([]Round, len(rounds))
	for i, tables := range rounds {
		out[i].Blocks = each(tables, c.Settings.Block)
		out[i].Byes = unseated(c.starters(), out[i].Blocks)
	}
	return out, nil
}

// sides returns the challengers and the field, by seed.
func (gauntlet) sides(c Contest) (challengers, field []int) {
	for _, e := range c.seeded(c.starters()) {
		if c.Entries[e].Challenger {
			challengers = append(challengers, e)
		} else {
			field = append(field, e)
		}
	}
	return challengers, field
}

// against returns the part of the field that a challenger meets.
func (gauntlet) against(c Contest, challenger int, field []int) []int {
	mine := slices.DeleteFunc(slices.Clone(field), func(e int) bool { return c.kin(challenger, e) })
	if len(mine) < c.Settings.SeatsPerTable-1 && !c.Settings.OwnersApart {
		return field
	}
	return mine
}

// meets counts the field of a challenger, and the challengers of another.
func (f gauntlet) meets(c Contest, e int, _ bool) int {
	challengers, field := f.sides(c)
	if c.Entries[e].Challenger {
		return len(f.against(c, e, field))
	}
	n := 0
	for _, x := range challengers {
		if slices.Contains(f.against(c, x, field), e) {
			n++
		}
	}
	return n
}

// lineups returns all tables of the gauntlet: in each cycle every challenger goes round the field, k-1 of it at a time, until
// it has met everybody equally often. Challengers start at different places, so that they can play at the same time.
func (f gauntlet) lineups(c Contest) ([][]int, error) {
	challengers, field := f.sides(c)
	others := c.Settings.SeatsPerTable - 1
	if len(challengers) == 0 || len(field) < others {
		return nil, fmt.Errorf("%w: a gauntlet at tables of %d takes a challenger and a field of at least %d; there are %d and %d",
			ErrOptions, c.Settings.least(), c.Settings.least()-1, len(challengers), len(field))
	}
	if matches := len(challengers) * len(field) * c.Settings.cycles() * c.Settings.games(others+1); matches > maxMatches {
		return nil, fmt.Errorf("%w: that would be up to %d matches; at most %d", ErrTooMany, matches, maxMatches)
	}
	var out [][]int
	for cycle := range c.Settings.cycles() {
		met, err := f.around(c, challengers, field, cycle)
		if err != nil {
			return nil, err
		}
		out = append(out, met...)
	}
	return out, nil
}

// around returns one cycle.
func (f gauntlet) around(c Contest, challengers, field []int, cycle int) ([][]int, error) {
	var byChallenger [][][]int
	most := 0
	for _, x := range challengers {
		// The same luck for each: then challengers who may meet the same entries find them at the same tables.
		tables, err := opposition(c, f.against(c, x, field), game.Stream(c.Seed, cycle, "gauntlet"))
		if err != nil {
			return nil, err
		}
		byChallenger, most = append(byChallenger, tables), max(most, len(tables))
	}
	var out [][]int
	for t := range most {
		for i, x := range challengers {
			if n := len(byChallenger[i]); t < n {
				out = append(out, append([]int{x}, byChallenger[i][(t+i)%n]...))
			}
		}
	}
	return out, nil
}

// opposition returns the field as it sits at the tables of one challenger: everybody equally often.
func opposition(c Contest, field []int, r *game.Rand) ([][]int, error) {
	others := c.Settings.SeatsPerTable - 1
	if others == 1 {
		return each(field, func(e int) []int { return []int{e} }), nil
	}
	if len(field) < others {
		return nil, fmt.Errorf("%w: a challenger may meet %s of other owners, too few for a table of %d", ErrImpossible, game.Plural(len(field), "entry"), others+1)
	}
	if len(field) == others { // Balance is for fields from which to choose
		return [][]int{field}, refuseBarred(c, field)
	}
	wishes := designs.Options{Seats: others, Cycles: 1, Conflict: c.conflict(field), Soft: !c.Settings.OwnersApart}
	rounds, err := designs.Balance(len(field), wishes, r)
	return each(slices.Concat(rounds...), func(lineup []int) []int {
		return each(lineup, func(place int) int { return field[place] })
	}), err
}

// refuseBarred refuses a table at which two must not meet.
func refuseBarred(c Contest, table []int) error {
	for i, a := range table {
		for _, b := range table[:i] {
			if c.barred(a, b) {
				return fmt.Errorf("%w: entries %d and %d belong to one owner, and there is one table", ErrImpossible, b, a)
			}
		}
	}
	return nil
}
