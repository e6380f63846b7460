package wire

import "time"

// BotHealth reports whether a bot gets matches and, to its owner, what its checks found.
type BotHealth struct {
	Status  string        `json:"status" enums:"active,paused,retired"`
	Banned  bool          `json:"banned,omitempty"` // paused until an administrator lifts it
	Reason  string        `json:"reason"`           // why it gets no matches, without revealing its address; "" while it gets them
	Ladders []LadderState `json:"ladders"`          // how it stands on each standing ladder that it has joined
	Data    []HealthCheck `json:"data"`             // the log, the last check first; only for the owner
	Next    *string       `json:"next_cursor" extensions:"x-nullable"`
} // @name BotHealth

// LadderState is how a bot stands on a ladder that it has joined, and why it has no match there.
type LadderState struct {
	Ladder         string     `json:"ladder" example:"molehill"`
	MatchesPerHour int        `json:"matches_per_hour" example:"12"` // at most
	Used           int        `json:"used"`                          // matches made for it within the last hour
	State          string     `json:"state" enums:"playing,next,paced,hour_used,owners,greeting,paused"`
	Text           string     `json:"text" example:"12 of 12 matches of the hour used; next at 17:07:00 UTC"` // the state in words
	NextAt         *time.Time `json:"next_at,omitempty" format:"date-time"`                                   // with paced and hour_used: when the next may come
	Owners         int        `json:"owners,omitempty"`                                                       // with owners: so many more must have a bot there
	Rating         *float64   `json:"rating,omitempty" example:"1512.3"`                                      // of the active version, once it is rated
	Matches        int        `json:"matches"`                                                                // rated matches of it
} // @name LadderState

// HealthCheck is one hello sent to a bot to check it.
type HealthCheck struct {
	At        time.Time `json:"at" format:"date-time"`
	VersionID string    `json:"version_id"`
	OK        bool      `json:"ok"`
	Reason    string    `json:"reason"` // what was wrong; "" if the check passed
	Build     string    `json:"build"`  // that the bot reported; if it is not its version's, register a new version
	TookMS    int64     `json:"took_ms"`
} // @name HealthCheck

// Bot is what everyone may know about a bot.
type Bot struct {
	ID        string    `json:"id"`
	Name      string    `json:"name" example:"wallwizard"`
	OwnerID   string    `json:"owner_id"`
	Status    string    `json:"status" enums:"active,paused,retired"`
	Banned    bool      `json:"banned,omitempty"`                            // paused until an administrator lifts it
	Conduct   string    `json:"conduct,omitempty" enums:"voids,retirements"` // no administrator does but what became of its matches, until one lifts it
	CreatedAt time.Time `json:"created_at" format:"date-time"`
	// Whether anyone may challenge it to unrated matches.
	TakesChallenges bool `json:"takes_challenges"`
} // @name Bot

// BotDetail is a bot with its active version; private is only for its owner.
type BotDetail struct {
	Bot     Bot         `json:"bot"`
	Active  BotVersion  `json:"version"`
	Private *BotPrivate `json:"private,omitempty"`
} // @name BotDetail

// BotPrivate is what only the owner can see.
type BotPrivate struct {
	Reason string `json:"reason"` // why the bot is paused or retired; may contain its address
} // @name BotPrivate

// BotVersion is a bot behind one address. It never changes, so its strength is one number.
type BotVersion struct {
	ID        string          `json:"id"`
	Number    int             `json:"number" example:"1"`
	Author    string          `json:"author"`
	Build     string          `json:"build"`
	Games     []string        `json:"games" example:"molehill"`
	Text      bool            `json:"text"` // its turns include the view in words
	CreatedAt time.Time       `json:"created_at" format:"date-time"`
	Private   *VersionPrivate `json:"private,omitempty"`
} // @name BotVersion

// VersionPrivate is what only the owner can see.
type VersionPrivate struct {
	URL     string `json:"url"`
	Secrets int    `json:"secrets"` // how many are live: 2 while rotating
	Note    string `json:"note"`
} // @name VersionPrivate

// BotCreate registers a bot.
type BotCreate struct {
	Name   string `json:"name" example:"wallwizard" minLength:"2" maxLength:"32"` // letters, digits, - and _; unique, ignoring case
	URL    string `json:"url" example:"https://bot.example.org/"`                 // where the bot listens, or relay:NAME if molerun connect NAME carries its messages
	Secret string `json:"secret,omitempty" example:"whsec_…"`                     // whsec_ and 24 to 64 bytes in base64; generated if left out
} // @name BotCreate

// BotCreated is a new bot with its secret.
type BotCreated struct {
	Bot     Bot        `json:"bot"`
	Version BotVersion `json:"version"`
	Secret  string     `json:"secret"` // shown only now: give it to the bot as MOLERUN_SECRET
} // @name BotCreated

// BotChecked is what a health check found.
type BotChecked struct {
	OK     bool   `json:"ok"`
	Reason string `json:"reason"` // what is wrong; "" if the check passed
	Build  string `json:"build"`  // that the bot reported; if it is not its version's, register a new version
	TookMS int64  `json:"took_ms"`
	Bot    Bot    `json:"bot"` // after the check
} // @name BotChecked

// SecretRotated is the new secret of a bot.
type SecretRotated struct {
	Secret  string `json:"secret"`  // shown only now
	Secrets int    `json:"secrets"` // how many are live now
} // @name SecretRotated

// BotPatch changes a bot.
type BotPatch struct {
	TakesChallenges bool `json:"takes_challenges"` // others may challenge it to unrated matches
} // @name BotPatch

// VersionCreate registers a version of a bot.
type VersionCreate struct {
	URL    string `json:"url" example:"https://bot.example.org/v2"` // where it listens, or relay:NAME; versions may share one
	Secret string `json:"secret,omitempty" example:"whsec_…"`       // whsec_ and 24 to 64 bytes in base64; those of the active version if left out
	Build  string `json:"build,omitempty" example:"2024-06-01"`     // that its hello must report; any if left out
	Note   string `json:"note,omitempty" maxLength:"200"`           // for you only
} // @name VersionCreate

// VersionPromote names the version that shall play.
type VersionPromote struct {
	Number int `json:"number" example:"2"`
} // @name VersionPromote

// SecretsLive says how many secrets a version has.
type SecretsLive struct {
	Secrets int `json:"secrets"`
} // @name SecretsLive
