package cli_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/internal/must"
)

// mine serves a bot of Mole Hill on loopback that takes the first offer, but for its failing turn, counted from 1.
func mine(t *testing.T, failing int) string {
	t.Helper()
	var n atomic.Int64
	decide := func(context.Context, *protocol.Turn) (protocol.Answer, error) {
		if n.Add(1) == int64(failing) {
			return protocol.Answer{Action: json.RawMessage(`{"type":"move","to":"z9"}`)}, nil
		}
		return protocol.Answer{Choose: new(int)}, nil
	}
	return bot(t, kit.Bot{Name: "mine", Build: "b7", Games: map[string]kit.Decide{"molehill": decide}}).URL + "/"
}

// jsonLines reads what a command wrote with --json.
func jsonLines(t *testing.T, out string) (lines []fields) {
	t.Helper()
	for line := range strings.Lines(out) {
		var v fields
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		lines = append(lines, v)
	}
	return lines
}

// A bot alone among fillers is compared with them, also in games of teams; the hint leads to a match that it has lost.
func TestPlayComparesABotWithTheFillerAndLeadsToALostMatch(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		args  []string
		teams bool
	}{
		{[]string{"demol", "greedy", "--seats", "5", "--games", "10"}, true},
		{[]string{"cia", "random", "--fill", "greedy", "--seats", "4", "--games", "8"}, false},
		{[]string{"molehill", "random", "--fill", "greedy", "--games", "6"}, false},
		{[]string{"molehill", "greedy", "random", "--games", "6"}, false},
	} {
		args := append(append([]string{"play"}, row.args...), "--out", filepath.Join(t.TempDir(), "games"))
		code, out, errs := call("", args...)
		if code != 0 || !strings.Contains(out, " games; "+row.args[1]+" – ") || !strings.Contains(out, ": Elo ") {
			t.Errorf("%v: exit code %d, %s%s; want the difference in Elo", row.args, code, out, errs)
		}
		if strings.Contains(out, " role ") != row.teams || !strings.Contains(out, " seat ") {
			t.Errorf("%v: %s; want the split by seat, and by role: %v", row.args, out, row.teams)
		}
		_, file, _ := strings.Cut(errs, "next: molerun replay show ")
		file = strings.TrimSpace(file)
		code, again, errs := call("", append(args[:1], "--resume", filepath.Dir(file), "--json")...)
		first := filepath.Join(filepath.Dir(file), row.args[0]+"-0001.jsonl.gz") // if none is lost
		lines := jsonLines(t, again)
		holds(t, lines[0], fields{"event": "series"})
		holds(t, lines[len(lines)-1], fields{"event": "summary", "games": len(lines) - 2})
		if standing, _ := lines[len(lines)-1]["standing"].([]any); len(standing) != 2 { // the bot, and the filler or the other
			t.Errorf("%v: the summary is %v", row.args, lines[len(lines)-1])
		}
		for _, line := range lines {
			bots, _ := line["bots"].([]any)
			rank, _ := line["rank"].([]any)
			if seat := slices.Index(bots, any(row.args[1])); line["event"] == "match" && seat >= 0 && rank[seat] != 1.0 {
				first, _ = line["record"].(string)
				break
			}
		}
		if code != 0 || first != file {
			t.Errorf("%v: the hint leads to %q, want the first match that %s has lost, %q\n%s", row.args, file, row.args[1], first, errs)
		}
	}
}

