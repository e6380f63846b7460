package platform

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/cli/process"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/jobs"
	"github.com/molerun/molerun/tournament/store"
)

func ratingsCalibrationCommand(c command.Console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "calibration", Short: "Show how well the forecasts of the ratings came true",
		Long: "Goes through the rated matches of a ladder in their order. A fit of all matches up to some place forecasts those that come next, a\n" +
			"fifth as many, which it has not seen; then both are fitted, and so on. Prints how many favourites won, by the chance that they were given, with\n" +
			"95 % intervals, and compares the fit with on-line Elo and with a coin: by the Brier score (mean squared error) and in bits. The first\n" +
			"20 matches are not judged, and of a long ladder the last 100,000 are. Nothing is stored: serve and work do that by themselves.",
		Example: "  molerun ratings calibration --ladder molehill\n  molerun ratings calibration --json | jq .",
	}
	onLadders(cmd, func(ctx context.Context, db *store.Store, id string) error {
		t := printer.New(c, asJSON)
		return eachLadder(ctx, db, id, func(l tournament.Ladder) error {
			end := t.During("judging " + l.ID)
			found, err := jobs.JudgeLadder(ctx, process.NewDirector(db), catalog.Find, l.ID)
			end()
			switch {
			case err != nil:
				return err
			case asJSON:
				t.Event(calibrationJSON{
					Ladder:      found.LadderID,
					Matches:     found.Matches,
					Judged:      found.Judged,
					Comparisons: found.Comparisons,
					Fits:        found.Fits,
					Forecasters: append([]tournament.Forecaster{}, found.Forecasters...),
				})
			default:
				printCalibration(c.Out, found)
			}
			return nil
		})
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a ladder")
	return cmd
}

type calibrationJSON struct {
	Ladder      string                  `json:"ladder"`
	Matches     int                     `json:"matches"`
	Judged      int                     `json:"judged"`
	Comparisons int                     `json:"comparisons"`
	Fits        int                     `json:"fits"`
	Forecasters []tournament.Forecaster `json:"forecasters"`
}

func printCalibration(w io.Writer, x tournament.Calibration) {
	if len(x.Forecasters) == 0 {
		fmt.Fprintf(w, "%s: no forecasts to judge in %d rated matches; the first 20 are not judged\n", x.LadderID, x.Matches)
		return
	}
	bins := printer.NewTable("forecast by", "chance of the favourite", "matches", "given", "won [95 %]", "")
	bins.SetTitle("%s: %d of %d rated matches forecast, by %d fits", x.LadderID, x.Judged, x.Matches, x.Fits)
	scores := printer.NewTable("forecast by", "Brier score", "behind the fit", "bits", "behind the fit")
	for _, f := range x.Forecasters {
		for _, b := range f.Bins {
			forecastLine(bins, f.Name, fmt.Sprintf("%.0f–%.0f %%", 100*b.From, 100*b.To), b)
		}
		if f.All != nil {
			forecastLine(bins, f.Name, "all", *f.All)
			bins.AppendSeparator()
		}
		scores.Row(f.Name, fmt.Sprintf("%.4f", f.Brier), mean(f.BrierBehind), fmt.Sprintf("%.4f", f.Bits), mean(f.BitsBehind))
	}
	fmt.Fprintf(w, "%s\n%s\n", bins.Render(), scores.Render())
}

func forecastLine(bins printer.Table, name, chance string, b tournament.ForecastBin) {
	off := ""
	if b.Chance < b.Won.Low || b.Chance > b.Won.High {
		off = "off"
	}
	bins.Row(name, chance, fmt.Sprintf("%.0f", b.Matches), fmt.Sprintf("%.1f %%", 100*b.Chance), tournament.Interval("%.1f", 100*b.Won.Value, 100*b.Won.Low, 100*b.Won.High), off)
}

func mean(m tournament.Mean) string { return tournament.Interval("%.4f", m.Value, m.Low, m.High) }
