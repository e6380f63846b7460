package organiser

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/tournament"
)

func (o *calls) standings(ctx context.Context, call *client.Client, args []string) error {
	t, err := findTournament(ctx, call, args[0])
	if err != nil {
		return err
	}
	return o.standingsOf(ctx, call, t)
}

func (o *calls) standingsOf(ctx context.Context, call *client.Client, t wire.Tournament) error {
	rows := newTable("#", "bot", "points", "played", "won", "drawn", "lost", "byes", "faults", "tie-breaks")
	alignNumbers(rows, 1, 3, 4, 5, 6, 7, 8, 9)
	var trial *wire.Trial
	err := client.Each(ctx, call, wire.ListTournamentStandings, op.ListByID(t.ID), func(s wire.Standing) error {
		if s.Trial != nil {
			trial = s.Trial
		}
		var ties []string
		for _, v := range s.Ties {
			if v.By != "points" {
				ties = append(ties, fmt.Sprintf("%s %.4g", strings.ReplaceAll(v.By, "_", " "), v.Value))
			}
		}
		rows.AppendRow(table.Row{s.Rank, printer.Printable(s.Bot), fmt.Sprintf("%.4g", s.Points), s.Played, s.Wins, s.Draws, s.Losses, s.Byes, s.Faults, strings.Join(ties, ", ")})
		return o.line(s)
	})
	if err := o.end(rows, err, "molerun bot enter BOT "+t.ID); err != nil || o.json {
		return err
	}
	if trial != nil {
		tellTrial(o.Out, *trial)
	}
	return nil
}

// alignNumbers sets columns, counted from 1, to the right.
func alignNumbers(rows table.Writer, columns ...int) {
	var list []table.ColumnConfig
	for _, n := range columns {
		list = append(list, table.ColumnConfig{Number: n, Align: text.AlignRight})
	}
	rows.SetColumnConfigs(list)
}

// tellTrial tells where a sequential test stands.
func tellTrial(w io.Writer, x wire.Trial) {
	fmt.Fprintf(w, "%s after %d pairs: the first is %s Elo stronger; LLR %s between %.2f (H0: no stronger by %g) and %.2f (H1: stronger than %g)\n",
		x.Verdict, x.Pairs, tournament.Interval("%.1f", x.Elo, x.Low, x.High), tournament.Number("%.2f", x.LLR), x.Lower, x.Elo1, x.Upper, x.Elo0)
}
