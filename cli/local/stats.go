package local

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/local/stats"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/catalog"
)

func statsCommand(c command.Console) *cobra.Command {
	o := stats.Options{Variants: []string{"base"}, Seed: 1, Workers: runtime.GOMAXPROCS(0)}
	games, out, bots, matches := command.GameIDs(), "", []string{"random", "greedy", "thinker"}, []string{"200"}
	contests := []string{"200"}
	cmd := &cobra.Command{
		Use: "stats", Short: "Play house bots against each other, and print who wins, how, and how fast", Args: command.Args(0, 0),
		Long: "Plays matches of house bots, without network and database, at every table size, and writes a Markdown page: wins by team and\n" +
			"seat, ends and lengths, with 95 % intervals; then contests of the bots with each other. The same command gives the same page.\n" +
			"Without --out the page goes to stdout.",
		Example: "  molerun stats --matches 200 --out docs/statistics.md\n" +
			"  molerun stats --games demol,cia --variants base,full --matches random=100000,greedy=10000,thinker=10000 --contests 2000\n" +
			"  molerun stats --games cia --variants top_secret,full --bots thinker",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Engines, err = command.Games(games); err != nil {
				return err
			}
			if o.Bots, err = entries(bots, matches); err != nil {
				return err
			}
			if o.Contests, err = contestCounts(contests); err != nil {
				return err
			}
			bars := printer.New(c, false).Bars("tables")
			o.Progress = func(done, total int) { bars.Set(0, done, total) }
			lines, met, err := stats.Run(cmd.Context(), o)
			bars.End()
			if err != nil {
				return err
			}
			line := fmt.Sprintf("molerun stats --games %s --variants %s --bots %s --matches %s --contests %s --seed %d", strings.Join(games, ","),
				strings.Join(o.Variants, ","), strings.Join(bots, ","), strings.Join(matches, ","), strings.Join(contests, ","), o.Seed)
			if out == "" {
				return stats.Write(c.Out, line, lines, met)
			}
			f, err := os.Create(out)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, f.Close()) }()
			return stats.Write(f, line, lines, met)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&games, "games", games, "ids of the games")
	f.StringSliceVar(&o.Variants, "variants", o.Variants, "names of the variants; a game leaves out those it does not have")
	f.StringSliceVar(&bots, "bots", bots, "house bots, the weakest first")
	f.StringSliceVar(&matches, "matches", matches, "matches of each bot at each table: a number, BOT=NUMBER for each bot, or GAME/BOT=NUMBER")
	f.StringSliceVar(&contests, "contests", contests, "matches of each bot in each contest: a number, or GAME=NUMBER for one game; 0: no contests")
	f.Uint64Var(&o.Seed, "seed", o.Seed, "decides all luck")
	f.StringVar(&out, "out", "", "the file to write; it is overwritten")
	return cmd
}

// entries reads how many matches each bot plays: "200" for all, "greedy=1000" for one, "mole/greedy=50" for one in a game; of
// what fits a bot the last counts.
func entries(bots, matches []string) ([]stats.Entry, error) {
	list := make([]stats.Entry, len(bots))
	for i, bot := range bots {
		list[i] = stats.Entry{Bot: bot, Matches: stats.Counts{ByGame: map[string]int{}}}
	}
	for _, word := range matches {
		whose, n, err := count("--matches", word, 1)
		if err != nil {
			return nil, err
		}
		gameID, bot, inGame := strings.Cut(whose, "/")
		if !inGame {
			gameID, bot = "", whose
		} else if _, ok := catalog.Find(gameID); !ok {
			return nil, noGame("--matches", gameID)
		}
		if bot != "" && !slices.Contains(bots, bot) {
			return nil, fmt.Errorf("%w: --matches: %q is not one of the bots %s", command.ErrUsage, bot, strings.Join(bots, ","))
		}
		for i := range list {
			switch {
			case bot != "" && list[i].Bot != bot:
			case inGame:
				list[i].Matches.ByGame[gameID] = n
			default:
				list[i].Matches.Each = n
			}
		}
	}
	for _, e := range list {
		if e.Matches.Each == 0 {
			return nil, fmt.Errorf("%w: --matches gives no number for %s; add %s=number", command.ErrUsage, e.Bot, e.Bot)
		}
	}
	return list, nil
}

// contestCounts reads how many matches a contest has: "200" for all games, "mole=50" for one.
func contestCounts(words []string) (stats.Counts, error) {
	counts := stats.Counts{ByGame: map[string]int{}}
	for _, word := range words {
		gameID, n, err := count("--contests", word, 0)
		if err != nil {
			return stats.Counts{}, err
		}
		if gameID == "" {
			counts.Each = n
			continue
		}
		if _, ok := catalog.Find(gameID); !ok {
			return stats.Counts{}, noGame("--contests", gameID)
		}
		counts.ByGame[gameID] = n
	}
	return counts, nil
}

// count reads "200" or "whose=200".
func count(flag, word string, least int) (string, int, error) {
	whose, number, one := strings.Cut(word, "=")
	if !one {
		whose, number = "", word
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < least {
		return "", 0, fmt.Errorf("%w: %s: want a number of %d or more, or name=number, got %q", command.ErrUsage, flag, least, word)
	}
	return whose, n, nil
}

func noGame(flag, gameID string) error {
	return fmt.Errorf("%w: %s: there is no game %q; there are %s", command.ErrUsage, flag, gameID, strings.Join(command.GameIDs(), ", "))
}
