package runner_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// trialist answers a decision on trial.
type trialist struct {
	runner.Player // not asked
	reply         runner.Reply
	asked         []string // matches
}

func (p *trialist) RoundTrip() time.Duration { return 0 }

func (p *trialist) Ask(_ context.Context, b runner.Briefing, _ runner.Ask) runner.Reply {
	p.asked = append(p.asked, b.Match)
	return p.reply
}

// In every game a bot that plays passes, and one that only says hello does not, whatever it says to a turn; what fails by us is nobody's
// fault.
func TestADecisionOnTrial(t *testing.T) {
	first := 0
	for _, e := range catalog.All() {
		for name, row := range map[string]struct {
			reply  runner.Reply
			refuse string
		}{
			"plays":           {runner.Reply{Choose: &first}, ""},
			"an error":        {runner.Reply{Fault: tournament.FaultStatus, Reason: "answered with status 500, want 200"}, "status: answered with status 500"},
			"a silence":       {runner.Reply{Fault: tournament.FaultTimeout, Reason: "no answer"}, "timeout"},
			"an illegal move": {runner.Reply{Action: json.RawMessage(`{"type":"fly"}`)}, "illegal_action"},
			"none of a list":  {runner.Reply{Choose: new(99999)}, "illegal_action"},
		} {
			p := &trialist{reply: row.reply}
			err := runner.Trial(t.Context(), e, game.Seed{7}, p)
			if (row.refuse == "") != (err == nil) || err != nil && (!errors.Is(err, tournament.ErrBot) || !strings.Contains(err.Error(), row.refuse)) {
				t.Errorf("%s, %s: %v, want %q", e.Info().ID, name, err, row.refuse)
			}
			if late := errors.Is(err, runner.ErrLate); late != (row.reply.Fault == tournament.FaultTimeout) {
				t.Errorf("%s, %s: it took too long: %v", e.Info().ID, name, late)
			}
			if len(p.asked) != 1 || !strings.HasPrefix(p.asked[0], "trial-") {
				t.Errorf("%s, %s: asked in %v, want once in a match of its own", e.Info().ID, name, p.asked)
			}
		}
	}
	p := &trialist{reply: runner.Reply{Fault: tournament.FaultPlatform}}
	if err := runner.Trial(t.Context(), catalog.All()[0], game.Seed{7}, p); err == nil || errors.Is(err, tournament.ErrBot) {
		t.Errorf("a fault of ours: %v, want an error that blames nobody", err)
	}
}
