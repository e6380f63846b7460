package local

import (
	"io"
	"math/rand/v2"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/local/agent"
	"github.com/molerun/molerun/docs"
	"github.com/molerun/molerun/engines/catalog"
)

func mcpCommand(c command.Console) *cobra.Command {
	return &cobra.Command{
		Use: "mcp", Short: "Let a language model play: an MCP server on stdin and stdout",
		Long: "Serves the Model Context Protocol on stdin and stdout. Its tools: list_games, rules, start_match (against house bots, on this\n" +
			"machine), look (the view in words and the legal actions), act (choose an action, say words), list_matches. Matches are kept\n" +
			"as long as the server runs. No account, no database, no network.",
		Example: `  {"mcpServers": {"molerun": {"command": "molerun", "args": ["mcp"]}}}   in the settings of an MCP client`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o := agent.Options{Engines: catalog.All(), Rules: docs.Files(), Seed: rand.Uint64, Version: command.Version()}
			return agent.Serve(cmd.Context(), o, &mcp.IOTransport{Reader: io.NopCloser(c.In), Writer: staysOpen{command.Raw(c.Out)}})
		},
	}
}

// staysOpen is a writer that stays open when the protocol ends.
type staysOpen struct{ io.Writer }

// Close does nothing.
func (staysOpen) Close() error { return nil }
