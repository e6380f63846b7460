package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/internal/must"
)

// shaky serves a bot whose luck is the decision's id: as often as one in so many of its turns is answered by what no rule allows, so
// that it is retired from some matches and not from others.
func shaky(t *testing.T, gameID string, oneIn uint64) string {
	t.Helper()
	random, _ := house.Find("random")
	decide := func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
		h := fnv.New64a()
		_, _ = h.Write([]byte(turn.Decision))
		switch luck := h.Sum64(); luck % (2 * oneIn) {
		case 0:
			return protocol.Answer{Action: json.RawMessage(`{"type":"none"}`)}, nil
		case 1:
			return protocol.Answer{}, errors.New("cannot decide")
		default:
			return random.Decide(luck)(ctx, turn)
		}
	}
	return bot(t, kit.Bot{Name: "shaky", Games: map[string]kit.Decide{gameID: decide}}).URL + "/"
}

// One seed, one series, whatever happens in it: faults, retirements and several matches at once change neither a table nor a line of
// JSON nor a record, but for times and the folder. A test that ends early keeps the records of its own games alone.
func TestSeriesWithFaultsAndRetirementsRepeat(t *testing.T) {
	t.Parallel()
	cia, demol := shaky(t, "cia", 3), shaky(t, "demol", 3)
	for _, row := range []struct {
		name    string
		args    []string
		code    int
		part    string
		faults  bool
		retired bool
	}{
		{"play", []string{"play", "cia", cia, "greedy", cia, "--seats", "4", "--games", "8"}, 1, "look into the bot's log for what went wrong", true, true},
		{"undecided", []string{"sprt", "demol", demol, "greedy", "--fill", demol, "--max", "8"}, 4, "undecided", true, true},
		{"stronger", []string{"sprt", "molehill", "greedy", "random", "--elo1", "300", "--max", "400"}, 0, "H1: greedy is stronger", false, false},
		{"weaker", []string{"sprt", "molehill", "random", "greedy", "--elo1", "150", "--normalised", "--max", "400"}, 3, "H0: random is not stronger by 150 Elo", false, false},
	} {
		series := func(more ...string) (map[string]string, string) {
			dir := t.TempDir()
			code, out, errs := call("", slices.Concat(row.args, []string{"--seed", "4", "--out", dir}, more)...)
			if code != row.code {
				t.Errorf("%s: exit code %d, want %d\n%s", row.name, code, row.code, errs)
			}
			return recordsIn(t, dir), strings.ReplaceAll(out+errs, dir, "DIR")
		}
		records, text := series()
		says(t, text, row.part)
		_, lines := series("--json")
		for _, parallel := range []string{"1", "4"} {
			again, said := series("--parallel", parallel)
			if !maps.Equal(again, records) {
				t.Errorf("%s, %s at once: %d records, first %d; or one of them differs", row.name, parallel, len(again), len(records))
			}
			if said != text {
				t.Errorf("%s, %s at once: printed\n%s\nfirst\n%s", row.name, parallel, said, text)
			}
			if _, said := series("--json", "--parallel", parallel); said != lines {
				t.Errorf("%s, %s at once: the JSON is\n%s\nfirst\n%s", row.name, parallel, said, lines)
			}
		}
		all := strings.Join(slices.Collect(maps.Values(records)), "")
		if got := strings.Contains(all, `"why":"illegal_action"`); got != row.faults {
			t.Errorf("%s: faults: %v, want %v: this shows something else", row.name, got, row.faults)
		}
		if got := strings.Contains(all, `"why":"retired"`); got != row.retired {
			t.Errorf("%s: retirements: %v, want %v: this shows something else", row.name, got, row.retired)
		}
	}
}

