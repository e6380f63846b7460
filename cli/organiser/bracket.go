package organiser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/tournament"
)

func (o *calls) bracket(ctx context.Context, call *client.Client, t wire.Tournament, _ []string) error {
	rounds, err := roundsOf(ctx, call, t)
	for _, r := range rounds {
		err = errors.Join(err, o.Tell(r, func(w io.Writer) { tellRound(w, t, r) }))
	}
	if err == nil && !o.JSON && len(rounds) == 0 {
		o.Next("%s", instead(t))
	}
	return err
}

// instead returns the command that shows something of a tournament that has no rounds and no standings.
func instead(t wire.Tournament) string {
	if t.Status == string(tournament.Running) {
		return "molerun tournament watch " + t.ID
	}
	return "molerun tournament show " + t.ID
}

// roundsOf returns the rounds of a tournament that are made.
func roundsOf(ctx context.Context, call *client.Client, t wire.Tournament) ([]wire.Round, error) {
	return client.All(ctx, call, wire.ListTournamentRounds, op.ListByID(t.ID))
}

// tellRound writes who met whom in a round, and who did not play and why. While the tournament is paused nobody knows when one begins.
func tellRound(w io.Writer, t wire.Tournament, r wire.Round) {
	also := ""
	if r.Final {
		also = ", the final"
	}
	if t.PausedAt == nil && r.StartsAt != nil && time.Until(*r.StartsAt) > 0 {
		also += ", begins " + moment(*r.StartsAt)
	}
	fmt.Fprintf(w, "round %d%s\n", r.Round, also)
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
		to := ""
		if x.Winner != "" {
			to = " to " + printer.Printable(x.Winner)
		}
		fmt.Fprintf(w, "  %s forfeits%s: %s%s\n", printer.Printable(x.Loser), to, printer.Printable(x.Why), annulledWord(x.Annulled))
	}
}

// annulledWord marks what a bot that left too early played or gave away.
func annulledWord(annulled bool) string {
	if annulled {
		return " (counts for nobody)"
	}
	return ""
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
	switch {
	case x.Void:
		line += " (void)"
	case !x.Over:
		line += " (open)"
	}
	return line + annulledWord(x.Annulled)
}
