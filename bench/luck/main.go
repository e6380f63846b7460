package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "luck:", err)
		os.Exit(1)
	}
}

// fitSeeds is where the seeds of the matches begin that weights are fitted to: no measurement comes that far.
const fitSeeds = 1 << 32

// settings returns the pairs that are measured. The worse of each errs so often that it is about 50 Elo behind.
func settings() []setting {
	return []setting{
		{game: "cia", seats: 2, bot: "greedy", errs: 0.03},
		{game: "demol", seats: 5, bot: "greedy", errs: 0.2},
		{game: "mole", seats: 2, bot: "greedy", errs: 0.02},
		{game: "molehill", seats: 2, bot: "greedy", errs: 0.02},
		{game: "molemajority", seats: 2, bot: "greedy", errs: 0.02},
	}
}

// command measures what the flags in args ask for and prints a table to out. Progress goes to errs.
func command(ctx context.Context, args []string, out, errs io.Writer) error {
	flags := flag.NewFlagSet("luck", flag.ContinueOnError)
	flags.SetOutput(errs)
	matches := flags.Int("matches", 400, "matches of each game, 50 or more")
	seed := flags.Uint64("seed", 0, "the first seed of the matches")
	games := flags.String("games", "cia,demol,mole,molehill,molemajority", "the games, with commas between")
	fit := flags.Bool("fit", false, "fit the weights of each game instead, and print them")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%q is no flag: flags begin with -", flags.Arg(0))
	}
	if *matches < events*2 {
		return fmt.Errorf("-matches: want %d or more, got %d", events*2, *matches)
	}
	asked := strings.Split(*games, ",")
	for _, id := range asked {
		if !slices.ContainsFunc(settings(), func(x setting) bool { return x.game == id }) {
			return fmt.Errorf("-games: there is no %q", id)
		}
	}
	if !*fit {
		fmt.Fprintln(out, heading)
	}
	for _, x := range settings() {
		if !slices.Contains(asked, x.game) {
			continue
		}
		heard := func(done int) {
			if done%100 == 0 {
				fmt.Fprintf(errs, "%s: %d of %d matches\n", x.game, done, *matches)
			}
		}
		if *fit {
			weights, err := x.fit(ctx, fitSeeds+*seed, *matches, heard)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%s: %.2f\n", x.game, weights)
			continue
		}
		r, err := x.measure(ctx, *seed, *matches, heard)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, r)
	}
	return nil
}
