package local

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/engines/catalog"
)

// ofAllGames names the messages, which are the same for every game, in place of a game.
const ofAllGames = "protocol"

func schemaCommand(c command.Console) *cobra.Command {
	all := map[string]map[string]string{ofAllGames: protocol.Schemas()}
	for _, e := range catalog.All() {
		all[e.Info().ID] = e.Schemas()
	}
	games := slices.Sorted(maps.Keys(all))
	cmd := &cobra.Command{
		Use:   "schema [GAME] [NAME]",
		Short: "Print a JSON Schema: of what a bot gets and sends",
		Long: "Prints a JSON Schema (2020-12): of a game its action, config, event, offer or view; of " + ofAllGames + " a message between the\n" +
			"platform and a bot. Without a NAME it lists the schemas that there are.\n\n" +
			"Exit codes: 0 printed, 2 there is no such schema.",
		Example: "  molerun schema molehill view\n  molerun schema protocol turn",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				if err := known("game", games, args[0]); err != nil {
					return err
				}
				games = args[:1]
			}
			if len(args) < 2 {
				for _, game := range games {
					fmt.Fprintf(c.Out, "molerun schema %s %s\n", game, strings.Join(slices.Sorted(maps.Keys(all[game])), "|"))
				}
				return nil
			}
			text, ok := all[args[0]][args[1]]
			if !ok {
				return known("schema of "+args[0], slices.Sorted(maps.Keys(all[args[0]])), args[1])
			}
			fmt.Fprintln(c.Out, strings.TrimRight(text, "\n"))
			return nil
		},
	}
	cmd.ValidArgsFunction = func(_ *cobra.Command, before []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(before) == 0 {
			return games, cobra.ShellCompDirectiveNoFileComp
		}
		return slices.Sorted(maps.Keys(all[before[0]])), cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

// known returns nil for one of some names, else an [command.ErrUsage] with the nearest of them.
func known(what string, names []string, name string) error {
	if slices.Contains(names, name) {
		return nil
	}
	return fmt.Errorf("%w: there is no %s %q; there are %s%s", command.ErrUsage, what, name, strings.Join(names, ", "), command.Meant(command.Nearest(names, name)))
}
