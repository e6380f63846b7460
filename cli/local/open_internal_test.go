package local

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
)

// opened runs a command line with a browser that may fail, and returns the pages it was given and what was told.
func opened(t *testing.T, fails error, args ...string) (pages []string, told string) {
	t.Helper()
	var out, errs bytes.Buffer
	root := &cobra.Command{Use: "molerun"}
	root.AddCommand(Commands(command.Console{
		In:  strings.NewReader(""),
		Out: &out,
		Err: &errs,
		Open: func(_ context.Context, path string) error {
			pages = append(pages, path)
			return fails
		},
	})...)
	root.SetArgs(args)
	if err := root.ExecuteContext(t.Context()); err != nil {
		t.Fatalf("molerun %v: %v\n%s", args, err, &errs)
	}
	return pages, errs.String()
}

func TestOpenWritesThePageBesideTheRecordAndGivesItToTheBrowser(t *testing.T) {
	dir := t.TempDir()
	want := filepath.Join(dir, "molehill-0001.html")
	see := func(pages []string, told string) {
		t.Helper()
		body, err := os.ReadFile(want)
		if err != nil || !bytes.Contains(body, []byte("<html")) || !slices.Equal(pages, []string{want}) || !strings.Contains(told, want) {
			t.Errorf("%s has %d bytes (%v), the browser got %v, and %q is told", want, len(body), err, pages, told)
		}
		if err := os.Remove(want); err != nil {
			t.Error(err)
		}
	}
	see(opened(t, nil, "play", "molehill", "random", "greedy", "--out", dir, "--open"))
	record := filepath.Join(dir, "molehill-0001.jsonl.gz")
	see(opened(t, nil, "replay", "show", record, "--open"))
	pages, told := opened(t, errors.New("xdg-open: not found"), "replay", "show", record, "--open")
	if !strings.Contains(told, "no browser could be opened (xdg-open: not found)") {
		t.Errorf("got %q, want it said that there is no browser", told)
	}
	see(pages, told)
}
