package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
)

func versionCommand(c command.Console) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: command.Usage(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			commit := ""
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, s := range info.Settings {
					if s.Key == "vcs.revision" {
						commit = " " + s.Value
					}
				}
			}
			_, err := fmt.Fprintln(c.Out, command.Program()+commit)
			return err
		},
	}
}
