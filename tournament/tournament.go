package tournament

import (
	"encoding/json"
	"time"

	"github.com/molerun/molerun/engines/game"
)

// Status is where a tournament stands.
type Status string

// The states of a tournament.
const (
	Scheduled Status = "scheduled" // waits for its start; entries come and go
	Running   Status = "running"
	Finished  Status = "finished"
	Cancelled Status = "cancelled" // Reason says why
)

// Format names how opponents are paired.
type Format string

// The formats; package pairing has their laws.
const (
	RoundRobin        Format = "round_robin" // everybody meets everybody
	Swiss             Format = "swiss"       // by standing, nobody twice
	SingleElimination Format = "single_elimination"
	DoubleElimination Format = "double_elimination" // out with the second loss
	Gauntlet          Format = "gauntlet"           // challengers meet the field
	Groups            Format = "groups"             // balanced tables, then a final
	Arena             Format = "arena"              // whoever is free is paired by standing until the time is up
)

// Formats are all formats, in the order in which people read them.
func Formats() []Format {
	return []Format{RoundRobin, Swiss, SingleElimination, DoubleElimination, Gauntlet, Groups, Arena}
}

// Tournament is a scheduled event of one game.
type Tournament struct {
	ID          string
	Name        string
	OrganiserID string
	Game        string
	Config      json.RawMessage // canonical for Table seats
	Format      Format
	Table       int  // seats per match
	Cycles      int  // how often everybody meets everybody
	Duplicate   bool // every line-up goes round the seats: on one seed, with hidden teams on fresh deals with balanced teams
	Options     FormatOptions
	Rated       bool
	LadderID    string
	Capacity    int // most entries
	Clock       Clock
	Limits      FaultLimits
	OpensAt     time.Time // registration
	ClosesAt    time.Time
	StartsAt    time.Time
	Status      Status
	Reason      string
	CreatedAt   time.Time
	StartedAt   *time.Time
	EndedAt     *time.Time
	PausedAt    *time.Time // while it runs: since when no new match begins
	Invite      Invite     // zero: open to everybody
	ScheduleID  string     // the schedule that made it; "" if announced by hand
	Number      int        // of the schedule's tournaments: 1, 2, …; 0 without a schedule
	Seed        game.Seed  // secret for ever: pairings, deals and aliases follow from it; zero before the start
}

// FormatOptions are what only some formats know; a zero is the format's default. Package pairing has their laws.
type FormatOptions struct {
	MinTable    int           // larger tables: the smallest that is played short-handed; 0: only full ones
	Rounds      int           // swiss
	BestOf      int           // elimination at tables of two: most games of a tie
	ThirdPlace  bool          // single elimination at tables of two
	GroupSize   int           // groups: most entries of one
	Finalists   int           // groups: how many play the final
	Lasts       time.Duration // arena: how long, from the start
	LateEntries bool          // swiss, arena: bots may enter after the start, while the format allows
}

// Entry is a bot in a tournament.
type Entry struct {
	TournamentID string
	BotID        string
	BotName      string
	OwnerID      string
	VersionID    string // fixed at the start; "" before
	JoinedAt     time.Time
	WithdrawnAt  *time.Time
	Challenger   bool // of a gauntlet: it meets the field
}

// Standing is an entry's line in the standings.
type Standing struct {
	Rank   int // ties share
	BotID  string
	Bot    string
	Played int
	Points float64 // 1 a win, ½ a draw; for larger tables the share of opponents beaten; for teams 1 a win
	Wins   int
	Draws  int
	Losses int
	Score  float64 // the sum of the game's own points: the last tie-break
	Faults int
	// Byes had, and blocks or ties lost without playing.
	Byes, Forfeits int
	// Ties are what the format compares, in its order (pairing.Format.Ties).
	Ties []TieValue
}

// TieValue is what an entry has of one thing that standings compare; more is better.
type TieValue struct {
	By    string
	Value float64
}