// Who believes what the rules of CIA tell, each agent that is not its own alike, has the scores that follow: of k agents 1 − 1/k and ln k.
func TestBeliefsAreAskedForAndScored(t *testing.T) {
	const k = 5 // of six agents at three seats
	rng := rand.New(rand.NewPCG(1, 2))
	b := bot(t, kit.Bot{Name: "mo", Games: map[string]kit.Decide{"cia": func(_ context.Context, turn *protocol.Turn) (protocol.Answer, error) {
		a, err := kit.Random(turn.Offer, rng)
		a.Usage, a.Belief = &claim.Usage{InputTokens: 3}, claim.Belief{}
		for _, q := range turn.Asks {
			a.Belief[q.About] = map[string]float64{}
			for _, answer := range q.Answers {
				a.Belief[q.About][answer] = 1 / float64(len(q.Answers))
			}
		}
		return a, err
	}}})
	dir := t.TempDir()
	exits(t, 0, "play", "cia", b.URL, "random", "random", "--beliefs", "--games", "1", "--rotate=false", "--out", dir)
	file := filepath.Join(dir, "cia-0001.jsonl.gz")
	out, _ := exits(t, 0, "replay", "show", file)
	says(t, out, "seat 0 claims\n  to have used ", "Brier 0.8000 (by the rules alone 0.8000), log 1.6094 (1.6094)")
	fork := filepath.Join(dir, "fork.jsonl.gz")
	exits(t, 0, "replay", "fork", file, "--at", "9", "--bot", "0=random", "--out", fork)
	if out, _ = exits(t, 0, "replay", "show", fork); strings.Contains(out, "claims") {
		t.Errorf("random, which plays on, has claimed something:\n%s", out)
	}
	out, _ = exits(t, 0, "replay", "show", file, "--json")
	lines := jsonLines(t, out)
	last := lines[len(lines)-1]
	for key, want := range map[string]float64{"brier": 1 - 1.0/k, "rules_brier": 1 - 1.0/k, "log": math.Log(k), "rules_log": math.Log(k)} {
		if got, _ := last[key].(float64); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: got %v, want %v", key, last[key], want)
		}
	}
	if n, _ := last["beliefs"].(float64); last["event"] != "claims" || n == 0 || last["usages"] != n || last["input_tokens"] != 3*n {
		t.Errorf("got %v", last)
	}
}

func TestPlayTellsWhatAFaultWasAndWhatHelps(t *testing.T) {
	dir := t.TempDir()
	url := mine(t, 2)
	out, errs := exits(t, 1, "play", "molehill", "random", url, "--out", dir)
	says(t, out, "| mine ")
	says(t, errs, "mine met 1 × illegal_action, first in match 1, step ", "answer with what stands in the turn's offer", "--seat 1 --faults", "next: molerun check "+url,
		"molerun: 1 fault of bots behind URLs")
	_, errs = exits(t, 1, "play", "--resume", dir) // from the record
	says(t, errs, "mine met 1 × illegal_action, first in match 1, step ", "molerun: 1 fault of bots behind URLs")
	file := filepath.Join(dir, "molehill-0001.jsonl.gz")
	out, _ = exits(t, 0, "replay", "show", file, "--faults")
	says(t, out, "\nbefore step ")
	if strings.Count(out, "FAULT illegal_action: the house played") != 1 || strings.Contains(out, "\x1b") {
		t.Errorf("got %q, want one fault without colours", out)
	}
	out, _ = exits(t, 0, "replay", "show", file, "--faults", "--seat", "0")
	if says(t, out, "no faults"); strings.Contains(out, "FAULT") {
		t.Errorf("seat 0 has faults\n%s", out)
	}
	out, _ = exits(t, 0, "replay", "show", file, "--step", "1")
	says(t, out, `  starts on `, `  {"type":"start","at":"`)
	if !regexp.MustCompile(`\n  Seat [01] starts on [a-i][1-9]\.\nafter step 1:\n`).MatchString(out) {
		t.Errorf("got %q, want the start told before step 1", out)
	}
}

