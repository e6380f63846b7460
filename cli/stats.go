package cli

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/stats"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
)

func statsCommand(c console) *cobra.Command {
	o := stats.Options{Variants: []string{"base"}, Bots: []string{"random", "greedy", "thinker"}, Matches: 200, Seed: 1, Workers: runtime.GOMAXPROCS(0)}
	games, out := gameIDs(), ""
	cmd := &cobra.Command{
		Use: "stats", Short: "Play house bots against themselves in process and tell who wins, how and how fast", Args: usage(cobra.NoArgs),
		Long: "Plays matches of house bots, without network and database, at every table size, and writes a Markdown page: wins by team and\n" +
			"seat, ends and lengths, with 95 % intervals. The same command gives the same page. Without --out the page goes to stdout.",
		Example: "  molerun stats --matches 200 --out docs/statistics.md\n  molerun stats --games cia --variants top_secret,full --bots thinker",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Engines, err = chosenGames(games); err != nil {
				return err
			}
			if o.Matches < 1 {
				return fmt.Errorf("%w: --matches: want 1 or more, got %d", errUsage, o.Matches)
			}
			t := newTeller(c, false)
			o.Progress = func(what string, done, total int) { t.progress("%d of %d: %s", done, total, what) }
			lines, err := stats.Run(cmd.Context(), o)
			if err != nil {
				return err
			}
			if out == "" {
				return stats.Write(c.out, statsLine(games, o), lines)
			}
			f, err := os.Create(out)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, f.Close()) }()
			return stats.Write(f, statsLine(games, o), lines)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&games, "games", games, "ids of the games")
	f.StringSliceVar(&o.Variants, "variants", o.Variants, "names of the variants; a game leaves out those it does not have")
	f.StringSliceVar(&o.Bots, "bots", o.Bots, "house bots")
	f.IntVar(&o.Matches, "matches", o.Matches, "matches of each bot at each table")
	f.Uint64Var(&o.Seed, "seed", o.Seed, "decides all luck")
	f.StringVar(&out, "out", "", "the file to write; it is overwritten")
	return cmd
}

func chosenGames(ids []string) (list []game.Engine, err error) {
	for _, id := range ids {
		e, ok := catalog.Find(id)
		if !ok {
			return nil, fmt.Errorf("%w: there is no game %q; there are %s", errUsage, id, strings.Join(gameIDs(), ", "))
		}
		list = append(list, e)
	}
	return list, nil
}

// statsLine is the command line that gives the same page.
func statsLine(games []string, o stats.Options) string {
	return fmt.Sprintf("molerun stats --games %s --variants %s --bots %s --matches %d --seed %d",
		strings.Join(games, ","), strings.Join(o.Variants, ","), strings.Join(o.Bots, ","), o.Matches, o.Seed)
}
