package tournament

import "time"

// How often bots are checked by a hello, whether they play or not.
const (
	CheckActiveEvery = 10 * time.Minute
	CheckPausedEvery = time.Minute
)

// passesToReturn is how many checks in a row bring a paused bot back.
const passesToReturn = 2

// Health is what checks have found of a bot that is not retired.
type Health struct {
	Status BotStatus
	Reason string // why it is paused
	Passes int    // checks passed in a row since
}

// After is the health after one more check: a bot that fails is paused for the reason, and comes back by itself when two
// checks in a row pass. failure is "" for a check that passed.
func (h Health) After(failure string) Health {
	switch {
	case failure != "":
		return Health{Status: BotPaused, Reason: failure}
	case h.Status == BotPaused && h.Passes+1 < passesToReturn:
		return Health{Status: BotPaused, Reason: h.Reason, Passes: h.Passes + 1}
	}
	return Health{Status: BotActive}
}

// PauseCause is who keeps a bot paused. The reason beside it is for people.
type PauseCause string

// The causes. Of a bot that is not paused there is none.
const (
	PausedByChecks PauseCause = "checks"        // it comes back when it passes
	PausedByOwner  PauseCause = "owner"         // no check brings it back, only its owner
	BannedByAdmin  PauseCause = "administrator" // until an administrator lifts it, as all bans
	BannedByRule   PauseCause = "conduct"       // [Judge] found it past a bound
	BannedByOwner  PauseCause = "account"       // its owner's account is disabled; enabling that lifts it too
)

// Check is one health check of a bot, for its log.
type Check struct {
	ID        string
	BotID     string
	VersionID string // that was asked
	At        time.Time
	Failure   string        // "" if it passed
	Build     string        // that the bot said; another one than its version's is a redeployment
	Took      time.Duration // from asking to knowing
}

// KeepChecks is how long the log of health checks goes back.
const KeepChecks = 7 * 24 * time.Hour
