package wire

import (
	"encoding/json"
	"time"
)

// ChallengeCreate asks for an unrated match.
type ChallengeCreate struct {
	Game   string          `json:"game" example:"molehill"`
	Config json.RawMessage `json:"config,omitempty" swaggertype:"object"` // the base variant if left out
	Bots   []string        `json:"bots"`                                  // ids by seat: at least one is yours; others are yours or take challenges
	Clock  *Clock          `json:"clock,omitempty"`                       // at most limit_ms 10000, bank_ms 60000, increment_ms 5000, network_allowance_ms 1000
	Faults *FaultLimits    `json:"fault_limits,omitempty"`                // at most 20 each
} // @name ChallengeCreate

// Match is a match as everyone may see it now. What is sealed is left out; sealed says why.
type Match struct {
	ID           string          `json:"id"`
	TournamentID string          `json:"tournament_id,omitempty"`
	Round        int             `json:"round,omitempty"`
	Block        int             `json:"block,omitempty"`
	Number       int             `json:"number,omitempty"` // within the block
	Game         string          `json:"game" example:"molehill"`
	RulesVersion int             `json:"rules_version"`
	Config       json.RawMessage `json:"config" swaggertype:"object"`
	Clock        Clock           `json:"clock"`
	Rated        bool            `json:"rated"` // never if two bots of one owner play, even in a rated tournament
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
	Result  *Result `json:"result,omitempty"`      // the game's own; none when the match is void
	Rank    []int   `json:"rank"`                  // by seat, after retirements
	Retired []int   `json:"retired"`               // seats whose bot gave up
	Apart   bool    `json:"rated_apart,omitempty"` // a team match from which bots were retired: only their ratings changed
	Faults  []int   `json:"faults"`                // by seat
	Steps   int     `json:"steps"`
	Seed    string  `json:"seed"`
	Nonce   string  `json:"nonce"`
	Hash    string  `json:"hash,omitempty"` // last of the record's chain
} // @name Outcome

// Result is how a game ended, by seat.
type Result struct {
	Rank   []int     `json:"rank"` // 1 is best; ties and teams share
	Points []float64 `json:"points"`
	Team   []string  `json:"team,omitempty"`
	Why    string    `json:"why"`
} // @name Result

// MatchDetail is a match with what a spectator sees of it.
type MatchDetail struct {
	Match Match           `json:"match"`
	Step  *int            `json:"step,omitempty"` // steps played
	Due   []int           `json:"due,omitempty"`  // seats that must decide now
	View  json.RawMessage `json:"view,omitempty" swaggertype:"object"`
	Notes []Redeploy      `json:"redeploys,omitempty"` // of your own seats; of all seats once the match is open
} // @name MatchDetail

// Redeploy says that a bot answered with a build other than its version's in the middle of the match.
type Redeploy struct {
	Seat   int    `json:"seat"`
	Step   int    `json:"step"`   // of the first answer with it, from 1
	Pinned string `json:"pinned"` // the build registered or, without one, first reported
	Build  string `json:"build"`
} // @name Redeploy

// MatchEvents are public events of a match, in order.
type MatchEvents struct {
	Data []MatchEvent `json:"data"`
	Last int          `json:"last"` // send it as after to continue
	Over bool         `json:"over"` // no more events will come
} // @name MatchEvents

// MatchEvent is something that everyone at the table was told.
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
