package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
)

// ErrPlatform is a failure of ours that voids the match; the text behind it is the reason.
var ErrPlatform = errors.New("platform")

// Spec is all that is fixed about a match, and what was recorded of it so far.
type Spec struct {
	Header   replay.Header
	Engine   game.Engine
	Seed     game.Seed
	Clock    tournament.Clock
	Limits   tournament.FaultLimits
	Beliefs  bool   // turns ask what seats believe of that which they cannot see
	Recorded []Step // in order, from step 1, without gaps
}

// Outcome is a finished match.
type Outcome struct {
	Result  game.Result // the engine's own
	Rank    []int       // by seat, after retirements
	Retired game.Seats
	Steps   int
	Faults  []int           // by seat
	P95     []time.Duration // by seat: what 95 % of the bot's own answers took at most; 0 if it gave none
	Claims  []claim.Account // by seat
	Hash    [32]byte
	// Failing are the seats whose last answer was a fault: their bots may be gone. Failed are those that lost by faults alone:
	// retired, or without one answer that counted.
	Failing, Failed game.Seats
}

// DecisionID returns the stable name of a decision: a repeat after a crash carries the same.
func DecisionID(match string, step int, seat game.Seat) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%d/%d", match, step, seat))
	return "dec_" + hex.EncodeToString(sum[:16])
}

// briefing returns what stays the same for a seat.
func (s *Spec) briefing(seat game.Seat) Briefing {
	b := Briefing{
		Match: s.Header.Match, Info: s.Engine.Info(), Config: s.Header.Config, Seat: seat, Clock: s.Clock,
		Aliases: make([]string, len(s.Header.Seats)),
	}
	for i, x := range s.Header.Seats {
		b.Aliases[i] = x.Alias
	}
	if c, err := hex.DecodeString(s.Header.Commitment); err == nil && len(c) == len(b.Commitment) {
		b.Commitment = [32]byte(c)
	}
	return b
}
