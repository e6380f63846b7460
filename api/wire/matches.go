package wire

import (
	"encoding/json"
	"time"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/tournament"
)

// The operations on matches.
var (
	// @Summary	One match
	// @Description	While it runs, what a spectator sees. Which bot has which seat is public, except in games with hidden teams. There,
	// @Description	and for every match that shares its seed with others, names or everything wait until the last of those matches is
	// @Description	over.
	GetMatch = op.Get[op.One, MatchDetail]("/v1/matches/{id}", "", op.Refusing(409))

	// @Summary	Make a match void
	// @Description	For the organiser of its tournament, with a reason that everyone sees, as long as the match is not over: a result
	// @Description	stands. Nobody is rated, and the match is not played again: its tournament goes on without it. A rated match in which
	// @Description	the organiser's own bot plays, and a match outside tournaments, is for administrators.
	VoidMatch = op.Post[op.WithID[CancelRequest], Match]("/v1/matches/{id}/void", "organise")

	// @Summary	Queue a match again
	// @Description	For administrators, as long as the match is not over. The match is taken from its worker and continues elsewhere after
	// @Description	its last recorded decision.
	RequeueMatch = op.Post[op.One, Match]("/v1/matches/{id}/requeue", "admin")

	// @Summary	Challenge bots to an unrated match
	// @Description	Your bot plays your other bots, or bots that take challenges, as house bots do. The match is not rated. A bot may have
	// @Description	five such matches open, a user fifty; two of yours are played at a time, and the rest wait. Clock and fault limits are
	// @Description	lower than a tournament's: limit_ms 10000, bank_ms 60000, increment_ms 5000, network_allowance_ms 1000, and 20 faults.
	// @Description	All values out of bounds are named at once.
	CreateChallenge = op.Create[ChallengeCreate, Match]("/v1/challenges", "enter", op.Refusing(404))

	// @Summary	Play a match again
	// @Description	For the owner of a bot that had a seat, or the organiser of its tournament, once the match is open. It makes an
	// @Description	unrated match of the same bots' present versions, with the same configuration and clock, each bot one seat further, on
	// @Description	a new seed. The bots of others must take challenges. A clock beyond the bounds of a challenge is lowered to them.
	CreateRematch = op.Create[op.One, Match]("/v1/matches/{id}/rematch", "enter", op.Refusing(422))

	// @Summary	All matches
	// @Description	The newest first. A list by bot leaves out matches whose bots are not open yet, a list by result those that are sealed.
	ListMatches = op.Get[MatchesQuery, Page[Match]]("/v1/matches", "")

	// @Summary	All matches that are over, as a file
	// @Description	One match a line, in the order in which they were made, however many there are. Each is shown as far as it is open, as in the list.
	// @Description	The connection breaks off if the whole could not be sent: a file that came to its end is whole. A match that ends meanwhile may be
	// @Description	left out. A caller may have two exports at once, which last an hour at most.
	ExportMatches = op.Get[MatchFilter, any]("/v1/matches/export", "", op.Answering("application/x-ndjson"))

	// @Summary	The events of a match
	// @Description	What everyone at the table has heard; with seat, once the match is open, what that seat has heard. As JSON: at most 1000
	// @Description	events. With Accept: text/event-stream: from the first event, or after the number in Last-Event-ID, as the match goes.
	// @Description	Each data is a MatchEvent; the last event is end, with the status. A request after the end gets 204.
	ListMatchEvents = op.Get[MatchEventsQuery, MatchEvents]("/v1/matches/{id}/events", "", op.MayAnswer(204), op.Answering("application/json", "text/event-stream"), op.Refusing(409))

	// @Summary	The record of a match
	// @Description	replay/1: gzipped JSON Lines that anyone can verify offline (molerun replay verify FILE). It is there once the match
	// @Description	and every match on the same seed are over, and never changes. A void match has none.
	GetMatchReplay = op.Get[op.One, string]("/v1/matches/{id}/replay", "", op.Answering("application/gzip"), op.Refusing(409))

	// @Summary	The decisions of your seat
	// @Description	For the owner of the seat's bot, when the match is over: each decision with where its time went, what went wrong, and
	// @Description	what the bot noted. At most one match's decisions, in order.
	ListMatchDecisions = op.Get[DecisionsQuery, Page[Decision]]("/v1/matches/{id}/decisions", "read", op.Refusing(409))

	// @Summary	A view of a match
	// @Description	The view after a number of steps, as JSON and in words: a spectator's while the match runs; any seat's once it and
	// @Description	every match on the same seed are over.
	GetMatchView = op.Get[MatchViewQuery, MatchView]("/v1/matches/{id}/view", "", op.Refusing(409))
)

