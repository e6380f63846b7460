package local

import (
	"errors"
	"math/rand/v2"
	"os"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/local/agent"
	"github.com/molerun/molerun/docs"
	"github.com/molerun/molerun/engines/catalog"
)

func mcpCommand(c command.Console) *cobra.Command {
	out := ""
	cmd := &cobra.Command{
		Use: "mcp", Short: "Let a language model play: an MCP server on stdin and stdout",
		Long: "Serves the Model Context Protocol on stdin and stdout. Its tools: list_games, rules, start_match (against house bots, on this\n" +
			"machine), wait (for your turn), look (what happened, the view and the legal actions, in words), act (choose an action, say words),\n" +
			"list_matches. A match that ends leaves a record for molerun replay. No account, no database, no network.",
		Example: `  {"mcpServers": {"molerun": {"command": "molerun", "args": ["mcp"]}}}   in the settings of an MCP client`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := command.Given(cmd, "out"); err != nil {
				return err
			}
			folder, err := command.RecordsFolder(out, "mcp")
			if err != nil {
				return err
			}
			if err := writable(folder); err != nil { // a model would play for nothing that stays
				return err
			}
			o := agent.Options{Engines: catalog.All(), Rules: docs.Files(), Seed: rand.Uint64, Folder: folder, Program: command.Program()}
			return agent.Serve(cmd.Context(), o, agent.NewLines(c.In, command.Raw(c.Out)))
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "where the records go (default: a new folder in your cache, of which the last 10 are kept, and all for a day)")
	_ = cmd.MarkFlagDirname("out")
	return cmd
}

// writable makes a folder, and sees that files can be made there.
func writable(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil { // records are for everybody
		return err
	}
	f, err := os.CreateTemp(folder, ".writable-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
