package wire

import (
	"encoding/json"
	"time"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/tournament"
)

// The operations on tournaments.
var (
	// @Summary	Preview a tournament
	// @Description	For organisers. Checks a request as POST /v1/tournaments does, but creates nothing. It says how many rounds and
	// @Description	matches a full field plays at most, and how long that takes.
	PreviewTournament = op.Post[TournamentCreate, Preview]("/v1/tournaments/preview", "organise", op.Unaudited())

	// @Summary	The entries of a tournament
	// @Description	In the order in which they joined, including withdrawn ones.
	ListTournamentEntries = op.Get[op.ListOf, Page[Entry]]("/v1/tournaments/{id}/entries", "")

	// @Summary	Enter a bot
	// @Description	Enters your own active bot, if it plays the game. Registration must be open and have room; with late_entries, some
	// @Description	formats take entries after the start. With waiting_list, an entry without a place waits for one. In a rated game with hidden teams an owner may enter one bot. An invite_only
	// @Description	tournament needs the organiser's code.
	JoinTournament = op.Create[op.WithID[EntryCreate], Entry]("/v1/tournaments/{id}/entries", "enter")

	// @Summary	Withdraw a bot
	// @Description	For its owner or the organiser, before the end. A bot that the organiser withdraws is excluded: its owner cannot enter it
	// @Description	again until the organiser admits it. After the start it is permanent: later rounds are made without the bot. In a round robin, what it has not begun is forfeited, or played short-handed at larger tables where that is
	// @Description	allowed.
	WithdrawEntry = op.Delete[EntryOf]("/v1/tournaments/{id}/entries/{bot_id}", "enter", op.Refusing(409))

	// @Summary	Admit an excluded bot again
	// @Description	By the organiser, while the tournament takes entries: the bot that an organiser withdrew is entered again as it was, without the
	// @Description	invite code. Its owner gets entry.admitted.
	AdmitEntry = op.Post[EntryOf, Entry]("/v1/tournaments/{id}/entries/{bot_id}/admit", "organise")

	// @Summary	Check a bot in
	// @Description	For its owner or the organiser, from check_in_ms before the start on. Who enters while check-in is open is checked in.
	// @Description	Who has not checked in at the start is left out, and those who wait take the places.
	CheckInEntry = op.Post[EntryOf, Entry]("/v1/tournaments/{id}/entries/{bot_id}/check-in", "enter")

	// @Summary	Have a bot take another's place
	// @Description	For the owner of the entry or the organiser, before the start and between rounds: another bot of the owner's, or one of the
	// @Description	caller's, plays on with the number, the seed and the results of the entry. Nobody is replaced in a block that has begun.
	// @Description	Ratings stay with the bot that played. An arena and an sprt have no substitutes after their start.
	SubstituteEntry = op.Post[SubstituteOf, Entry]("/v1/tournaments/{id}/entries/{bot_id}/substitute", "enter")

	// @Summary	Seed a tournament by hand
	// @Description	By its organiser, before the start: bots, the best first. The other entries follow by rating; an empty list takes the
	// @Description	seeds back. The answer is all entries that have not withdrawn.
	SeedTournament = op.Put[op.WithID[Seeds], Page[Entry]]("/v1/tournaments/{id}/seeds", "organise", op.Refusing(409))

	// @Summary	The matches of a tournament
	// @Description	In the order of the schedule.
	ListTournamentMatches = op.Get[TournamentMatchesQuery, Page[Match]]("/v1/tournaments/{id}/matches", "")

	// @Summary	Download a table
	// @Description	The standings, the crosstable, the bracket (the rounds of any format) or the matches of a tournament as one file. What
	// @Description	is sealed now is empty. JSON is a list of objects, NDJSON one object a line; the keys are the columns of the CSV.
	ExportTournament = op.Get[TournamentExport, any]("/v1/tournaments/{id}/export", "", op.Answering("application/json", "text/csv", "application/x-ndjson"))

	// @Summary	The standings so far
	// @Description	tie_breaks lists what the format compares, in its order. In a rated game of hidden teams adjusted_points are the
	// @Description	points without the luck of the deals, with a 95 % interval; nothing is ranked by them.
	ListTournamentStandings = op.Get[op.ListOf, Page[tournament.Standing]]("/v1/tournaments/{id}/standings", "")

	// @Summary	The rounds of a tournament
	// @Description	For any format: who met whom, byes, and who was absent or forfeited, and why. In an elimination, tables are ties with
	// @Description	names.
	ListTournamentRounds = op.Get[op.ListOf, Page[Round]]("/v1/tournaments/{id}/bracket", "")

	// @Summary	When each match is shown to people who watch together
	// @Description	After its round is over, one match of the first tables after another: three seconds on the first step, five on the last, and
	// @Description	even time for each between. A showing hides nothing: the match itself is open. An sprt has none.
	ListShowings = op.Get[op.ListOf, Page[Showing]]("/v1/tournaments/{id}/broadcast", "")

	// @Summary	The crosstable
	// @Description	In the order of the standings: each bot's result against each other, with a 95 % interval. In a rated game of hidden
	// @Description	teams adjusted_share is the share without the luck of the deals, where two bots have shared four blocks.
	ListTournamentCrosstable = op.Get[op.ListOf, Page[CrosstableRow]]("/v1/tournaments/{id}/crosstable", "")

	// @Summary	Pair a round again by hand
	// @Description	By the organiser of a swiss, as long as no match of its last round has begun: start it paused, give it a pause between
	// @Description	rounds, or pause it while the round before is played. Everybody of the round has a seat or a bye. The round shows who changed it, when, why, and how
	// @Description	it was.
	ArrangeRound = op.Put[RoundOf, Round]("/v1/tournaments/{id}/rounds/{round}", "organise", op.Refusing(409))

	// @Summary	Announce a tournament
	// @Description	For organisers. Everything is checked now, including the configuration against the game's rules. The code of a tournament
	// @Description	by invitation only is shown once, in the answer.
	CreateTournament = op.Create[TournamentCreate, Tournament]("/v1/tournaments", "organise")

	// @Summary	All tournaments
	ListTournaments = op.Get[TournamentsQuery, Page[Tournament]]("/v1/tournaments", "")

	// @Summary	One tournament
	GetTournament = op.Get[op.One, Tournament]("/v1/tournaments/{id}", "")

	// @Summary	Start a tournament now
	// @Description	For its organiser. Makes the first round, or all rounds of a round robin. With too few entries nothing happens, and
	// @Description	the answer says why. With paused no match begins until the tournament is resumed. The body may be left out.
	StartTournament = op.Post[op.WithID[*StartRequest], Tournament]("/v1/tournaments/{id}/start", "organise")

	// @Summary	Cancel a tournament
	// @Description	For its organiser, with a reason that everyone sees; without a body the reason is "cancelled by its organiser".
	// @Description	Matches that are not over become void.
	CancelTournament = op.Post[op.WithID[*CancelRequest], Tournament]("/v1/tournaments/{id}/cancel", "organise")

	// @Summary	Pause a running tournament
	// @Description	For its organiser. No new match starts; those that have begun are played to the end.
	PauseTournament = op.Post[op.One, Tournament]("/v1/tournaments/{id}/pause", "organise")

	// @Summary	Resume a paused tournament
	// @Description	For its organiser. Matches start again where they stopped. An arena lasts longer by as long as it was paused.
	ResumeTournament = op.Post[op.One, Tournament]("/v1/tournaments/{id}/resume", "organise")

	// @Summary	Change a tournament
	// @Description	By its organiser: what is left out stays, but for options that mean nothing in a new format. Until it is over its texts
	// @Description	may change, Markdown that is kept as written; an empty text takes one away. Before the start all but the game may, as long
	// @Description	as the entries fit; the event tournament.changed goes to those who have entered. When check-in is put off, who has
	// @Description	checked in does so again.
	UpdateTournament = op.Patch[op.WithID[TournamentPatch], Tournament]("/v1/tournaments/{id}", "organise", op.Refusing(409))

	// @Summary	Renew the invite code of a tournament
	// @Description	By its organiser, where it is invite_only: a new code, which the answer shows, only now, takes the place of the one before.
	// @Description	expires_at ends it before registration does; the body may be left out.
	RenewInvite = op.Post[op.WithID[*InviteRenew], Invite]("/v1/tournaments/{id}/invite", "organise", op.Refusing(409))

	// @Summary	What happens in a tournament
	// @Description	Its status, its matches started and finished, and changes of its standings, from its first event on. As JSON or as a
	// @Description	stream, like /v1/events.
	ListTournamentEvents = op.Get[TournamentEventsQuery, Events]("/v1/tournaments/{id}/events", "", op.Answering("application/json", "text/event-stream"))
)

