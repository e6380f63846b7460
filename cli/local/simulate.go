package local

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/tournament/simulate"
)

func simulateCommand(c command.Console) *cobra.Command {
	o := simulate.Options{Bots: 200, Matches: 50, Ladders: 1, Seed: 1, Seeds: 1}
	sds, asJSON, fields, deals := []string{"150", "350"}, false, 0, 0
	cmd := &cobra.Command{
		Use: "simulate", Short: "Simulate ladders of bots of known strength, and judge the ratings", Args: command.Args(0, 0),
		Long: "Plays whole ladders in virtual time, with the matchmaking, ratings and fit that serve uses; only the results are drawn by lot, from\n" +
			"strengths that the simulation knows: games of two, free-for-alls of four, De Mol with five to ten seats. It prints how often the 95 %\n" +
			"intervals hold the truth, whether ranks and pairs told apart are right, how far ratings are off beside plain Elo with K = 32, and\n" +
			"how long bots wait. The same options give the same numbers. \"Told the spread\" is the same fit if it knows how far strengths are\n" +
			"spread: about the best that these results allow; told the SDs, it knows those of --sd, and not which one holds. --sd is the standard\n" +
			"deviation of strengths in games of two, in Elo; in De Mol strengths have 4/7 of it.\n\n" +
			"With --fields it plays small round robins of games of two instead, so many of each size, of bots of normal strengths, of heavy\n" +
			"tails and of two camps. It compares the fit with one that knows of no camps, and with one that has the spread plugged in, as the\n" +
			"first release had. With --deals it plays events of De Mol, so many of each length, and tells what it is worth to take the luck of\n" +
			"the deals out of the points.",
		Example: "  molerun simulate\n  molerun simulate --bots 1000 --matches 200 --ladders 5 --json\n  molerun simulate --fields 80",
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.SDs = nil
			for _, word := range sds {
				sd, err := strconv.ParseFloat(word, 64)
				if err != nil {
					return fmt.Errorf("%w: --sd: want numbers of Elo with commas between, got %q", command.ErrUsage, word)
				}
				o.SDs = append(o.SDs, sd)
			}
			if err := o.Check(); err != nil {
				return fmt.Errorf("%w: %w", command.ErrUsage, err)
			}
			if cmd.Flags().Changed("fields") {
				return simulateFields(cmd.Context(), c, fields, o.Seed, asJSON)
			}
			if cmd.Flags().Changed("deals") {
				return simulateDeals(cmd.Context(), c, deals, o.Seed, asJSON)
			}
			t := printer.New(c, asJSON)
			bars := t.Bars("ladders")
			o.Progress = func(done, total int) { bars.Set(0, done, total) }
			s, err := simulate.Run(cmd.Context(), o, func(p simulate.Point) {
				t.Event(struct {
					Event string `json:"event"`
					simulate.Point
				}{"point", p})
			})
			bars.End()
			if err != nil {
				return err
			}
			t.Event(struct {
				Event string `json:"event"`
				simulate.Summary
			}{"summary", s})
			if !asJSON {
				printSimulation(c.Out, s)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Bots, "bots", o.Bots, fmt.Sprintf("bots on each ladder, %d to %d", simulate.MinBots, simulate.MaxBots))
	f.IntVar(&o.Matches, "matches", o.Matches, "matches each bot plays on average")
	f.IntVar(&o.Ladders, "ladders", o.Ladders, "ladders of each form and deviation")
	f.StringSliceVar(&sds, "sd", sds, "standard deviations of the true strengths, in Elo")
	f.Uint64Var(&o.Seed, "seed", o.Seed, "decides all luck")
	f.IntVar(&o.Seeds, "seeds", o.Seeds, "so many seeds, from --seed on, with --ladders each")
	f.IntVar(&fields, "fields", 0, "play so many small round robins of each kind instead of ladders, 1 or more")
	f.IntVar(&deals, "deals", 0, "play so many events of De Mol of each length instead, 2 or more")
	cmd.MarkFlagsMutuallyExclusive("fields", "deals")
	f.BoolVar(&asJSON, "json", false, "JSON lines: every ladder at every number of matches, the summary last")
	return cmd
}

// printSimulation prints Markdown tables: how true intervals and ranks are, how far ratings are off, and how fair the matchmaking was.
func printSimulation(w io.Writer, s simulate.Summary) {
	fmt.Fprintf(w, "%s\n\n%s\n\n%s\n\n%s\n\n%d matches\n",
		intervalTable(s.Rows), errorTable(s.Rows), toldTable(s.Rows), fairnessTable(s.Fairness), s.Matches)
}

func intervalTable(rows []simulate.Row) string {
	t := table.NewWriter()
	t.AppendHeader(table.Row{
		"form", "SD", "matches a bot", "intervals that hold", "seed by seed", "as agent, as mole", "advantages within 2 SE", "farthest, SE",
		"ranks that hold", "pairs told apart", "wrongly",
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
			percent(r.Ranks.Part()), percent(r.Told.Part()), wrongly(r.Wrong),
		})
	}
	return t.RenderMarkdown()
}

func errorTable(rows []simulate.Row) string {
	t := table.NewWriter()
	t.AppendHeader(table.Row{
		"form", "SD", "matches a bot", "error of the fit", "told the spread", "fit above told", "on-line", "K = 32", "fit below K = 32", "told below K = 32",
	})
	for _, r := range rows {
		e := r.Errors
		t.AppendRow(table.Row{
			r.Form, r.SD, r.MatchesABot, fmt.Sprintf("%.1f", e.Fit), fmt.Sprintf("%.1f", e.Told), percent(e.Fit/e.Told - 1),
			fmt.Sprintf("%.1f", e.Online), fmt.Sprintf("%.1f", e.Plain), percent(1 - e.Fit/e.Plain), percent(1 - e.Told/e.Plain),
		})
	}
	return t.RenderMarkdown()
}

// toldTable sets the fit beside one that is told which SDs there are and not which one holds, and says how far chance moves its figures.
func toldTable(rows []simulate.Row) string {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"form", "SD", "matches a bot", "intervals that hold", "wrongly", "fit above told", "told the SDs, above told", "its intervals that hold"})
	for _, r := range rows {
		wrong := wrongly(r.Wrong)
		if r.Wrong.Of > 0 {
			wrong = within(r.Wrong.Part(), r.SE.Wrong, r.Ladders)
		}
		t.AppendRow(table.Row{
			r.Form, r.SD, r.MatchesABot, within(r.Ratings.Part(), r.SE.Ratings, r.Ladders), wrong,
			within(r.Errors.Fit/r.Errors.Told-1, r.SE.AboveTold, r.Ladders), percent(r.Errors.ToldAll/r.Errors.Told - 1), percent(r.ToldAll.Part()),
		})
	}
	return t.RenderMarkdown()
}

// within writes a part of 1 with its standard error over so many ladders, in per cent.
func within(part, se float64, ladders int) string {
	if ladders < 2 {
		return percent(part)
	}
	return strings.Replace(fmt.Sprintf("%.1f ± %.1f %%", 100*part, 100*se), "-", "−", 1)
}

func fairnessTable(list []simulate.Fairness) string {
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

// wrongly writes which part of the pairs told apart is told apart wrongly, a dash if none is told apart.
func wrongly(s simulate.Share) string {
	if s.Of == 0 {
		return "–"
	}
	return percent(s.Part())
}

// percent writes a part of 1 in per cent.
func percent(part float64) string {
	return strings.Replace(fmt.Sprintf("%.1f %%", 100*part), "-", "−", 1)
}
