package organiser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/printer"
)

func (o *calls) bracket(ctx context.Context, call *client.Client, t wire.Tournament, _ []string) error {
	rounds, err := roundsOf(ctx, call, t)
	for _, r := range rounds {
		err = errors.Join(err, o.Tell(r, func(w io.Writer) { tellRound(w, r) }))
	}
	switch {
	case err != nil || o.JSON:
	case len(rounds) == 0:
		o.Next("molerun tournament start %s", t.ID)
	case t.Format == "single_elimination" && t.Table == 2:
		drawTree(o.Out, rounds)
	}
	return err
}

// roundsOf returns the rounds of a tournament that are made.
func roundsOf(ctx context.Context, call *client.Client, t wire.Tournament) ([]wire.Round, error) {
	return client.All(ctx, call, wire.ListTournamentRounds, op.ListByID(t.ID))
}

// tellRound writes who met whom in a round, and who did not play and why.
func tellRound(w io.Writer, r wire.Round) {
	final := ""
	if r.Final {
		final = ", the final"
	}
	fmt.Fprintf(w, "round %d%s\n", r.Round, final)
	for _, x := range r.Tables {
		name := ""
		if x.Name != "" {
			name = x.Name + ": "
		}
		fmt.Fprintf(w, "  %s%s\n", name, tableText(x))
	}
	for _, c := range r.Changes {
		fmt.Fprintf(w, "  paired by hand %s: %s\n", moment(c.At), printer.Printable(c.Reason))
	}
	for _, bot := range r.Byes {
		fmt.Fprintf(w, "  bye: %s\n", printer.Printable(bot))
	}
	for _, a := range r.Absent {
		fmt.Fprintf(w, "  absent: %s, %s\n", printer.Printable(a.Bot), printer.Printable(a.Why))
	}
	for _, x := range r.Forfeits {
		winner := "nobody"
		if x.Winner != "" {
			winner = printer.Printable(x.Winner)
		}
		fmt.Fprintf(w, "  %s goes on: %s forfeits, %s\n", winner, printer.Printable(x.Loser), printer.Printable(x.Why))
	}
}

// tableText returns who sits at a table, with the points once it is over.
func tableText(x wire.Table) string {
	if len(x.Bots) == 0 {
		return "its bots are shown when it is over"
	}
	var parts []string
	for i, bot := range x.Bots {
		part := printer.Printable(bot)
		if i < len(x.Points) {
			part += fmt.Sprintf(" %.4g", x.Points[i])
		}
		parts = append(parts, part)
	}
	line := strings.Join(parts, " – ")
	if !x.Over {
		line += " (open)"
	}
	return line
}

// drawTree draws an elimination from its first round to its final: who won stands where the two lines of a tie meet.
func drawTree(w io.Writer, rounds []wire.Round) {
	last := len(rounds) - 1
	for _, tie := range rounds[last].Tables {
		if len(tie.Bots) != 2 || tie.Name != "final" {
			continue // the tie for the third place grows out of those who lost
		}
		fmt.Fprintln(w)
		for _, line := range growTie(rounds, last, tie).lines {
			fmt.Fprintln(w, strings.TrimRight(line, " "))
		}
	}
}

// branch is a part of a drawn tree: lines of one width; out leaves it to the right.
type branch struct {
	lines []string
	out   int
}

// grow returns how a bot came to play in the round at index at: by the last tie that it played before, or as a leaf.
func grow(rounds []wire.Round, at int, bot string) branch {
	for i := at - 1; i >= 0; i-- {
		for _, tie := range rounds[i].Tables {
			if len(tie.Bots) == 2 && (tie.Bots[0] == bot || tie.Bots[1] == bot) {
				return growTie(rounds, i, tie)
			}
		}
	}
	return branch{lines: []string{printer.Printable(bot) + " "}}
}

// growTie joins the branches of the two of a tie, with the winner on the line between them.
func growTie(rounds []wire.Round, at int, tie wire.Table) branch {
	one, two := grow(rounds, at, tie.Bots[0]), grow(rounds, at, tie.Bots[1])
	width := max(widthOf(one.lines), widthOf(two.lines))
	var joined branch
	for i, line := range one.lines {
		joined.lines = append(joined.lines, pad(line, width, i == one.out)+[]string{" ", "┐", "│"}[compare(i, one.out)])
	}
	joined.out = len(joined.lines)
	joined.lines = append(joined.lines, strings.Repeat(" ", width)+"├ "+winnerText(tie)+" ")
	for i, line := range two.lines {
		joined.lines = append(joined.lines, pad(line, width, i == two.out)+[]string{"│", "┘", " "}[compare(i, two.out)])
	}
	return joined
}

// compare returns 0 above a line, 1 on it and 2 below it.
func compare(i, line int) int {
	switch {
	case i < line:
		return 0
	case i == line:
		return 1
	}
	return 2
}

func widthOf(lines []string) int {
	width := 0
	for _, line := range lines {
		width = max(width, utf8.RuneCountInString(line))
	}
	return width
}

// pad makes a line as wide as the others, drawn on where it leads out of its branch.
func pad(line string, width int, leads bool) string {
	fill := " "
	if leads {
		fill = "─"
	}
	return line + strings.Repeat(fill, width-utf8.RuneCountInString(line))
}

// winnerText returns who won a tie and how; "?" while it is open, and the score alone while it goes on after an even one.
func winnerText(tie wire.Table) string {
	if !tie.Over || len(tie.Points) != 2 {
		return "?"
	}
	score := tie.Points
	if tie.Winner == tie.Bots[1] {
		score = []float64{score[1], score[0]}
	}
	text := fmt.Sprintf("%.4g:%.4g", score[0], score[1])
	if tie.Winner != "" {
		text = printer.Printable(tie.Winner) + " " + text
	}
	return text
}
