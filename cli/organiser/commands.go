package organiser

import (
	"strings"
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

func advice(code string, cmd *cobra.Command, args []string) string {
	list, name := account.ListOf(cmd), "NAME"
	if strings.HasPrefix(cmd.Use, cmd.Name()+" NAME") && len(args) > 0 {
		name = command.Quoted(args[0])
	}
	mine, missing, state := list, list, strings.TrimSuffix(list, "list")+"show "+name
	if cmd.Name() == "void" {
		missing = "molerun tournament export NAME --table matches"
	}
	if !strings.HasPrefix(list, "molerun class") && !strings.HasPrefix(list, "molerun ladder") {
		mine += " --mine"
	}
	if list == "molerun class list" { // what it names is over, no link
		state = "molerun tournament list --status scheduled, or molerun schedule list"
	}
	role := ""
	if list == "molerun ladder list" { // what ladders there are, administrators decide
		role = " --role admin"
	}
	return map[string]string{
		tournament.ErrRole.Error():     "ask whoever runs the platform: molerun admin user promote NAME" + role,
		tournament.ErrNotYours.Error(): mine,
		tournament.ErrNotFound.Error(): missing,
		tournament.ErrState.Error():    state,
		tournament.ErrLimit.Error():    mine + ", and cancel what is not needed",
	}[code]
}