// EntryOf names an entry by its tournament and its bot.
type EntryOf struct {
	op.One
	BotID string `uri:"bot_id" format:"uuid" json:"-"`
}

// SubstituteOf asks for a bot to take the place of an entry.
type SubstituteOf struct {
	EntryOf
	Body Substitute
}

// Substitute is the bot that takes an entry's place.
type Substitute struct {
	BotID string `json:"bot_id"`
} // @name Substitute

// TournamentMatchesQuery asks for the matches of a tournament.
type TournamentMatchesQuery struct {
	op.One
	Status string `form:"status" enums:"queued,running,done,void"`
	op.Paging
}

// TournamentExport asks for a table of a tournament as a file.
type TournamentExport struct {
	op.One
	Table  string `form:"table" enums:"standings,crosstable,bracket,matches" default:"standings"`
	Format string `form:"format" enums:"csv,json,ndjson" default:"csv"`
}

// RoundOf arranges a round of a tournament.
type RoundOf struct {
	op.One
	Round int `uri:"round" help:"number of the round, from 1" json:"-"`
	Body  RoundChange
}

// TournamentsQuery asks for tournaments.
type TournamentsQuery struct {
	Name     string `form:"name" empty:"true"` // only those with this in their names; A to Z in any case
	Game     string `form:"game"`              // only this game
	Status   string `form:"status" enums:"scheduled,running,finished,cancelled"`
	Schedule string `form:"schedule" format:"uuid"` // only those that this schedule made
	// only those that the caller organises, alone or together with others
	Organiser string `form:"organiser" enums:"me"`
	op.Paging
}

