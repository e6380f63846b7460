package cli_test

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/cli/process"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

var update = flag.Bool("update", false, "write the goldens of text again; the records and the backup are yesterday's and are never written")

// golden compares text with a file of testdata/golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name)
	if *update {
		writes(t, file, got)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (write it with -update)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got; -update writes it again):\n%s", name, diff)
	}
}

// goldenRecords returns matches of every game and variant, played by release 0.1.0: GAME-VARIANT by molerun play, platform-GAME by
// a platform, with a bot whose answers are late and illegal.
func goldenRecords(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/golden/records/*.jsonl.gz")
	must.OK(t, err)
	for _, e := range catalog.All() {
		for _, v := range e.Info().Variants {
			if _, err := os.Stat(record(e.Info().ID, v.Name)); err != nil {
				t.Errorf("%v; every variant has a record", err)
			}
		}
	}
	return files
}

func record(game, variant string) string {
	return filepath.Join("testdata", "golden", "records", game+"-"+variant+".jsonl.gz")
}

func TestRecordsOfYesterdayVerifyAndReadTheSame(t *testing.T) {
	t.Parallel()
	files := goldenRecords(t)
	code, out, errs := call("", append([]string{"replay", "verify"}, files...)...)
	if code != 0 {
		t.Errorf("exit code %d\n%s", code, errs)
	}
	golden(t, "verify.txt", filepath.ToSlash(out))
	var all strings.Builder
	for _, name := range files {
		code, out, errs := call("", "replay", "show", name)
		if code != 0 {
			t.Errorf("%s: exit code %d\n%s", name, code, errs)
		}
		if base := filepath.Base(name); strings.Contains(base, "full") || strings.Contains(base, "base") || strings.Contains(base, "platform") {
			fmt.Fprintf(&all, "$ molerun replay show %s\n%s\n", base, out)
		}
	}
	golden(t, "show.txt", all.String())
}

// One seed gives one match: the records are written again, but for the run's own id and the hashes that hang on it, and the same
// tables are told.
func TestMatchesArePlayedAsYesterday(t *testing.T) {
	t.Parallel()
	var told strings.Builder
	for _, e := range catalog.All() {
		for _, v := range e.Info().Variants {
			id, dir := e.Info().ID, t.TempDir()
			code, out, errs := call("", "play", id, "greedy", "random", "--paired=false", "--variant", v.Name, "--seed", "21", "--out", dir)
			if code != 0 {
				t.Errorf("%s %s: exit code %d\n%s", id, v.Name, code, errs)
				continue
			}
			fmt.Fprintf(&told, "$ molerun play %s greedy random --paired=false --variant %s --seed 21\n%s", id, v.Name, out)
			if diff := cmp.Diff(played(t, record(id, v.Name)), played(t, filepath.Join(dir, id+"-0001.jsonl.gz"))); diff != "" {
				t.Errorf("%s %s: another record than yesterday (-want +got):\n%s", id, v.Name, diff)
			}
		}
	}
	golden(t, "play.txt", told.String())
}

// A page of a record is a file that people send each other. The bounds are by game: a hill's drawing is the heaviest. By day one record
// of each game is looked at.
func TestThePageOfARecordWeighsLittle(t *testing.T) {
	t.Parallel()
	names := goldenRecords(t)
	if !nightly() {
		names = nil
		for _, e := range catalog.All() {
			names = append(names, record(e.Info().ID, e.Info().Variants[0].Name))
		}
	}
	perStep := map[string]int{"cia": 1280, "demol": 2 << 10, "mole": 1280, "molehill": 4 << 10, "molemajority": 1792} // with the open view
	for _, name := range names {
		rec := played(t, name)
		steps := strings.Count(rec, "\n") - 1
		game := regexp.MustCompile(`^(?:platform-)?([a-z]+)`).FindStringSubmatch(filepath.Base(name))[1]
		code, out, errs := call("", "replay", "page", name)
		if code != 0 {
			t.Errorf("%s: exit code %d\n%s", name, code, errs)
		}
		if most := 85<<10 + perStep[game]*steps; len(out) > most {
			t.Errorf("%s: the page of %d steps has %d bytes, want at most %d", name, steps, len(out), most)
		}
	}
}

// ofTheRun matches what differs between two runs of a series, and between two releases.
var ofTheRun = regexp.MustCompile(`"(match|hash|engine)":"[^"]*"`)

// played returns a record without what is the run's own.
func played(t *testing.T, name string) string {
	t.Helper()
	return ofTheRun.ReplaceAllString(string(bytes.Join(unpack(t, name), []byte("\n")))+"\n", "")
}

// The backup is of a platform of release 0.1.0 with tournaments of every format, also one under way, paused, cancelled; schedules; a
// standing ladder and a season; faults; bots that their owner paused and that are banned, with and without their owner.
func TestABackupOfYesterdayIsRestored(t *testing.T) {
	t.Parallel()
	for name, to := range map[string]string{"SQLite": "sqlite:" + filepath.Join(t.TempDir(), "m.db"), "Postgres": storetest.PostgresURL(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, out, errs := call("", "admin", "restore", "testdata/golden/backup.jsonl.gz", "--verify", "--database", to)
			if code != 0 {
				t.Errorf("exit code %d", code)
			}
			_, ratings, moreErrs := call("", "ratings", "replay", "--database", to)
			golden(t, "restore.txt", errs+out+moreErrs+ratings)
			showsItsFit(t, to, "cia")
		})
	}
}

// showsItsFit wants the lines of a ladder where its last fit and what the on-line ratings have moved since put them: the backup is of
// a release that had no such column.
func showsItsFit(t *testing.T, url, ladder string) {
	t.Helper()
	db, err := process.OpenMigrated(t.Context(), url)
	must.OK(t, err)
	defer db.Close()
	fitted, err := db.Fit(t.Context(), ladder)
	must.OK(t, err)
	rows, _, err := db.LadderRows(t.Context(), ladder, store.Page{Limit: 100})
	if err != nil || len(rows) == 0 {
		t.Fatalf("%d lines of ladder %s (%v)", len(rows), ladder, err)
	}
	for _, r := range rows {
		events, _, err := db.RatingEvents(t.Context(), store.RatingEventFilter{LadderID: ladder, VersionID: r.VersionID}, store.Page{Limit: 100})
		must.OK(t, err)
		events = slices.DeleteFunc(events, func(e tournament.RatingChange) bool { return e.LadderSeq > fitted.ToSeq })
		if r.Fit == nil || len(events) == 0 {
			t.Fatalf("%s has no fit, or %d matches that it has seen", r.Bot, len(events))
		}
		if want := int64(math.Round(1000*r.Fit.Elo)) + r.OnlineMilli - events[0].AfterMilli; r.Milli != want {
			t.Errorf("%s shows %d, want %d", r.Bot, r.Milli, want)
		}
	}
}

func TestEveryCommandsHelpIsAsReviewed(t *testing.T) {
	var all strings.Builder
	var walk func(path []string)
	walk = func(path []string) {
		code, out, errs := call("", append(path, "--help")...)
		if code != 0 || errs != "" {
			t.Errorf("%v --help: exit code %d, %s", path, code, errs)
		}
		fmt.Fprintf(&all, "$ %s\n%s\n", strings.Join(slices.Concat([]string{"molerun"}, path, []string{"--help"}), " "), out)
		for section := range strings.SplitSeq(out, "\n\n") {
			title, list, _ := strings.Cut(section, ":\n")
			if title == "Usage" || title == "Examples" || strings.HasPrefix(title, "Flags") {
				continue
			}
			for line := range strings.Lines(list) {
				if name := strings.TrimPrefix(line, "  "); name != line && !strings.HasPrefix(name, " ") {
					walk(append(slices.Clone(path), strings.Fields(name)[0]))
				}
			}
		}
	}
	walk(nil)
	golden(t, "help.txt", all.String())
}
