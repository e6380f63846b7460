package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli"
)

func TestEveryCommandHasAPageAndEveryShellItsCompletions(t *testing.T) {
	dir := t.TempDir()
	if err := write(dir, time.Unix(1790000000, 0).UTC()); err != nil {
		t.Fatal(err)
	}
	pages := 0
	var each func(c *cobra.Command)
	each = func(c *cobra.Command) {
		if !c.IsAvailableCommand() {
			return
		}
		pages++
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		text, err := os.ReadFile(filepath.Join(dir, "man", name))
		if err != nil {
			t.Error(err)
			return
		}
		if !strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(string(text), ".nh")), `.TH "MOLERUN" "1" "Sep 2026" "molerun `) {
			t.Errorf("%s begins %.80q", name, text)
		}
		for _, child := range c.Commands() {
			each(child)
		}
	}
	for _, c := range cli.Commands().Commands() {
		each(c)
	}
	if pages < 40 {
		t.Errorf("%d commands were looked at, want all", pages)
	}
	for _, name := range []string{"molerun.bash", "_molerun", "molerun.fish", "molerun.ps1"} {
		if text, err := os.ReadFile(filepath.Join(dir, "completions", name)); err != nil || !strings.Contains(string(text), "molerun") {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
	}
}

func TestTheDateIsThatOfTheCommit(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1790000000")
	if got, err := released(); err != nil || got.Format(time.DateOnly) != "2026-09-21" {
		t.Errorf("got %v and %v, want 2026-09-21", got, err)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "")
	if got, err := released(); err == nil {
		t.Errorf("without it got %v, want an error", got)
	}
}