// TournamentEventsQuery asks for events of a tournament.
type TournamentEventsQuery struct {
	op.One
	After       int64  `form:"after"` // only events after this number; 0 if left out
	LastEventID string `header:"Last-Event-ID" help:"the same, for streams; browsers send it by themselves" json:"-"`
}

// Entry is a bot in a tournament.
type Entry struct {
	BotID       string     `json:"bot_id"`
	Bot         string     `json:"bot" example:"wallwizard"`
	OwnerID     string     `json:"owner_id"`
	VersionID   string     `json:"version_id,omitempty"` // fixed at the start
	JoinedAt    time.Time  `json:"joined_at" format:"date-time"`
	WithdrawnAt *time.Time `json:"withdrawn_at,omitempty" format:"date-time"`
	Challenger  bool       `json:"challenger,omitempty"`         // of a gauntlet
	Seed        int        `json:"seed,omitempty"`               // that the organiser has given it, from 1
	AgainstID   string     `json:"against_version_id,omitempty"` // sprt: the other version of the bot that plays
	Waiting     bool       `json:"waiting,omitempty"`            // it has no place yet
	CheckedInAt *time.Time `json:"checked_in_at,omitempty" format:"date-time"`
	LeftOut     string     `json:"left_out,omitempty" enums:"not_checked_in,no_place,retired"` // why the start left it out

	Replaces   string `json:"replaces,omitempty" example:"oldhand"` // the bot whose place it has taken after the start
	SinceRound int    `json:"since_round,omitempty"`                // from which on it plays there

	// State is what it does now, or why it has no match; in lists alone.
	State string `json:"state,omitempty" enums:"playing,queued,paused,greeting,held,next_round,waiting,check_in,start,left_out,withdrawn,excluded,replaced,over"`
	Text  string `json:"text,omitempty" example:"gets no matches while its bot is paused"` // the state in words
} // @name Entry

