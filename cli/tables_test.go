package cli_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A guide says "`molerun simulate …` prints" above the tables of its section: every line of them is a line of what the command prints.

// measured is a command of a guide, with the lines of the tables below it.
type measured struct {
	page    string
	command []string
	lines   []string
}

// measuredIn are those of a page.
func measuredIn(t *testing.T, page string) (out []measured) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile("`molerun (simulate [^`]*)` prints")
	var now *measured
	for _, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "## ") {
			now = nil
		}
		if found := command.FindStringSubmatch(line); found != nil {
			out = append(out, measured{page: page, command: strings.Fields(found[1])})
			now = &out[len(out)-1]
		}
		if now != nil && strings.HasPrefix(line, "|") {
			now.lines = append(now.lines, cells(line))
		}
	}
	return out
}

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

// By day each command plays as little as it can, and the heads of its tables are compared; by night the numbers are.
func TestTheTablesOfTheRatingsGuideAreWhatTheirCommandsPrint(t *testing.T) {
	all := measuredIn(t, "../docs/4-ratings.md")
	if len(all) < 3 {
		t.Fatalf("%d commands with tables, want those of fields, ladders and deals", len(all))
	}
	nightly := os.Getenv("MOLERUN_NIGHTLY") == "1"
	for _, m := range all {
		if len(m.lines) < 3 {
			t.Errorf("%s: no table follows %v", m.page, m.command)
			continue
		}
		command, lines := m.command, m.lines
		if !nightly {
			command, lines = quick(m.command), heads(m.lines)
		}
		got := printed(t, command)
		for _, line := range lines {
			if line != "" && !slices.Contains(got, line) {
				t.Errorf("%s: %v does not print\n%s", m.page, command, line)
			}
		}
	}
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

// quick is the same command with as little to play as it takes.
func quick(command []string) []string {
	switch {
	case slices.Contains(command, "--fields"):
		return []string{"simulate", "--fields", "1"}
	case slices.Contains(command, "--deals"):
		return []string{"simulate", "--deals", "2"}
	default:
		return []string{"simulate", "--bots", "20", "--matches", "1", "--sd", "150"}
	}
}

// heads are the lines above the empty ones, which are rules under heads.
func heads(lines []string) (out []string) {
	for i, line := range lines {
		if line == "" && i > 0 {
			out = append(out, lines[i-1])
		}
	}
	return out
}
