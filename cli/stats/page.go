package stats

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

// Write writes the page: a section for each game and variant, a line for each table and bot. command is the command
// line that made it.
func Write(w io.Writer, command string, lines []Line) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Statistics of the house bots\n\nMade by `%s`: the same command writes the same page.\n\n"+
		"In each line the same bot sits in every seat. Shares are of matches, in per cent, with their 95 %% interval (Wilson);\n"+
		"lengths are steps, with the 95 %% interval of their mean. By seat: the share of matches that seats 0, 1, … won, in per cent;\n"+
		"seats and first moves are drawn by lot where the rules say so. All of a team's seats win with it; a shared first place\n"+
		"is a win of each, a match that a free agent decides is nobody's.\n", command)
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && lines[n].Game == lines[0].Game && lines[n].Variant == lines[0].Variant {
			n++
		}
		section(&b, lines[:n])
		lines = lines[n:]
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// section is the table of one game and variant.
func section(b *strings.Builder, lines []Line) {
	teams, whys, shared := map[string]bool{}, map[string]bool{}, false
	for i := range lines {
		for team := range lines[i].Teams {
			teams[team] = true
		}
		for why := range lines[i].Whys {
			whys[why] = true
		}
		shared = shared || lines[i].Shared > 0
	}
	head := []string{"seats", "bot", "matches"}
	for _, team := range slices.Sorted(maps.Keys(teams)) {
		head = append(head, team+"s win")
	}
	if shared {
		head = append(head, "shared")
	}
	if len(whys) > 1 {
		for _, why := range slices.Sorted(maps.Keys(whys)) {
			head = append(head, "`"+why+"`")
		}
	}
	head = append(head, "steps", "by seat")
	fmt.Fprintf(b, "\n## %s, %s\n\n| %s |\n|%s\n", lines[0].Game, lines[0].Variant, strings.Join(head, " | "), strings.Repeat("---|", len(head)))
	for i := range lines {
		l := &lines[i]
		cells := []string{fmt.Sprint(l.Seats), l.Bot, fmt.Sprint(l.Matches)}
		for _, team := range slices.Sorted(maps.Keys(teams)) {
			cells = append(cells, share(l.Teams[team], l.Matches))
		}
		if shared {
			cells = append(cells, share(l.Shared, l.Matches))
		}
		if len(whys) > 1 {
			for _, why := range slices.Sorted(maps.Keys(whys)) {
				cells = append(cells, share(l.Whys[why], l.Matches))
			}
		}
		cells = append(cells, mean(l.Steps), bySeat(l))
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
	}
}

func bySeat(l *Line) string {
	out := make([]string, len(l.SeatWins))
	for i, n := range l.SeatWins {
		out[i] = fmt.Sprintf("%.0f", 100*float64(n)/float64(max(l.Matches, 1)))
	}
	return strings.Join(out, " ")
}

// share is k of n in per cent with its interval.
func share(k, n int) string {
	low, high := Wilson(k, n)
	return fmt.Sprintf("%.1f (%.1f–%.1f)", 100*float64(k)/float64(max(n, 1)), 100*low, 100*high)
}

// Wilson is the 95 % interval of a share of which k of n were seen (Wilson 1927), 0 to 1. With n = 0 it is all of it.
func Wilson(k, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959964
	p, m := float64(k)/float64(n), float64(n)
	centre := p + z*z/(2*m)
	half := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, (centre-half)/(1+z*z/m)), min(1, (centre+half)/(1+z*z/m))
}

// mean is the mean of a list with its interval.
func mean(list []int) string {
	sum, squares, n := 0.0, 0.0, float64(len(list))
	for _, x := range list {
		sum += float64(x)
		squares += float64(x) * float64(x)
	}
	if n < 2 {
		return fmt.Sprintf("%.1f", sum)
	}
	variance := max(0, (squares-sum*sum/n)/(n-1))
	return fmt.Sprintf("%.1f ± %.1f", sum/n, 1.959964*math.Sqrt(variance/n))
}
