package process

import (
	"fmt"
	"testing"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// A slow bot that is entered nowhere may enter where it has longer; whatever else goes wrong in a try, and slowness where the bot is entered, counts.
func TestASlowBotThatIsEnteredNowherePasses(t *testing.T) {
	late := fmt.Errorf("%w: a decision: %w", tournament.ErrBot, runner.ErrLate)
	for name, row := range map[string]struct {
		err     error
		longest time.Duration
		passes  bool
	}{
		"slow, entered nowhere":       {late, 0, true},
		"slow, entered":               {late, time.Second, false},
		"an error, entered nowhere":   {tournament.ErrBot, 0, false},
		"a decision, entered":         {nil, time.Second, true},
		"a decision, entered nowhere": {nil, 0, true},
		"an error of ours":            {fmt.Errorf("no database"), 0, false},
	} {
		if err := tried(row.err, row.longest); (err == nil) != row.passes {
			t.Errorf("%s: %v, passes: want %v", name, err, row.passes)
		}
	}
}
