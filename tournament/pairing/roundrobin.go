package pairing

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing/designs"
	"github.com/molerun/molerun/tournament/rating/sprt"
)

// The sentinels of this package. The text of each is its stable code; facts are wrapped around it, which [Reason] returns.
var (
	ErrOptions    = errors.New("bad_options") // the numbers make no tournament, or too large a one
	ErrTooMany    = fmt.Errorf("%w: too many matches", ErrOptions)
	ErrImpossible = designs.ErrImpossible // every schedule has entries meet that must not
)

// Reason returns what an error of pairing, or of the game's configuration, says to people: all but its codes.
func Reason(err error) string {
	return tournament.Facts(err, ErrOptions, ErrImpossible, sprt.ErrTest, game.ErrConfig)
}

// What one schedule may hold.
const (
	maxEntries = 2048
	maxMatches = 1_000_000
)

// Options are what an organiser chooses for a round robin.
type Options struct {
	// SeatsPerTable is 2 to [game.MaxSeats].
	SeatsPerTable int
	// Cycles, at least 1, is how often the field is gone through. At tables of two a cycle is one whole round robin:
	// every two entries meet in one block. At larger tables a cycle is the fewest tables in which everybody plays
	// equally often: entries/gcd(entries, seats) blocks, of which each entry plays in seats/gcd(entries, seats).
	Cycles int
	// Duplicate makes each block as many games as there are seats, the entries moving on by one seat from game to game:
	// everybody gets every seat once. Without it a block is one game; seats are then even over the whole schedule.
	Duplicate bool
	// Conflict reports whether two entries must never share a table, as those of one owner; nil: none. It is symmetric.
	Conflict func(a, b int) bool
	// Soft makes Conflict a wish at tables of more than two: where the search finds no line-ups without one, it takes those
	// with the fewest. At tables of two everybody meets everybody all the same.
	Soft bool
}

// Bye is the opponent of an entry that has none in a round.
const Bye = designs.Bye

// Round is what can be played at the same time: nobody sits in two of its blocks. Byes are the entries that could have
// played and are in none of them, ascending; in a bracket those who pass a tie as nobody is on the other side. Absent and Forfeits tell of those who could not. Final marks the rounds after
// a group stage. Changes are what the organiser has changed by hand. Before is what the rounds before an sprt's come to, nil elsewhere:
// with it the last round is enough to go on. StartsAt is zero, or when its matches begin: before, people look at the round before.
//
// The first round of a stage keeps its draw, so that whatever reads the stage later finds everybody where the draw has put them: Seeds are
// who plays an elimination, a playoff or the final of groups, the best first; Places are those of a bracket by their place in it, from the
// one that the best seed has by right; Groups are the groups. Left are, in the first round of a second stage, those who had withdrawn by
// then. Rounds of older releases lack some of them; there the draw is made once more as it was then.
//
// As JSON a round is what was made, without the results: so it is stored.
type Round struct {
	Blocks   []Block    `json:"blocks"`
	Byes     []int      `json:"byes,omitempty"`
	Absent   []Absence  `json:"absent,omitempty"`
	Forfeits []Forfeit  `json:"forfeits,omitempty"`
	Final    bool       `json:"final,omitempty"`
	Seeds    []int      `json:"seeds,omitempty"`
	Places   []int      `json:"places,omitempty"`
	Groups   [][]int    `json:"groups,omitempty"`
	Left     []int      `json:"left,omitempty"`
	Changes  []Change   `json:"changes,omitempty"`
	Before   sprt.Tally `json:"before,omitempty"`
	StartsAt time.Time  `json:"starts_at,omitzero"`
}

// Change is how a round was before somebody paired it again by hand.
type Change struct {
	ByID   string    `json:"by_id"` // the user
	At     time.Time `json:"at"`
	Reason string    `json:"reason"`
	Tables [][]int   `json:"tables"` // by table: the entries by seat
	Byes   []int     `json:"byes,omitempty"`
}

// Block is the unit of comparison: games of the same entries. It counts when all its games are over ([Block.Counting]). Tie is
// its number in a bracket and Name what people call that tie; 0 and "" elsewhere.
type Block struct {
	Tie   int    `json:"tie,omitempty"`
	Name  string `json:"name,omitempty"`
	Games []Game `json:"games"`
}

// Game is one match, whose id the caller gives it; Seats holds the entry, by index, of each seat. Result is nil until it is over.
type Game struct {
	Match  string  `json:"match,omitempty"`
	Seats  []int   `json:"seats"`
	Result *Result `json:"-"`
}

// Matches returns the ids of the block's games.
func (b Block) Matches() []string {
	return each(b.Games, func(g Game) string { return g.Match })
}