// What is typed is looked at, also where nothing needs it: a name for seats of which none is left, a flag with an empty text, as of a
// variable of a shell that is not set.
func TestWhatIsTypedIsLookedAtAlsoWhereItIsNotNeeded(t *testing.T) {
	dir := t.TempDir()
	told(t, "", "play", "molehill", "random", "random", "--out", dir)
	record, state := filepath.Join(dir, "molehill-0001.jsonl.gz"), filepath.Join(t.TempDir(), "state.json")
	tune := []string{"tune", "molehill", "--cmd", "true", "--param", "A=1:0:2", "--state", state}
	for want, lines := range map[string][][]string{
		`no house bot "gredy"`: {
			{"play", "molehill", "random", "random", "--fill", "gredy"},
			{"play", "cia", "random", "greedy", "random", "--round-robin", "--seats", "2", "--fill", "gredy"},
			{"sprt", "molehill", "random", "random", "--max", "2", "--fill", "gredy"},
			{"replay", "fork", record, "--at", "3", "--fill", "gredy"},
			append(tune, "--fill", "gredy"),
			append(tune, "--opponent", "gredy"),
		},
		"is empty: give it a value, or leave it out": {
			{"play", "molehill", "random", "random", "--fill", ""},
			{"play", "molehill", "random", "random", "--out", ""},
			{"sprt", "molehill", "random", "random", "--max", "2", "--variant", ""},
			{"play", "--resume", ""},
			append(tune, "--opponent", ""),
			{"evaluate", "random", "--mcp", ""},
			{"replay", "fork", record, "--at", "3", "--out", ""},
			{"replay", "redrive", record, "--seat", ""},
			{"replay", "show", record, "--seat", ""},
			{"replay", "review", record, "--seat", ""},
			{"replay", "page", record, "--out", ""},
			{"mcp", "--out", ""},
		},
	} {
		for _, line := range lines {
			fails(t, 2, line, want)
		}
	}
}

func TestAResumedSeriesEndsAsOneInOneGo(t *testing.T) {
	config := filepath.Join(t.TempDir(), "config.json")
	writes(t, config, `{"points":5,"max_rounds":60}`)
	args := []string{"play", "mole", "greedy", "random", "--seed", "5", "--config", "@" + config}
	_, want, _ := call("", append(args, "--games", "6", "--out", t.TempDir())...)
	dir := t.TempDir()
	told(t, "", append(args, "--games", "3", "--out", dir)...)
	code, got, errs := call("", "play", "--resume", dir, "--games", "6")
	if code != 0 || got != want || strings.Count(errs, " of 6: ") != 3 {
		t.Errorf("exit code %d, three more games and the same table wanted\n%s\nwant\n%s%s", code, got, want, errs)
	}
	for _, row := range [][]string{{"--seed", "6"}, {"mole", "random", "greedy"}} {
		fails(t, 2, append([]string{"play", "--resume", dir}, row...))
	}
	fails(t, 2, []string{"sprt", "--resume", dir}, "other command")
	file := filepath.Join(dir, "series.json")
	kept, err := os.ReadFile(file)
	must.OK(t, err)
	for _, bot := range []string{"gredy", "127.0.0.1:8000", "ftp://bot"} {
		writes(t, file, strings.Replace(string(kept), `"greedy"`, `"`+bot+`"`, 1))
		fails(t, 1, []string{"play", "--resume", dir}, dir, bot)
	}
	for _, change := range [][2]string{
		{`"seats":2`, `"seats":0`}, {`"seats":2`, `"seats":-1`}, {`"bots":["greedy","random"]`, `"bots":[]`}, {`"games":6`, `"games":-6`},
		{`"points":5`, `"points":6`}, {`"points":5,`, ``}, {`"fill":"random"`, `"fill":""`}, {`"limit_ms":1000`, `"limit_ms":-1`},
	} {
		changed := strings.Replace(string(kept), change[0], change[1], 1)
		writes(t, file, changed)
		if code, _, errs := call("", "play", "--resume", dir); changed == string(kept) || code != 1 || !strings.Contains(errs, dir) {
			t.Errorf("a series with %s in place of %s: exit code %d, %s; want 1: the folder is wrong", change[1], change[0], code, errs)
		}
	}
	fails(t, 1, []string{"play", "--resume", t.TempDir()}, "--out")
}

func TestATestIsResumedAndTellsItsVerdictAsJSON(t *testing.T) {
	dir := t.TempDir()
	if code, _, errs := call("", "sprt", "molehill", "greedy", "random", "--max", "4", "--out", dir); code != 4 {
		t.Fatalf("exit code %d, want 4\n%s", code, errs)
	}
	code, out, errs := call("", "sprt", "--resume", dir, "--max", "8", "--json")
	lines := jsonLines(t, out)
	if code != 4 || len(lines) != 10 {
		t.Fatalf("exit code %d, %d lines; want 4, and the series, 8 games and the verdict\n%s", code, len(lines), errs)
	}
	holds(t, lines[9], fields{"event": "verdict", "verdict": "continue", "pairs": 4, "games": 8})
	holds(t, lines[4], fields{"resumed": true})
	holds(t, lines[5], fields{"resumed": false})
}

