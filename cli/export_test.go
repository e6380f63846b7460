package cli_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
)

// What a platform has is saved by commands: its matches as lines, and records that anybody can verify.
func TestMatchesAndRecordsAreExportedByCommands(t *testing.T) {
	organising(t)
	dir := t.TempDir()
	told(t, "", "tournament", "create", "molehill", "--name", "Cup", "--starts", "in 2h", "--capacity", "2", "--rated=false", "--file", fileOf(t, smallMolehill), "--yes")
	told(t, "", "bot", "enter", "one", "cup")
	told(t, "", "bot", "enter", "two", "cup")
	told(t, "", "tournament", "start", "cup")
	told(t, "", "tournament", "watch", "cup")
	all := told(t, "", "export", "matches", "--tournament", "cup")
	played := strings.Count(all, "\n")
	if played == 0 {
		t.Fatal("no matches are exported")
	}
	file := filepath.Join(dir, "matches.ndjson")
	told(t, "", "export", "matches", "--bot", "one", "--game", "molehill", "--since", "2001-01-01", "--out", file)
	if b, err := os.ReadFile(file); err != nil || string(b) != all {
		t.Errorf("the file holds %q (%v), want %q", b, err, all)
	}
	fails(t, 2, []string{"export", "matches", "--out", file}, "is there already")
	if out := told(t, "", "export", "matches", "--until", "2001-01-01"); out != "" {
		t.Errorf("%q was before there were matches", out)
	}
	archive := filepath.Join(dir, "one.tar")
	told(t, "", "export", "records", "one", "--out", archive)
	records := unpacked(t, archive)
	if len(records) != played {
		t.Errorf("%d records of %d matches", len(records), played)
	}
	told(t, "", append([]string{"replay", "verify"}, records...)...)
}

// unpacked returns the files of an archive.
func unpacked(t *testing.T, archive string) []string {
	t.Helper()
	b := contents(t, archive)
	var files []string
	for r := tar.NewReader(bytes.NewReader(b)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		must.OK(t, err)
		record, err := io.ReadAll(r)
		file := filepath.Join(t.TempDir(), filepath.Base(h.Name))
		must.OK(t, errors.Join(err, os.WriteFile(file, record, 0o600)))
		files = append(files, file)
	}
}

// Without an account, from a platform that is named; what breaks off is reported, and there is no file of it.
func TestAnExportThatBreaksOffLeavesNoFile(t *testing.T) {
	settingsIn(t)
	whole := false
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "{}\n{}\n")
		if !whole {
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(s.Close)
	dir := t.TempDir()
	file := filepath.Join(dir, "matches.ndjson")
	args := []string{"export", "matches", "--platform", s.URL, "--out", file}
	code, _, errs := call("", args...)
	if code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	says(t, errs, "broke off", "2 matches")
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left (%v)", left, err)
	}
	if code, out, _ := call("", args[:4]...); code != 1 || out != "{}\n{}\n" {
		t.Errorf("on stdout: exit code %d and %q", code, out)
	}
	whole = true
	told(t, "", args...)
	if b, err := os.ReadFile(file); err != nil || string(b) != "{}\n{}\n" {
		t.Errorf("the whole export is %q (%v)", b, err)
	}
}
