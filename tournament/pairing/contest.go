package pairing

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// least returns the size of the smallest table that is played.
func (s Settings) least() int {
	if s.MinTable == 0 {
		return s.SeatsPerTable
	}
	return s.MinTable
}

// seats returns how many sit at the tables of a field: where it is too small for a whole one, all of it, if a table may be so small.
func (s Settings) seats(field int) int {
	if field < s.least() {
		return s.SeatsPerTable
	}
	return min(field, s.SeatsPerTable)
}

func (s Settings) cycles() int { return max(1, s.Cycles) }

// games returns how many games a block of k has.
func (s Settings) games(k int) int {
	if s.Duplicate {
		return k
	}
	return 1
}

// check refuses what no format can use.
func (s Settings) check(entries int) error {
	switch {
	case s.SeatsPerTable < 2 || s.SeatsPerTable > game.MaxSeats:
		return fmt.Errorf("%w: a table of %d; want 2 to %d seats", ErrOptions, s.SeatsPerTable, game.MaxSeats)
	case s.MinTable != 0 && (s.MinTable < 2 || s.MinTable > s.SeatsPerTable):
		return fmt.Errorf("%w: min_table_size is %d; the tables of this tournament have 2 to %d seats", ErrOptions, s.MinTable, s.SeatsPerTable)
	case entries < s.least():
		return tooFew(entries, s.least())
	case entries > maxEntries:
		return fmt.Errorf("%w: %d entries; at most %d, use a ladder", ErrOptions, entries, maxEntries)
	case s.Playoff != "" && s.Format != tournament.Swiss && s.Format != tournament.Groups:
		return fmt.Errorf("%w: the format %s has no playoff; a swiss and groups have", ErrOptions, s.Format)
	case s.Cycles < 0 || s.Rounds < 0 || s.BestOf < 0 || s.GroupSize < 0 || s.Finalists < 0:
		return fmt.Errorf("%w: cycles, rounds, best_of, group_size and finalists are 0 or more", ErrOptions)
	}
	return s.checkPlayoff(entries)
}

// tooFew refuses entries that are too few for one table.
func tooFew(entries, seats int) error {
	return fmt.Errorf("%w: %s cannot fill a table of %d", ErrOptions, game.Plural(entries, "entry"), seats)
}

// noLate is part of the formats whose schedule is fixed at the start.
type noLate struct{}

func (noLate) late(c Contest) error {
	if len(c.Rounds) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s takes no entries after its start", ErrOptions, c.Settings.Format)
}

// absent returns why entry e cannot be paired, "" if it can.
func (c Contest) absent(e int) string {
	s := c.Entries[e].State
	if why, known := absences[s]; known {
		return why
	}
	return fmt.Sprintf("its state is %q", s)
}

// absences says why an entry of a state cannot be paired.
var absences = map[State]string{
	Active:    "",
	Paused:    "its owner has paused it",
	Barred:    "its bot is banned",
	Faulty:    "its bot lost too many matches by its own faults",
	Unproven:  "its bot is being greeted",
	Dead:      "its bot does not answer",
	Withdrawn: "it has withdrawn",
}

// kin reports whether two entries belong to one owner and should not share a table.
func (c Contest) kin(a, b int) bool {
	return !c.Settings.OwnersMeet && c.Entries[a].Owner != "" && c.Entries[a].Owner == c.Entries[b].Owner
}

// barred reports whether two entries must not share a table.
func (c Contest) barred(a, b int) bool { return c.Settings.OwnersApart && c.kin(a, b) }

// related reports whether two of some entries are kin.
func (c Contest) related(entries []int) bool {
	for i, a := range entries {
		if slices.ContainsFunc(entries[:i], func(b int) bool { return c.kin(a, b) }) {
			return true
		}
	}
	return false
}

// conflict returns kin for a list of entries, by place in it; nil if no two of them are.
func (c Contest) conflict(entries []int) func(a, b int) bool {
	if !c.related(entries) {
		return nil
	}
	return func(a, b int) bool { return c.kin(entries[a], entries[b]) }
}

// seeded sorts entries by seed: those the organiser has seeded, then the highest rating first, equal ones by index.
func (c Contest) seeded(entries []int) []int {
	manual := func(e int) int {
		if seed := c.Entries[e].Seed; seed > 0 {
			return seed
		}
		return math.MaxInt
	}
	return slices.SortedFunc(slices.Values(entries), func(a, b int) int {
		return cmp.Or(cmp.Compare(manual(a), manual(b)), cmp.Compare(c.Entries[b].Rating, c.Entries[a].Rating), cmp.Compare(a, b))
	})
}

