package organiser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/series"
)

func seriesCommand(o *calls) *cobra.Command {
	cmd := &cobra.Command{
		Use: "series", Short: "Standings over several tournaments: create, list, show, edit, organisers, delete, export",
		Long: "Works with the account that molerun login kept. A NAME is the name or the id of a series.",
	}
	cmd.AddCommand(
		seriesCreateCommand(o),
		seriesListCommand(o),
		account.On(o.Group, "show NAME", "What counts in it, and its standings so far", o.showSeries),
		seriesEditCommand(o),
		organisersCommand(o, "series", wire.GetSeriesOrganisers, wire.SetSeriesOrganisers, func(x wire.Series) string { return x.ID }),
		account.On(o.Group, "delete NAME", "Remove it; its tournaments stay", o.deleteSeries),
		seriesExportCommand(o),
	)
	return cmd
}

// counting is what a command line says about what counts in a series.
type counting struct {
	name        string
	schedule    string
	tournaments []string
	by          string
	best        int
	rankPoints  []string
}

func (x *counting) flags(cmd *cobra.Command) *cobra.Command {
	f := cmd.Flags()
	f.StringArrayVar(&x.tournaments, "tournament", nil, "one that counts, by its name or id; repeat it for others")
	f.StringVar(&x.by, "by", "", "what a result is worth: points, or rank (default points)")
	command.FlagWords(cmd, "by", "points", "rank")
	f.IntVar(&x.best, "best", 0, "how many of a bot's results count, the best ones (default: all)")
	f.StringSliceVar(&x.rankPoints, "rank-points", nil, "for the first, the second, …, with commas between (default 25,18,15,12,10,8,6,4,2,1)")
	return cmd
}

// points reads the points of ranks, as far as they are numbers; the first that is none is refused at its place.
func (x *counting) points(wrong *refusals) []float64 {
	var out []float64
	for i, text := range x.rankPoints {
		n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || n-n != 0 {
			wrong.add(fmt.Sprintf("--rank-points at %d", i), fmt.Sprintf("%q: wants a number", text))
			refused := make([]float64, i+1)
			refused[i] = -1 // which the platform refuses too
			return refused
		}
		out = append(out, n)
	}
	return out
}

// idAt returns the id of what a name names. A name of nothing is refused at its place and kept: the platform refuses it too, and looks at
// the rest.
func idAt[T client.Named](ctx context.Context, call *client.Client, pointer, name string, idOf func(T) string, wrong *refusals) (string, error) {
	x, err := client.Find[T](ctx, call, name)
	var network *url.Error
	var no *client.Refusal
	if err == nil || errors.As(err, &network) || errors.As(err, &no) && no.Problem.Code != tournament.ErrNotFound.Error() {
		return idOf(x), err
	}
	text, _, _ := strings.Cut(err.Error(), "\nnext: ")
	wrong.add(pointed(pointer, placeInSeries), text)
	return name, nil
}