// Open reports whether a game of the block is still to be played.
func (b Block) Open() bool {
	return slices.ContainsFunc(b.Games, func(g Game) bool { return g.Result == nil })
}

// Counting returns the games that count against opponents: those that were played to their end, once none is open.
func (b Block) Counting() []Game {
	if b.Open() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(b.Games), func(g Game) bool { return g.Result.Void })
}

// Done reports whether the block may be rated: all its games were played to their end.
func (b Block) Done() bool {
	return !slices.ContainsFunc(b.Games, func(g Game) bool { return g.Result == nil || g.Result.Void })
}

// must returns the conflicts that hold whatever else suffers.
func (o Options) must() func(a, b int) bool {
	if o.Soft {
		return nil
	}
	return o.Conflict
}

// design returns the part of the options that larger tables are made by.
func (o Options) design() designs.Options {
	return designs.Options{Seats: o.SeatsPerTable, Cycles: o.Cycles, Conflict: o.Conflict, Soft: o.Soft}
}

// Count returns the number of matches that [RoundRobin] will make, or why it refuses the numbers.
func Count(entries int, opts Options) (int, error) {
	switch {
	case opts.SeatsPerTable < 2 || opts.SeatsPerTable > game.MaxSeats:
		return 0, fmt.Errorf("%w: a table of %d; want 2 to %d seats", ErrOptions, opts.SeatsPerTable, game.MaxSeats)
	case opts.Cycles < 1 || opts.Cycles > maxMatches:
		return 0, fmt.Errorf("%w: %d cycles; want 1 to %d", ErrOptions, opts.Cycles, maxMatches)
	case entries < opts.SeatsPerTable:
		return 0, tooFew(entries, opts.SeatsPerTable)
	case entries > maxEntries:
		return 0, fmt.Errorf("%w: %d entries; at most %d, use another format or groups", ErrOptions, entries, maxEntries)
	}
	blocks := designs.Blocks(entries, opts.SeatsPerTable)
	if opts.SeatsPerTable == 2 {
		if blocks = designs.Meetings(entries, opts.must()); blocks == 0 {
			return 0, fmt.Errorf("%w: no two of the %d entries may meet", ErrImpossible, entries)
		}
	}
	matches := blocks * opts.Cycles
	if opts.Duplicate {
		matches *= opts.SeatsPerTable
	}
	if matches > maxMatches {
		return 0, fmt.Errorf("%w: that would be %d matches; at most %d, use fewer cycles or another format", ErrTooMany, matches, maxMatches)
	}
	return matches, nil
}

// RoundRobin returns the rounds in which everybody plays everybody, equally often at tables of two and as equally as can be
// found at larger ones. It depends on its arguments alone; r draws the larger tables and is not used for two seats.
//
// At tables of two an odd field gives each entry one bye a cycle, and two entries in conflict have a bye when they would
// meet. At larger tables the entries play equally often, so byes are equal after each cycle; a conflict that makes this
// impossible is [ErrImpossible].
func RoundRobin(entries int, opts Options, r *game.Rand) ([]Round, error) {
	if _, err := Count(entries, opts); err != nil {
		return nil, err
	}
	var rounds [][][]int
	if opts.SeatsPerTable == 2 {
		rounds = pairs(entries, opts)
	} else {
		var err error
		if rounds, err = designs.Tables(entries, opts.design(), r); err != nil {
			return nil, err
		}
		designs.TakeSeats(rounds, entries, opts.SeatsPerTable)
	}
	return each(rounds, func(lineups [][]int) Round { return round(lineups, entries, opts.Duplicate) }), nil
}

// pairs returns the line-ups of each round at tables of two; every other cycle has the seats the other way round.
func pairs(entries int, opts Options) [][][]int {
	var rounds [][][]int
	table, barred := designs.Berger(entries), opts.must()
	for cycle := range opts.Cycles {
		for _, boards := range table {
			var lineups [][]int
			for _, p := range boards {
				if p.First == Bye || p.Second == Bye || barred != nil && barred(p.First, p.Second) {
					continue
				}
				if cycle%2 == 1 {
					p = designs.Pair{First: p.Second, Second: p.First}
				}
				lineups = append(lineups, []int{p.First, p.Second})
			}
			if len(lineups) > 0 {
				rounds = append(rounds, lineups)
			}
		}
	}
	return rounds
}

func round(lineups [][]int, entries int, duplicate bool) Round {
	var out Round
	plays := make([]bool, entries)
	for _, lineup := range lineups {
		out.Blocks = append(out.Blocks, Settings{Duplicate: duplicate}.Block(lineup))
		for _, e := range lineup {
			plays[e] = true
		}
	}
	for e, p := range plays {
		if !p {
			out.Byes = append(out.Byes, e)
		}
	}
	return out
}
