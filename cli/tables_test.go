package cli_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// cells is a line of a table without what only the eye sees: emphasis, and the width of columns.
func cells(line string) string {
	if strings.Trim(line, "|-: ") == "" {
		return ""
	}
	var out []string
	for cell := range strings.SplitSeq(strings.Trim(line, "| "), "|") {
		out = append(out, strings.Trim(strings.TrimSpace(cell), "*"))
	}
	return strings.Join(out, "|")
}

// printed are the lines of the tables that a command prints.
func printed(t *testing.T, command []string) (out []string) {
	t.Helper()
	code, text, errs := call("", command...)
	if code != 0 {
		t.Fatalf("%v: exit code %d\n%s", command, code, errs)
	}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "|") {
			out = append(out, cells(line))
		}
	}
	return out
}

// By day the quickest bot plays two of the games, as often as the page says, and each of its lines is on the page; by night the whole
// page is made again.
func TestTheStatisticsPageIsWhatItsCommandPrints(t *testing.T) {
	text, err := os.ReadFile("../docs/statistics.md")
	if err != nil {
		t.Fatal(err)
	}
	made := regexp.MustCompile("Made by `molerun (stats .*--seed ([0-9]+))`").FindStringSubmatch(string(text))
	if made == nil {
		t.Fatal("the page names no command")
	}
	if os.Getenv("MOLERUN_NIGHTLY") == "1" {
		if code, out, errs := call("", strings.Fields(made[1])...); code != 0 || out != string(text) {
			t.Errorf("%s: exit code %d, another page\n%s%s", made[1], code, errs, out)
		}
		return
	}
	command := []string{"stats", "--games", "demol,molehill", "--bots", "random", "--matches", "1000", "--contests", "0", "--seed", made[2]}
	held := 0
	for _, line := range printed(t, command) {
		if !strings.Contains(line, "|random|") {
			continue
		}
		if held++; !slices.ContainsFunc(strings.Split(string(text), "\n"), func(on string) bool { return cells(on) == line }) {
			t.Errorf("%v prints\n%s\nwhich is not on the page", command, line)
		}
	}
	if held != 7 { // De Mol at six sizes of table, Mole Hill at one
		t.Errorf("%d lines, want seven", held)
	}
}
