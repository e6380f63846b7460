package wire

import (
	"time"

	"github.com/molerun/molerun/api/op"
)

// The operations on bots.
var (
	// @Summary	Check a bot now
	// @Description	Sends a hello and one turn of a match that goes no further. A bot that answers both becomes active; one that does not is paused. ok and reason say which. A bot that its
	// @Description	owner has paused is greeted too, but stays paused.
	CheckBot = op.Post[op.One, BotChecked]("/v1/bots/{id}/check", "bot")

	// @Summary	Resume a bot
	// @Description	Sends a hello and one turn of a match that goes no further. If the bot answers, it plays again. Otherwise it stays paused, with what was found as the reason, and
	// @Description	resumes by itself when two checks in a row pass.
	ResumeBot = op.Post[op.One, BotChecked]("/v1/bots/{id}/resume", "bot")

	// @Summary	Pause a bot
	// @Description	The bot gets no new matches until you resume it; matches it already has are played to the end. Health checks do not
	// @Description	resume it.
	PauseBot = op.Post[op.One, BotDetail]("/v1/bots/{id}/pause", "bot")

	// @Summary	Retire a bot
	// @Description	Permanent: the bot gets no more matches, and leaves its tournaments as if you had withdrawn it. Its matches and ratings stay.
	DeleteBot = op.Delete[op.One]("/v1/bots/{id}", "bot", op.Refusing(409))

	// @Summary	Ban a bot
	// @Description	For administrators, with a reason that everyone sees. The bot gets no new matches, whatever its checks find, until the
	// @Description	ban is lifted.
	BanBot = op.Post[op.WithID[CancelRequest], Bot]("/v1/bots/{id}/ban", "admin")

	// @Summary	Lift the ban of a bot
	// @Description	For administrators. The bot returns when it has passed its checks.
	UnbanBot = op.Post[op.One, Bot]("/v1/bots/{id}/unban", "admin")

	// @Summary	All bots
	ListBots = op.Get[BotsQuery, Page[Bot]]("/v1/bots", "")

	// @Summary	Register a bot
	// @Description	The bot must be running: it gets a signed hello, and must echo the challenge and name at least one game of this
	// @Description	platform. Until it knows its secret it should accept the hello unverified; or choose the secret yourself and send it
	// @Description	here.
	CreateBot = op.Create[BotCreate, BotCreated]("/v1/bots", "bot")

	// @Summary	One bot
	GetBot = op.Get[op.One, BotDetail]("/v1/bots/{id}", "")

	// @Summary	The versions of a bot
	// @Description	The newest first. Addresses are shown to the owner only.
	ListVersions = op.Get[op.ListOf, Page[BotVersion]]("/v1/bots/{id}/versions", "")

	// @Summary	Change a bot
	// @Description	For its owner: sets whether others may challenge the bot to unrated matches. Nothing else of a bot changes: what
	// @Description	affects its play belongs to its version.
	UpdateBot = op.Patch[op.WithID[BotPatch], Bot]("/v1/bots/{id}", "bot", op.Refusing(409))

	// @Summary	The health of a bot
	// @Description	Shows everyone whether the bot gets matches, and why not, on each ladder that it has joined; shows its owner also the checks of the last seven days.
	GetBotHealth = op.Get[op.ListOf, BotHealth]("/v1/bots/{id}/health", "")

	// @Summary	How a bot's ratings changed
	// @Description	On every ladder, the newest change first. before, delta and after are the on-line rating's; fit is what the ladder showed of the
	// @Description	version after it, with the 95 % interval. A fit that sees several new matches of a version at once stands at the last of them.
	ListRatingHistory = op.Get[RatingHistoryQuery, Page[RatingChange]]("/v1/bots/{id}/rating-history", "")

	// @Summary	The records of a bot's matches, as an archive
	// @Description	A tar of MATCH.replay.jsonl.gz, each as it is downloaded alone, the newest first, however many there are. Matches that are not
	// @Description	over, void or still sealed are left out, and those that were played by rules which this release no longer has. The connection
	// @Description	breaks off if the whole could not be sent. It counts as one of the two exports that a caller may have at once, an hour each.
	ExportRecords = op.Get[RecordsExport, string]("/v1/bots/{id}/records", "", op.Answering("application/x-tar"))

	// @Summary	The matches a bot has played
	// @Description	Finished matches, the newest first. A match whose bots are not open yet is left out.
	ListBotMatches = op.Get[op.ListOf, Page[Match]]("/v1/bots/{id}/matches", "")

	// @Summary	Register a version of a bot
	// @Description	The bot is greeted at the new address; its answer permanently fixes build, games and author. The version plays no
	// @Description	match until it is promoted.
	CreateVersion = op.Create[op.WithID[VersionCreate], BotVersion]("/v1/bots/{id}/versions", "bot")

	// @Summary	Let a version of a bot play
	// @Description	Newer or older: to go back, promote an older one, which resumes its old ratings. A version that is new on a ladder
	// @Description	starts with the rating of the one that it replaces. The version is greeted first and must report the build that it was
	// @Description	registered with. Matches and tournaments that have begun keep their version.
	PromoteVersion = op.Post[op.WithID[VersionPromote], BotDetail]("/v1/bots/{id}/promote", "bot")

	// @Summary	Rotate a bot's secret
	// @Description	Requests are signed with both the new and the present secret until the next rotation, which drops the older. If a
	// @Description	secret has leaked, drop-old-secret ends it at once. Other versions of the bot keep their secrets.
	RotateBotSecret = op.Post[op.One, SecretRotated]("/v1/bots/{id}/rotate-secret", "bot")

	// @Summary	End a rotation early
	// @Description	Drops the older secret of the active version at once: requests are then signed only with the newest.
	DropOldBotSecret = op.Post[op.One, SecretsLive]("/v1/bots/{id}/drop-old-secret", "bot")
)

// BotsQuery asks for bots.
type BotsQuery struct {
	Name   string `form:"name" empty:"true"` // only bots with this in their names, in any case
	Game   string `form:"game"`              // only bots whose active version plays this game
	Owner  string `form:"owner"`             // id of a user, or me
	Status string `form:"status" enums:"active,paused,retired"`
	op.Paging
}

// RatingHistoryQuery asks for the rated matches of a bot.
type RatingHistoryQuery struct {
	op.One
	Ladder string `form:"ladder"` // only this ladder
	op.Paging
}

// RecordsExport asks for the records of a bot.
type RecordsExport struct {
	op.One
	Since time.Time `form:"since" format:"date-time"` // made at this time or later, RFC 3339
	Until time.Time `form:"until" format:"date-time"` // made before this time, RFC 3339
}

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
	URL    string `json:"url" example:"https://bot.example.org/"`                 // where the bot listens, or relay:NAME if molerun connect NAME carries its messages, or agent:NAME if an agent asks for its turns at /mcp
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
	URL    string `json:"url" example:"https://bot.example.org/v2"` // where it listens, or relay:NAME or agent:NAME; versions may share one
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
