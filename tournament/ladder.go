package tournament

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"time"
)

// Ladder ranks the bot versions of one game by their rated matches.
type Ladder struct {
	ID        string // the game's id
	Game      string
	Season    int   // that matches scheduled now are in
	NextSeq   int64 // the next place in schedule order to be rated
	LastSeq   int64 // the last place given out
	CreatedAt time.Time
}

var ladderID = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

// IsLadderID reports whether a text looks like the id of a ladder, which is that of its game.
func IsLadderID(text string) bool { return ladderID.MatchString(text) }

// Elo is a rating in thousandths as people read it: in points, to one decimal.
func Elo(milli int64) float64 { return math.Round(float64(milli)/100) / 10 }

// StartMilli is the rating of a new bot, in thousandths of an Elo point.
const StartMilli int64 = 1_500_000

// Rating is a version's row on a ladder.
type Rating struct {
	LadderID  string
	VersionID string
	BotID     string
	Milli     int64 // thousandths of an Elo point
	Games     int   // rated matches played
	LastSeq   int64 // schedule place of the last of them
	Tally     Tally // of them
}

// RatingEvent is one change of one rating, written once.
type RatingEvent struct {
	LadderID    string
	LadderSeq   int64
	VersionID   string
	BotID       string
	MatchID     string
	BeforeMilli int64
	DeltaMilli  int64
	AfterMilli  int64
	K           float64
	Expected    float64
	Score       float64
}

// ProvisionalGames is the number of rated matches before which a rating is provisional.
const ProvisionalGames = 30

// ProvisionalHalf is the widest that half the 95 % interval of a fitted rating may be before it is provisional, in Elo.
const ProvisionalHalf = 100

// LineClass is what a ladder's line counts for. Only established ones are ranked; the others stand apart.
type LineClass string

// The classes of a line. A line that would be in several is in the last of them.
const (
	LineEstablished LineClass = "established"
	LineProvisional LineClass = "provisional" // too few matches, or its interval in the fit is too wide
	LineInactive    LineClass = "inactive"    // no match was made for it within [InactiveAfter]
	LineReplaced    LineClass = "replaced"    // another version of its bot plays now, or the bot is retired
)

// LineClasses are the classes in the order in which a ladder lists them.
func LineClasses() []LineClass {
	return []LineClass{LineEstablished, LineProvisional, LineInactive, LineReplaced}
}

// InactiveAfter is how long a version may be without a rated match before its line stands apart.
const InactiveAfter = 30 * 24 * time.Hour

// LadderRow is a ladder's line as people see it.
type LadderRow struct {
	Rank        int // among the established lines, equal ratings sharing the better one; 0 in other classes
	Class       LineClass
	Retirements int // matches of this ladder from which it was retired
	BotID       string
	Bot         string
	Owner       string
	VersionID   string
	Milli       int64
	Games       int
	Provisional bool    // too few matches, or its interval in the fit is too wide
	Fit         *FitRow // nil if the last fit had not seen it yet
	Wins        int
	Draws       int
	Losses      int
	Faults      int
	Form        string        // the last five matches, the newest first: W, D or L
	P95         time.Duration // what 95 % of its own answers in the last of them took at most; 0 if that is not known
	Status      BotStatus
	Reason      string // why it is not active
	BannedAt    *time.Time
}

// LadderEntry is a bot that plays on a standing ladder.
type LadderEntry struct {
	LadderID       string
	BotID          string
	BotName        string
	MatchesPerHour int // at most
	JoinedAt       time.Time
}

// MaxMatchesPerHour bounds what a bot may ask of a standing ladder; DefaultMatchesPerHour is for those that do not say.
const (
	MaxMatchesPerHour     = 600
	DefaultMatchesPerHour = 12
)

// CanPlayLadder tells why a bot may not enter the standing ladder of a game: its state ([ErrState]), its games, or a number
// of matches out of bounds ([ErrInvalid]).
func CanPlayLadder(game string, b Bot, games []string, perHour int) error {
	switch {
	case b.Status != BotActive:
		return fmt.Errorf("%w: bot %q is %s: %s", ErrState, b.Name, b.Status, b.Reason)
	case !slices.Contains(games, game):
		return &FieldError{"/bot_id", fmt.Sprintf("bot %q does not play %s; it said %v in its hello", b.Name, game, games)}
	case perHour < 1 || perHour > MaxMatchesPerHour:
		return &FieldError{"/matches_per_hour", fmt.Sprintf("%d is outside 1..%d", perHour, MaxMatchesPerHour)}
	}
	return nil
}
