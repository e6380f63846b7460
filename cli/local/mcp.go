package local

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"

	"github.com/modelcontextprotocol/go-sdk/mcp"
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
			o := agent.Options{Engines: catalog.All(), Rules: docs.Files(), Seed: rand.Uint64, Folder: folder, Program: command.Program()}
			err = agent.Serve(cmd.Context(), o, &mcp.IOTransport{Reader: io.NopCloser(c.In), Writer: staysOpen{command.Raw(c.Out)}})
			var write *fs.PathError
			if err != nil && !errors.As(err, &write) {
				err = fmt.Errorf("on stdin: want messages of the Model Context Protocol, each a JSON object on a line of its own: %w\nAn MCP client starts this command; its settings are in molerun mcp --help", err)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "where the records go (default: a new folder in your cache, of which the last 10 are kept, and all for a day)")
	_ = cmd.MarkFlagDirname("out")
	return cmd
}

// staysOpen is a writer that stays open when the protocol ends.
type staysOpen struct{ io.Writer }

// Close does nothing.
func (staysOpen) Close() error { return nil }
