package main

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
)

// fieldTable shows how the fit does in small fields.
func fieldTable(rows []Field) string {
	t := table.NewWriter()
	t.AppendHeader(table.Row{
		"bots", "strengths", "fit", "intervals that hold", "half width", "error", "pairs distinguished", "wrongly", "ranks that hold", "width of ranks",
	})
	for _, r := range rows {
		t.AppendRow(table.Row{
			r.Bots, r.Spread, r.Fit, percent(r.Intervals.Part()), fmt.Sprintf("%.0f", r.HalfElo), fmt.Sprintf("%.0f", r.ErrorElo),
			percent(r.Distinct.Part()), wrongly(r.Wrong), percent(r.Ranks.Part()), fmt.Sprintf("%.2f", r.RankWidth),
		})
	}
	return t.RenderMarkdown()
}

// dealsTable shows what it is worth to take the luck of the deals out of points.
func dealsTable(rows []DealsRow) string {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"matches a bot", "points", "intervals that hold", "half width", "better bot ahead", "ahead in 95 % after"})
	for _, r := range rows {
		for _, x := range []struct {
			name string
			is   DealsCount
		}{{"of record", r.Record}, {"by the event's fit", r.Own}, {"by a ladder's fit", r.Adjusted}} {
			t.AppendRow(table.Row{
				r.Matches, x.name, percent(x.is.Intervals.Part()), fmt.Sprintf("%.1f", x.is.Half), percent(x.is.Ahead.Part()), fmt.Sprintf("%.0f", x.is.Until),
			})
		}
	}
	return t.RenderMarkdown()
}

func intervalTable(rows []Row) string {
	t := table.NewWriter()
	t.AppendHeader(table.Row{
		"form", "SD", "matches a bot", "intervals that hold", "seed by seed", "as agent, as mole", "advantages within 2 SE", "farthest, SE",
		"ranks that hold", "pairs distinguished", "wrongly",
	})
	for _, r := range rows {
		roles := "–"
		if r.Roles.Of > 0 {
			roles = percent(r.Roles.Part())
		}
		var bySeed []string
		for _, held := range r.BySeed {
			bySeed = append(bySeed, fmt.Sprintf("%.1f", 100*held.Part()))
		}
		t.AppendRow(table.Row{
			r.Form, r.SD, r.MatchesABot, percent(r.Ratings.Part()), strings.Join(bySeed, ", "), roles,
			fmt.Sprintf("%d of %d", r.Advantages.In, r.Advantages.Of), fmt.Sprintf("%.1f", r.Farthest),
			percent(r.Ranks.Part()), percent(r.Distinct.Part()), wrongly(r.Wrong),
		})
	}
	return t.RenderMarkdown()
}

func errorTable(rows []Row) string {
	t := table.NewWriter()
	t.AppendHeader(table.Row{
		"form", "SD", "matches a bot", "error of the fit", "spread known", "fit above known", "on-line", "K = 32", "fit below K = 32", "known below K = 32",
	})
	for _, r := range rows {
		e := r.Errors
		t.AppendRow(table.Row{
			r.Form, r.SD, r.MatchesABot, fmt.Sprintf("%.1f", e.Fit), fmt.Sprintf("%.1f", e.Known), percent(e.Fit/e.Known - 1),
			fmt.Sprintf("%.1f", e.Online), fmt.Sprintf("%.1f", e.Plain), percent(1 - e.Fit/e.Plain), percent(1 - e.Known/e.Plain),
		})
	}
	return t.RenderMarkdown()
}

// knownTable sets the fit beside one that knows which SDs there are and not which one holds, and says how far chance moves its figures.
func knownTable(rows []Row) string {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"form", "SD", "matches a bot", "intervals that hold", "wrongly", "fit above known", "SDs known, above known", "its intervals that hold"})
	for _, r := range rows {
		wrong := wrongly(r.Wrong)
		if r.Wrong.Of > 0 {
			wrong = plusMinus(r.Wrong.Part(), r.SE.Wrong, r.Ladders)
		}
		t.AppendRow(table.Row{
			r.Form, r.SD, r.MatchesABot, plusMinus(r.Ratings.Part(), r.SE.Ratings, r.Ladders), wrong,
			plusMinus(r.Errors.Fit/r.Errors.Known-1, r.SE.AboveKnown, r.Ladders), percent(r.Errors.KnownSDs/r.Errors.Known - 1), percent(r.KnownSDs.Part()),
		})
	}
	return t.RenderMarkdown()
}

// plusMinus writes a part of 1 with its standard error over so many ladders, in per cent.
func plusMinus(part, se float64, ladders int) string {
	if ladders < 2 {
		return percent(part)
	}
	return strings.Replace(fmt.Sprintf("%.1f ± %.1f %%", 100*part, 100*se), "-", "−", 1)
}

func fairnessTable(list []Fairness) string {
	t := table.NewWriter()
	t.AppendHeader(table.Row{
		"form", "SD", "matches", "virtual hours", "median wait, s", "worst bot's mean, medians", "longest wait, medians",
		"matches by bot", "fewest opponents", "gap at a table", "gap of any two",
	})
	for _, f := range list {
		t.AppendRow(table.Row{
			f.Form, f.SD, f.Matches, fmt.Sprintf("%.1f", f.Hours), fmt.Sprintf("%.0f", f.MedianWaitS), fmt.Sprintf("%.2f", f.WorstMean),
			fmt.Sprintf("%.1f", f.Longest), fmt.Sprintf("%d–%d", f.FewestMatches, f.MostMatches), f.FewestMet,
			fmt.Sprintf("%.0f", f.GapElo), fmt.Sprintf("%.0f", f.AnyGapElo),
		})
	}
	return t.RenderMarkdown()
}

// wrongly writes which part of the pairs distinguished is so wrongly, a dash if none is distinguished.
func wrongly(s Share) string {
	if s.Of == 0 {
		return "–"
	}
	return percent(s.Part())
}

// percent writes a part of 1 in per cent.
func percent(part float64) string {
	return strings.Replace(fmt.Sprintf("%.1f %%", 100*part), "-", "−", 1)
}
