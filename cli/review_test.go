package cli_test

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The review of a match of a random bot names decisions that cost something, and the commands that it prints play the match on with what
// was better.
func TestAReviewNamesWhatLostTheMatchAndItsCommandsTryWhatWasBetter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	exits(t, 0, "play", "demol", "random", "random", "random", "random", "greedy", "--seed", "3", "--out", dir)
	file := filepath.Join(dir, "demol-0001.jsonl.gz")
	out, _ := exits(t, 0, "replay", "review", file, "--seat", "greedy", "--playouts", "40")
	says(t, out, "chances by step", "  seat 0  ", "  seat 4  ", "  random\n", ", greedy\n  accuracy: ")
	if strings.Contains(out, ", random\n  accuracy: ") {
		t.Errorf("--seat greedy sums up others too:\n%s", out)
	}
	out, _ = exits(t, 0, "replay", "review", file, "--playouts", "200")
	says(t, out, "decisions that certainly cost something:")
	commands := regexp.MustCompile(`(?m)^    molerun (replay fork \S+ --at \d+ --seat \d) --action '(.+)'$`).FindAllStringSubmatch(out, -1)
	if len(commands) < 2 {
		t.Fatalf("got %d commands:\n%s", len(commands), out)
	}
	for _, c := range commands[:2] {
		fork := filepath.Join(t.TempDir(), "fork.jsonl.gz")
		exits(t, 0, append(strings.Fields(c[1]), "--action", c[2], "--out", fork)...)
		exits(t, 0, "replay", "verify", fork)
	}

	out, _ = exits(t, 0, "replay", "review", file, "--step", "1", "--playouts", "40", "--json")
	var report struct {
		Game      string `json:"game"`
		Decisions []struct {
			Step int `json:"step"`
		} `json:"decisions"`
		Steps []struct{} `json:"steps"`
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || report.Game != "demol" || len(report.Decisions) == 0 || report.Decisions[0].Step != 1 || len(report.Steps) != 2 {
		t.Errorf("got %v and %s", err, out)
	}
	for _, row := range []struct {
		args []string
		part string
	}{
		{[]string{"--playouts", "0"}, "0 playouts for a decision tell nothing: want 40 or more"},
		{[]string{"--seat", "9"}, "there is no seat 9 at a table of 5"},
		{[]string{"--seat", "wallwizard"}, " random, "},
		{[]string{"--step", "0"}, "decisions begin with step 1"},
		{[]string{"--step", "900"}, "there is no step 900 in a match of "},
	} {
		fails(t, 2, append([]string{"replay", "review", file}, row.args...), row.part)
	}
}
