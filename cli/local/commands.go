package local

import (
	"github.com/spf13/cobra"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/cli/command"
)

// Commands returns the commands of this package.
func Commands(c command.Console) []*cobra.Command {
	games, bots := command.Offer{Words: command.GameIDs()}, command.Offer{Words: house.Names()}
	return []*cobra.Command{
		command.Completed(playCommand(c), games, bots),
		command.Completed(sprtCommand(c), games, bots, bots),
		command.Completed(evaluateCommand(c), bots),
		command.Completed(tuneCommand(c), games),
		replayCommand(c),
		command.Completed(rulesCommand(c), games),
		schemaCommand(c),
		command.Completed(houseCommand(c), bots),
		mcpCommand(c),
	}
}
