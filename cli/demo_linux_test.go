package cli_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/cli"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
)

// The demo with seed 7 on a terminal: what it tells at its end is as reviewed, ladders and standings, and each of its records verifies. The
// terminal shows its games side by side; stdout is the same, and without colours or bars, whatever stderr is.
func TestTheDemoEndsWellAndItsRecordsVerify(t *testing.T) {
	screen, _, drawn := clitest.Terminal(t)
	var stdout bytes.Buffer
	code := cli.Main([]string{"demo", "--json", "--seed", "7", "--dir", t.TempDir()}, strings.NewReader(""), &stdout, screen)
	out, shown := stdout.String(), drawn()
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, shown)
	}
	if strings.ContainsAny(out, "\r\x1b") {
		t.Errorf("stdout has bars: %q", out)
	}
	if !slices.ContainsFunc(strings.Split(shown, "\x1b[4A"), func(frame string) bool {
		return !slices.ContainsFunc([]string{"cia", "demol", "mole", "molehill", "molemajority"}, func(game string) bool {
			return !strings.Contains(frame, "\r\x1b[K"+game+" ")
		})
	}) {
		t.Errorf("the five games have no bars side by side in %q", shown)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if !regexp.MustCompile(`^\{"event":"serving","url":"http://127\.0\.0\.1:\d+"\}$`).MatchString(lines[0]) {
		t.Errorf("the first line is %s", lines[0])
	}
	last := lines[len(lines)-1]
	var end struct {
		Matches int
		Replays string
	}
	if err := json.Unmarshal([]byte(last), &end); err != nil {
		t.Fatalf("%s: %v", last, err)
	}
	var told bytes.Buffer
	must.OK(t, json.Indent(&told, []byte(strings.ReplaceAll(last, end.Replays, "REPLAYS")), "", "  "))
	golden(t, "demo.json", told.String()+"\n")
	files, err := filepath.Glob(filepath.Join(end.Replays, "*"))
	if err != nil || len(files) != end.Matches {
		t.Fatalf("%d records of %d matches (%v)", len(files), end.Matches, err)
	}
	verified, _ := exits(t, 0, append([]string{"replay", "verify"}, files...)...)
	if n := strings.Count(verified, "ok "); n != len(files) {
		t.Errorf("%d of %d records verify", n, len(files))
	}
}
