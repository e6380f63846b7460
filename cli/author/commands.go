package author

import (
	"github.com/spf13/cobra"

	"github.com/molerun/molerun/bots/starters"
	"github.com/molerun/molerun/cli/command"
)

// Commands returns the commands of this package.
func Commands(c command.Console) []*cobra.Command {
	languages := command.Offer{Words: starters.Names()}
	return []*cobra.Command{command.Completed(initCommand(c), languages), checkCommand(c), loginCommand(c), logoutCommand(c), tokenCommand(c), accountCommand(c), botCommand(c), cardCommand(c), connectCommand(c)}
}
