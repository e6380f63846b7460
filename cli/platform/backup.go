package platform

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/cli/process"
	"github.com/molerun/molerun/cli/settings"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/archive"
)

func adminBackupCommand(c command.Console) *cobra.Command {
	return opened(&cobra.Command{
		Use: "backup FILE", Short: "Write all data of one moment to a file, while the platform runs",
		Long: "Writes gzipped JSON Lines with a checksum that either database can be restored from; - is stdout. An existing file is never\n" +
			"overwritten. The database may still be that of an earlier release, before molerun migrate. The file holds the secrets of bots and\n" +
			"webhooks: keep it as you keep the database.",
		Example: "  molerun admin backup molerun-2026-03-01.jsonl.gz --database postgres://localhost/molerun",
	}, process.OpenToBackup, func(ctx context.Context, db *store.Store, args []string) error {
		written := printer.New(c, false).Counter("written", "MB", megabyte)
		var sum archive.Summary
		err := command.SaveOr(command.Raw(c.Out), args[0], command.ForOwner, func(to io.Writer) (err error) {
			sum, err = archive.Backup(ctx, db.DB, io.MultiWriter(to, written))
			return err
		})
		written.End()
		if err == nil {
			tellSum(c, "backed up", sum)
		}
		return err
	})
}

// megabyte is the unit in which backups are counted, in bytes.
const megabyte = 1_000_000

// tellSum prints how much was done, and what could not be kept as it was.
func tellSum(c command.Console, done string, sum archive.Summary) {
	fmt.Fprintf(c.Err, "%s %s of %s; sha256 of the lines %s\n", done, game.Plural(sum.Rows, "row"), game.Plural(sum.Tables, "table"), sum.SHA256)
	if sum.Cleaned > 0 {
		fmt.Fprintf(c.Err, "cleaned %s with NUL or broken UTF-8, now \"?\"; the records of %s have new hashes for that\n", game.Plural(sum.Cleaned, "text"), game.Plural(sum.Rechained, "match"))
	}
}

func adminRestoreCommand(c command.Console) *cobra.Command {
	s, _ := settings.New() // DatabaseFlag refuses what matters here
	var verify bool
	cmd := &cobra.Command{
		Use: "restore FILE", Short: "Fill an empty database from a backup",
		Long: "Migrates the database and fills it, all or nothing; one with data is refused. - is stdin. Matches that were not over are queued\n" +
			"again and go on after their last recorded decision. Text with NUL or broken UTF-8, which older releases took from bots, is\n" +
			"cleaned and counted. Then the ratings of every ladder are folded from its results and compared,\n" +
			"to the thousandth; --verify also plays the record of every match again and compares every state and the result.\n" +
			"Exit code 1 if anything differs; the data stay for you to look at.",
		Example: "  molerun admin restore molerun-2026-03-01.jsonl.gz --verify --database sqlite:fresh.db",
		RunE: func(cmd *cobra.Command, args []string) error {
			in := c.In
			if args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return err
				}
				defer f.Close() //nolint:errcheck // read only
				in = f
			}
			return restoreFrom(cmd.Context(), c, s.Database, in, verify)
		},
	}
	s.DatabaseFlag(cmd)
	cmd.Flags().BoolVar(&verify, "verify", false, "play the record of every match again")
	return cmd
}

