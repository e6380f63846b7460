package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A fork that is asked for twice is one fork, and another one has other ids.
func TestAForkRepeats(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	told(t, "", "play", "molehill", "random", "random", "--out", dir)
	file := filepath.Join(dir, "molehill-0001.jsonl.gz")
	forked := func(more ...string) string {
		url, _ := lucky(t, "molehill")
		out := t.TempDir()
		args := append([]string{"replay", "fork", file, "--bot", "0=" + url, "--out", filepath.Join(out, "f.jsonl.gz")}, more...)
		told(t, "", args...)
		return recordsIn(t, out)["f.jsonl.gz"]
	}
	one := forked("--at", "4")
	if forked("--at", "4") != one {
		t.Error("the same fork twice is not the same")
	}
	match := regexp.MustCompile(`"match":"fork-[^"]*"`)
	for _, more := range [][]string{{"--at", "6"}, {"--at", "4", "--seed", "9"}} {
		if other := forked(more...); match.FindString(other) == match.FindString(one) {
			t.Errorf("%v: %s is the name of another fork too", more, match.FindString(one))
		}
	}
}

func TestARecordIsShownForkedAndSentAgain(t *testing.T) {
	dir := t.TempDir()
	url := mine(t, 0)
	told(t, "", "play", "molehill", url, "random", "--out", dir)
	file := filepath.Join(dir, "molehill-0001.jsonl.gz")
	out, _ := exits(t, 0, "replay", "show", file)
	says(t, out, "seat 0  mine build b7  rank ", "\nstep 1  seat ", " ms (", "\nat the end:\nMole Hill")
	_, out, _ = call("", "replay", "show", file, "--step", "3", "--seat", "1")
	if !strings.Contains(out, "after step 3:\nMole Hill") || !strings.Contains(out, "due next: seats [") || strings.Contains(out, "step 4") {
		t.Errorf("show --step 3:\n%s", out)
	}
	_, out, _ = call("", "replay", "show", file, "--all")
	steps := strings.Count(out, "\nafter step ")
	_, out, _ = call("", "replay", "show", file, "--json", "--seat", "0", "--all")
	lines := jsonLines(t, out)
	if len(lines) != steps+1 || steps < 10 || lines[1]["text"] == nil || lines[1]["view"] == nil {
		t.Errorf("%d lines of %d steps, want one more, at least 11, with text and view: %v", len(lines), steps, lines[1])
	}
	holds(t, lines[0], fields{"event": "match"})

	fork := filepath.Join(dir, "what-if.jsonl.gz")
	out, _ = exits(t, 0, "replay", "fork", file, "--at", "4", "--bot", "0=greedy", "--bot", "1=greedy", "--out", fork)
	says(t, out, "after step 4, played on by greedy, greedy", "it was  rank", "it is   rank")
	exits(t, 0, "replay", "verify", fork)
	record, errs := exits(t, 0, "replay", "fork", file, "--at", "4", "--bot", "0=greedy", "--bot", "1=greedy", "--out", "-")
	if kept, err := os.ReadFile(fork); err != nil || record != string(kept) {
		t.Errorf("--out - writes %d bytes to stdout, a file has %d (%v)", len(record), len(kept), err)
	}
	says(t, errs, "after step 4, played on by greedy, greedy")
	exits(t, 2, "replay", "fork", file, "--at", "4", "--out", "-", "--json")
	out, _ = exits(t, 0, "replay", "show", fork)
	says(t, out, "a fork of match local-")
	fails(t, 2, []string{"replay", "fork", file, "--at", "4", "--out", fork}, "is there already") // over another file
	fails(t, 2, []string{"replay", "fork", file, "--at", "4", "--seat", "0", "--action", `{"type":"fly"}`}, "after step 4")
	out, _ = exits(t, 0, "replay", "fork", file, "--at", "0", "--json")
	holds(t, jsonLines(t, out)[0], fields{"event": "fork", "record": filepath.Join(dir, "molehill-0001-fork-0.jsonl.gz")})

	out, _ = exits(t, 0, "replay", "redrive", file, "--seat", "0", url)
	if !regexp.MustCompile(`^decides differently at 0 of \d+\n$`).MatchString(out) {
		t.Errorf("redrive prints %q", out)
	}
	out, errs = exits(t, 1, "replay", "redrive", file, "--seat", "0", mine(t, 2))
	says(t, out, "now FAULT illegal_action: ", "decides differently at 1 of ")
	says(t, errs, "molerun check")
	out, _ = exits(t, 0, "replay", "redrive", file, "--seat", "1", "--yes", url, "--json")
	lines = jsonLines(t, out)
	last := lines[len(lines)-1]
	if holds(t, last, fields{"event": "summary", "turns": len(lines) - 1}); last["different"] == 0.0 {
		t.Error("another bot decides as the first did")
	}
	exits(t, 1, "replay", "redrive", file, "--seat", "1", "--yes", url, "--exact")
}

// A fork without --out stands beside its record, whatever the folders above are called.
func TestAForkStandsBesideItsRecord(t *testing.T) {
	for _, name := range []string{"games", "runs.jsonl.d", "runs.jsonl.gz"} {
		dir := filepath.Join(t.TempDir(), name)
		exits(t, 0, "play", "molehill", "random", "random", "--out", dir)
		exits(t, 0, "replay", "fork", filepath.Join(dir, "molehill-0001.jsonl.gz"), "--at", "4")
		exits(t, 0, "replay", "verify", filepath.Join(dir, "molehill-0001-fork-4.jsonl.gz"))
	}
}