// Seeds are the bots that the organiser seeds by hand.
type Seeds struct {
	Bots []string `json:"bots"` // ids, the best first; entries that are not named follow by rating
} // @name Seeds

// StartRequest says how a tournament starts.
type StartRequest struct {
	Paused bool `json:"paused,omitempty"` // the first round is made, and no match begins until the tournament is resumed
} // @name StartRequest

// EntryCreate enters a bot.
type EntryCreate struct {
	BotID      string `json:"bot_id"`
	InviteCode string `json:"invite_code,omitempty" example:"mi_…"` // where the tournament is invite_only
	Challenger bool   `json:"challenger,omitempty"`                 // gauntlet: this bot meets every bot that is not a challenger
	AgainstID  string `json:"against_version_id,omitempty"`         // sprt: another version of this bot, as the second entry
} // @name EntryCreate

// Clock is a time control.
type Clock struct {
	LimitMS            int64 `json:"limit_ms" example:"1000" help:"free time for a decision (default 1s; language models need up to 2m)"` // free per decision, 10 to 120 000
	BankMS             int64 `json:"bank_ms" example:"10000" help:"time beyond the limits for a match (default 10s)"`                     // per match, used once the limit is passed, at most 600 000
	IncrementMS        int64 `json:"increment_ms" example:"0" help:"added to the bank after a decision (default 0s)"`                     // added to the bank after each decision, at most 60 000
	NetworkAllowanceMS int64 `json:"network_allowance_ms" example:"150" help:"round trip forgiven for a decision (default 150ms)"`        // round trip that is not charged, per decision, at most 1000
} // @name Clock

// FaultLimits is how many faults retire a seat.
type FaultLimits struct {
	InRow int `json:"max_faults_in_row" example:"3" help:"faults in a row that retire a bot (default 3)"`
	Total int `json:"max_faults" example:"10" help:"faults in a match that retire a bot (default 10)"`
} // @name FaultLimits

// TextsPatch is what of the texts is to change; what is left out stays, and an empty text takes one away.
type TextsPatch struct {
	Description *string `json:"description,omitempty" maxLength:"10000"`
	Rules       *string `json:"rules,omitempty" maxLength:"10000"`
	Prizes      *string `json:"prizes,omitempty" maxLength:"10000"`
} // @name TextsPatch

// TemplatePatch is what of a tournament or a schedule is to change; what is left out stays.
type TemplatePatch struct {
	Name      *string                   `json:"name,omitempty" maxLength:"80"`
	Config    json.RawMessage           `json:"config,omitempty" swaggertype:"object"`
	Cycles    *int                      `json:"cycles,omitempty"`
	Duplicate *bool                     `json:"duplicate,omitempty"`
	Rated     *bool                     `json:"rated,omitempty"`
	Capacity  *int                      `json:"capacity,omitempty"`
	PerOwner  *int                      `json:"entries_per_owner,omitempty"` // 0: the default
	Waiting   *bool                     `json:"waiting_list,omitempty"`
	CheckInMS *int64                    `json:"check_in_ms,omitempty"` // 0: no check-in
	Beliefs   *bool                     `json:"beliefs,omitempty"`
	Clock     *Clock                    `json:"clock,omitempty"`
	Faults    *FaultLimits              `json:"fault_limits,omitempty"`
	Options   *tournament.FormatOptions `json:"format_options,omitempty"` // replaced as a whole: options left out take their defaults
	TextsPatch
} // @name TemplatePatch

