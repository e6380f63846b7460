package organiser

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/tournament"
)

// Commands returns the commands of this room.
func Commands(c command.Console) []*cobra.Command {
	o := &calls{Group: &account.Group{Console: c, Advice: advice}, now: time.Now}
	groups := []*cobra.Command{tournamentCommand(o), scheduleCommand(o), seriesCommand(o), ladderCommand(o), classCommand(o)}
	for _, cmd := range groups {
		o.JSONFlag(cmd.PersistentFlags())
	}
	return groups
}

// calls are the calls of the commands.
type calls struct {
	*account.Group
	now func() time.Time
}

func advice(code string, _ *cobra.Command, _ []string) string {
	return map[string]string{
		tournament.ErrRole.Error():     "ask whoever runs the platform: molerun admin user promote NAME",
		tournament.ErrNotYours.Error(): "molerun tournament list --mine",
		tournament.ErrNotFound.Error(): "molerun tournament list",
		tournament.ErrState.Error():    "molerun tournament show NAME",
		tournament.ErrLimit.Error():    "molerun tournament list --mine, and cancel what is not needed",
	}[code]
}