// starters returns the entries that were there from the start, ascending.
func (c Contest) starters() []int {
	return chosen(len(c.Entries), func(e int) bool { return c.Entries[e].Joined == 0 })
}

// chosen returns the numbers below n for which is holds, ascending.
func chosen(n int, is func(int) bool) []int {
	var out []int
	for i := range n {
		if is(i) {
			out = append(out, i)
		}
	}
	return out
}

// Open counts the games without a result.
func (c Contest) Open() int {
	open := 0
	for _, r := range c.Rounds {
		for _, b := range r.Blocks {
			for _, g := range b.Games {
				if g.Result == nil {
					open++
				}
			}
		}
	}
	return open
}

// waiting returns the step of a format that pairs by results, while some are missing.
func waiting(open int) Step {
	return Step{Status: Wait, Why: "for the end of " + game.Plural(open, "game")}
}

// stream returns the luck of one round.
func (c Contest) stream(label string) *game.Rand {
	return game.Stream(c.Seed, len(c.Rounds), label)
}

// Seated reports why entries may not share a table in these seats ([ErrOptions], [ErrImpossible]).
func (c Contest) Seated(lineup []int) error {
	sizes := game.Info{MinSeats: c.Settings.least(), MaxSeats: c.Settings.SeatsPerTable}
	if n := len(lineup); n < sizes.MinSeats || n > sizes.MaxSeats {
		return fmt.Errorf("%w: has %s; a table here takes %s", ErrOptions, game.Plural(n, "bot"), sizes.Sizes())
	}
	if c.Settings.OwnersApart && c.related(slices.DeleteFunc(slices.Clone(lineup), func(e int) bool { return e < 0 })) {
		return fmt.Errorf("%w: two of one owner may not share a table here", ErrImpossible)
	}
	return nil
}

// Block returns the games of a line-up, which is in the order of its seats.
func (s Settings) Block(lineup []int) Block {
	var b Block
	for g := range s.games(len(lineup)) {
		b.Games = append(b.Games, Game{Seats: slices.Concat(lineup[g:], lineup[:g])})
	}
	return b
}

// Settle plays a planned round with the entries that are there. At tables of two an absent entry forfeits, in a bracket and where all
// meetings are fixed; in other formats the other one has a bye. Larger tables are played short-handed while the game allows; where it does
// not, the others have a bye.
func (c Contest) Settle(plan Round) Round {
	out := Round{Final: plan.Final, Seeds: plan.Seeds, Groups: plan.Groups, Left: plan.Left}
	for _, e := range plan.Byes {
		if c.absent(e) == "" {
			out.Byes = append(out.Byes, e)
		}
	}
	for _, b := range plan.Blocks {
		var here, gone []int
		for _, e := range b.Games[0].Seats {
			if why := c.absent(e); why == "" {
				here = append(here, e)
			} else {
				gone = append(gone, e)
				out.Absent = append(out.Absent, Absence{Entry: e, Why: why})
			}
		}
		switch {
		case len(gone) == 0:
			out.Blocks = append(out.Blocks, b)
		case b.Tie != 0 && len(here) == 0: // the bracket waits for one of them, or goes on with one
		case c.Settings.SeatsPerTable == 2 && (b.Tie != 0 || c.Settings.annuller() != nil):
			out.Forfeits = append(out.Forfeits, c.forfeits(b.Tie, here, gone)...)
		case len(here) >= c.Settings.least():
			short := c.Settings.Block(here)
			short.Name = b.Name
			out.Blocks = append(out.Blocks, short)
		default:
			out.Byes = append(out.Byes, here...)
		}
	}
	slices.Sort(out.Byes)
	slices.SortFunc(out.Absent, func(a, b Absence) int { return a.Entry - b.Entry })
	return out
}

// forfeits returns those of gone against who is here, who may be nobody; tie is 0 outside a bracket.
func (c Contest) forfeits(tie int, here, gone []int) []Forfeit {
	winner := Bye
	if len(here) > 0 {
		winner = here[0]
	}
	return each(gone, func(e int) Forfeit { return Forfeit{Tie: tie, Winner: winner, Loser: e, Why: c.absent(e)} })
}

// of names entries by index into list instead of place in it.
func (r Round) of(list []int) Round {
	named := func(places []int) []int { return each(places, func(place int) int { return list[place] }) }
	return Round{
		Blocks: each(r.Blocks, func(b Block) Block {
			return Block{Games: each(b.Games, func(g Game) Game { return Game{Seats: named(g.Seats)} })}
		}),
		Byes: named(r.Byes),
	}
}

// each returns what f makes of a list; nil of nothing.
func each[A, B any](list []A, f func(A) B) []B {
	out := slices.Grow([]B(nil), len(list))
	for _, a := range list {
		out = append(out, f(a))
	}
	return out
}
