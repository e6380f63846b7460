package tournament

import (
	"cmp"
	"encoding/json"
	"reflect"
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
	SPRT              Format = "sprt"               // two bots or versions in pairs, until a sequential test knows which hypothesis holds
)

// Formats are all formats, in the order in which people read them.
func Formats() []Format {
	return []Format{RoundRobin, Swiss, SingleElimination, DoubleElimination, Gauntlet, Groups, Arena, SPRT}
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
	Duplicate   bool // every line-up goes round the seats: on one seed if the game allows ([game.Info]), else on deals of their own
	Options     FormatOptions
	Rated       bool
	LadderID    string
	Capacity    int // most entries
	// OwnerEntries is the most entries of one owner, at most Capacity; 0 only in tournaments that a program announced which
	// knew no such bound. See [Tournament.PerOwner].
	OwnerEntries int
	Clock        Clock
	Limits       FaultLimits
	OpensAt      time.Time // registration
	ClosesAt     time.Time
	StartsAt     time.Time
	Status       Status
	Reason       string
	CreatedAt    time.Time
	StartedAt    *time.Time
	EndedAt      *time.Time
	PausedAt     *time.Time // while it runs: since when no new match begins
	Invite       Invite     // zero: open to everybody
	ScheduleID   string     // the schedule that made it; "" if announced by hand
	Number       int        // of the schedule's tournaments: 1, 2, …; 0 without a schedule
	Seed         game.Seed  // secret for ever: pairings, deals and aliases follow from it; zero before the start
}

// PerOwner is the most entries that one owner may have. In rated games with hidden teams it is 1: two bots could play as one.
func (t *Tournament) PerOwner(info game.Info) int {
	switch {
	case t.Rated && info.Teams:
		return 1
	case t.OwnerEntries == 0:
		return t.Capacity
	}
	return t.OwnerEntries
}

// BoundOwners puts the default in where the organiser has set no bound on an owner's entries: 1 where matches are rated, and
// otherwise as many as there are places.
func (t *Tournament) BoundOwners() {
	switch {
	case t.OwnerEntries != 0:
	case t.Rated:
		t.OwnerEntries = 1
	default:
		t.OwnerEntries = t.Capacity
	}
}

// FormatOptions are what only some formats know; a zero is the format's default. Package pairing has their laws.
type FormatOptions struct {
	MinTable    int           // larger tables: the smallest that is played short-handed; 0: only full ones
	Rounds      int           // swiss
	BestOf      int           // elimination and playoff at tables of two: most games of a tie
	ThirdPlace  bool          // single elimination and such a playoff at tables of two
	GroupSize   int           // groups: most entries of one
	Playoff     Format        // swiss, groups: the second stage, single or double elimination; "": none
	Finalists   int           // groups, playoff: how many play the final, or the playoff
	TieBreaks   []string      // what tells those of like points apart, in this order (TieBreaks); nil: the format's own
	Lasts       time.Duration // arena: how long, from the start
	LateEntries bool          // swiss, arena: bots may enter after the start, while the format allows
	Test        Test          // sprt
}

// IsZero reports whether nothing is said.
func (o FormatOptions) IsZero() bool {
	ties := o.TieBreaks
	o.TieBreaks = nil
	return ties == nil && reflect.ValueOf(o).IsZero()
}

// TieBreaks are the names of what can tell those of like points apart; package pairing says what they are.
func TieBreaks() []string {
	return []string{
		"direct_encounter", "wins", "sonneborn_berger", "buchholz", "buchholz_cut1", "buchholz_median", "progressive", "koya",
		"performance", "game_score",
	}
}

// Test is the sequential test of an sprt: is the first entry stronger than the second by Elo0 or less, or by Elo1 or more?
type Test struct {
	Elo0, Elo1  float64 // both 0: [DefaultTest]'s
	Alpha, Beta float64 // chances of a wrong end in H1 and in H0; 0: [DefaultTest]'s
	Normalised  bool    // Elo0 and Elo1 are normalised Elo
	MaxPairs    int     // it ends undecided after so many pairs of matches; 0: [DefaultTest]'s
}

// DefaultTest asks whether the first is 30 Elo stronger or no stronger, with errors of 5 %, in at most 1000 pairs.
func DefaultTest() Test { return Test{Elo1: 30, Alpha: .05, Beta: .05, MaxPairs: 1000} }

// Filled is the test with defaults for what was left out.
func (t Test) Filled() Test {
	d := DefaultTest()
	if t.Elo0 == 0 && t.Elo1 == 0 {
		t.Elo0, t.Elo1 = d.Elo0, d.Elo1
	}
	t.Alpha, t.Beta, t.MaxPairs = cmp.Or(t.Alpha, d.Alpha), cmp.Or(t.Beta, d.Beta), cmp.Or(t.MaxPairs, d.MaxPairs)
	return t
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
	// AgainstID is another version of the bot, which the entry brings along to an sprt: the two are both entries of it.
	AgainstID string
}

// Standing is an entry's line in the standings.
type Standing struct {
	Rank  int // ties share
	BotID string
	Bot   string
	// VersionID tells two versions of one bot apart; "" before the start.
	VersionID string
	Played    int
	Points    float64 // 1 a win, ½ a draw; for larger tables the share of opponents beaten; for teams 1 a win
	Wins      int
	Draws     int
	Losses    int
	Score     float64 // the sum of the game's own points: the last tie-break
	Faults    int
	// Byes had, and blocks or ties lost without playing.
	Byes, Forfeits int
	// WithdrewAfter is, of an entry that has withdrawn, the last round that it played or sat out, 0 if none; nil of others.
	WithdrewAfter *int
	// Trial is where an sprt stands, seen from its first entry, on that entry's line only; nil elsewhere.
	Trial *Trial
	// Ties are what the format compares, in its order (pairing.Format.Ties).
	Ties []TieValue
}

// Trial is where the sequential test of an sprt stands. Pairs count in the order of the schedule, whatever ended first.
type Trial struct {
	Verdict          string // continue, H0 (not stronger by Elo1) or H1 (stronger than Elo0)
	Pairs            int    // that count
	Tally            []int  // of them by points of the first entry: 0, ½, 1, 1½, 2
	LLR              float64
	Lower, Upper     float64 // the bounds of LLR at which it ends
	Elo, Low, High   float64 // how much stronger the first entry is, with its 95 % interval; fair although the test could stop early
	Elo0, Elo1       float64 // the hypotheses
	IsNormalisedTest bool    // whether those are in normalised Elo; Elo, Low and High never are
}

// TieValue is what an entry has of one thing that standings compare; more is better.
type TieValue struct {
	By    string
	Value float64
}
