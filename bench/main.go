package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"time"
)

// errFloor means that a figure missed its floor.
var errFloor = errors.New("a figure missed what is wanted of it")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// command measures what the command line asks for, and fails if a ratio misses what is wanted.
func command(ctx context.Context, args []string, out, errs io.Writer) (err error) {
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	span := flags.Duration("span", time.Second, "length of each single measurement")
	postgres := flags.String("postgres", os.Getenv("MOLERUN_TEST_POSTGRES"), "`URL` of a Postgres server to measure on besides SQLite; a database is made there and dropped")
	only := flags.String("only", "", "measure only the part whose name begins so, like pages")
	matches := flags.Int("matches", 0, "also fill a platform with so many matches, 5000000 for docs/8, a bot for each 50 of them, and measure it beside a small one")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("%q is no flag: flags begin with -", flags.Arg(0))
	case *span <= 0:
		return fmt.Errorf("-span: want a time above 0, got %v", *span)
	case *matches < 0:
		return fmt.Errorf("-matches: want 1 or more, got %d", *matches)
	}
	dir, err := os.MkdirTemp("", "molerun-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	rows, err := run(ctx, options{
		Span:     *span,
		Only:     *only,
		Postgres: *postgres,
		Dir:      dir,
		// At 5,000,000 matches five ladders have 2,000 live bots each, the most that a fit takes.
		Large:    size{Bots: max(small.Bots, *matches/50), Live: max(small.Live, *matches/25_000*50), Tournaments: *matches / 2500, Matches: *matches, Packed: *matches / 25},
		Now:      time.Now,
		Progress: func(what string) { fmt.Fprintln(errs, "measuring", what) },
	})
	if err != nil {
		return err
	}
	printTable(out, rows)
	if slices.ContainsFunc(rows, func(r figure) bool { return !r.OK }) {
		return errFloor
	}
	return nil
}