// A round robin has every couple as often, in a cross table that is the same from both sides; stopped and gone on with it ends as in one
// go. Two bots beside a filler are compared with it too.
func TestBotsMeetTwoByTwo(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		args     []string
		meetings int // with the filler too
		games    int
		cell     string
	}{
		{[]string{"molehill", "greedy", "random", "random", "--round-robin"}, 3, 12, "over random#2"},
		{[]string{"molehill", "greedy", "random", "random", "--gauntlet"}, 2, 8, "over random#2"},
		{[]string{"cia", "greedy", "random", "random", "--gauntlet", "--seats", "3", "--fill", "greedy"}, 5, 8, "over greedy (fill)"},
	} {
		dir := t.TempDir()
		args := append([]string{"play"}, row.args...)
		code, out, errs := call("", append(args, "--games", "4", "--json", "--out", t.TempDir())...)
		lines := jsonLines(t, out)
		last := lines[len(lines)-1]
		meetings, _ := last["meetings"].([]any)
		if code != 0 || len(lines) != row.games+2 || len(meetings) != row.meetings {
			t.Errorf("%v: exit code %d, %d lines, %d meetings; want %d games and %d\n%s", args, code, len(lines), len(meetings), row.games, row.meetings, errs)
		}
		_, want, _ := call("", append(args, "--games", "4", "--out", t.TempDir())...)
		says(t, strings.ToLower(want), "elo [95 %] of", row.cell)
		exits(t, 0, append(args, "--out", dir)...) // one block each
		got, _ := exits(t, 0, "play", "--resume", dir, "--games", "4")
		if got != want {
			t.Errorf("%v: gone on with\n%s\nin one go\n%s", args, got, want)
		}
	}
	_, errs := exits(t, 2, "play", "molehill", "greedy", "random", "random", "--gauntlet", "--games", "3") // six in all
	says(t, errs, "an even number")
	fails(t, 2, []string{"play", "molehill", "greedy", "random", "--round-robin", "--gauntlet"}, "give one of them")
	for _, game := range []string{"molehill", "demol"} {
		fails(t, 2, []string{"play", game, "greedy", "--round-robin"}, "two bots or more, not 1")
	}
}

