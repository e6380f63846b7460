package stats

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

const intro = `# Statistics of the house bots

Reader: authors of bots, and whoever doubts a rule.

Made by ` + "`%s`" + `: the same command writes the same page.

In each line of the first tables the same bot sits in every seat. Shares are of matches, in per cent, with their 95 %% interval (Wilson);
lengths are steps, with the 95 %% interval of their mean. By seat: the share of matches that seats 0, 1, … won, in per cent;
seats and first moves are drawn by lot where the rules say so. All of a team's seats win with it; a shared first place
is a win of each, a match that a free agent decides is nobody's. First mover: how often the seat that took the first turn won.
`

const above = `
## One above the other: %s, %s

Of %d matches each. Where a team is named the bots sit, one after the other, in all its seats; the other team is, from match to match,
another one of the bots but the last: the same for all. In every second seat two bots meet and change seats with each match; the
share is then how many of a bot's seats win. Apart: each interval lies above the one before it.

| seats | seated as | %s | apart |
|---|---|%s---|
`

// Write writes the page: a section for each game and variant, a line for each table and bot, and a section for its contests.
// command is the command line that made it.
func Write(w io.Writer, command string, lines []Line, contests []Contest) error {
	var b strings.Builder
	fmt.Fprintf(&b, intro, command)
	for len(lines) > 0 {
		n, m, first := 0, 0, lines[0]
		for n < len(lines) && lines[n].Game == first.Game && lines[n].Variant == first.Variant {
			n++
		}
		section(&b, lines[:n])
		for m < len(contests) && contests[m].Game == first.Game && contests[m].Variant == first.Variant {
			m++
		}
		if m > 0 {
			ladder(&b, contests[:m])
		}
		lines, contests = lines[n:], contests[m:]
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// ladder is the table of the contests of one game and variant.
func ladder(b *strings.Builder, contests []Contest) {
	var bots []string
	for i := range contests {
		for _, s := range contests[i].Standings {
			if !slices.Contains(bots, s.Bot) {
				bots = append(bots, s.Bot)
			}
		}
	}
	first := &contests[0]
	fmt.Fprintf(b, above, first.Game, first.Variant, first.Standings[0].N, strings.Join(bots, " | "), strings.Repeat("---|", len(bots)))
	for i := range contests {
		c := &contests[i]
		cells := []string{fmt.Sprint(c.Seats), c.seated()}
		for _, bot := range bots {
			k := slices.IndexFunc(c.Standings, func(s Standing) bool { return s.Bot == bot })
			if k < 0 {
				cells = append(cells, "")
				continue
			}
			cells = append(cells, c.Standings[k].share())
		}
		apart := "no"
		if c.Rising() {
			apart = "yes"
		}
		fmt.Fprintf(b, "| %s | %s |\n", strings.Join(cells, " | "), apart)
	}
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
	first := slices.ContainsFunc(lines, func(l Line) bool { return l.First > 0 })
	if first {
		head = append(head, "first mover")
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
		if first {
			cells = append(cells, share(l.FirstWins, l.First))
		}
		cells = append(cells, l.Steps.mean(), bySeat(l))
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
	}
	roundsSection(b, lines)
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
