package tournament

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/text"
)

// Status is the state of a tournament.
type Status string

// The states of a tournament.
const (
	Scheduled Status = "scheduled" // not started; bots may enter and withdraw
	Running   Status = "running"
	Finished  Status = "finished"
	Cancelled Status = "cancelled" // Reason says why
)

// Tournament is a scheduled event of one game.
type Tournament struct {
	ID          string
	Name        string
	OrganiserID string
	Game        string
	Config      json.RawMessage `gorm:"serializer:db"` // canonical for Table seats
	Format      Format
	Table       int           `gorm:"column:table_size"` // seats per match
	Cycles      int           // how often each pair meets
	Duplicate   bool          `gorm:"column:is_duplicate"` // every line-up goes round the seats: on one seed if the game allows ([game.Info]), else with a deal for each match
	Options     FormatOptions `gorm:"serializer:db"`
	Rated       bool
	LadderID    string `gorm:"serializer:null"`
	Capacity    int    // most entries
	// OwnerEntries is the most entries of one owner, at most Capacity; 0 only in tournaments announced by a release without
	// this limit. See Tournament.perOwner.
	OwnerEntries int           `gorm:"column:entries_per_owner"`
	WaitingList  bool          `gorm:"column:has_waiting_list"`          // of a scheduled one that is full: who enters waits for a place
	CheckIn      time.Duration `gorm:"column:check_in_us;serializer:db"` // so long before the start check-in opens, and who does not check in is left out; 0: nobody is asked
	Clock        Clock         `gorm:"embedded"`
	Limits       FaultLimits   `gorm:"embedded"`
	OpensAt      time.Time     // registration
	ClosesAt     time.Time
	StartsAt     time.Time
	Status       Status
	Reason       string
	CreatedAt    time.Time
	StartedAt    *time.Time
	EndedAt      *time.Time
	PausedAt     *time.Time // while it runs: since when no new match starts
	Invite       Invite     `gorm:"column:invite_hash;serializer:null"` // zero: open to everyone
	InviteEndsAt *time.Time // from when on its code admits nobody; nil: it does as long as registration is open
	ScheduleID   string     `gorm:"serializer:null"` // the schedule that created it; "" if announced by hand
	Number       int        `gorm:"serializer:null"` // of the schedule's tournaments: 1, 2, …; 0 without a schedule
	Seed         game.Seed  `gorm:"serializer:null"` // never revealed: pairings, deals and aliases follow from it; zero before the start
	// Unlisted leaves it, and its matches, out of all lists and feeds: it is for those who have its link. It is not rated.
	Unlisted bool `gorm:"column:is_unlisted"`
	// Texts are filled in where a tournament is announced and in templates; what is stored is read beside the tournament.
	Texts Texts `gorm:"-"`
}

// perOwner returns the most entries that one owner may have. In rated games with hidden teams it is 1: two bots could play as one.
func (t *Tournament) perOwner(info game.Info) int {
	switch {
	case t.Rated && info.Teams:
		return 1
	case t.OwnerEntries == 0:
		return t.Capacity
	}
	return t.OwnerEntries
}

// BoundOwners fills in the default if the organiser has not limited an owner's entries: 1 if matches are rated, otherwise
// Capacity.
func (t *Tournament) BoundOwners() {
	switch {
	case t.OwnerEntries != 0:
	case t.Rated:
		t.OwnerEntries = 1
	default:
		t.OwnerEntries = t.Capacity
	}
}

