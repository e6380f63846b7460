package cli_test

import (
	"strings"
	"testing"
)

func TestStatsTakesMatchesByBotAndNamesItsCommand(t *testing.T) {
	code, out, errs := call("", "stats", "--games", "molehill", "--bots", "random,greedy", "--matches", "random=3,greedy=9,molehill/greedy=2", "--contests", "2")
	for _, want := range []string{
		"--bots random,greedy --matches random=3,greedy=9,molehill/greedy=2 --contests 2 --seed 1`", "| 2 | random | 3 |", "| 2 | greedy | 2 |",
		"## One above the other: molehill, base", "| 2 | every second seat |",
	} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("exit code %d, %q is not in\n%s%s", code, want, out, errs)
		}
	}
}

func TestStatsRefusesMatchesItCannotRead(t *testing.T) {
	for matches, want := range map[string]string{
		"0": "1 or more", "many": "1 or more", "random=-1": "1 or more", "thinker=3": "not one of the bots", "random=3": "gives no number for greedy", "go/random=3": "no game",
	} {
		code, _, errs := call("", "stats", "--games", "molehill", "--bots", "random,greedy", "--matches", matches)
		if code != 2 || !strings.Contains(errs, want) {
			t.Errorf("--matches %s: exit code %d, %q, want 2 and %q", matches, code, errs, want)
		}
	}
}
