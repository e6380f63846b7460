package runner

import (
	"context"
	"fmt"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
)

// Log keeps the steps of a match. Append returns only when the step is safe; [tournament.ErrFenced] means that another
// worker has taken the match over, and ends this one's part in it.
type Log interface {
	Append(ctx context.Context, s Step) error
}

// Step is a recorded step: enough to go on after a crash without asking anybody again.
type Step struct {
	Step  int // from 1; the deal is not recorded, it follows from the seed
	Turns []Decision
	Hash  [32]byte // of the record's chain after this step
}

// Decision is a recorded turn with what only its owner may see.
type Decision struct {
	replay.Turn            // Clock holds the ledger in its wire form
	Asked       *ClockLine // Clock before it was written; nil in what was read, and if nobody was asked
	Fault       string     // the fault or "retired" behind a house action, "" else
	Reason      string     // the facts, for the bot's owner
	Memo        string
	Debug       string
	Build       string
	Then        []string // further actions sent ahead with this answer
}

// Again plays the recorded step in p; it must fit its hash.
func (s Step) Again(p *replay.Player) error {
	if err := p.PlayRecorded(s.Step, s.Plain(), s.Hash); err != nil {
		return fmt.Errorf("%w: recorded %w", ErrPlatform, err)
	}
	return nil
}

// Plain returns the turns as the record has them, without what only their owners may see.
func (s Step) Plain() []replay.Turn {
	out := make([]replay.Turn, len(s.Turns))
	for i, d := range s.Turns {
		out[i] = d.Turn
	}
	return out
}

// Decision returns what a seat decided in this step; false if it was not due.
func (s Step) Decision(seat game.Seat) (Decision, bool) {
	for _, d := range s.Turns {
		if d.Seat == seat {
			return d, true
		}
	}
	return Decision{}, false
}
