package tournament

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
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
	Cycles      int           // how often each pair meets; at tables of three or more, how often the field is gone through
	Duplicate   bool          `gorm:"column:is_duplicate"` // every line-up goes round the seats: on one seed if the game allows ([game.Info]), else with a deal for each match
	Options     FormatOptions `gorm:"serializer:db"`
	Rated       bool
	LadderID    string `gorm:"serializer:null"`
	Capacity    int    // most entries
	// OwnerEntries is the most entries of one owner, at most Capacity; 0 only before [Tournament.BoundOwners]. See Tournament.perOwner.
	OwnerEntries int           `gorm:"column:entries_per_owner"`
	WaitingList  bool          `gorm:"column:has_waiting_list"`          // of a scheduled one that is full: new entries wait for a place
	CheckIn      time.Duration `gorm:"column:check_in_us;serializer:db"` // so long before the start check-in opens, and entries that do not check in are left out; 0: nobody is asked
	Clock        Clock         `gorm:"embedded"`
	Limits       FaultLimits   `gorm:"embedded"`
	Beliefs      bool          `gorm:"column:asks_beliefs"` // turns ask what seats believe of that which they cannot see
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
	if t.Rated && info.Teams {
		return 1
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
	Excluded     bool `gorm:"column:is_excluded"`   // by an organiser, and so withdrawn: its owner cannot enter it again
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
	Rank          int        `json:"rank"` // ties share
	BotID         string     `json:"bot_id"`
	Bot           string     `json:"bot" example:"wallwizard"`
	VersionID     string     `json:"version_id,omitempty"` // from the start on
	Played        int        `json:"played"`
	Points        float64    `json:"points"` // 1 a win, ½ a draw; at larger tables the share of opponents beaten; for teams 1 a win
	Wins          int        `json:"wins"`
	Draws         int        `json:"draws"`
	Losses        int        `json:"losses"`
	Score         float64    `json:"score"` // the sum of the game's own points
	Faults        int        `json:"faults"`
	Byes          int        `json:"byes"`                           // rounds without a table; in a bracket, ties passed without an opponent
	Forfeits      int        `json:"forfeits"`                       // blocks or ties lost without playing
	Replaces      string     `json:"replaces,omitempty"`             // the bot whose place it has taken, with the results so far
	SinceRound    int        `json:"since_round,omitempty"`          // the round from which on it plays there
	WithdrewAfter *int       `json:"withdrew_after_round,omitempty"` // withdrawn entries: the last round that it played or sat out, 0 if none
	IsAnnulled    bool       `json:"annulled,omitempty"`             // it left so early that nothing of what it played counts
	Adjusted      *Mean      `json:"adjusted_points,omitempty"`      // hidden teams: the points without the luck of the deals; nothing is ranked by them
	Ties          []TieValue `json:"tie_breaks"`                     // what ranks entries, in the format's order; entries equal in all of it share the rank
	Trial         *Trial     `json:"test,omitempty"`                 // sprt: where the test stands, on the line of its first entry
} // @name Standing

// Remark says what explains the line beside its numbers: whose place it has, when it withdrew, that it is annulled; "" if nothing does.
func (s Standing) Remark() string {
	var out []string
	if s.Replaces != "" {
		out = append(out, fmt.Sprintf("since round %d for %s", s.SinceRound, s.Replaces))
	}
	switch {
	case s.WithdrewAfter == nil:
	case *s.WithdrewAfter == 0:
		out = append(out, "withdrew before it played")
	default:
		out = append(out, fmt.Sprintf("withdrew after round %d", *s.WithdrewAfter))
	}
	if s.IsAnnulled {
		out = append(out, "annulled: nothing of what it played counts")
	}
	return strings.Join(out, "; ")
}

// Trial is where the sequential test of an sprt stands, seen from its first entry. Pairs count in the order of the schedule,
// whatever ended first.
type Trial struct {
	Verdict          string  `json:"verdict" enums:"continue,undecided,H0,H1"` // undecided: it ended so; H0: not stronger by elo1; H1: stronger than elo0
	Pairs            int     `json:"pairs"`                                    // that count
	Tally            []int   `json:"pentanomial"`                              // of them by points of the first entry: 0, ½, 1, 1½, 2
	LLR              float64 `json:"llr"`                                      // log-likelihood ratio of H1 over H0
	Lower            float64 `json:"lower"`                                    // the bounds at which the test ends
	Upper            float64 `json:"upper"`
	Elo              float64 `json:"elo"` // how much stronger the first entry is, with its interval; within 1000
	Low              float64 `json:"low"` // its 95 % interval
	High             float64 `json:"high"`
	Elo0             float64 `json:"elo0"` // the hypotheses
	Elo1             float64 `json:"elo1"`
	IsNormalisedTest bool    `json:"normalised"` // they are in normalised Elo; elo, low and high are not
} // @name Trial

// TieValue is an entry's value in one thing that ranks entries; more is better.
type TieValue struct {
	By    string  `json:"by" enums:"points,direct_encounter,wins,sonneborn_berger,buchholz,buchholz_cut1,buchholz_median,progressive,koya,performance,game_score,stage,final_points,arena_score"`
	Value float64 `json:"value"`
} // @name TieValue

// MaxProse is the most characters of each of the [Texts].
const MaxProse = 10_000

// Texts are what the organiser writes about a tournament, in Markdown and kept as written, each of at most 10,000 characters.
// Pages show them without raw HTML and pictures. Lists leave them out.
type Texts struct {
	Description string `json:"description,omitempty" maxLength:"10000" example:"Every Friday at **eight**." help:"what it is about" kind:"markdown"`
	Rules       string `json:"rules,omitempty" maxLength:"10000" help:"rules of this event, beside the game's" kind:"markdown"` // of this event, beside the game's
	Prizes      string `json:"prizes,omitempty" maxLength:"10000" help:"what there is to win" kind:"markdown"`
} // @name Texts

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

// Closed returns when registration closes, or did: at the start where that came first, unless late entries are taken, or at the end.
func (t Tournament) Closed() time.Time {
	at := t.StartedAt
	if at == nil || t.Options.LateEntries {
		at = t.EndedAt
	}
	if at != nil && at.Before(t.ClosesAt) {
		return *at
	}
	return t.ClosesAt
}

// Begins returns when the tournament starts, or did.
func (t Tournament) Begins() time.Time {
	if t.StartedAt != nil {
		return *t.StartedAt
	}
	return t.StartsAt
}
