package cli

import "github.com/spf13/cobra"

// commands lists every command, in the order help shows them.
func commands(c console) []*cobra.Command {
	return []*cobra.Command{
		demoCommand(c), initCommand(c), checkCommand(c), playCommand(c), sprtCommand(c), replayCommand(c),
		loginCommand(c), logoutCommand(c), botCommand(c), connectCommand(c), mcpCommand(c),
		ratingsCommand(c), rulesCommand(c), houseCommand(c),
		serveCommand(c), workCommand(c), migrateCommand(c), adminCommand(c), statsCommand(c), simulateCommand(c),
		versionCommand(c),
	}
}
