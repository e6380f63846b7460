package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/cli/command"
)

func TestTheLastFoldersOfRecordsAreKeptAndNothingOfOthersIsRemoved(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	first, err := command.RecordsFolder("play")
	if err != nil {
		t.Fatal(err)
	}
	in := filepath.Dir(first)
	for _, other := range []string{"sprt-1", "play.txt", "player"} {
		if err := os.Mkdir(filepath.Join(in, other), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	made := []string{first}
	long := time.Now().Add(-time.Hour)
	for k := range 2 * command.KeptFolders {
		for i, folder := range made { // the later, the newer, whatever the file system's clock shows
			if _, err := os.Stat(folder); err == nil {
				if err := os.Chtimes(folder, long, long.Add(time.Duration(i)*time.Second)); err != nil {
					t.Fatal(err)
				}
			}
		}
		folder, err := command.RecordsFolder("play")
		if err != nil {
			t.Fatalf("folder %d: %v", k, err)
		}
		if err := os.WriteFile(filepath.Join(folder, "record"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		made = append(made, folder)
	}
	for i, folder := range made {
		if _, err := os.Stat(folder); (err == nil) != (i >= len(made)-command.KeptFolders) {
			t.Errorf("folder %d of %d: %v, want the last %d kept", i, len(made), err, command.KeptFolders)
		}
	}
	list, err := os.ReadDir(in)
	if err != nil || len(list) != command.KeptFolders+3 {
		t.Errorf("%d folders (%v), want %d of the command and three others", len(list), err, command.KeptFolders)
	}
}

func TestWithoutAFolderForCachesRecordsGoIntoATemporaryOne(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	t.Setenv("TMPDIR", t.TempDir())
	folder, err := command.RecordsFolder("sprt")
	if err != nil || !strings.HasPrefix(folder, os.TempDir()) {
		t.Errorf("got %s (%v), want a temporary folder", folder, err)
	}
}
