package local

import (
	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
)

// Commands are the commands of this room.
func Commands(c command.Console) []*cobra.Command {
	return []*cobra.Command{
		playCommand(c), sprtCommand(c), replayCommand(c), rulesCommand(c), houseCommand(c), statsCommand(c), simulateCommand(c), mcpCommand(c),
	}
}
