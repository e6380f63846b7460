package protocol

import (
	"encoding/json"
	"strings"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/claim"
)

// Version is the protocol's number, sent with every message. It is raised when a bot written for the old one could break.
const Version = 1

// The types of message. A bot answers {} to any other type, so that new ones do no harm.
const (
	TypeHello = "hello" // registration and health check: echo the challenge
	TypeStart = "start" // the bot has a seat; not charged to the bank
	TypeTurn  = "turn"  // a decision is due
	TypeEnd   = "end"   // the match is over
)

// NobodyThere reports whether an HTTP status is what a proxy says of a bot that it cannot reach, as while the bot restarts: 502 to
// 504, and those that Cloudflare has for the same.
func NobodyThere(status int) bool {
	return status >= 502 && status <= 504 || status >= 520 && status <= 523 || status == 525 || status == 530
}

// Limits of an answer, in bytes and counts.
const (
	MaxAnswerBytes = 64 << 10 // the whole body
	MaxSayBytes    = game.MaxSayBytes
	MaxMemoBytes   = 4 << 10
	MaxDebugBytes  = 1 << 10
	MaxBuildBytes  = 64
	MaxThen        = 32
)

// Limits of a hello's answer, in bytes and counts.
const (
	MaxNameBytes = 64 // of its name, its author and each id of a game
	MaxGames     = 64
)

// Hello asks a bot what it is.
type Hello struct {
	Protocol  int    `json:"protocol" jsonschema:"minimum=1"`
	Type      string `json:"type" jsonschema:"enum=hello"`
	Challenge string `json:"challenge" jsonschema:"minLength=1"` // random text to echo
}

// HelloAnswer is a bot's card. A URL whose answer does not echo the challenge gets no other traffic.
type HelloAnswer struct {
	Challenge string   `json:"challenge" jsonschema:"minLength=1"`
	Name      string   `json:"name,omitempty" jsonschema:"maxLength=64"`
	Author    string   `json:"author,omitempty" jsonschema:"maxLength=64"`
	Build     string   `json:"build,omitempty" jsonschema:"maxLength=64"` // the build that answers, at most MaxBuildBytes
	Games     []string `json:"games,omitempty" jsonschema:"maxItems=64"`  // ids of the games it plays
	Text      bool     `json:"text,omitempty"`                            // asks for the view in words with every turn
}

// NamesNone says of a hello that names no game of some engines what it names, and which of them was perhaps meant.
func (h HelloAnswer) NamesNone(engines []game.Engine) string {
	if len(h.Games) == 0 {
		return `has no "games"`
	}
	named, like := Quote(h.Games[0]), ""
	for i, said := range h.Games {
		for _, e := range engines {
			if id := e.Info().ID; strings.EqualFold(id, strings.NewReplacer(" ", "", "-", "", "_", "").Replace(said)) {
				like = "; did you mean " + Quote(id) + "?"
			}
		}
		if i > 0 && i < 5 {
			named += ", " + Quote(said)
		}
	}
	return "names no game of the platform, but " + named + like
}

// Opponent is another seat of the match, under an alias made for this match only.
type Opponent struct {
	Seat  game.Seat `json:"seat" jsonschema:"minimum=0,maximum=15"`
	Alias string    `json:"alias"`
}

// Clock is the time for a decision: LimitMS is free, then the bank is used up; after the decision IncrementMS is added to it.
type Clock struct {
	LimitMS     int64 `json:"limit_ms" jsonschema:"minimum=0"`
	BankMS      int64 `json:"bank_ms" jsonschema:"minimum=0"` // what is left
	IncrementMS int64 `json:"increment_ms" jsonschema:"minimum=0"`
}

// Previous tells a bot how its last answer in this match was taken.
type Previous struct {
	Status    string `json:"status"` // "ok" or the kind of fault
	ElapsedMS int64  `json:"elapsed_ms" jsonschema:"minimum=0"`
	ChargedMS int64  `json:"charged_ms" jsonschema:"minimum=0"`
	Reason    string `json:"reason"` // "" if there was nothing wrong
}

