package rating

import (
	"errors"
	"fmt"
	"math"
)

// ErrMatch is the code of every refused input of [Rate] and [Fold]: a match or parameters that cannot be rated.
var ErrMatch = errors.New("bad_match")

// Milli is a rating, or a difference of ratings, in thousandths of an Elo point.
type Milli int64

// Start is the rating of a bot that has no parent version.
const Start Milli = 1_500_000

// State is the row of one bot version on a ladder. Games counts its rated matches there.
type State struct {
	Rating Milli
	Games  int
}

// New returns the state of a bot that enters a ladder.
func New() State { return State{Rating: Start} }

// Successor returns the state of a new version: its parent's rating, and a fresh K.
func (s State) Successor() State { return State{Rating: s.Rating} }

// Rule numbers the rules of the gain K.
type Rule int

// The rules. A release that changes the gain adds one: what was rated by another stays so.
const (
	FirstRule Rule = iota // max(8, 695/(games+14)): 695 is four times 400/ln 10, the gain that learns fastest between equals
	WideRule              // max(8, 1390/(games+20)): learns faster where bots differ much
)

// Gain returns K, in Elo, of a player who has played games rated matches. The floor keeps ratings moving.
func (r Rule) Gain(games int) float64 {
	if r == FirstRule {
		return max(8, 695/(float64(games)+14))
	}
	return max(8, 1390/(float64(games)+20))
}

// Expected returns the score, 0 to 1, that Elo expects of the side which is ahead by diff Elo: 1/(1+10^(-diff/400)). It is
// rounded to a multiple of 2^-40: sums of such numbers are exact in any order, and the last bits of math.Pow, which
// differ between processors, do not show. Expected(d) + Expected(-d) is exactly 1.
func Expected(diff float64) float64 {
	if diff < 0 {
		return 1 - Expected(-diff)
	}
	const grid = 1 << 40
	return math.Round(grid/(1+math.Pow(10, -diff/400))) / grid
}

// Params are what a ladder fixes for a season. The zero value is a ladder of the first release, without advantages.
type Params struct {
	// Rule gives everybody's gain.
	Rule Rule
	// FixedK replaces it if it is not 0; in Elo.
	FixedK float64
	// Tables holds the known advantages by number of seats; a size that is missing has none.
	Tables map[int]Advantage
}

// Advantage is how many Elo a place at the table is worth.
type Advantage struct {
	Seat []float64          // by seat; empty or one per seat. Used where there are no teams
	Team map[string]float64 // by team; a missing team has 0
}

// Delta is what one match did to one player, over all the seats it held.
type Delta struct {
	Player   int
	Before   State
	Change   Milli
	After    State
	K        float64 // the gain used, in Elo; 0 if the player was not rated
	Expected float64 // summed over its rated seats and, without teams, over the opponents of each
	Score    float64 // likewise
}

// Fold rates matches in the order given, which must be schedule order, and returns the table after the last. start is
// not changed. parent names, for each player, the version it came from, a lower number, or -1; nil is nobody. A version
// that has not been rated yet plays its first match as [Enter] says; one that comes back goes on from its own row. An
// error names the match by its index.
func Fold(start []State, parent []int, matches []Match, p Params) ([]State, error) {
	if err := CheckParents(parent, len(start)); err != nil {
		return nil, err
	}
	table := append([]State(nil), start...)
	for i, m := range matches {
		if err := m.Check(len(table)); err != nil {
			return nil, fmt.Errorf("match %d: %w", i, err)
		}
		for _, s := range m.Seats {
			table[s.Player] = Enter(table, parent, s.Player)
		}
		deltas, err := Rate(m, table, p)
		if err != nil {
			return nil, fmt.Errorf("match %d: %w", i, err)
		}
		for _, d := range deltas {
			table[d.Player] = d.After
		}
	}
	for i := range table {
		if table[i].Games == 0 { // it sat in void matches at most: it has not entered
			table[i] = start[i]
		}
	}
	return table, nil
}

// Enter returns the state in which player sits down to a match: its own, once it has been rated; before that, the
// [State.Successor] of the nearest ancestor that has been rated by then, or its own if there is none. So what a version
// inherits depends on the schedule alone, and rolling back to a version restores its row.
func Enter(table []State, parent []int, player int) State {
	if table[player].Games > 0 || len(parent) == 0 {
		return table[player]
	}
	for up := parent[player]; up >= 0; up = parent[up] {
		if table[up].Games > 0 {
			return table[up].Successor()
		}
	}
	return table[player]
}

// CheckParents refuses, with [ErrMatch], parents that are not one per player, each a lower number than its child or -1.
// No parents at all are well.
func CheckParents(parent []int, players int) error {
	if len(parent) != 0 && len(parent) != players {
		return fmt.Errorf("%w: %d parents for %d players", ErrMatch, len(parent), players)
	}
	for i, up := range parent {
		if up < -1 || up >= i {
			return fmt.Errorf("%w: player %d has parent %d; want a lower number, or -1 for none", ErrMatch, i, up)
		}
	}
	return nil
}
