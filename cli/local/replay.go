package local

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	viewer "github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
)

func replayCommand(c command.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use: "replay", Short: "Work with the records of matches",
	}
	for _, sub := range []*cobra.Command{verifyCommand(c), showCommand(c), forkCommand(c), reviewCommand(c), redriveCommand(c), replayPageCommand(c)} {
		cmd.AddCommand(command.Completed(sub, command.Records()))
	}
	return cmd
}

func verifyCommand(c command.Console) *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE...",
		Short: "Play records again and check every step, offline",
		Long: "Reads records in the format replay/1, gzipped or plain, and plays them again: the hash chain, the commitment to the seed,\n" +
			"every event, every state, every action of the house and the result must be what the rules give.\n" +
			"One line a file: ok, or what is wrong and at which step. Exit code 1 if any file fails.",
		Example: "  molerun replay verify replays/*.jsonl.gz",
		RunE: func(_ *cobra.Command, files []string) error {
			bad, verified := 0, printer.New(c, false).Counter("verified", "records", 1)
			verified.Add(0)
			for _, name := range files {
				rec, err := matches.Read(name)
				verified.End()
				if err != nil {
					bad++
					fmt.Fprintf(c.Out, "FAIL %v\n", err)
					continue
				}
				fmt.Fprintf(c.Out, "ok   %s: %s, %s, %s\n", name, rec.Header.Game, game.Plural(len(rec.Steps)-1, "step"), rec.Result.Why)
				verified.Add(1)
			}
			verified.End()
			if bad > 0 {
				return fmt.Errorf("%d of %s failed", bad, game.Plural(len(files), "record"))
			}
			return nil
		},
	}
}

// replayPageCommand writes the viewer of a record.
func replayPageCommand(c command.Console) *cobra.Command {
	var out string
	var force bool
	cmd := &cobra.Command{
		Use:   "page FILE",
		Short: "Write a record as one HTML file to look at, offline",
		Long: "Verifies a record in the format replay/1 and writes a page that shows every step of it as every seat and a spectator saw it: slider, play and\n" +
			"speed, arrow keys, decisions with their clocks. The page is one file that loads nothing else.",
		Example: "  molerun replay page match.jsonl.gz --out match.html",
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := command.Given(cmd, "out"); err != nil {
				return err
			}
			body, err := page(files[0])
			if err != nil {
				return err
			}
			if out == "-" {
				_, err = command.Raw(c.Out).Write(body)
				return err
			}
			return command.WriteNew(out, body, force, files[0])
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "overwrite a file that is there already")
	cmd.Flags().StringVar(&out, "out", "-", "the file; - is stdout")
	return cmd
}

// openLimit is how long the system may take to hand a page to its browser.
const openLimit = 20 * time.Second

// browse opens a file in the default browser of the system.
func browse(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, openLimit)
	defer cancel()
	name, args := "xdg-open", []string{path}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", path}
	}
	return exec.CommandContext(ctx, name, args...).Run() //nolint:gosec // a file that we wrote
}

// page verifies a record and makes the one file that shows it.
func page(record string) ([]byte, error) {
	rec, err := matches.Read(record)
	if err != nil {
		return nil, err
	}
	engine, _ := catalog.Find(rec.Header.Game)
	return viewer.Alone(rec, engine)
}

// openRecord writes the page of a record beside it and opens it. Without a browser it says so: the page is there all the same.
func openRecord(ctx context.Context, c command.Console, record string, force bool) error {
	body, err := page(record)
	if err != nil {
		return err
	}
	path, err := filepath.Abs(strings.TrimSuffix(strings.TrimSuffix(record, ".gz"), ".jsonl") + ".html")
	if err != nil {
		return err
	}
	if err := command.WriteNew(path, body, force, record); err != nil {
		return err
	}
	open := c.Open
	if open == nil {
		open = browse
	}
	if err := open(ctx, path); err != nil {
		fmt.Fprintf(c.Err, "no browser could be opened (%v): open this page in one yourself\n", err)
	}
	fmt.Fprintln(c.Err, path)
	return nil
}