// counted returns the ids of the tournaments that are named.
func (x *counting) counted(ctx context.Context, call *client.Client, wrong *refusals) ([]string, error) {
	var out []string
	for i, name := range x.tournaments {
		id, err := idAt(ctx, call, fmt.Sprintf("/tournaments/%d", i), name, func(t wire.Tournament) string { return t.ID }, wrong)
		if err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	return out, nil
}

func seriesCreateCommand(o *calls) *cobra.Command {
	x := counting{}
	cmd := o.Command("create NAME", "Give tournaments of yours standings of their own: all of a schedule, or those that you name",
		func(ctx context.Context, call *client.Client, args []string) error {
			x.name = args[0]
			return o.createSeries(ctx, call, x)
		})
	cmd.Example = "  molerun series create \"Friday series\" --schedule \"Friday Cup {number}\" --by rank --best 4\n" +
		"  molerun series create \"Autumn\" --tournament \"Cup 1\" --tournament \"Cup 2\""
	cmd.Flags().StringVar(&x.schedule, "schedule", "", "all tournaments of this schedule of yours count")
	return x.flags(cmd)
}

func (o *calls) createSeries(ctx context.Context, call *client.Client, x counting) error {
	var wrong refusals
	in := wire.SeriesCreate{
		Name:       x.name,
		By:         x.by,
		Best:       x.best,
		RankPoints: x.points(&wrong),
	}
	var err error
	if in.Tournaments, err = x.counted(ctx, call, &wrong); err != nil {
		return err
	}
	if x.schedule != "" {
		if in.ScheduleID, err = idAt(ctx, call, "/schedule_id", x.schedule, func(x wire.Schedule) string { return x.ID }, &wrong); err != nil {
			return err
		}
	}
	var made wire.Series
	if err := wrong.series(client.Do(ctx, call, wire.CreateSeries, in, &made), "NAME"); err != nil {
		return err
	}
	defer o.Next("molerun series show %s", made.ID)
	return o.Say(made, "%s %s", made.Name, made.ID)
}

// series is everything wrong with a series, after the platform has answered with err. name is where its name is said.
func (r *refusals) series(err error, name string) error {
	return r.answered(err, func(key string) string {
		if key == "name" {
			return name
		}
		return placeInSeries(key)
	})
}

// placeInSeries returns the flag of a key of the request for a series.
func placeInSeries(key string) string {
	flag := map[string]string{"schedule_id": "--schedule", "tournaments": "--tournament"}[key]
	return cmp.Or(flag, "--"+strings.ReplaceAll(key, "_", "-"))
}

func seriesListCommand(o *calls) *cobra.Command {
	in := wire.SeriesQuery{}
	cmd := o.Command("list", "Series, the newest first", func(ctx context.Context, call *client.Client, _ []string) error {
		rows := printer.NewTable("series", "by", "best", "counts", "id")
		return account.List(ctx, o.Group, call, wire.ListSeries, in, "molerun series create NAME --schedule SCHEDULE", rows, func(x wire.Series) []any {
			best, counts := "all", "a schedule"
			if x.Best > 0 {
				best = strconv.Itoa(x.Best)
			}
			if x.ScheduleID == "" {
				counts = game.Plural(len(x.Tournaments), "tournament")
			}
			return []any{x.Name, x.By, best, counts, x.ID}
		})
	})
	mineFlag(cmd, &in.Organiser)
	return cmd
}

// shownSeries is what show prints with --json.
type shownSeries struct {
	wire.Series
	Standings []series.Line `json:"standings"`
}

func (o *calls) showSeries(ctx context.Context, call *client.Client, x wire.Series, _ []string) error {
	standings, err := client.All(ctx, call, wire.ListSeriesStandings, op.ListByID(x.ID))
	of := game.Plural(len(x.Tournaments), "tournament")
	if x.ScheduleID != "" && err == nil {
		var s wire.Schedule
		err = client.Do(ctx, call, wire.GetSchedule, op.ByID(x.ScheduleID), &s)
		of = fmt.Sprintf("the tournaments of the schedule %s %s", printer.Printable(s.Name), s.ID)
	}
	if err != nil {
		return err
	}
	return o.Tell(shownSeries{x, standings}, func(w io.Writer) {
		fmt.Fprintf(w, "%s %s: %s\n%s\n", printer.Printable(x.Name), x.ID, countsBy(x), of)
		if len(standings) == 0 {
			fmt.Fprintln(w, "none of them has finished")
			return
		}
		rows := printer.NewTable("#>", "bot", "points>", "played>", "won>", "results")
		for _, l := range standings {
			rows.Row(l.Rank, l.Bot, fmt.Sprintf("%.4g", l.Points), l.Played, l.Wins, resultsText(l.Results))
		}
		fmt.Fprintln(w, rows.Render())
	})
}

// countsBy returns what counts in a series, in words.
func countsBy(x wire.Series) string {
	text := "by points"
	if x.By == "rank" {
		var points []string
		for _, n := range x.RankPoints {
			points = append(points, strconv.FormatFloat(n, 'g', -1, 64))
		}
		text = "by rank (" + strings.Join(points, ", ") + ")"
	}
	if x.Best > 0 {
		text += fmt.Sprintf(", the best %d of a bot", x.Best)
	}
	return text
}

// resultsText returns a bot's results in the order of the tournaments; those that do not count stand in brackets.
func resultsText(list []series.Result) string {
	var parts []string
	for _, r := range list {
		text := fmt.Sprintf("%.4g", r.Points)
		if !r.Counts {
			text = "(" + text + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

func seriesEditCommand(o *calls) *cobra.Command {
	x := counting{}
	var cmd *cobra.Command
	cmd = account.On(o.Group, "edit NAME", "Change a series; what it counts stays a schedule, or a list",
		func(ctx context.Context, call *client.Client, found wire.Series, _ []string) error {
			return o.editSeries(ctx, cmd, call, found, x)
		})
	cmd.Example = "  molerun series edit \"Friday series\" --best 6"
	cmd.Flags().StringVar(&x.name, "name", "", "another name")
	return changing(x.flags(cmd))
}

func (o *calls) editSeries(ctx context.Context, cmd *cobra.Command, call *client.Client, found wire.Series, x counting) (err error) {
	var wrong refusals
	p := wire.SeriesPatch{
		Name:       given(cmd, "name", &x.name),
		By:         given(cmd, "by", &x.by),
		Best:       given(cmd, "best", &x.best),
		RankPoints: x.points(&wrong),
	}
	if p.Tournaments, err = x.counted(ctx, call, &wrong); err != nil {
		return err
	}
	if err := wrong.series(client.Do(ctx, call, wire.UpdateSeries, op.BodyByID(found.ID, p), &found), "--name"); err != nil {
		return err
	}
	return o.Say(found, "%s %s: %s", found.Name, found.ID, countsBy(found))
}

func (o *calls) deleteSeries(ctx context.Context, call *client.Client, x wire.Series, _ []string) error {
	return account.Done(ctx, o.Group, call, wire.DeleteSeries, op.ByID(x.ID), x, "%s is deleted", x.Name)
}

func seriesExportCommand(o *calls) *cobra.Command {
	in := wire.SeriesExport{Format: "csv"}
	cmd := account.On(o.Group, "export NAME", "Write a row for each result of each bot to stdout", func(ctx context.Context, call *client.Client, x wire.Series, _ []string) error {
		in.One = op.ByID(x.ID)
		return o.copyOf(ctx, call, wire.ExportSeries.Target(in))
	})
	command.WordFlag(cmd, &in.Format, "format", "csv", "json", "ndjson")
	return cmd
}
