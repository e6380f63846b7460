package tournament

import (
	"fmt"
	"time"
)

// BotStatus is whether a bot gets matches.
type BotStatus string

// The states of a bot.
const (
	BotActive  BotStatus = "active"
	BotPaused  BotStatus = "paused"  // failed its health check; resumes by itself
	BotRetired BotStatus = "retired" // by its owner, permanently
)

// Bot is a named player of one owner. Names are unique. It plays with its active version.
type Bot struct {
	ID        string
	OwnerID   string
	Name      string
	Status    BotStatus
	Reason    string     // why it is paused or retired, for people
	Pause     PauseCause `gorm:"column:pause_cause"`
	VersionID string     // the active version
	CreatedAt time.Time
	BannedAt  *time.Time // since when an administrator, or its conduct, keeps it paused; nil: not banned
	Conduct   Conduct    // why, if its conduct does
	// UnprovenAt is since when it must be greeted before it plays again, after a match in which it failed or at the start of a
	// tournament; nil: it need not.
	UnprovenAt *time.Time
	// TakesChallenges is its owner's consent to unrated matches that others ask for. House bots of a platform have it.
	TakesChallenges bool
}

// OpenReason returns the public reason why a bot gets no matches: a check's own words may contain its address. It is "" while the
// bot gets matches.
func (b Bot) OpenReason() string {
	switch {
	case b.OwnerID == GuestsID && b.Status == BotRetired:
		return "a person at a seat, in one match"
	case b.Status == BotRetired:
		return "retired by its owner"
	case b.BannedAt != nil:
		return b.Reason // an administrator's words
	case b.Pause == PausedByOwner:
		return "paused by its owner"
	case b.Pause == PausedByFaults:
		return fmt.Sprintf("lost %d matches in a row by its own faults", FailuresInRow)
	case b.Status == BotPaused:
		return "has not passed its health checks"
	}
	return ""
}

// Version is a bot behind one URL, or behind the mailbox of a relay ([RelayAddress]); it never changes, so its strength is one number.
type Version struct {
	ID        string
	BotID     string
	Number    int     // 1, 2, …
	URL       string  // private: shown to its owner only
	Secrets   Secrets `gorm:"serializer:db"`
	Author    string
	Build     string
	Games     []string `gorm:"-"` // ids of the games that it plays, from its hello
	WantsText bool     // its turns include the view in words, from its hello
	CreatedAt time.Time
	Note      string // its owner's note
	ParentID  string `gorm:"serializer:null"` // the version that it replaced and whose rating it starts with; "" for the first
}

// Secrets are the whsec_ keys that sign requests: one, or two while rotating (the new one first).
type Secrets []string

// Redeploy says that a bot answered with a build other than its version's in the middle of the match.
type Redeploy struct {
	Seat   int    `json:"seat"`
	Step   int    `json:"step"`   // of the first answer with it, from 1
	Pinned string `json:"pinned"` // the build registered or, without one, first reported
	Build  string `json:"build"`
} // @name Redeploy

// How often each bot gets a hello, playing or not.
const (
	CheckActiveEvery = 10 * time.Minute
	CheckPausedEvery = time.Minute
	// CheckUnprovenEvery is how often a bot that must be greeted before it plays again is, while that fails by our fault.
	CheckUnprovenEvery = 30 * time.Second
)

// GreetWithin is how long a round of a tournament waits for the greetings of bots that failed in the one before.
const GreetWithin = 2 * time.Minute

// ProvenFor bounds how long a match that a bot has played well spares it the greeting at the start of a tournament.
const ProvenFor = time.Minute

// FailuresInRow is how many matches in a row a bot may lose by its own faults until it is paused. A match was lost so if the bot was
// retired from it, or gave no answer at all.
const FailuresInRow = 3

// passesToReturn is how many checks in a row bring a paused bot back.
const passesToReturn = 2

// Health is the result of a bot's checks; retired bots are not checked.
type Health struct {
	Status BotStatus
	Reason string // why it is paused
	Passes int    // checks passed in a row since
}

// After returns the health after one more check. A bot that fails is paused with the reason, and resumes by itself when two checks
// in a row pass. failure is "" for a passed check.
func (h Health) After(failure string) Health {
	switch {
	case failure != "":
		return Health{Status: BotPaused, Reason: failure}
	case h.Status == BotPaused && h.Passes+1 < passesToReturn:
		return Health{Status: BotPaused, Reason: h.Reason, Passes: h.Passes + 1}
	}
	return Health{Status: BotActive}
}

// PauseCause is who keeps a bot paused; the reason beside it is for people.
type PauseCause string

// The causes. A bot that is not paused has none.
const (
	PausedByChecks PauseCause = "checks"        // it resumes when it passes
	PausedByFaults PauseCause = "faults"        // it lost [FailuresInRow] matches; its owner resumes it, when it answers
	PausedByOwner  PauseCause = "owner"         // only its owner resumes it, no check
	BannedByAdmin  PauseCause = "administrator" // until an administrator lifts it
	BannedByRule   PauseCause = "conduct"       // [Judge] found it past a limit
	BannedByOwner  PauseCause = "account"       // its owner's account is disabled; enabling that lifts it too
)

// Check is one health check of a bot, for the log.
type Check struct {
	ID        string
	BotID     string
	VersionID string        // the version that was checked
	At        time.Time     `gorm:"column:checked_at"`
	Failure   string        // "" if it passed
	Build     string        // reported by the bot; if it is not its version's, the bot was redeployed
	Took      time.Duration `gorm:"column:took_us;serializer:db"` // from request to result
}

// KeepChecks is how long the log of health checks is kept.
const KeepChecks = 7 * 24 * time.Hour
