package cli_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// hint is a command to type, or a flag of one, in what a command prints.
var hint = regexp.MustCompile(`(?m)(molerun [a-z]|--resume |--out |^cd ).*$`)

// words returns a line as a shell takes it; nil if it is none of its.
func words(t *testing.T, line string) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "sh", "-c", "printf '%s\\n' "+line).Output()
	if err != nil {
		return nil // a sentence
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

// Whoever types what a command says must get on, whatever the folder is called.
func TestHintsHoldInAnyFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "it's mine")
	in := func(name string) string { return filepath.Join(dir, name) }
	record := in("games/molehill-0001.jsonl.gz")
	for _, row := range []struct {
		args []string
		want string // a word of the hint, as a shell takes it
		last string // of the hint, where more follows
	}{
		{[]string{"play", "molehill", "random", "random", "--games", "2", "--out", in("games")}, record, ""},
		{[]string{"play", "molehill", "random", "random", "--out", in("games")}, in("games"), ", or"},
		{[]string{"play", "--resume", in("none")}, in("none"), ""},
		{[]string{"sprt", "molehill", "random", "random", "--max", "2", "--out", in("test")}, in("test"), " --max"},
		{[]string{"replay", "fork", record}, record, " lists"},
		{[]string{"replay", "redrive", record, "http://127.0.0.1:1025/"}, record, " lists"},
		{[]string{"replay", "redrive", in("games"), "http://127.0.0.1:1025/"}, in("games"), ""},
		{[]string{"play", "molehill", "http://127.0.0.1:1025/it's?a=1&b=2", "random"}, "http://127.0.0.1:1025/it's?a=1&b=2", ""},
		{[]string{"init", "python", "--dir", in("bot")}, in("bot"), " &&"},
		{[]string{"evaluate", "random", "--plan", "quick", "--games", "cia", "--out", in("card")}, in("card/card.json"), ""},
	} {
		_, out, errs := call("", row.args...)
		found := false
		for _, line := range hint.FindAllString(out+errs, -1) {
			if row.last != "" {
				line, _, _ = strings.Cut(line, row.last)
			}
			for _, word := range words(t, line) {
				found = found || word == row.want
			}
		}
		if !found {
			t.Errorf("%q: no hint names %s:\n%s%s", row.args, row.want, out, errs)
		}
	}
}
