package local

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	engines "github.com/molerun/molerun/engines/console"
)

func rulesCommand(c command.Console) *cobra.Command {
	return &cobra.Command{
		Use:   "rules GAME",
		Short: "The exact rules of a game as a simulator: JSON lines on stdin and stdout",
		Long: "Reads one request a line and writes one answer a line, until the end of the input. The operations are\n" +
			"info deal view offer check apply house hash snapshot restore resample guess reveal draw describe; docs/5-replays.md shows them.\n" +
			"Games: " + strings.Join(command.GameIDs(), ", ") + ".",
		Example: `  echo '{"op":"info"}' | molerun rules molehill`,
		RunE: func(_ *cobra.Command, args []string) error {
			engine, err := command.Game(args[0])
			if err != nil {
				return err
			}
			return engines.Serve(c.In, command.Raw(c.Out), engine)
		},
	}
}