// Whoever has counted the same says the same: of a test that stopped, of one that did not, and where nobody won twice.
func TestPlayAndSPRTAgreeOnTheSameGames(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"molehill", "greedy", "random", "--max", "40"},
		{"molehill", "greedy", "random", "--max", "6"},
		{"cia", "random", "random", "--max", "10"},
		{"molemajority", "greedy", "greedy", "--max", "4"},
	} {
		_, out, errs := call("", append([]string{"sprt", "--json", "--seed", "3", "--elo1", "200", "--out", t.TempDir()}, args...)...)
		lines := jsonLines(t, out)
		tested := lines[len(lines)-1]
		if tested["event"] != "verdict" {
			t.Fatalf("%v: no verdict\n%s", args, errs)
		}
		_, out, _ = call("", "play", "--json", "--seed", "3", "--out", t.TempDir(), "--games", fmt.Sprint(tested["games"]), args[0], args[1], args[2])
		lines = jsonLines(t, out)
		played, _ := lines[len(lines)-1]["difference"].(map[string]any)
		for _, key := range []string{"tally", "elo", "elo_low", "elo_high", "superior"} {
			if fmt.Sprint(tested[key]) != fmt.Sprint(played[key]) {
				t.Errorf("%v: %s is %v in sprt, %v in play", args, key, tested[key], played[key])
			}
		}
	}
}

// lucky serves a bot that takes its luck from the decision alone, as docs/1-bot.md advises, and keeps the ids.
func lucky(t *testing.T, gameID string) (url string, ids func() []string) {
	t.Helper()
	random, ok := house.Find("random")
	if !ok {
		t.Fatal("no random")
	}
	var mu sync.Mutex
	var list []string
	decide := func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
		mu.Lock()
		list = append(list, turn.Decision)
		mu.Unlock()
		h := fnv.New64a()
		_, _ = h.Write([]byte(turn.Decision))
		return random.Decide(h.Sum64())(ctx, turn)
	}
	return bot(t, kit.Bot{Name: "lucky", Games: map[string]kit.Decide{gameID: decide}}).URL + "/", func() []string { return list }
}

// took is how long things took in a record, and the hashes of lines that say so.
var took = regexp.MustCompile(`"clock":\{[^}]*\}|"hash":"[0-9a-f]*"`)

// recordsIn returns the records of a folder by their names, without what time makes different.
func recordsIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no records in %s: %v", dir, err)
	}
	out := map[string]string{}
	for _, file := range files {
		b := contents(t, file)
		z, err := gzip.NewReader(bytes.NewReader(b))
		must.OK(t, err)
		text, err := io.ReadAll(z)
		must.OK(t, err)
		out[filepath.Base(file)] = took.ReplaceAllString(string(text), "")
	}
	return out
}

// With bots whose luck follows from the decision, wherever they listen, one seed is one series, whichever command plays it; another seed has
// other matches, and no decision of them has an id that was there before.
func TestASeriesRepeatsWithItsSeed(t *testing.T) {
	t.Parallel()
	series := func(seed string, words ...string) (records map[string]string, asked []string) {
		url, ids := lucky(t, "molehill")
		dir := t.TempDir()
		args := slices.Concat(words[:1], []string{"molehill", url, "random", "--seed", seed, "--out", dir}, words[1:])
		if code, _, errs := call("", args...); code != 0 && code != 4 {
			t.Fatalf("%v: exit code %d\n%s", args, code, errs)
		}
		return recordsIn(t, dir), ids()
	}
	once, asked := series("5", "play", "--games", "4")
	if again, _ := series("5", "sprt", "--max", "4"); !maps.Equal(once, again) {
		t.Errorf("play and sprt play other games:\n%v\n%v", once, again)
	}
	other, more := series("6", "play", "--games", "4")
	for file, text := range once {
		if other[file] == text {
			t.Errorf("%s: seed 6 repeats seed 5", file)
		}
	}
	all := slices.Concat(asked, more)
	slices.Sort(all)
	if n := len(slices.Compact(slices.Clone(all))); len(asked) < 20 || n != len(all) {
		t.Errorf("%d decisions have %d ids", len(all), n)
	}
}

