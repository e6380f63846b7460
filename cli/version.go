package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
)

// version returns the name of the program, its release and, where the build knows it, the commit.
func version() string { return strings.TrimSpace(command.Program() + " " + command.Commit()) }

func versionCommand(c command.Console) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version",
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(c.Out, version())
			return err
		},
	}
}