// TournamentPatch is what of a tournament may change once it is announced: until it is over what is written about it, and all else
// before the start.
type TournamentPatch struct {
	TemplatePatch
	Table      *int       `json:"table_size,omitempty"`
	Format     *string    `json:"format,omitempty" enums:"round_robin,swiss,single_elimination,double_elimination,gauntlet,groups,arena,sprt"`
	InviteOnly *bool      `json:"invite_only,omitempty"` // true makes a code, which only the answer shows
	Unlisted   *bool      `json:"unlisted,omitempty"`    // false lists it; what is listed stays so
	OpensAt    *time.Time `json:"opens_at,omitempty" format:"date-time"`
	ClosesAt   *time.Time `json:"closes_at,omitempty" format:"date-time"`
	StartsAt   *time.Time `json:"starts_at,omitempty" format:"date-time"` // check-in goes with it
} // @name TournamentPatch

// TournamentTemplate describes a tournament except for its times.
type TournamentTemplate struct {
	Name       string                    `json:"name" example:"Friday Cup" maxLength:"80" help:"what it is called (default: game, format and day); a schedule's may hold {number}, which becomes 1, 2, …, and {date}, the day" kind:"text"` // of a schedule: {number} becomes 1, 2, … and {date} the day of the start
	Game       string                    `json:"game" example:"molehill"`
	Config     json.RawMessage           `json:"config,omitempty" swaggertype:"object" help:"the configuration itself, a JSON object"` // see the game's config schema; the base variant if left out
	Table      int                       `json:"table_size" example:"2" help:"seats a match (default: the fewest that the game has)"`  // seats per match
	Format     string                    `json:"format" enums:"round_robin,swiss,single_elimination,double_elimination,gauntlet,groups,arena,sprt" help:"{enums} (default swiss)"`
	Cycles     int                       `json:"cycles" example:"1" help:"how often everybody meets everybody; at tables of three or more, how often the field is gone through (default 1)"`                 // how often each pair meets; at tables of three or more a cycle is the fewest tables in which everybody plays equally often
	Duplicate  bool                      `json:"duplicate" help:"every line-up goes round the seats (default true at tables of two)"`                                                                        // every line-up goes round the seats; in molehill its matches share one deal, elsewhere each has its own
	Rated      *bool                     `json:"rated,omitempty" help:"results enter the ladder of these matches (default: where there is one)"`                                                             // results enter the ladder of this config and class of clocks; if left out, where there is one, and matches have at least its clock and fault limits
	Capacity   int                       `json:"capacity" example:"8" help:"most entries (default 16; of an sprt 2)"`                                                                                        // most entries
	PerOwner   int                       `json:"entries_per_owner,omitempty" example:"1" help:"most entries of one owner (default 1 where rated, else no bound)"`                                            // most entries of one owner; if left out, 1 when rated, otherwise no limit
	Waiting    bool                      `json:"waiting_list,omitempty" help:"when it is full, entries wait for a place"`                                                                                    // when it is full, entries wait for a place
	CheckInMS  int64                     `json:"check_in_ms,omitempty" example:"1800000" help:"check-in opens that long before the start; entries that do not check in are left out (default: no check-in)"` // check-in opens this long before the start, and who does not check in is left out; no check-in if left out
	Beliefs    bool                      `json:"beliefs,omitempty" help:"turns ask what bots believe of that which they cannot see"`                                                                         // turns ask what bots believe of that which they cannot see
	Clock      *Clock                    `json:"clock,omitempty"`
	Faults     *FaultLimits              `json:"fault_limits,omitempty"`
	Options    *tournament.FormatOptions `json:"format_options,omitempty"`
	InviteOnly bool                      `json:"invite_only,omitempty" help:"entries need a code, which is shown once"`         // entries need a code, which only the answer to this request shows
	Unlisted   bool                      `json:"unlisted,omitempty" help:"no list shows it: it is for those who have its link"` // no list, feed or page of a bot shows it or its matches: it is for those who have its link; it is not rated
	tournament.Texts
} // @name TournamentTemplate

