package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game/replay"
)

func replayCommand(c console) *cobra.Command {
	cmd := &cobra.Command{
		Use: "replay", Short: "Work with the records of matches",
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(verifyCommand(c), showCommand(c), forkCommand(c), redriveCommand(c))
	return cmd
}

func verifyCommand(c console) *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE...",
		Short: "Play records again and check every step, offline",
		Long: "Reads records in the format replay/1, gzipped or plain, and plays them again: the hash chain, the commitment to the seed,\n" +
			"every event, every state, every action of the house and the result must be what the rules give.\n" +
			"One line a file: ok, or what is wrong and at which step. Exit code 1 if any file fails.",
		Example: "  molerun replay verify replays/*.jsonl.gz",
		Args:    usage(cobra.MinimumNArgs(1)),
		RunE: func(_ *cobra.Command, files []string) error {
			bad := 0
			for _, name := range files {
				rec, err := verifyFile(name)
				if err != nil {
					bad++
					fmt.Fprintf(c.out, "FAIL %s: %v\n", name, err)
					continue
				}
				fmt.Fprintf(c.out, "ok   %s: %s, %d steps, %s\n", name, rec.Header.Game, len(rec.Steps)-1, rec.Result.Why)
			}
			if bad > 0 {
				return fmt.Errorf("%d of %d records failed", bad, len(files))
			}
			return nil
		},
	}
}

func verifyFile(name string) (rec *replay.Record, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return replay.Verify(f, catalog.Find)
}
