package local

import (
	"context"
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/tournament/simulate"
)

// simulateFields prints how the fit does in small fields, as a Markdown table or as a JSON line a row.
func simulateFields(ctx context.Context, c command.Console, each int, seed uint64, asJSON bool) error {
	if each < 1 {
		return fmt.Errorf("%w: --fields: want 1 or more, got %d", command.ErrUsage, each)
	}
	rows, err := simulate.Fields(ctx, each, seed)
	if err != nil {
		return err
	}
	if asJSON {
		p := printer.New(c, true)
		for _, r := range rows {
			p.Event(r)
		}
		return nil
	}
	t := table.NewWriter()
	t.AppendHeader(table.Row{
		"bots", "strengths", "fit", "intervals that hold", "half width", "error", "pairs told apart", "wrongly", "ranks that hold", "width of ranks",
	})
	for _, r := range rows {
		t.AppendRow(table.Row{
			r.Bots, r.Spread, r.Fit, percent(r.Intervals.Part()), fmt.Sprintf("%.0f", r.HalfElo), fmt.Sprintf("%.0f", r.ErrorElo),
			percent(r.Told.Part()), percent(r.Wrong.Part()), percent(r.Ranks.Part()), fmt.Sprintf("%.2f", r.RankWidth),
		})
	}
	fmt.Fprintln(c.Out, t.RenderMarkdown())
	return nil
}
