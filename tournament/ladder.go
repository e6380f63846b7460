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
	Season    int   // the season of matches scheduled now
	NextSeq   int64 // the next place in schedule order to rate
	LastSeq   int64 // the last place assigned
	CreatedAt time.Time
}

var ladderID = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

// IsLadderID reports whether a text looks like a ladder's id, which is its game's id.
func IsLadderID(text string) bool { return ladderID.MatchString(text) }

// Elo turns a rating in thousandths into points, to one decimal, as people read it.
func Elo(milli int64) float64 { return math.Round(float64(milli)/100) / 10 }

// StartMilli is the rating of a new bot, in thousandths of an Elo point.
const StartMilli int64 = 1_500_000

// Rating is a version's row on a ladder.
type Rating struct {
	LadderID  string
	VersionID string
	BotID     string
	Milli     int64 // the on-line rating, thousandths of an Elo point
	// OffsetMilli is what the line shows above that: the last fit minus the on-line rating that it saw. A version that the
	// fit has not seen has that of the one it came from.
	OffsetMilli int64
	Games       int   // rated matches played
	LastSeq     int64 // schedule place of the last of them
	Tally       Tally `gorm:"embedded"` // of them
}

// RatingEvent is one change of one rating, never rewritten.
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
	KRule       int // the number of the rule that gave K
}

// RatingChange is an entry of a rating's history.
type RatingChange struct {
	RatingEvent
	// Fit is what the first fit said that had seen the match as the last of its version; nil where none has.
	Fit *FitPoint
}

// FitPoint is a point of a rating's history: what a fit said of a version, with the bounds of the 95 % interval, all in thousandths.
type FitPoint struct {
	Milli     int64
	LowMilli  int64
	HighMilli int64
}

// ProvisionalGames is the number of rated matches before which a rating is provisional.
const ProvisionalGames = 30

// ProvisionalHalf is the largest half-width, in Elo, of a fitted rating's 95 % interval that is not provisional.
const ProvisionalHalf = 100

// LineClass is the class of a ladder's line. Only established lines are ranked; the others are listed separately.
type LineClass string

// The classes of a line. A line that fits several is in the last of them.
const (
	LineEstablished LineClass = "established"
	LineProvisional LineClass = "provisional" // too few matches, or its interval in the fit is too wide
	LineInactive    LineClass = "inactive"    // no match within [InactiveAfter]
	LineReplaced    LineClass = "replaced"    // another version of its bot plays now, or the bot is retired
)

// LineClasses lists the classes in the order of a ladder's page.
func LineClasses() []LineClass {
	return []LineClass{LineEstablished, LineProvisional, LineInactive, LineReplaced}
}

// InactiveAfter is how long a version may go without a rated match before its line is inactive.
const InactiveAfter = 30 * 24 * time.Hour

// LadderRow is a line of a ladder as people see it.
type LadderRow struct {
	Rank        int // among the established lines, equal ratings share the better rank; 0 in other classes
	Class       LineClass
	Retirements int // matches of this ladder from which it was retired
	BotID       string
	Bot         string
	Owner       string
	VersionID   string
	Milli       int64 // the rating, by which lines are ordered: the last fit and what the on-line rating has moved since
	OnlineMilli int64
	Games       int
	Provisional bool    // too few matches, or its interval in the fit is too wide
	Fit         *FitRow // nil if the last fit has not seen it
	Wins        int
	Draws       int
	Losses      int
	Faults      int
	Form        string        // the last five matches, the newest first: W, D or L
	P95         time.Duration // 95 % of its own answers in the last match took at most this; 0 if not known
	Status      BotStatus
	Reason      string // why it is not active
	BannedAt    *time.Time
}

// LadderEntry is a bot that plays on a standing ladder.
type LadderEntry struct {
	LadderID       string
	BotID          string
	BotName        string `gorm:"->"`
	MatchesPerHour int    // at most
	JoinedAt       time.Time
}

// maxMatchesPerHour is the most that a bot may ask of a standing ladder; DefaultMatchesPerHour applies if it does not say.
const (
	maxMatchesPerHour     = 600
	DefaultMatchesPerHour = 12
)

// CanPlayLadder says why a bot may not enter a game's standing ladder: its state ([ErrState]), its games, or a number of
// matches out of range ([ErrInvalid]).
func CanPlayLadder(game string, b Bot, games []string, perHour int) error {
	switch {
	case b.Status != BotActive:
		return fmt.Errorf("%w: bot %q is %s: %s", ErrState, b.Name, b.Status, b.Reason)
	case !slices.Contains(games, game):
		return &FieldError{"/bot_id", fmt.Sprintf("bot %q does not play %s; it said %v in its hello", b.Name, game, games)}
	case perHour < 1 || perHour > maxMatchesPerHour:
		return &FieldError{"/matches_per_hour", fmt.Sprintf("%d is outside 1..%d", perHour, maxMatchesPerHour)}
	}
	return nil
}

// Tally summarises the matches behind a ladder line's rating.
type Tally struct {
	Wins, Draws, Losses, Faults int
	Form                        string        // the latest matches, the newest first: W, D or L
	P95                         time.Duration `gorm:"column:p95_us;serializer:db"` // of the last match; 0 if not known
}

// formed is how many matches the form tells of.
const formed = 5

// Add counts one match in which the version held these seats: its best verdict, all its faults, its slowest seat.
func (t *Tally) Add(seats []MatchSeat) {
	best, slowest := Loss, time.Duration(0)
	for _, s := range seats {
		t.Faults += s.Faults
		slowest = max(slowest, s.P95)
		if s.Verdict == Win || s.Verdict == Draw && best == Loss {
			best = s.Verdict
		}
	}
	letter := "L"
	switch best {
	case Win:
		letter = "W"
		t.Wins++
	case Draw:
		letter = "D"
		t.Draws++
	default:
		t.Losses++
	}
	t.Form = (letter + t.Form)[:min(formed, 1+len(t.Form))]
	t.P95 = slowest.Truncate(time.Microsecond)
}