// MatchFilter narrows what is asked for of all matches.
type MatchFilter struct {
	Tournament string    `form:"tournament" format:"uuid"`     // id of a tournament
	Ladder     string    `form:"ladder"`                       // id of a ladder
	Game       string    `form:"game"`                         // id of a game
	Bot        string    `form:"bot" format:"uuid"`            // id of a bot that plays
	Result     string    `form:"result" enums:"win,draw,loss"` // of that bot
	Since      time.Time `form:"since" format:"date-time"`     // made at this time or later, RFC 3339
	Until      time.Time `form:"until" format:"date-time"`     // made before this time, RFC 3339
}

// MatchesQuery asks for matches.
type MatchesQuery struct {
	MatchFilter
	Status string `form:"status" enums:"queued,running,done,void"`
	op.Paging
}

// MatchEventsQuery asks for events of a match.
type MatchEventsQuery struct {
	op.One
	Seat        *int   `form:"seat"`  // the seat, from 0; a spectator's events if left out
	After       int64  `form:"after"` // only events after this index; 0 if left out
	LastEventID string `header:"Last-Event-ID" help:"the same, for streams; browsers send it by themselves" json:"-"`
}

// DecisionsQuery asks for the decisions of a seat.
type DecisionsQuery struct {
	op.One
	Seat *int `form:"seat" binding:"required"` // the seat, from 0
	op.Paging
}

// MatchViewQuery asks for a view of a match.
type MatchViewQuery struct {
	op.One
	Seat *int `form:"seat"` // the seat, from 0; a spectator's view if left out
	Step *int `form:"step"` // steps played, from 0; all of them if left out
}

// ChallengeCreate asks for an unrated match.
type ChallengeCreate struct {
	Game    string          `json:"game" example:"molehill"`
	Config  json.RawMessage `json:"config,omitempty" swaggertype:"object"` // the base variant if left out
	Bots    []string        `json:"bots"`                                  // ids by seat: at least one is yours; others are yours or take challenges
	Clock   *Clock          `json:"clock,omitempty"`                       // at most limit_ms 10000, bank_ms 60000, increment_ms 5000, network_allowance_ms 1000
	Faults  *FaultLimits    `json:"fault_limits,omitempty"`                // at most 20 each
	Beliefs bool            `json:"beliefs,omitempty"`                     // turns ask what bots believe of that which they cannot see
} // @name ChallengeCreate

// Match is a match as everyone may see it now. What is sealed is left out; sealed says why.
type Match struct {
	ID           string          `json:"id"`
	TournamentID string          `json:"tournament_id,omitempty"`
	Round        int             `json:"round,omitempty"`
	Block        int             `json:"block,omitempty"`  // matches of a round with the same number share a seed
	Number       int             `json:"number,omitempty"` // among those
	Game         string          `json:"game" example:"molehill"`
	RulesVersion int             `json:"rules_version"`
	Config       json.RawMessage `json:"config" swaggertype:"object"`
	Clock        Clock           `json:"clock"`
	Beliefs      bool            `json:"beliefs,omitempty"` // turns ask what bots believe
	Rated        bool            `json:"rated"`             // never if two bots of one owner play, even in a rated tournament
	LadderID     string          `json:"ladder,omitempty"`
	Seats        []MatchSeat     `json:"seats"`
	Status       string          `json:"status" enums:"queued,running,done,void"`
	Reason       string          `json:"reason,omitempty"`                         // why it is void
	VoidCause    string          `json:"void_cause,omitempty" enums:"platform"`    // whose fault that is; left out if it was voided on purpose
	ReplayedAs   string          `json:"replayed_as,omitempty"`                    // id of the match played in place of this void one
	ReplayOf     string          `json:"replay_of,omitempty"`                      // id of the first match in this place, if this one replays it
	Replay       int             `json:"replay,omitempty" minimum:"1" maximum:"3"` // which replay of that match this is, from 1; 0 for the first match
	Sealed       string          `json:"sealed,omitempty"`                         // why view, events, bots or result are still hidden
	Commitment   string          `json:"commitment"`                               // SHA-256(nonce ‖ seed), hex
	CreatedAt    time.Time       `json:"created_at" format:"date-time"`
	StartedAt    *time.Time      `json:"started_at,omitempty" format:"date-time"`
	EndedAt      *time.Time      `json:"ended_at,omitempty" format:"date-time"`
	Outcome      *Outcome        `json:"outcome,omitempty"` // once the match and all that share its seed are over
} // @name Match

// MatchSeat is who sits where. The bot is named once that is public.
type MatchSeat struct {
	Seat      int    `json:"seat"`
	Alias     string `json:"alias" example:"amber-fox"`
	BotID     string `json:"bot_id,omitempty"`
	Bot       string `json:"bot,omitempty"`
	VersionID string `json:"version_id,omitempty"`
	Build     string `json:"build,omitempty"`
} // @name MatchSeat