// Entry is a bot in a tournament.
type Entry struct {
	TournamentID string `gorm:"primaryKey"`
	BotID        string `gorm:"primaryKey"`
	BotName      string `gorm:"->"`
	OwnerID      string `gorm:"->"`
	VersionID    string `gorm:"serializer:null"` // fixed at the start; "" before
	JoinedAt     time.Time
	WithdrawnAt  *time.Time
	Challenger   bool `gorm:"column:is_challenger"` // of a gauntlet: it meets the field
	Seed         int  `gorm:"column:manual_seed"`   // what the organiser has made it, from 1; 0: it is seeded by rating, behind those with one
	Waiting      bool `gorm:"column:is_waiting"`    // it has no place yet; only before the start
	CheckedInAt  *time.Time
	LeftOut      LeftOut // "" unless the start left it out
	// AgainstID is another version of the bot, as the second entry of an sprt.
	AgainstID string `gorm:"serializer:null"`
	// Replaces is the bot whose place it has taken after the start, with the results so far; "": nobody's. It plays there from SinceRound on.
	Replaces     string `gorm:"serializer:null"`
	ReplacesName string `gorm:"->"`
	SinceRound   int
}

// LeftOut is why the start of a tournament left an entry out, which is withdrawn then.
type LeftOut string

// The reasons.
const (
	NotCheckedIn LeftOut = "not_checked_in"
	NoPlace      LeftOut = "no_place" // it waited for one
	Retired      LeftOut = "retired"
)

// Standing is an entry's line in the standings.
type Standing struct {
	Rank  int // ties share
	BotID string
	Bot   string
	// VersionID distinguishes two versions of one bot; "" before the start.
	VersionID string
	Played    int
	Points    float64 // 1 a win, ½ a draw; for larger tables the share of opponents beaten; for teams 1 a win
	Wins      int
	Draws     int
	Losses    int
	Score     float64 // the sum of the game's own points: the last tie-break
	Faults    int
	// Byes, and blocks or ties lost without playing.
	Byes, Forfeits int
	// WithdrewAfter is the last round that a withdrawn entry played or sat out, 0 if none; nil for other entries.
	WithdrewAfter *int
	// IsAnnulled is true of an entry that left so early that nothing of what it played counts.
	IsAnnulled bool
	// Replaces is the name of the bot whose place it has taken, "" for nobody's, and SinceRound the round from which on it plays there.
	Replaces   string
	SinceRound int
	// Trial is the state of an sprt's test, only on the line of its first entry; nil elsewhere.
	Trial *Trial
	// Adjusted are the points without the luck of the deals, with the interval of 95 %, in a game of hidden teams whose ladder has
	// a fit; nil elsewhere, and with fewer than four blocks. Nothing is ranked by them.
	Adjusted *Mean
	// Ties are what ranks entries, in the format's order (pairing.Settings.Ties).
	Ties []TieValue
}

// Trial is the state of an sprt's sequential test. Pairs count in the order of the schedule, whichever ended first.
type Trial struct {
	Verdict          string // continue, H0 (not stronger by Elo1) or H1 (stronger than Elo0)
	Pairs            int    // that count
	Tally            []int  // of them by points of the first entry: 0, ½, 1, 1½, 2
	LLR              float64
	Lower, Upper     float64 // the bounds of LLR at which the test ends
	Elo, Low, High   float64 // how much stronger the first entry is, with its interval (sprt.Measure)
	Elo0, Elo1       float64 // the hypotheses
	IsNormalisedTest bool    // whether those are in normalised Elo; Elo, Low and High never are
}

// TieValue is an entry's value in one thing that ranks entries; more is better.
type TieValue struct {
	By    string
	Value float64
}

// MaxProse is the most characters of each of the [Texts].
const MaxProse = 10_000

// Texts are what an organiser writes about an event, in Markdown and as it was written; "" says nothing.
type Texts struct {
	Description string
	Rules       string
	Prizes      string
}

// Check names every text that is longer than [MaxProse] or holds a character that is not kept ([text.Prose]).
func (t Texts) Check() error {
	return errors.Join(
		checkProse("/description", t.Description),
		checkProse("/rules", t.Rules),
		checkProse("/prizes", t.Prizes),
	)
}

func checkProse(pointer, said string) error {
	if n := utf8.RuneCountInString(said); n > MaxProse {
		return &FieldError{pointer, fmt.Sprintf("%d characters, at most %d are kept", n, MaxProse)}
	}
	if err := text.Prose.Check(said, MaxProse*utf8.UTFMax); err != nil {
		return &FieldError{pointer, err.Error()}
	}
	return nil
}
