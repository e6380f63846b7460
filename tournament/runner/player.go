package runner

import (
	"context"
	"encoding/json"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/tournament"
)

// Player makes the decisions of one seat.
type Player interface {
	// Start tells the player that it has a seat. A failure is reported, not punished: the first decision will show.
	Start(ctx context.Context, b Briefing) error
	// Ask returns when the player has answered or can no longer, at the latest when ctx, which carries the decision's one
	// absolute deadline, ends. Whatever the player did wrong is in the reply's Fault.
	Ask(ctx context.Context, b Briefing, a Ask) Reply
	// End tells the player the result; nil when the match was voided.
	End(ctx context.Context, b Briefing, result *game.Result, rank int)
	// RoundTrip is the network round trip of the connection last used; 0 if unknown.
	RoundTrip() time.Duration
}

// Reader is a player that may want to read its turn in words besides, where the game has them ([Ask].Text).
type Reader interface{ WantsText() bool }

// Briefing is what stays the same for a seat during a match.
type Briefing struct {
	Match      string
	Info       game.Info
	Config     json.RawMessage
	Seat       game.Seat
	Aliases    []string // by seat
	Clock      tournament.Clock
	Commitment [32]byte
}

// Ask is one decision due.
type Ask struct {
	Step     int
	Decision string        // stable id
	Bank     time.Duration // left before this decision
	Limit    time.Duration // from now on, network included; the context ends then, but counts from when it was made. 0 is until it ends
	Previous *Previous     // nil before the first answer
	Events   []json.RawMessage
	View     json.RawMessage
	Offer    json.RawMessage
	Memo     string
	Asks     []game.Question // what a belief may be given about; none where the match asks for none, or nothing is hidden from the seat
	Text     string          // its events and the view in words, for a [Reader] that wants them; "" where the game has none
}

// Previous is what became of the player's last answer.
type Previous struct {
	Status  string // "ok" or the fault
	Elapsed time.Duration
	Charged time.Duration
	Reason  string
}

// Reply is what came back. Action and Choose are as the player sent them, unchecked; exactly one is set when Fault is "".
type Reply struct {
	Action json.RawMessage
	Choose *int
	Say    string
	Memo   string
	Debug  string
	Build  string
	Then   []json.RawMessage
	Usage  *claim.Usage // nil: none
	Belief claim.Belief // nil: none
	Note   string       // what was dropped from an answer that counted all the same
	Fault  tournament.Fault
	Reason string // the facts of the fault, for the bot's owner
	Ledger Ledger
}

// Ledger is where the time of one decision went; zero phases did not happen (a kept connection has no DNS).
type Ledger struct {
	Elapsed   time.Duration // what the bot took: names and connecting, then from the request with the kernel until the whole answer was, or until given up
	DNS       time.Duration
	Connect   time.Duration
	TLS       time.Duration
	Written   time.Duration // from the first byte of the request with the kernel to the last: longer where the bot does not read
	FirstByte time.Duration // from the request with the kernel until the first byte
	Body      time.Duration // from the first byte to the last
	RoundTrip time.Duration // the kernel's smoothed round trip of the connection; 0 if it cannot be known
	Stalled   time.Duration // how long the platform was stalled meanwhile: in the phases, not in Elapsed
	Kernel    bool          // the kernel said when the answer had come; else it is when this process got to read it
}