func restoreFrom(ctx context.Context, c command.Console, url string, in io.Reader, verify bool) (err error) {
	db, err := process.OpenStore(ctx, url, "", true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.Migrate(ctx); err != nil {
		return err
	}
	read := printer.New(c, false).Counter("read", "MB", megabyte)
	sum, err := archive.Restore(ctx, db, catalog.Find, io.TeeReader(in, read))
	read.End()
	if err != nil {
		return err
	}
	tellSum(c, "restored", sum)
	var replays error
	if verify {
		replays = checkRecords(ctx, c, db)
	}
	return errors.Join(checkLadders(ctx, c, db, ""), replays)
}

func adminCopyCommand(c command.Console) *cobra.Command {
	var from, to string
	var verify bool
	cmd := &cobra.Command{
		Use: "copy", Short: "Move a platform to another, empty database, as from SQLite to Postgres",
		Long: "Copies all data of one moment, as a backup that is restored at once, with the same checks afterwards. What happens on the old\n" +
			"database after that moment is not copied: stop serve and work first.",
		Example: "  molerun admin copy --from sqlite:molerun.db --to postgres://localhost/molerun",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if from == "" || to == "" || from == to {
				return fmt.Errorf("%w: --from and --to: name two databases, postgres://… or sqlite:PATH", command.ErrUsage)
			}
			return copyDatabase(cmd.Context(), c, from, to, verify)
		},
	}
	f := cmd.Flags()
	f.StringVar(&from, "from", "", "the database with the data")
	f.StringVar(&to, "to", "", "the empty database")
	f.BoolVar(&verify, "verify", false, "play the record of every match again")
	return cmd
}

func copyDatabase(ctx context.Context, c command.Console, from, to string, verify bool) error {
	db, err := process.OpenToBackup(ctx, from)
	if err != nil {
		return fmt.Errorf("--from: %w", err)
	}
	read, write := io.Pipe()
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		_, err := archive.Backup(ctx, db.DB, write)
		_ = write.CloseWithError(err) // of a pipe: never an error
		if err != nil {
			return fmt.Errorf("--from: %w", err)
		}
		return nil
	})
	group.Go(func() error {
		err := restoreFrom(ctx, c, to, read, verify)
		_ = read.CloseWithError(err)
		if err != nil {
			return fmt.Errorf("--to: %w", err)
		}
		return nil
	})
	return errors.Join(group.Wait(), db.Close())
}

// checkRecords plays every match that is done again, from its decisions, and tells of those that differ and of how many
// were like the record.
func checkRecords(ctx context.Context, c command.Console, db *store.Store) error {
	same, bad, old := 0, 0, 0
	played := printer.New(c, false).Counter("played again", "matches", 1)
	played.Add(0)
	list := func(p store.Page) ([]tournament.Match, string, error) {
		return db.Matches(ctx, store.MatchFilter{Status: tournament.MatchDone, Unlisted: true}, p)
	}
	err := eachOf(store.Page{Sort: store.Oldest}, list, func(m tournament.Match) error {
		engine, known := catalog.Find(m.Game)
		if !known || engine.Info().Version != m.RulesVersion {
			old++
			return nil
		}
		steps, err := db.Decisions(ctx, m.ID)
		if err != nil {
			return err
		}
		why := checkRecord(m, runner.SpecOf(m, engine, steps))
		played.Add(1)
		if why != nil {
			played.End()
			bad++
			fmt.Fprintf(c.Out, "FAIL match %s: %v\n", m.ID, why)
			return nil
		}
		same++
		return nil
	})
	if err != nil {
		return err
	}
	played.End()
	fmt.Fprintf(c.Out, "ok   matches: %d played again to the same states and result; %d are of rules this program no longer plays\n", same, old)
	if bad > 0 {
		return fmt.Errorf("%d matches do not follow from their decisions", bad)
	}
	return nil
}

func checkRecord(m tournament.Match, spec runner.Spec) error {
	var file bytes.Buffer
	if err := runner.Write(&file, spec, m.Nonce); err != nil {
		return err
	}
	rec, err := replay.Verify(&file, catalog.Find)
	if err != nil {
		return err
	}
	if n := len(rec.Steps) - 1; n != m.Steps {
		return fmt.Errorf("its decisions make %d steps, the match has %d", n, m.Steps)
	}
	if m.Result == nil || !reflect.DeepEqual(rec.Result, *m.Result) {
		return fmt.Errorf("its decisions lead to %+v, the match has %+v", rec.Result, m.Result)
	}
	return nil
}
