package tournament

import "time"

// How often each bot gets a hello, playing or not.
const (
	CheckActiveEvery = 10 * time.Minute
	CheckPausedEvery = time.Minute
)

// passesToReturn is how many checks in a row bring a paused bot back.
const passesToReturn = 2

// Health is the result of a bot's checks; retired bots are not checked.
type Health struct {
	Status BotStatus
	Reason string // why it is paused
	Passes int    // checks passed in a row since
}

// After is the health after one more check. A bot that fails is paused with the reason, and resumes by itself when two checks
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
	PausedByOwner  PauseCause = "owner"         // only its owner resumes it, no check
	BannedByAdmin  PauseCause = "administrator" // until an administrator lifts it
	BannedByRule   PauseCause = "conduct"       // [Judge] found it past a limit
	BannedByOwner  PauseCause = "account"       // its owner's account is disabled; enabling that lifts it too
)

// Check is one health check of a bot, for the log.
type Check struct {
	ID        string
	BotID     string
	VersionID string // the version that was checked
	At        time.Time
	Failure   string        // "" if it passed
	Build     string        // reported by the bot; if it is not its version's, the bot was redeployed
	Took      time.Duration // from request to result
}

// KeepChecks is how long the log of health checks is kept.
const KeepChecks = 7 * 24 * time.Hour
