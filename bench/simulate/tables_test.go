package main

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
)

func printed(t *testing.T, args []string) string {
	t.Helper()
	var out bytes.Buffer
	if err := command(t.Context(), args, &out, io.Discard); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return out.String()
}

// What one seed plays is the same on every machine and in every release, to the last digit that is printed.
func TestASimulationPrintsTheSame(t *testing.T) {
	for file, flags := range map[string]string{
		"ladders": "-bots 20 -matches 10 -ladders 2 -seeds 2 -sd 150 -seed 7",
		"fields":  "-fields 1 -seed 7",
		"deals":   "-deals 2 -seed 7",
	} {
		want, err := os.ReadFile("testdata/" + file + ".txt")
		must.OK(t, err)
		if got := printed(t, strings.Fields(flags)); got != string(want) {
			t.Errorf("%s: got\n%swant\n%s", flags, got, want)
		}
	}
}

// measured is a command of the guide, with the lines of the tables below it.
type measured struct {
	args  []string
	lines []string
}

// measuredIn returns the commands above which the guide says that they print the tables of their section.
func measuredIn(guide string) (out []measured) {
	command := regexp.MustCompile("`go run -C bench ./simulate ([^`]*)` prints")
	var now *measured
	for line := range strings.SplitSeq(guide, "\n") {
		if strings.HasPrefix(line, "## ") {
			now = nil
		}
		if found := command.FindStringSubmatch(line); found != nil {
			out = append(out, measured{args: strings.Fields(found[1])})
			now = &out[len(out)-1]
		}
		if now != nil && strings.HasPrefix(line, "|") {
			now.lines = append(now.lines, cells(line))
		}
	}
	return out
}

// cells strips a table's line of what only the eye sees: emphasis, and the width of columns. A rule becomes "".
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

// By day each command plays as little as it can, and the heads of its tables are compared; by night all numbers are.
func TestTheTablesOfTheRatingsGuideAreWhatTheirCommandsPrint(t *testing.T) {
	guide, err := os.ReadFile("../../docs/4-ratings.md")
	must.OK(t, err)
	all := measuredIn(string(guide))
	if len(all) != 4 {
		t.Fatalf("%d commands with tables, want those of fields, deals, ladders and De Mol", len(all))
	}
	nightly := os.Getenv("MOLERUN_NIGHTLY") == "1"
	for _, m := range all {
		if len(m.lines) < 3 {
			t.Errorf("no table follows %v", m.args)
			continue
		}
		args, lines := m.args, m.lines
		if !nightly {
			args, lines = quick(m.args), heads(m.lines)
		}
		var got []string
		for line := range strings.SplitSeq(printed(t, args), "\n") {
			got = append(got, cells(line))
		}
		for _, line := range lines {
			if line != "" && !slices.Contains(got, line) {
				t.Errorf("%v does not print\n%s", args, line)
			}
		}
	}
}

// quick returns the same command with as little to play as it takes.
func quick(args []string) []string {
	switch {
	case slices.Contains(args, "-fields"):
		return []string{"-fields", "1"}
	case slices.Contains(args, "-deals"):
		return []string{"-deals", "2"}
	default:
		return []string{"-bots", "20", "-matches", "1", "-sd", "150"}
	}
}

// heads returns the lines above the rules of tables.
func heads(lines []string) (out []string) {
	for i, line := range lines {
		if line == "" && i > 0 {
			out = append(out, lines[i-1])
		}
	}
	return out
}