// Outcome is how a match ended, with the seed and nonce that open its commitment.
type Outcome struct {
	Result  *Result   `json:"result,omitempty"`      // the game's own; none when the match is void
	Rank    []int     `json:"rank"`                  // by seat, after retirements
	Retired []int     `json:"retired"`               // seats whose bot gave up
	Apart   bool      `json:"rated_apart,omitempty"` // a team match from which bots were retired: only their ratings changed
	Faults  []int     `json:"faults"`                // by seat
	Usage   []Usage   `json:"usage,omitempty"`       // by seat, by their own account; left out if none says any
	Beliefs []Beliefs `json:"beliefs,omitempty"`     // by seat; left out if none gave any
	Steps   int       `json:"steps"`
	Seed    string    `json:"seed"`
	Nonce   string    `json:"nonce"`
	Hash    string    `json:"hash,omitempty"` // last of the record's chain
} // @name Outcome

// Usage is what a bot says that it used, in sum. Nobody checks it.
type Usage struct {
	Decisions    int     `json:"decisions"` // that came with a usage
	InputTokens  int64   `json:"input_tokens"`
	OutputTokens int64   `json:"output_tokens"`
	CostUSD      float64 `json:"cost_usd"`
} // @name Usage

// Beliefs says how a seat's beliefs about what it could not see did against the truth: means by belief, where less is better, beside what the
// rules alone would have told it at the same decisions. A Brier score is 0 to 2, a logarithm in nats.
type Beliefs struct {
	Beliefs    int     `json:"beliefs"` // 0: it gave none
	Brier      float64 `json:"brier"`
	RulesBrier float64 `json:"rules_brier"`
	Log        float64 `json:"log"`
	RulesLog   float64 `json:"rules_log"`
} // @name Beliefs

// Result is how a game ended, by seat.
type Result struct {
	Rank   []int     `json:"rank"` // 1 is best; ties and teams share
	Points []float64 `json:"points"`
	Team   []string  `json:"team,omitempty"`
	Why    string    `json:"why"`
} // @name Result

// MatchDetail is a match with what a spectator sees of it.
type MatchDetail struct {
	Match Match                 `json:"match"`
	Step  *int                  `json:"step,omitempty"` // steps played
	Due   []int                 `json:"due,omitempty"`  // seats that must decide now
	View  json.RawMessage       `json:"view,omitempty" swaggertype:"object"`
	Notes []tournament.Redeploy `json:"redeploys,omitempty"` // of your own seats; of all seats once the match is open
} // @name MatchDetail

// MatchEvents are public events of a match, in order.
type MatchEvents struct {
	Data []MatchEvent `json:"data"`
	Last int          `json:"last"` // send it as after to continue
	Over bool         `json:"over"` // no more events will come
} // @name MatchEvents

// MatchEvent is something that everyone at the table has heard.
type MatchEvent struct {
	Index int             `json:"index"`                      // among the public events, from 1
	Event json.RawMessage `json:"event" swaggertype:"object"` // see the game's event schema; always has kind
} // @name MatchEvent

// Decision is a recorded decision with what only its owner may see.
type Decision struct {
	Step       int             `json:"step"` // from 1
	Decision   string          `json:"decision"`
	Action     json.RawMessage `json:"action" swaggertype:"object"`
	Say        string          `json:"say,omitempty"`
	By         string          `json:"by" enums:"bot,house"`
	Why        string          `json:"why,omitempty"`    // why the house decided; then for an action sent ahead
	Fault      string          `json:"fault,omitempty"`  // the kind of fault, or retired
	Reason     string          `json:"reason,omitempty"` // the facts
	Memo       string          `json:"memo,omitempty"`
	Debug      string          `json:"debug,omitempty"`
	Usage      json.RawMessage `json:"usage,omitempty" swaggertype:"object"`  // by the bot's own account
	Belief     json.RawMessage `json:"belief,omitempty" swaggertype:"object"` // about what it could not see
	Build      string          `json:"build,omitempty"`
	Then       []string        `json:"then,omitempty"`                       // further actions sent ahead, as JSON text
	Clock      json.RawMessage `json:"clock,omitempty" swaggertype:"object"` // where the time went, in microseconds
	RecordedAt time.Time       `json:"recorded_at" format:"date-time"`
} // @name Decision

// MatchView is what a seat or a spectator sees of a match after some steps.
type MatchView struct {
	Step int             `json:"step"`           // steps played
	Seat *int            `json:"seat,omitempty"` // left out: a spectator
	Due  []int           `json:"due"`            // seats that had to decide then
	View json.RawMessage `json:"view" swaggertype:"object"`
	Text string          `json:"text,omitempty"` // the view in words, where the game has them
} // @name MatchView
