package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
)

// version returns the name of the program, its release and, where the build knows it, the commit.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return command.Program() + " " + s.Value
			}
		}
	}
	return command.Program()
}

func versionCommand(c command.Console) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version",
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(c.Out, version())
			return err
		},
	}
}