func TestABotThatDoesNotAnswerHelloIsToldWithTheNextCommand(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	cia := bot(t, kit.Bot{Name: "other", Games: map[string]kit.Decide{"cia": nil}})
	for url, want := range map[string]string{gone.URL: "molerun check " + gone.URL, cia.URL: "plays [cia], not molehill"} {
		code, out, errs := call("", "play", "molehill", url)
		if code != 1 || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%s: exit code %d, %q, %q; want 1 and %q", url, code, out, errs, want)
		}
	}
}

// Two commands in one folder, or on one tuning, would each tell of other matches than those that are left: the second is refused, and changes
// nothing. Who was killed holds nobody up.
func TestOneCommandIsAtWorkInAFolder(t *testing.T) {
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "tune.json")
	told(t, "", "play", "molehill", "random", "random", "--games", "2", "--out", dir)
	must.OK(t, os.WriteFile(filepath.Join(dir, ".lock"), nil, 0o600)) // as of a command that was killed
	series, err := os.ReadFile(filepath.Join(dir, "series.json"))
	must.OK(t, err)
	free := filepath.Join(t.TempDir(), "free")
	var releases []func()
	for what, hold := range map[string]func(string) (func(), error){dir: matches.Hold, free: matches.Hold, state: matches.HoldFile} {
		release, err := hold(what)
		must.OK(t, err)
		releases = append(releases, release)
	}
	lines := [][]string{
		{"play", "--resume", dir, "--games", "4"},
		{"play", "molehill", "random", "random", "--out", free},
		{"sprt", "molehill", "random", "random", "--max", "2", "--out", free},
		{"evaluate", "random", "--games", "cia", "--plan", "quick", "--out", free},
		{"tune", "molehill", "--cmd", "true", "--param", "A=1:0:2", "--state", state},
		{"tune", "--resume", state},
	}
	for _, line := range lines {
		code, out, errs := call("", line...)
		if code != 1 || out != "" || !strings.Contains(errs, "another command is at work on ") || !strings.Contains(errs, "choose another place") {
			t.Errorf("%q: exit code %d, %s%s; want 1 and who is at work", line, code, out, errs)
		}
	}
	if now, err := os.ReadFile(filepath.Join(dir, "series.json")); err != nil || !bytes.Equal(now, series) {
		t.Errorf("the series is %s (%v), want it as it was", now, err)
	}
	for _, release := range releases {
		release()
	}
	exits(t, 0, lines[0]...)
	exits(t, 0, lines[1]...)
	for _, folder := range []string{dir, free} {
		if left, err := filepath.Glob(filepath.Join(folder, ".*")); err != nil || len(left) > 0 {
			t.Errorf("%v are left (%v)", left, err)
		}
	}
}

func TestASeriesThatIsStoppedSaysHowToGoOn(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var n atomic.Int64
	server := bot(t, kit.Bot{Name: "mine", Games: map[string]kit.Decide{
		"molehill": func(context.Context, *protocol.Turn) (protocol.Answer, error) {
			if n.Add(1) == 60 {
				stop()
			}
			return protocol.Answer{Choose: new(int)}, nil
		},
	}})
	dir := t.TempDir()
	code, out, errs := callContext(ctx, "play", "molehill", server.URL, "--games", "50", "--out", dir)
	if code != 1 || !strings.Contains(errs, fmt.Sprintf("molerun play --resume %s", dir)) || !strings.Contains(out, " of 50 games") {
		t.Errorf("exit code %d, want 1, the table so far and how to go on\n%s%s", code, out, errs)
	}
	if code, _, errs := call("", "play", "--resume", dir, "--games", "3"); code != 0 {
		t.Errorf("resumed: exit code %d\n%s", code, errs)
	}
}
