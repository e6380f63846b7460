package pairing

import (
	"fmt"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// format decides who plays next. It is pure: the same contest has the same answer.
type format interface {
	// Check returns why so many entries and these settings make no tournament ([ErrOptions]).
	check(entries int, s Settings) error
	// Late returns why no entry may join now ([ErrOptions]).
	late(c Contest) error
	// Next is the next round, or that there is none yet or none any more. It changes nothing in c. ErrImpossible says
	// that those who must not meet leave no pairing at all.
	next(c Contest) (Step, error)
	// Ties is the order of the standings: what is compared first, then what separates the equal.
	ties(s Settings) []Tie
	// matches is the most that so many entries can make, or why that is refused ([ErrOptions]); 0 where nobody knows before.
	matches(entries int, s Settings) (int, error)
	// rounds is the most that a full field plays one after another, without a playoff; 0 where nobody knows before.
	rounds(entries int, s Settings) int
}

// State reports whether an entry can be paired.
type State string

// The states of an entry. Only the active are paired.
const (
	Active    State = "active"
	Paused    State = "paused"    // by its owner; it may come back
	Barred    State = "barred"    // it is banned; it may come back
	Faulty    State = "faulty"    // it was paused for its faults; it may come back
	Unproven  State = "unproven"  // it is greeted before it plays; it comes back when it has answered
	Dead      State = "dead"      // its bot does not answer; it may come back
	Withdrawn State = "withdrawn" // for good
)

// Entry is one who plays, known by its index in [Contest.Entries].
type Entry struct {
	ID         string  // the bot's, for messages
	Owner      string  // whose it is, see [Settings.OwnersApart]; "": nobody else's
	Seed       int     // what the organiser has made it, from 1; 0: it is seeded by rating, behind those with one
	Rating     float64 // in Elo: the seeding; equal ratings are seeded by index
	State      State
	Joined     int    // rounds that had been made when it came: 0 for those there from the start
	Challenger bool   // in a gauntlet: it meets the field
	pool       string // of a playoff: the group that it comes from
}

// Settings are what an organiser chooses. A zero means the format's default where there is one.
type Settings struct {
	Format        tournament.Format
	SeatsPerTable int  // 2 to [game.MaxSeats]
	Cycles        int  // round robin, gauntlet, groups: how often; 0: once
	Duplicate     bool // each block goes round the seats, see [Options.Duplicate]
	tournament.FormatOptions
	// OwnersApart never lets entries of one owner share a table, though somebody may not play then: for rated games with hidden
	// teams. Without it they share one only where the field leaves no other pairing, or the format is for everybody to meet.
	OwnersApart bool
	// OwnersMeet pairs entries of one owner like any others.
	OwnersMeet bool
}

// Contest is a tournament as a format sees it. Entries only grow; a late one is appended.
type Contest struct {
	Settings Settings
	Entries  []Entry
	Rounds   []Round   // all made so far, with the results that are in
	Seed     game.Seed // all the luck of the pairing; drawn once for the tournament
	Closed   bool      // arena: its time is up; sprt: it has ended
	// Plan is what [Plan] made at the start and each [Step.Fixed] since, if the caller has kept it; without it Next makes it
	// again each time, which for larger tables may take seconds.
	Plan []Round
}

// Status says what a [Step] is.
type Status string

// What can be next.
const (
	Play Status = "play" // Round is to be made
	Wait Status = "wait" // for results, or for an entry to come back; Why says which
	Over Status = "over" // nothing comes after the rounds made
)

// Step is what a format says to do next. A round that consists of byes and forfeits only is over at once.
type Step struct {
	Status Status
	Round  Round
	Why    string
	// Fixed is Round, as it was planned, and the rounds after it that are fixed from now on, as the final of groups: who
	// keeps [Contest.Plan] appends them to it. Nil if there are none.
	Fixed []Round
}

// Absence is an entry that could not be paired in a round, and why.
type Absence struct {
	Entry int    `json:"entry"`
	Why   string `json:"why"`
}

// Forfeit is a game, block or tie that is not played because Loser is not there. Winner is [Bye] where nobody is.
type Forfeit struct {
	Tie    int    `json:"tie,omitempty"` // of a bracket; 0 elsewhere
	Winner int    `json:"winner"`
	Loser  int    `json:"loser"`
	Why    string `json:"why"`
}

// Result is what came of a game, by seat.
type Result struct {
	Void   bool      // not played to its end by no fault of a bot: it counts for nobody
	Points []float64 // 0 to 1 each, as in the standings
	Score  []float64 // the game's own points
	Team   []string  // of hidden teams; nil in other games
}

// Tie is what standings compare; more is better.
type Tie string

// What standings compare.
const (
	ByPoints      Tie = "points"
	ByDirect      Tie = "direct_encounter" // of those equal so far, how many it stands before by what each took a meeting from the others, if all have met
	ByWins        Tie = "wins"             // games won at a table
	BySonneborn   Tie = "sonneborn_berger" // what was taken from each opponent, times the opponent's points
	ByBuchholz    Tie = "buchholz"         // the opponents' points
	ByBuchholz1   Tie = "buchholz_cut1"    // without the lowest
	ByBuchholzM   Tie = "buchholz_median"  // without the lowest and the highest
	ByScore       Tie = "game_score"       // the sum of the game's own points
	ByStage       Tie = "stage"            // how far it came where not all go on
	ByProgressive Tie = "progressive"      // the points after each round, added up: early ones count more often
	ByKoya        Tie = "koya"             // what was taken from those who have half of the points they could have, or more
	ByPerformance Tie = "performance"      // the rating, in Elo, at which one would have taken just as much from these opponents
	ByFinal       Tie = "final_points"     // the points of the final after a group stage
	ByArenaScore  Tie = "arena_score"      // 2 a win, 1 a draw, doubled after two wins in a row
)

var formats = map[tournament.Format]format{
	tournament.RoundRobin:        roundRobin{},
	tournament.Swiss:             swiss{},
	tournament.SingleElimination: elimination{},
	tournament.DoubleElimination: elimination{double: true},
	tournament.Gauntlet:          gauntlet{},
	tournament.Groups:            groups{},
	tournament.Arena:             arena{},
	tournament.SPRT:              trial{},
}

// of returns the format of that name; [ErrOptions] if there is none.
func of(name tournament.Format) (format, error) {
	if f, known := formats[name]; known {
		return f, nil
	}
	return nil, fmt.Errorf("%w: no format %q; there are %s", ErrOptions, name, tournament.Listed(tournament.Formats()))
}

// Next returns the next round of a contest, or that there is none yet or none any more. It changes nothing in c. ErrImpossible says
// that those who must not meet leave no pairing at all.
func Next(c Contest) (Step, error) {
	f, err := of(c.Settings.Format)
	if err != nil {
		return Step{}, err
	}
	return f.next(c)
}

// Late returns why no entry may join a contest now ([ErrOptions]).
func Late(c Contest) error {
	f, err := of(c.Settings.Format)
	if err != nil {
		return err
	}
	return f.late(c)
}

// planner is a format that fixes its rounds at the start: round robin, gauntlet, and groups but for the final.
type planner interface {
	plan(c Contest) ([]Round, error)
}

// Plan returns the rounds that are fixed at the start, as they would be if all entries stayed active; nil if the format pairs
// by results. It depends on the settings, the seed and the entries that are there from the start.
func Plan(c Contest) ([]Round, error) {
	f, err := of(c.Settings.Format)
	if err != nil {
		return nil, err
	}
	p, ok := f.(planner)
	if !ok {
		return nil, nil
	}
	if err := f.check(len(c.starters()), c.Settings); err != nil {
		return nil, err
	}
	return p.plan(c)
}

// follow returns the next round of the plan kept, or made again; Over after the last.
func (c Contest) follow() (Step, error) {
	if c.Plan == nil {
		var err error
		if c.Plan, err = Plan(c); err != nil {
			return Step{}, err
		}
	}
	if len(c.Rounds) >= len(c.Plan) {
		return Step{Status: Over}, nil
	}
	return Step{Status: Play, Round: c.Settle(c.Plan[len(c.Rounds)])}, nil
}
