package cli_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/cli"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
)

type doneLine struct {
	Event       string
	URL         string
	Matches     int
	Voided      int
	Faults      int
	Ladders     map[string][]toldRow
	Tournaments []struct {
		Game, Format string
		Standings    []struct {
			Rank   int
			Bot    string
			Played int
			Points float64
		}
	}
	Replays string
}

type toldRow struct {
	Rank        int
	Class       string
	Bot         string
	Elo         float64
	Low, High   float64
	PlusMinus   float64 `json:"plus_minus"`
	RankFrom    int     `json:"rank_from"`
	RankTo      int     `json:"rank_to"`
	Matches     int
	Provisional bool
}

// runTheDemo runs the demo with seed 7 on a terminal and returns the last line that it prints. The terminal shows its games side by side;
// stdout is the same, and without colours or bars, whatever stderr is.
func runTheDemo(t *testing.T, dir string) (last doneLine) {
	t.Helper()
	screen, _, drawn := clitest.Terminal(t)
	var stdout bytes.Buffer
	code := cli.Main([]string{"demo", "--json", "--seed", "7", "--dir", dir}, strings.NewReader(""), &stdout, screen)
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
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil {
		t.Fatalf("%s: %v", lines[len(lines)-1], err)
	}
	var told bytes.Buffer
	must.OK(t, json.Indent(&told, []byte(strings.ReplaceAll(lines[len(lines)-1], last.Replays, "REPLAYS")), "", "  "))
	golden(t, "demo.json", told.String()+"\n")
	return last
}

func TestTheDemoEndsWellAndItsRecordsVerify(t *testing.T) {
	dir := t.TempDir()
	last := runTheDemo(t, dir)
	if last.Event != "done" || last.Voided != 0 || last.Faults != 0 {
		t.Errorf("%s: %d voided, %d faults; want done, none, none", last.Event, last.Voided, last.Faults)
	}
	for _, cup := range []string{"cia-base-", "cia-full-", "demol-base-", "demol-full-", "molehill-base-"} {
		if files, err := filepath.Glob(filepath.Join(last.Replays, cup+"*")); err != nil || len(files) < 10 {
			t.Errorf("%s: %d records (%v), want at least 10", cup, len(files), err)
		}
	}
	field := map[string]int{"molehill": 4, "demol": 6} // at least
	for _, e := range catalog.All() {
		id := e.Info().ID
		rows := last.Ladders[id]
		if len(rows) < max(4, field[id]) {
			t.Errorf("%s: %d bots on the ladder, want at least %d", id, len(rows), max(4, field[id]))
		}
		best := map[string]float64{}
		worst := map[string]float64{}
		for i, r := range rows {
			rank, class := i+1, "established" // these come first
			if r.Provisional {
				rank, class = 0, "provisional"
			} else if i > 0 && r.Elo == rows[i-1].Elo && r.Rank == rows[i-1].Rank {
				rank = r.Rank // equal ratings share it
			}
			switch {
			case r.Rank != rank:
				t.Errorf("%s: r.Rank is %v, want %v", id, r.Rank, rank)
			case r.Class != class:
				t.Errorf("%s: r.Class is %v, want %v", id, r.Class, class)
			case r.Matches == 0:
				t.Errorf("%s: r.Matches is 0", id)
			case r.Provisional != (r.Matches < 30 || r.PlusMinus > 100):
				t.Errorf("%s: r.Provisional is %v, want %v", id, r.Provisional, r.Matches < 30 || r.PlusMinus > 100)
			}
			if r.PlusMinus <= 0 || r.RankFrom < 1 || r.RankTo > len(rows) {
				t.Errorf("%s: row %+v has no fit", id, r)
			}
			strength, _, _ := strings.Cut(r.Bot, "-")
			if elo, seen := best[strength]; !seen || r.Elo > elo {
				best[strength] = r.Elo
			}
			if elo, seen := worst[strength]; !seen || r.Elo < elo {
				worst[strength] = r.Elo
			}
		}
		if worst["greedy"] <= best["random"] {
			t.Errorf("%s: the last greedy has %.1f, the first random %.1f; want greedy above random", id, worst["greedy"], best["random"])
		}
	}
	if len(last.Tournaments) != 5 {
		t.Errorf("%d tournaments that are not rated, want a bracket, groups, a swiss and two of the full variant", len(last.Tournaments))
	}
	for _, x := range last.Tournaments {
		if x.Format == "round_robin" {
			continue
		}
		bots, files := map[string]int{"swiss": 4, "groups": 6, "single_elimination": 4}[x.Format], 0
		if found, err := filepath.Glob(filepath.Join(last.Replays, x.Game+"-base-"+x.Format+"-*")); err == nil {
			files = len(found)
		}
		// Three rounds of two pairs of games; two groups of a table that goes round three seats, and a final; three pairs, and one more for
		// each that ends level.
		want, seated := map[string]int{"swiss": 12, "groups": 9, "single_elimination": 6}[x.Format], 0
		for _, line := range x.Standings {
			seated += line.Played
		}
		if x.Format == "single_elimination" {
			want = max(want, seated/2)
		}
		if files != want || len(x.Standings) != bots || x.Standings[0].Rank != 1 {
			t.Errorf("%s: %d records, want %d; standings %+v, want %d", x.Format, files, want, x.Standings, bots)
		}
	}
	files, err := filepath.Glob(filepath.Join(last.Replays, "*"))
	if err != nil || len(files) != last.Matches {
		t.Fatalf("%d records of %d matches (%v)", len(files), last.Matches, err)
	}
	if code, out, _ := call("", append([]string{"replay", "verify"}, files...)...); code != 0 || strings.Count(out, "ok ") != len(files) {
		t.Errorf("verify: exit code %d\n%s", code, out)
	}
	movesToPostgres(t, dir, last)
	ratingsFollow(t, dir, last) // spoils a rating
	seatsGoRound(t, files)
	for _, prefix := range []string{"molehill", "demol"} {
		damage(t, files, prefix)
	}
}