// TournamentCreate announces a tournament.
type TournamentCreate struct {
	TournamentTemplate
	OpensAt  time.Time `json:"opens_at" format:"date-time"` // registration
	ClosesAt time.Time `json:"closes_at" format:"date-time"`
	StartsAt time.Time `json:"starts_at" format:"date-time"`
} // @name TournamentCreate

// Tournament is a scheduled event of one game. What a request may leave out is always there in the answer.
type Tournament struct {
	ID          string `json:"id"`
	OrganiserID string `json:"organiser_id"`
	TournamentTemplate
	Config     json.RawMessage `json:"config" swaggertype:"object"`
	Rated      bool            `json:"rated"`
	LadderID   string          `json:"ladder,omitempty"`
	Expected   int             `json:"matches_at_capacity"` // how many matches a full field plays at most; 0 for an arena
	Clock      Clock           `json:"clock"`
	Faults     FaultLimits     `json:"fault_limits"`
	OpensAt    time.Time       `json:"opens_at" format:"date-time"`
	ClosesAt   time.Time       `json:"closes_at" format:"date-time"`
	StartsAt   time.Time       `json:"starts_at" format:"date-time"`
	Status     string          `json:"status" enums:"scheduled,running,finished,cancelled"`
	Reason     string          `json:"reason,omitempty"` // why it was cancelled or ended early; for an sprt, how it ended
	CreatedAt  time.Time       `json:"created_at" format:"date-time"`
	StartedAt  *time.Time      `json:"started_at,omitempty" format:"date-time"`
	EndedAt    *time.Time      `json:"ended_at,omitempty" format:"date-time"`
	PausedAt   *time.Time      `json:"paused_at,omitempty" format:"date-time"` // since when no new match starts
	PausedMS   int64           `json:"paused_ms,omitempty"`                    // arena: how long its pauses took that are over, by which it lasts longer than lasts_ms
	InviteOnly bool            `json:"invite_only"`
	InviteCode string          `json:"invite_code,omitempty"` // only in the answer that made it
	InviteEnds *time.Time      `json:"invite_expires_at,omitempty" format:"date-time"`
	ScheduleID string          `json:"schedule_id,omitempty"` // the schedule that created it
	Number     int             `json:"number,omitempty"`      // of that schedule's tournaments: 1, 2, …
} // @name Tournament

// InviteRenew says when a new invite code ends.
type InviteRenew struct {
	ExpiresAt *time.Time `json:"expires_at,omitempty" format:"date-time"` // with the registration, if left out
} // @name InviteRenew

// Invite is a tournament's invite code, shown only now.
type Invite struct {
	InviteCode string     `json:"invite_code" example:"mi_…"`
	ExpiresAt  *time.Time `json:"expires_at,omitempty" format:"date-time"`
} // @name Invite

// CancelRequest says why something is cancelled, banned, disabled or voided.
type CancelRequest struct {
	Reason string `json:"reason" maxLength:"200"`
} // @name CancelRequest

// Preview estimates a tournament or a schedule before it is made.
type Preview struct {
	Rated   bool        `json:"rated"`
	Ladder  string      `json:"ladder" example:"molehill"`     // that of the matches' configuration and class of clocks, which results enter if rated; where none has it, the nearest
	Differs []string    `json:"differs_from_ladder,omitempty"` // in what matches differ from the ladder's, so that they cannot be rated
	Starts  []time.Time `json:"starts" format:"date-time"`     // the first starts of a schedule, at most five
	Rounds  int         `json:"rounds"`                        // of a full field at most; 0 for an arena
	Matches int         `json:"matches"`                       // of a full field at most; 0 for an arena
	MatchMS int64       `json:"match_ms"`                      // of a match with as many steps as random bots need, if each step takes limit_ms
	LeastMS int64       `json:"least_ms"`                      // for a full field, if all matches of a round are played at once
	MostMS  int64       `json:"most_ms"`                       // for a full field, if one match is played at a time
} // @name Preview
