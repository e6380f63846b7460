package command_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/internal/must"
)

func TestTheLastFoldersOfRecordsAreKeptAndNothingOfOthersIsRemoved(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	first, err := command.RecordsFolder("", "play")
	must.OK(t, err)
	in := filepath.Dir(first)
	for _, other := range []string{"sprt-1", "play.txt", "player"} {
		must.OK(t, os.Mkdir(filepath.Join(in, other), 0o700))
	}
	made := []string{first}
	long := time.Now().Add(-48 * time.Hour)
	for k := range 2 * command.KeptFolders {
		for i, folder := range made { // the later, the newer, whatever the file system's clock shows
			if _, err := os.Stat(folder); err == nil {
				age(t, folder, long.Add(time.Duration(i)*time.Second))
			}
		}
		folder, err := command.RecordsFolder("", "play")
		if err != nil {
			t.Fatalf("folder %d: %v", k, err)
		}
		must.OK(t, os.WriteFile(filepath.Join(folder, "record"), nil, 0o600))
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

// age makes a folder and all in it as old as that.
func age(t *testing.T, folder string, at time.Time) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error { return errors.Join(err, os.Chtimes(path, at, at)) })
	must.OK(t, err)
}

// A command under way keeps its folder, however many begin after it: it may write far down in it, with hours between.
func TestAFolderInUseIsKept(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	var used []string
	for _, write := range []string{"cia-0001", "cia/cia-0001", "a/b/c"} {
		folder, err := command.RecordsFolder("", "evaluate")
		file := filepath.Join(folder, write)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(file), 0o700))
		must.OK(t, errors.Join(err, os.WriteFile(file, nil, 0o600)))
		age(t, folder, time.Now().Add(-72*time.Hour))
		last := time.Now().Add(-3 * time.Hour)
		must.OK(t, os.Chtimes(file, last, last))
		used = append(used, folder)
	}
	for range 2 * command.KeptFolders {
		_, err := command.RecordsFolder("", "evaluate")
		must.OK(t, err)
	}
	for _, folder := range used {
		if _, err := os.Stat(folder); err != nil {
			t.Error(err)
		}
	}
}

func TestWithoutAFolderForCachesRecordsGoIntoATemporaryOne(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	t.Setenv("TMPDIR", t.TempDir())
	folder, err := command.RecordsFolder("", "sprt")
	if err != nil || !strings.HasPrefix(folder, os.TempDir()) {
		t.Errorf("got %s (%v), want a temporary folder", folder, err)
	}
}
