package cli

import (
	"encoding/json"
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/bench"
)

// errFloor tells that a figure missed its floor.
var errFloor = errors.New("a figure missed what is wanted of it")

func benchCommand(c console) *cobra.Command {
	span, asJSON, only, postgres := time.Second, false, "", os.Getenv("MOLERUN_TEST_POSTGRES")
	cmd := &cobra.Command{
		Use: "bench", Short: "Measure speed against anchors in the same run, as ratios", Args: usage(cobra.NoArgs),
		Long: "Measures random playouts, late moves against early ones, views and offers as JSON, the refit of a million matches,\n" +
			"matchmaking among 10,000 bots, decisions over HTTP, memory of a running match, results committed and pages (a ladder of 10,000 bots,\n" +
			"a long match), each beside an anchor on the same machine in the same minute. Quote the ratios. With --postgres it makes and drops a database of its own on that server.\n" +
			"Exit code 1 if a ratio misses what is wanted.",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			dir, err := os.MkdirTemp("", "molerun-bench-")
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
			t := newTeller(c, false)
			rows, err := bench.Run(cmd.Context(), bench.Options{
				Span: span, Only: only, Postgres: postgres, Dir: dir, Now: time.Now,
				Progress: func(what string) { t.progress("measuring %s", what) },
			})
			if err != nil {
				return err
			}
			if asJSON {
				err = json.NewEncoder(c.out).Encode(rows)
			} else {
				bench.Print(c.out, rows)
			}
			for _, r := range rows {
				if !r.OK && err == nil {
					err = errFloor
				}
			}
			return err
		},
	}
	f := cmd.Flags()
	f.DurationVar(&span, "span", span, "length of each single measurement")
	f.StringVar(&postgres, "postgres", postgres, "URL of a Postgres server to measure on besides SQLite (MOLERUN_TEST_POSTGRES)")
	f.StringVar(&only, "only", only, "measure only the part whose name begins so, like pages")
	f.BoolVar(&asJSON, "json", false, "the rows as JSON")
	return cmd
}
