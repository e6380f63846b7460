package jobs

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// counted is a player that counts how often it is asked.
type counted struct {
	runner.Player
	asked int
}

func (c *counted) Ask(context.Context, runner.Briefing, runner.Ask) runner.Reply {
	c.asked++
	return runner.Reply{}
}

// A worker that was frozen for longer than its lease goes on where it stood, before it can hear that it is fenced.
func TestAWorkerWhoseLeaseIsOverAsksNobody(t *testing.T) {
	own := lease{lasts: time.Minute}
	bot := &counted{}
	playing, lose := context.WithCancelCause(t.Context())
	defer lose(nil)
	p := leased{Player: bot, lease: &own, lose: lose}

	own.since(systemNow())
	p.Ask(playing, runner.Briefing{}, runner.Ask{})
	if bot.asked != 1 || playing.Err() != nil {
		t.Errorf("with its lease it asked %d times, and ended with %v; want 1 and no end", bot.asked, playing.Err())
	}
	own.since(systemNow().Add(-2 * time.Minute))
	p.Ask(playing, runner.Briefing{}, runner.Ask{})
	if bot.asked != 1 {
		t.Error("it asked though its lease was over")
	}
	if err := context.Cause(playing); !errors.Is(err, tournament.ErrFenced) {
		t.Errorf("the attempt ends with %v, want %v", err, tournament.ErrFenced)
	}
}