// Start tells a bot that it has a seat.
type Start struct {
	Protocol     int             `json:"protocol" jsonschema:"minimum=1"`
	Type         string          `json:"type" jsonschema:"enum=start"`
	Match        string          `json:"match"`
	Game         string          `json:"game"`
	RulesVersion int             `json:"rules_version"`
	Config       json.RawMessage `json:"config" jsonschema:"type=object"`
	Seat         game.Seat       `json:"seat" jsonschema:"minimum=0,maximum=15"`
	Opponents    []Opponent      `json:"opponents"`
	Clock        Clock           `json:"clock"`
	Commitment   string          `json:"commitment" jsonschema:"pattern=^[0-9a-f]{64}$"` // SHA-256(nonce ‖ seed) in hex, opened after the match
}

// Turn asks for a decision. It holds everything needed to decide: a bot need not remember anything between turns.
type Turn struct {
	Protocol     int               `json:"protocol" jsonschema:"minimum=1"`
	Type         string            `json:"type" jsonschema:"enum=turn"`
	Match        string            `json:"match"`
	Game         string            `json:"game"`
	RulesVersion int               `json:"rules_version"`
	Config       json.RawMessage   `json:"config" jsonschema:"type=object"`
	Seat         game.Seat         `json:"seat" jsonschema:"minimum=0,maximum=15"`
	Opponents    []Opponent        `json:"opponents"`
	Step         int               `json:"step" jsonschema:"minimum=0"`
	Decision     string            `json:"decision" jsonschema:"minLength=1"` // id of this decision, the same if it is asked again
	Clock        Clock             `json:"clock"`
	Previous     *Previous         `json:"previous" jsonschema:"nullable"` // null before the first answer
	Events       []json.RawMessage `json:"events"`                         // events that this seat heard since its last turn
	View         json.RawMessage   `json:"view" jsonschema:"type=object"`
	Offer        json.RawMessage   `json:"offer" jsonschema:"type=object"`
	Memo         string            `json:"memo"`           // the memo of this bot's last answer
	Text         string            `json:"text,omitempty"` // events and view in words, for a bot whose hello asked for them
	Asks         []Question        `json:"asks,omitempty"` // what a belief may be given about, where the match asks for beliefs
}

// Question is something that a seat cannot see. A belief gives each of its answers a chance; those left out have none.
type Question struct {
	About   string   `json:"about"`   // in the words of views: of a seat, its number
	Answers []string `json:"answers"` // the possible ones
}

// Hear adds events to what each seat has heard since it was asked last: those that it may see.
func Hear(heard [][]json.RawMessage, events []game.Event) {
	for _, e := range events {
		for seat := range heard {
			if e.VisibleTo(game.Seat(seat)) {
				heard[seat] = append(heard[seat], e.Data)
			}
		}
	}
}

// Questions returns what is asked, without the chances that the rules give.
func Questions(asked []game.Question) []Question {
	var out []Question
	for _, q := range asked {
		out = append(out, Question{q.About, q.Answers})
	}
	return out
}

// Answer is a bot's decision: Action, or Choose, an index into the offer's list (or its examples); not both.
type Answer struct {
	Decision string            `json:"decision,omitempty"` // the turn's id; checked when given
	Action   json.RawMessage   `json:"action,omitempty"`
	Choose   *int              `json:"choose,omitempty" jsonschema:"minimum=0"`
	Say      string            `json:"say,omitempty" jsonschema:"maxLength=500"`    // table talk, where the game allows it
	Memo     string            `json:"memo,omitempty" jsonschema:"maxLength=4096"`  // returned with the next turn
	Debug    string            `json:"debug,omitempty" jsonschema:"maxLength=1024"` // stored for the bot's owner
	Build    string            `json:"build,omitempty" jsonschema:"maxLength=64"`
	Then     []json.RawMessage `json:"then,omitempty" jsonschema:"maxItems=32"` // further actions for the steps right after this one
	Usage    *claim.Usage      `json:"usage,omitempty"`                         // what the decision used
	Belief   claim.Belief      `json:"belief,omitempty"`                        // about what the turn asks: by about and answer, a chance
}

// End tells a bot how its match ended.
type End struct {
	Protocol int          `json:"protocol" jsonschema:"minimum=1"`
	Type     string       `json:"type" jsonschema:"enum=end"`
	Match    string       `json:"match"`
	Game     string       `json:"game"`
	Seat     game.Seat    `json:"seat" jsonschema:"minimum=0,maximum=15"`
	Result   *game.Result `json:"result" jsonschema:"nullable"` // null if the match is void
	Rank     int          `json:"rank" jsonschema:"minimum=0"`  // this seat's, after retirements; 0 if void
}
