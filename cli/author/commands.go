package author

import (
	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
)

// Commands are the commands of this room.
func Commands(c command.Console) []*cobra.Command {
	return []*cobra.Command{initCommand(c), checkCommand(c), loginCommand(c), logoutCommand(c), tokenCommand(c), botCommand(c), connectCommand(c)}
}
