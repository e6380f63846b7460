package tournament

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/molerun/molerun/engines/game"
)

// Ladder ranks the bot versions of one game by their rated matches, which are alike: of one configuration and one class of clocks.
type Ladder struct {
	ID         string          // of the base ladder: the game's id
	Game       string          `gorm:"column:plays"`
	Config     json.RawMessage `gorm:"serializer:db"`       // the keys in which matches differ from the base configuration, sorted; {} for none
	Table      int             `gorm:"column:table_size"`   // seats of every match; 0: every number that the game has
	Beliefs    bool            `gorm:"column:asks_beliefs"` // turns ask what seats believe of that which they cannot see
	ClockClass ClockClass
	Season     int   // the season of matches scheduled now
	NextSeq    int64 // the next place in schedule order to rate
	LastSeq    int64 // the last place assigned
	CreatedAt  time.Time
}

// PlacesEnd is behind every place that a ladder gives. A match beyond has none at the moment: its block could not be played when the
// ratings came to it, and gets places again when it can.
const PlacesEnd int64 = 1 << 40

// BaseLadder returns the ladder that every game has, with nothing rated yet: of its base configuration at every table, by the standard
// clock.
func BaseLadder(gameID string) Ladder {
	return Ladder{ID: gameID, Game: gameID, Config: json.RawMessage(`{}`), ClockClass: ClockStandard, Season: 1, NextSeq: 1}
}

// IsBase reports whether it is the base ladder of its game.
func (l Ladder) IsBase() bool { return l.ID == l.Game }

// Rated returns how many matches have entered the ratings.
func (l Ladder) Rated() int64 { return max(0, l.NextSeq-1) }

// Check refuses what a ladder that is to be opened may not have, each with a [*FieldError]. Its configuration must come from
// [VariantOf].
func (l Ladder) Check(info game.Info) error {
	var errs []error
	if !IsLadderID(l.ID) {
		errs = append(errs, &FieldError{"/id", "has to be 1 to 64 characters a–z, 0–9 and -, the first no -"})
	}
	if l.Table != 0 && (l.Table < info.MinSeats || l.Table > info.MaxSeats) {
		errs = append(errs, &FieldError{"/table_size", fmt.Sprintf("%d is no size of a table of %s, which is played by %s; leave it out for every table of the game", l.Table, info.ID, info.Sizes())})
	}
	if !slices.Contains(ClockClasses(), l.ClockClass) {
		errs = append(errs, &FieldError{"/clock_class", fmt.Sprintf("%q is none of %s", l.ClockClass, Listed(ClockClasses()))})
	}
	return errors.Join(errs...)
}

// Alike reports whether the matches of two ladders are.
func (l Ladder) Alike(o Ladder) bool {
	return l.Game == o.Game && bytes.Equal(l.Config, o.Config) && l.Table == o.Table && l.Beliefs == o.Beliefs && l.ClockClass == o.ClockClass
}

// Tables returns how many seats the ladder's own matches have: every number that the game allows, or its only one.
func (l Ladder) Tables(info game.Info) []int {
	if l.Table != 0 {
		return []int{l.Table}
	}
	var sizes []int
	for k := max(2, info.MinSeats); k <= info.MaxSeats; k++ {
		sizes = append(sizes, k)
	}
	return sizes
}

// Variant says in words in what matches differ from those of the base ladder; "" for that itself.
func (l Ladder) Variant() string {
	var config map[string]json.RawMessage
	_ = json.Unmarshal(l.Config, &config) // it is an object, as it was stored
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(config)) {
		words := strings.ReplaceAll(key, "_", " ")
		switch value := string(config[key]); value {
		case "true":
			parts = append(parts, words)
		case "false":
			parts = append(parts, "no "+words)
		default:
			parts = append(parts, words+" "+strings.Trim(value, `"`))
		}
	}
	if l.Table != 0 {
		parts = append(parts, fmt.Sprintf("tables of %d", l.Table))
	}
	if l.Beliefs {
		parts = append(parts, "asks beliefs")
	}
	if l.ClockClass != ClockStandard {
		parts = append(parts, string(l.ClockClass)+" clock")
	}
	return strings.Join(parts, ", ")
}

// VariantOf returns the keys in which a configuration differs from a game's base configuration at tables of so many seats, 0 for all
// that the game has. What the game does not play there is its error ([game.ErrConfig]).
func VariantOf(engine game.Engine, config json.RawMessage, table int) (json.RawMessage, error) {
	var out json.RawMessage
	for _, seats := range (Ladder{Table: table}).Tables(engine.Info()) {
		canonical, err := engine.Configure(config, seats)
		if err != nil {
			return nil, err
		}
		base, err := engine.Configure(nil, seats)
		if err != nil {
			return nil, err
		}
		var got, want map[string]json.RawMessage
		if err := errors.Join(json.Unmarshal(canonical, &got), json.Unmarshal(base, &want)); err != nil {
			return nil, err
		}
		maps.DeleteFunc(got, func(key string, value json.RawMessage) bool { return bytes.Equal(value, want[key]) })
		if out, err = json.Marshal(got); err != nil {
			return nil, err
		}
	}
	return out, nil
}

var ladderID = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

// IsLadderID reports whether a text looks like a ladder's id.
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

// Encounters sums up what the bots of one owner took in the rated matches in which a bot of Partner sat too, or with Partner "" in all
// its rated matches.
type Encounters struct {
	Owner, Partner string
	Matches        int
	Score          float64 // the sum of what its bots took of the matches, 0 to 1 each
	Expected       float64 // the sum of what the ratings expected of them
	Variance       float64 // the sum of expected × (1 − expected): no score of that mean varies more
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
	Status      BotStatus
	Reason      string // why it is not active
	BannedAt    *time.Time
	Tally
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

// Sized returns the ladder with its table left open where the game has no other size: then it is the base ladder's.
func (l Ladder) Sized(info game.Info) Ladder {
	if info.MinSeats == info.MaxSeats {
		l.Table = 0
	}
	return l
}

// CanPlayLadder says why a bot may not enter a standing ladder of a game: its state ([ErrState]), its games, or a number of
// matches out of range ([ErrInvalid]).
func CanPlayLadder(game string, b Bot, games []string, perHour int) error {
	switch {
	case b.Status != BotActive:
		return fmt.Errorf("%w: bot %q is %s: %s", ErrState, b.Name, b.Status, b.Reason)
	case !slices.Contains(games, game):
		return &FieldError{"/bot_id", fmt.Sprintf("bot %q does not play %s; it said %v in its hello", b.Name, game, games)}
	}
	return within("/matches_per_hour", perHour, 1, maxMatchesPerHour)
}

// Tally summarises the matches behind a ladder line's rating.
type Tally struct {
	Wins, Draws, Losses, Faults int
	Form                        string        // the last five matches, the newest first: W, D or L
	P95                         time.Duration `gorm:"column:p95_us;serializer:db"` // 95 % of its own answers in the last match took at most this; 0 if not known
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
	letter, n := "L", &t.Losses
	if best == Win {
		letter, n = "W", &t.Wins
	} else if best == Draw {
		letter, n = "D", &t.Draws
	}
	*n++
	t.Form = (letter + t.Form)[:min(formed, 1+len(t.Form))]
	t.P95 = slowest.Truncate(time.Microsecond)
}
