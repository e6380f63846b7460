package tournament

import "time"

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
	Reason    string // why it is paused or retired, for people
	Pause     PauseCause
	VersionID string // the active version
	CreatedAt time.Time
	BannedAt  *time.Time // since when an administrator, or its conduct, keeps it paused; nil: not banned
	Conduct   Conduct    // why, if its conduct does
	// TakesChallenges is its owner's consent to unrated matches that others ask for. House bots of a platform have it.
	TakesChallenges bool
}

// OpenReason is the public reason why a bot gets no matches: a check's own words may contain its address. It is "" while the
// bot gets matches.
func (b Bot) OpenReason() string {
	switch {
	case b.Status == BotRetired:
		return "retired by its owner"
	case b.BannedAt != nil:
		return b.Reason // an administrator's words
	case b.Status == BotPaused:
		return "has not passed its health checks"
	}
	return ""
}

// Version is a bot behind one URL, or behind the mailbox of a relay ([RelayAddress]); it never changes, so its strength is one number.
type Version struct {
	ID        string
	BotID     string
	Number    int    // 1, 2, …
	URL       string // private: shown to its owner only
	Secrets   Secrets
	Author    string
	Build     string
	Games     []string // ids of the games that it plays, from its hello
	WantsText bool     // its turns include the view in words, from its hello
	CreatedAt time.Time
	Note      string // its owner's note
	ParentID  string // the version that it replaced and whose rating it starts with; "" for the next lower number
}

// Secrets are the whsec_ keys that sign requests: one, or two while rotating (the new one first).
type Secrets []string

// Redeploy says that a bot answered with a build other than its version's in the middle of a match.
type Redeploy struct {
	Seat   int
	Step   int    // of the first answer with it, from 1
	Pinned string // the build registered or, without one, first reported
	Build  string
}