// A folder of records is a suite: what a bot decided it must do again; lines may be changed by hand, and each that is not met is listed.
func TestAFolderOfRecordsIsASuite(t *testing.T) {
	dir := t.TempDir()
	url := mine(t, 0)
	exits(t, 0, "play", "molehill", url, "random", "--games", "2", "--out", dir)
	expected := filepath.Join(dir, "expected.jsonl")
	_, errs := exits(t, 1, "replay", "redrive", dir, url)
	says(t, errs, "--write")
	out, _ := exits(t, 0, "replay", "redrive", dir, "--seat", "mine", "--write")
	says(t, out, " decisions of mine in 2 records\n"+expected)
	bySeat := contents(t, expected)
	if exits(t, 0, "replay", "redrive", dir, "--seat", "0", "--write", "--force"); !bytes.Equal(contents(t, expected), bySeat) { // in the second record it has another seat
		t.Error("by the number of its seat another bot's decisions are written")
	}
	fork := filepath.Join(dir, "molehill-0001-fork-3.jsonl.gz")
	exits(t, 0, "replay", "fork", filepath.Join(dir, "molehill-0001.jsonl.gz"), "--at", "3", "--bot", "0=greedy", "--bot", "1=random")
	if exits(t, 0, "replay", "redrive", dir, "--seat", "0", "--write", "--force"); !bytes.Equal(contents(t, expected), bySeat) {
		t.Error("beside a fork of the first record the number of a seat names the bot that the fork has there")
	}
	must.OK(t, os.Remove(fork))
	out, _ = exits(t, 0, "replay", "redrive", dir, url)
	if !regexp.MustCompile(`^(\d+) of (\d+) expectations met, in 2 records\n$`).MatchString(out) {
		t.Errorf("the bot that played: %s", out)
	}
	lines := strings.SplitAfter(string(contents(t, expected)), "\n")
	change := func(i int, key, value, note string) string {
		var line fields
		must.OK(t, json.Unmarshal([]byte(lines[i]), &line))
		wanted, err := json.Marshal(line["must"])
		must.OK(t, err)
		delete(line, "must")
		line[key] = json.RawMessage(strings.ReplaceAll(value, "MUST", string(wanted)))
		line["note"] = note
		b, err := json.Marshal(line)
		must.OK(t, err)
		return string(b) + "\n"
	}
	fails(t, 2, []string{"replay", "redrive", dir, "--seat", "mine"}, "URL", "--seat") // nothing is asked without a bot

	other := `{"type":"rod","edge":"a1-a2"}`
	writes(t, expected, change(0, "must_not", "MUST", "it blundered here")+change(1, "any_of", "["+other+",MUST]", "")+"\n"+
		change(2, "any_of", "["+other+"]", "")+change(3, "must_not", "["+other+"]", "")+lines[4])
	out, errs = exits(t, 1, "replay", "redrive", dir, url)
	says(t, out, "must not {", "(it blundered here)", "any of "+other+"  now {", "\n3 of 5 expectations met, in 1 record\n")
	says(t, errs, "2 of 5 expectations are not met")
	if n := strings.Count(out, "molehill-0001.jsonl.gz seat 0 step "); n != 2 {
		t.Errorf("%d lines say what is not met, want 2\n%s", n, out)
	}
	out, _ = exits(t, 1, "replay", "redrive", dir, url, "--json")
	list := jsonLines(t, out)
	holds(t, list[0], fields{"event": "expectation", "met": false, "note": "it blundered here"})
	holds(t, list[len(list)-1], fields{"event": "summary", "expected": 5, "unmet": 2, "faults": 0})
	out, errs = exits(t, 1, "replay", "redrive", dir, mine(t, 2)) // fails at the second turn, whatever is expected
	says(t, out, "now FAULT illegal_action")
	says(t, errs, "1 fault; next: molerun check")

	writes(t, expected, `{"record":"none.jsonl.gz","seat":0,"step":1,"must":{}}`+"\n"+`{"record":"molehill-0001.jsonl.gz","seat":0,"step":1}`+"\n"+
		`{"record":"molehill-0001.jsonl.gz","seat":0,"step":100000,"must":{}}`+"\nwhat\n")
	fails(t, 1, []string{"replay", "redrive", dir, url}, "line 1: ", "line 2: want one of", "line 3: step 100000: want 1 to ", "line 4: ")
	fails(t, 1, []string{"replay", "redrive", dir, "--seat", "mine", "--write"}, "is there already")
	senseless := []string{`"must":null`, `"must":{}`, `"must":[]`, `"must":7`, `"must":{"type":"fly"}`, `"must_not":null`, `"must_not":[]`, `"must_not":[{}]`, `"any_of":["x"]`, `"any_of":[MUST,{"type":"talk"}]`}
	text := "\ufeff" + change(0, "must_not", "[MUST,"+other+"]", "") // as editors of Windows write it
	for _, expectation := range senseless {
		key, value, _ := strings.Cut(expectation, ":")
		text += change(0, strings.Trim(key, `"`), value, "")
	}
	writes(t, expected, text)
	_, errs = exits(t, 1, "replay", "redrive", dir, url)
	for i := range senseless {
		says(t, errs, fmt.Sprintf("line %d: ", i+2))
	}
	says(t, errs, `{"type":"fly"}: illegal_action: action: at /type: wants start, move, jump or rod, not "fly"; see molerun schema molehill action`)
	if strings.Contains(errs, "line 1:") {
		t.Errorf("a line with a byte-order mark is refused: %s", errs)
	}
	writes(t, expected, "\ufeff"+change(0, "must_not", "["+other+",MUST]", ""))
	out, _ = exits(t, 1, "replay", "redrive", dir, url)
	says(t, out, "must not ["+other)
	exits(t, 0, "replay", "redrive", dir, "--seat", "mine", "--write", "--force")
	fails(t, 2, []string{"replay", "redrive", dir, "--seat", "nobody", "--write", "--force"}, `nobody called "nobody"`)
}

// A series that cannot be gone on with keeps its number of games.
func TestASeriesThatIsRefusedStaysAsItWas(t *testing.T) {
	dir := t.TempDir()
	exits(t, 0, "play", "molehill", "random", "greedy", "--games", "2", "--out", dir)
	series, second := filepath.Join(dir, "series.json"), filepath.Join(dir, "molehill-0002.jsonl.gz")
	was, whole := must.Get(os.ReadFile(series))(t), must.Get(os.ReadFile(second))(t)
	must.OK(t, os.WriteFile(second, must.Get(os.ReadFile(filepath.Join(dir, "molehill-0001.jsonl.gz")))(t), 0o600))
	exits(t, 1, "play", "--resume", dir, "--games", "4")
	if now := must.Get(os.ReadFile(series))(t); string(now) != string(was) {
		t.Errorf("the series is %s, want %s", now, was)
	}
	must.OK(t, os.WriteFile(second, whole, 0o600))
	out, _ := exits(t, 0, "play", "--resume", dir, "--games", "4")
	says(t, out, "4 of 4 games")
}