// movesToPostgres copies the demo's whole database and wants every ladder's fold, every record and the ladders themselves to
// be the same there; and back, that nothing is lost on either way.
func movesToPostgres(t *testing.T, dir string, told doneLine) {
	t.Helper()
	from, there, back := "sqlite:"+filepath.Join(dir, "molerun.db"), storetest.PostgresURL(t), "sqlite:"+filepath.Join(t.TempDir(), "back.db")
	code, out, errs := call("", "admin", "copy", "--verify", "--from", from, "--to", there)
	played := fmt.Sprintf("ok   matches: %d played again to the same states and result; 0 ", told.Matches)
	if code != 0 || strings.Count(out, "ok   ladder ") != len(told.Ladders) || !strings.Contains(out, played) {
		t.Errorf("copy to Postgres: exit code %d\n%s%swant %d ladders and …%s…", code, out, errs, len(told.Ladders), played)
	}
	if code, out, errs := call("", "admin", "copy", "--from", there, "--to", back); code != 0 || strings.Count(out, "ok   ladder ") != len(told.Ladders) {
		t.Errorf("copy back: exit code %d\n%s%s", code, out, errs)
	}
	_, was, _ := call("", "ratings", "replay", "--database", from)
	for _, url := range []string{there, back} {
		if _, is, _ := call("", "ratings", "replay", "--database", url); was != is || strings.Count(was, "\n") < 20 {
			t.Errorf("the ladders were\n%s\nand are\n%s", was, is)
		}
	}
}

