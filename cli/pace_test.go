package cli_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var began = regexp.MustCompile(`(?m)^@@ (\S+) at ([0-9.]+)$`)

// pace is what a page asks of its reader, a line for each block with commands: how many words stand before it, how many commands it has,
// and how long they took here. go test -v prints it; for the first hour:
//
//	go test ./cli -run 'TestEveryCommandOfTheGuides.*/0-start' -v
func pace(t *testing.T, blocks []fenced, printed string) string {
	t.Helper()
	seconds := map[string]float64{}
	marks := began.FindAllStringSubmatch(printed, -1)
	for i, m := range marks[:len(marks)-1] {
		from, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		to, err := strconv.ParseFloat(marks[i+1][2], 64)
		if err != nil {
			t.Fatal(err)
		}
		seconds[m[1]] = to - from
	}
	var table strings.Builder
	for _, b := range blocks {
		took, ran := seconds[b.String()]
		if !ran {
			continue
		}
		commands := commandsIn(b)
		first := ""
		if len(commands) > 0 {
			first = commands[0]
		}
		fmt.Fprintf(&table, "%-22s %5d words before  %2d commands  %5.1f s  %s\n", b, wordsBefore(t, b), len(commands), took, first)
	}
	return table.String()
}

// commandsIn are the commands of a block that a reader types, each by its first line.
func commandsIn(b fenced) (list []string) {
	until := "" // what ends the text that a command takes
	for _, line := range b.body {
		line, _, _ = strings.Cut(line, " # ")
		text, prompt := strings.CutPrefix(line, "$ ")
		switch {
		case until != "":
			if strings.Contains(line, until) {
				until = ""
			}
			continue
		case b.kind == "console" && !prompt, strings.TrimSpace(text) == "", strings.HasPrefix(text, "#"):
			continue
		case strings.Contains(text, "<<'EOF'"):
			until = "EOF"
		case strings.Count(text, "'")%2 == 1:
			until = "'"
		}
		list = append(list, text)
	}
	return list
}

// wordsBefore counts the words of a page above a block, without those of other blocks.
func wordsBefore(t *testing.T, b fenced) (words int) {
	t.Helper()
	text, err := os.ReadFile(b.page)
	if err != nil {
		t.Fatal(err)
	}
	inside := false
	for line := range slices.Values(strings.Split(string(text), "\n")[:b.line-1]) {
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			inside = !inside
		case !inside:
			words += len(strings.Fields(line))
		}
	}
	return words
}
