package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/molerun/molerun/cli"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./cli/man DIR")
		os.Exit(2)
	}
	date, err := released()
	if err == nil {
		err = write(os.Args[1], date)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "man:", err)
		os.Exit(1)
	}
}

// released returns the date of the pages: SOURCE_DATE_EPOCH in Unix seconds, so that one commit gives the same bytes every time.
func released() (time.Time, error) {
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// write makes dir/man and dir/completions.
func write(dir string, date time.Time) error {
	root := cli.Commands()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	root.DisableAutoGenTag = true
	for _, part := range []string{"man", "completions"} {
		if err := os.MkdirAll(filepath.Join(dir, part), 0o755); err != nil {
			return err
		}
	}
	header := doc.GenManHeader{
		Title:   "MOLERUN",
		Section: "1",
		Source:  root.Version,
		Manual:  "molerun",
		Date:    &date,
	}
	if err := doc.GenManTree(root, &header, filepath.Join(dir, "man")); err != nil {
		return err
	}
	return complete(root, filepath.Join(dir, "completions"))
}

// complete writes the completions under the names that the shells look for.
func complete(root *cobra.Command, dir string) error {
	return errors.Join(
		root.GenBashCompletionFileV2(filepath.Join(dir, "molerun.bash"), true),
		root.GenZshCompletionFile(filepath.Join(dir, "_molerun")),
		root.GenFishCompletionFile(filepath.Join(dir, "molerun.fish"), true),
		root.GenPowerShellCompletionFileWithDesc(filepath.Join(dir, "molerun.ps1")),
	)
}
