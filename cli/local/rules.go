package local

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/cli/command"
	engines "github.com/molerun/molerun/engines/console"
	"github.com/molerun/molerun/engines/game"
)

func rulesCommand(c command.Console) *cobra.Command {
	tables := 0
	cmd := &cobra.Command{
		Use:   "rules GAME",
		Short: "The exact rules of a game as a simulator: JSON lines on stdin and stdout",
		Long: "Reads one request a line and writes one answer a line, until the end of the input. The operations are\n" +
			"info deal view offer check apply house hash snapshot restore resample guess reveal draw describe shape numbers observe, or with\n" +
			"--tables, which plays many matches by numbers, info shape reset step copy snapshot restore; docs/5-replays.md shows them.\n" +
			"Games: " + strings.Join(command.GameIDs(), ", ") + ".",
		Example: `  echo '{"op":"info"}' | molerun rules molehill`,
		RunE: func(cmd *cobra.Command, args []string) error {
			engine, err := command.Game(args[0])
			switch {
			case err != nil:
				return err
			case !cmd.Flags().Changed("tables"):
				return engines.Serve(c.In, command.Raw(c.Out), engine)
			case tables < 1 || tables > engines.MostTables:
				return fmt.Errorf("%w: --tables: want 1 to %d, got %d", command.ErrUsage, engines.MostTables, tables)
			}
			return engines.ServeTables(c.In, command.Raw(c.Out), engine, tables, func(name string) (engines.Opponent, error) {
				return opponent(cmd.Context(), engine, name)
			})
		},
	}
	cmd.Flags().IntVar(&tables, "tables", tables, "play so many matches at once, by numbers: for training")
	return cmd
}

// opponent returns a house bot as an opponent of tables. It sees what the seat sees now, and remembers nothing.
func opponent(ctx context.Context, engine game.Engine, name string) (engines.Opponent, error) {
	bot, ok := house.Find(name)
	if !ok {
		return nil, fmt.Errorf("there is no house bot %q; there are %s", name, strings.Join(house.Names(), ", "))
	}
	return func(table game.Table, seat game.Seat, luck uint64) (json.RawMessage, error) {
		return house.Answer(ctx, engine.Info(), table, seat, bot.Decide(luck))
	}, nil
}
