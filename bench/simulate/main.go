// Command simulate plays whole ladders of bots of known strength in virtual time, with the matchmaking, the ratings and the fit that
// serve uses, and prints how close the ratings come to the truth. Only the results of matches are drawn by lot, from strengths that the
// simulation knows. The same flags give the same numbers; docs/4-ratings.md shows some of them.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "simulate:", err)
		os.Exit(1)
	}
}

// command plays what the flags in args ask for and prints its tables to out. Progress goes to errs.
func command(ctx context.Context, args []string, out, errs io.Writer) error {
	o := Options{}
	flags := flag.NewFlagSet("simulate", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.IntVar(&o.Bots, "bots", 200, fmt.Sprintf("bots on each ladder, %d to %d", minBots, maxBots))
	flags.IntVar(&o.Matches, "matches", 50, "matches each bot plays on average")
	flags.IntVar(&o.Ladders, "ladders", 1, "ladders of each form and deviation")
	sds := flags.String("sd", "150,350", "standard deviations of the true strengths in games of two, in Elo; in De Mol strengths have 4/7 of it")
	flags.Uint64Var(&o.Seed, "seed", 1, "decides all luck")
	flags.IntVar(&o.Seeds, "seeds", 1, "number of seeds, from -seed on, with -ladders each")
	fields := flags.Int("fields", 0, "play so many small round robins of each kind instead of ladders: how the fit does with camps and without")
	events := flags.Int("deals", 0, "play so many events of De Mol of each length instead, 2 or more: what points without the luck of the deals are worth")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("%q is no flag: flags begin with -", flags.Arg(0))
	case *fields < 0 || *events < 0 || *events == 1 || *fields > 0 && *events > 0:
		return fmt.Errorf("-fields %d -deals %d: want one of -fields 1 or more and -deals 2 or more", *fields, *events)
	case *fields > 0:
		rows, err := playFields(ctx, *fields, o.Seed)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, fieldTable(rows))
		return nil
	case *events > 0:
		rows, err := playDeals(ctx, []int{25, 50, 100, 200}, *events, o.Seed)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, dealsTable(rows))
		return nil
	}
	for word := range strings.SplitSeq(*sds, ",") {
		sd, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return fmt.Errorf("-sd: want numbers of Elo with commas between, got %q", word)
		}
		o.SDs = append(o.SDs, sd)
	}
	s, err := simulate(ctx, o, func(p Point) {
		fmt.Fprintf(errs, "%s, SD %v, ladder %d: %d matches a bot\n", p.Form, p.SD, p.Ladder, p.MatchesABot)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\n\n%s\n\n%s\n\n%s\n\n%d matches\n",
		intervalTable(s.Rows), errorTable(s.Rows), knownTable(s.Rows), fairnessTable(s.Fairness), s.Matches)
	return nil
}
