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
	end := printer.New(c, asJSON).During("playing small fields")
	rows, err := simulate.Fields(ctx, each, seed)
	end()
	t := table.NewWriter()
	t.AppendHeader(table.Row{
		"bots", "strengths", "fit", "intervals that hold", "half width", "error", "pairs told apart", "wrongly", "ranks that hold", "width of ranks",
	})
	for _, r := range rows {
		t.AppendRow(table.Row{
			r.Bots, r.Spread, r.Fit, percent(r.Intervals.Part()), fmt.Sprintf("%.0f", r.HalfElo), fmt.Sprintf("%.0f", r.ErrorElo),
			percent(r.Told.Part()), wrongly(r.Wrong), percent(r.Ranks.Part()), fmt.Sprintf("%.2f", r.RankWidth),
		})
	}
	return printRows(c, rows, t, asJSON, err)
}

// printRows prints rows as JSON lines, or as the table made of them; nothing if err says why there are none.
func printRows[R any](c command.Console, rows []R, t table.Writer, asJSON bool, err error) error {
	switch {
	case err != nil:
		return err
	case asJSON:
		p := printer.New(c, true)
		for _, r := range rows {
			p.Event(r)
		}
	default:
		fmt.Fprintln(c.Out, t.RenderMarkdown())
	}
	return nil
}

// simulateDeals prints what it is worth to take the luck of the deals out of points, as a Markdown table or as a JSON line a row.
func simulateDeals(ctx context.Context, c command.Console, events int, seed uint64, asJSON bool) error {
	if events < 2 {
		return fmt.Errorf("%w: --deals: want 2 or more, got %d", command.ErrUsage, events)
	}
	end := printer.New(c, asJSON).During("playing events")
	rows, err := simulate.Deals(ctx, []int{25, 50, 100, 200}, events, seed)
	end()
	t := table.NewWriter()
	t.AppendHeader(table.Row{"matches a bot", "points", "intervals that hold", "half width", "better bot ahead", "ahead in 95 % after"})
	for _, r := range rows {
		for _, x := range []struct {
			name string
			is   simulate.DealsCount
		}{{"of record", r.Record}, {"by the event's fit", r.Own}, {"by a ladder's fit", r.Adjusted}} {
			t.AppendRow(table.Row{
				r.Matches, x.name, percent(x.is.Intervals.Part()), fmt.Sprintf("%.1f", x.is.Half), percent(x.is.Ahead.Part()), fmt.Sprintf("%.0f", x.is.Until),
			})
		}
	}
	return printRows(c, rows, t, asJSON, err)
}