// ratingsFollow checks the ratings of the demo against its results, and the fits that it told, and spoils one rating.
func ratingsFollow(t *testing.T, dir string, told doneLine) {
	t.Helper()
	file := filepath.Join(dir, "molerun.db")
	if code, out, errs := call("", "ratings", "replay", "--check", "--database", "sqlite:"+file); code != 0 || strings.Count(out, "ok ") != len(told.Ladders) {
		t.Errorf("check: exit code %d\n%s%s", code, out, errs)
	}
	code, out, errs := call("", "ratings", "fit", "--json", "--database", "sqlite:"+file)
	if code != 0 {
		t.Fatalf("fit: exit code %d\n%s", code, errs)
	}
	ladders := 0
	for d := json.NewDecoder(strings.NewReader(out)); d.More(); ladders++ {
		var f struct {
			Ladder   string
			Versions []struct {
				Bot       string
				Elo       float64
				Low, High float64
				Roles     map[string]struct{ Elo float64 }
			}
		}
		must.OK(t, d.Decode(&f))
		for _, v := range f.Versions {
			at := slices.IndexFunc(told.Ladders[f.Ladder], func(r toldRow) bool { return r.Bot == v.Bot })
			r := told.Ladders[f.Ladder][at]
			if math.Abs(r.Elo-v.Elo) > .06 || math.Abs(r.Low-v.Low) > .06 || math.Abs(r.High-v.High) > .06 {
				t.Errorf("%s, %s: fitted %+v, the demo told %.1f [%.1f, %.1f]", f.Ladder, v.Bot, v, r.Elo, r.Low, r.High)
			}
			if len(v.Roles) != map[string]int{"demol": 2}[f.Ladder] {
				t.Errorf("%s, %s: fitted by role %+v", f.Ladder, v.Bot, v.Roles)
			}
		}
	}
	if ladders != len(told.Ladders) {
		t.Errorf("%d ladders fitted, want %d", ladders, len(told.Ladders))
	}
	for _, row := range []struct{ args, want string }{
		{"fit --ladder demol --csv", "\ndemol,agent at 6 seats,"},
		{"fit --ladder cia", "| seat 3 of 4 "},
		{"fit --ladder demol", "| AS MOLE "},
		{"calibration --ladder cia", "cia: "},
		{"calibration --ladder cia --json", `{"ladder":"cia",`},
		{"replay --ladder cia", "ladder,version_id,bot_id,rating,matches,last_seq\ncia,"},
	} {
		code, out, errs := call("", append(append([]string{"ratings"}, strings.Fields(row.args)...), "--database", "sqlite:"+file)...)
		if code != 0 || !strings.Contains(out, row.want) {
			t.Errorf("ratings %s: exit code %d, want …%s… in\n%s%s", row.args, code, row.want, out, errs)
		}
	}
	db, err := sql.Open("sqlite", file)
	must.OK(t, err)
	defer db.Close()
	_, err = db.ExecContext(t.Context(), "UPDATE ratings SET milli = milli + 1 WHERE ladder_id = 'cia'")
	must.OK(t, err)
	code, out, errs = call("", "ratings", "replay", "--check", "--database", "sqlite:"+file)
	switch {
	case code != 1:
		t.Errorf("exit code is %v, want 1\n%s%s", code, out, errs)
	case !strings.Contains(out, "FAIL ladder cia: ratings_differ: rating"):
		t.Errorf("got %q, want %q in it", out, "FAIL ladder cia: ratings_differ: rating")
	case strings.Count(out, "ok ") != len(told.Ladders)-1:
		t.Errorf(`strings.Count(out, "ok ") is %v, want %v`, strings.Count(out, "ok "), len(told.Ladders)-1)
	case !strings.Contains(errs, "1 ladders"):
		t.Errorf("got %q, want %q in it", errs, "1 ladders")
	}
}

// seatsGoRound says of De Mol's base cup that everybody sat in every seat equally often. The roles are each deal's own.
func seatsGoRound(t *testing.T, files []string) {
	t.Helper()
	seats := map[string]*[6]int{}
	for _, file := range files {
		if !strings.HasPrefix(filepath.Base(file), "demol-base-") {
			continue
		}
		var head struct{ Seats []struct{ Bot string } }
		if err := json.Unmarshal(unpack(t, file)[0], &head); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for seat, s := range head.Seats {
			if seats[s.Bot] == nil {
				seats[s.Bot] = new([6]int)
			}
			seats[s.Bot][seat]++
		}
	}
	if len(seats) != 6 {
		t.Errorf("%d bots in De Mol's records, want 6", len(seats))
	}
	for name, n := range seats {
		if slices.Max(n[:]) != slices.Min(n[:]) {
			t.Errorf("%s sat in the seats %v times; want all alike", name, n)
		}
	}
}

// damage changes one byte of a decision in a record's plain text, again and again, and wants each found and its step named.
func damage(t *testing.T, files []string, prefix string) {
	t.Helper()
	for _, file := range files {
		if !strings.HasPrefix(filepath.Base(file), prefix) {
			continue
		}
		lines := unpack(t, file)
		plain := bytes.Join(lines, []byte("\n"))
		const step = 5
		line := lines[step+1]
		from, to := bytes.Index(line, []byte(`"turns":`))+len(`"turns":`), bytes.Index(line, []byte(`,"events"`))
		for i := from; i < to; i += 7 {
			bad := bytes.Clone(plain)
			bad[len(bytes.Join(lines[:step+1], []byte("\n")))+1+i] ^= 1
			name := filepath.Join(t.TempDir(), "bad.jsonl")
			must.OK(t, os.WriteFile(name, bad, 0o600))
			if code, out, _ := call("", "replay", "verify", name); code != 1 || !strings.Contains(out, "step 5:") {
				t.Fatalf("%s, byte %d of the turns changed: exit code %d, %swant 1 and step 5", prefix, i-from, code, out)
			}
		}
		return
	}
	t.Errorf("no record of %s", prefix)
}
