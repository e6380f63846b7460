package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	engines "github.com/molerun/molerun/engines/console"

	"github.com/molerun/molerun/engines/catalog"
)

func rulesCommand(c console) *cobra.Command {
	return &cobra.Command{
		Use:   "rules GAME",
		Short: "The exact rules of a game as a simulator: JSON lines on stdin and stdout",
		Long: "Reads one request a line and writes one answer a line, until the end of the input. The operations are\n" +
			"info deal view offer check apply house hash snapshot restore resample guess reveal draw describe; docs/5-replays.md shows them.\n" +
			"Games: " + strings.Join(gameIDs(), ", ") + ".",
		Example: `  echo '{"op":"info"}' | molerun rules molehill`,
		Args:    usage(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			engine, ok := catalog.Find(args[0])
			if !ok {
				return fmt.Errorf("%w: there is no game %q; there are %s", errUsage, args[0], strings.Join(gameIDs(), ", "))
			}
			return engines.Serve(c.in, c.out, engine)
		},
	}
}

func gameIDs() []string {
	var ids []string
	for _, e := range catalog.All() {
		ids = append(ids, e.Info().ID)
	}
	return ids
}
