package platform

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/cli/process"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/jobs"
	"github.com/molerun/molerun/tournament/store"
)

func ratingsCommand(c command.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use: "ratings", Short: "Check the ratings of a platform against its results, fit them, and judge their forecasts",
	}
	cmd.AddCommand(ratingsReplayCommand(c), ratingsFitCommand(c), ratingsCalibrationCommand(c))
	return cmd
}

// onLadders makes a command of cmd that does something with the ladder of an id, or with every ladder if it is "".
func onLadders(cmd *cobra.Command, do func(ctx context.Context, db *store.Store, id string) error) {
	id := ""
	onStore(cmd, func(ctx context.Context, db *store.Store, _ []string) error { return do(ctx, db, id) })
	cmd.Flags().StringVar(&id, "ladder", "", "id of one ladder (all)")
}

// eachLadder does one thing for the ladder of that id, or for every ladder if it is "". One that fails holds up no other.
func eachLadder(ctx context.Context, db *store.Store, id string, do func(l tournament.Ladder) error) error {
	var ladders []tournament.Ladder
	var err error
	if id == "" {
		ladders, err = db.Ladders(ctx)
	} else {
		var l tournament.Ladder
		l, err = db.Ladder(ctx, id)
		ladders = append(ladders, l)
	}
	if err != nil {
		return err
	}
	for _, l := range ladders {
		err = errors.Join(err, do(l))
	}
	return err
}

func ratingsReplayCommand(c command.Console) *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use: "replay", Short: "Rate every result again, from the first",
		Long: "Folds the results of the ladders in schedule order from nothing, with the advantages of each season, and prints the table that comes\n" +
			"of it, as CSV; of what is stored as ratings only the rule of K is looked at. With --check it compares instead: one line a ladder, ok or what differs\n" +
			"first, and exit code 1 if any ladder differs. Nothing is changed. Safe while the platform runs; rating waits meanwhile.",
		Example: "  molerun ratings replay --check\n  molerun ratings replay --ladder molehill > molehill.csv",
	}
	onLadders(cmd, func(ctx context.Context, db *store.Store, id string) error {
		if check {
			return checkLadders(ctx, c, db, id)
		}
		w := csv.NewWriter(c.Out)
		_ = w.Write([]string{"ladder", "version_id", "bot_id", "rating", "matches", "last_seq"}) // Flush keeps the error
		err := eachLadder(ctx, db, id, func(l tournament.Ladder) error {
			end := printer.New(c, false).During("rating " + l.ID)
			rows, err := process.NewDirector(db).ReplayRatings(ctx, l.ID)
			end()
			for _, r := range rows {
				_ = w.Write([]string{r.LadderID, r.VersionID, r.BotID, fmt.Sprintf("%.3f", float64(r.Milli)/1000), strconv.Itoa(r.Games), strconv.FormatInt(r.LastSeq, 10)})
			}
			return err
		})
		w.Flush()
		return errors.Join(err, w.Error())
	})
	cmd.Flags().BoolVar(&check, "check", false, "compare with the stored ratings instead")
	return cmd
}

// checkLadders folds the results of the ladder of that id, or of every ladder if it is "", and tells of each.
func checkLadders(ctx context.Context, c command.Console, db *store.Store, id string) error {
	bad := 0
	err := eachLadder(ctx, db, id, func(l tournament.Ladder) error {
		end := printer.New(c, false).During("rating " + l.ID)
		err := process.NewDirector(db).CheckRatings(ctx, l.ID)
		end()
		switch {
		case errors.Is(err, director.ErrRatings):
			bad++
			fmt.Fprintf(c.Out, "FAIL ladder %s: %v\n", l.ID, err)
		case err != nil:
			return fmt.Errorf("ladder %s: %w", l.ID, err)
		default:
			fmt.Fprintf(c.Out, "ok   ladder %s: the ratings are the fold of %d places in schedule order; season %d\n", l.ID, l.NextSeq-1, l.Season)
		}
		return nil
	})
	if bad > 0 {
		err = errors.Join(err, fmt.Errorf("the ratings of %d ladders do not follow from their results", bad))
	}
	return err
}

func ratingsFitCommand(c command.Console) *cobra.Command {
	var asJSON, asCSV bool
	cmd := &cobra.Command{
		Use: "fit", Short: "Fit strengths to all results of the ladders at once",
		Long: "Finds the strengths, and the advantages of seats or teams at each table size, that make all rated matches of a ladder likeliest, with 95 %\n" +
			"intervals; 1500 is the mean of all versions that have played. A rank is from–to: below those surely stronger, above those surely weaker.\n" +
			"A ladder without rated matches is passed over. Nothing is stored: serve and work do that by themselves.",
		Example: "  molerun ratings fit --ladder demol\n  molerun ratings fit --json | jq .",
	}
	onLadders(cmd, func(ctx context.Context, db *store.Store, id string) error {
		t, w := printer.New(c, asJSON), csv.NewWriter(c.Out)
		if asCSV {
			_ = w.Write(fitHeader) // Flush keeps the error
		}
		err := eachLadder(ctx, db, id, func(l tournament.Ladder) error {
			end := t.During("fitting " + l.ID)
			f, err := jobs.FitLadder(ctx, process.NewDirector(db), catalog.Find, l.ID)
			end()
			switch {
			case err != nil || f.Matches == 0:
				return err
			case asCSV:
				csvFit(w, f)
			case asJSON:
				t.Event(jsonFit(f))
			default:
				printFit(c.Out, f)
			}
			return nil
		})
		w.Flush()
		return errors.Join(err, w.Error())
	})
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "one JSON object a ladder")
	f.BoolVar(&asCSV, "csv", false, "CSV: versions, then advantages")
	return checked(cmd, func() error {
		if asJSON && asCSV {
			return fmt.Errorf("%w: --json and --csv: choose one", command.ErrUsage)
		}
		return nil
	})
}

// estimate writes an estimate with its 95 % interval.
func estimate(e tournament.Estimate) string {
	return tournament.Interval("%.1f", e.Elo, e.Low, e.High)
}

// place names what an advantage is of.
func place(a tournament.Advantage) string {
	if a.Team != "" {
		return fmt.Sprintf("%s at %d seats", a.Team, a.Seats)
	}
	return fmt.Sprintf("seat %d of %d", a.Seat, a.Seats)
}

func provisional(r tournament.FitRow) bool {
	return r.Matches < tournament.ProvisionalGames || r.Half() > tournament.ProvisionalHalf
}

func printFit(w io.Writer, f tournament.LadderFit) {
	head := []string{"rank", "bot", "version", "Elo [95 %]"}
	for _, team := range f.Teams {
		head = append(head, "as "+team)
	}
	t := printer.NewTable(append(head, "matches", "")...)
	t.SetTitle("%s: fit of %s, %d of them independent", f.LadderID, game.Plural(f.Matches, "match"), f.Blocks)
	for _, r := range f.Rows {
		line := []any{printer.Ranks(r.Best, r.Worst), r.Bot, r.Number, estimate(r.Estimate)}
		for _, role := range r.Roles {
			line = append(line, estimate(role))
		}
		mark := ""
		if provisional(r) {
			mark = "provisional"
		}
		if r.Island > 1 {
			mark += fmt.Sprintf(" island %d", r.Island)
		}
		t.Row(append(line, r.Matches, mark)...)
	}
	fmt.Fprintln(w, t.Render())
	t = printer.NewTable("advantage of", "Elo [95 %]")
	for _, a := range f.Advantages {
		t.Row(place(a), estimate(a.Estimate))
	}
	if len(f.Advantages) > 0 {
		fmt.Fprintln(w, t.Render())
	}
}

var fitHeader = []string{"ladder", "what", "version_id", "matches", "elo", "se", "low", "high", "rank_from", "rank_to", "first_team_elo", "first_team_se", "second_team_elo", "second_team_se"}

func csvFit(w *csv.Writer, f tournament.LadderFit) {
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', 3, 64) }
	line := func(what, version, matches string, e tournament.Estimate, more ...string) {
		cells := append([]string{f.LadderID, what, version, matches, number(e.Elo), number(e.SE), number(e.Low), number(e.High)}, more...)
		_ = w.Write(append(cells, make([]string, len(fitHeader)-len(cells))...)) // Flush keeps the error
	}
	for _, r := range f.Rows {
		more := []string{strconv.Itoa(r.Best), strconv.Itoa(r.Worst)}
		for _, role := range r.Roles {
			more = append(more, number(role.Elo), number(role.SE))
		}
		line(httpx.Cell(r.Bot), r.VersionID, strconv.Itoa(r.Matches), r.Estimate, more...)
	}
	for _, a := range f.Advantages {
		line(place(a), "", "", a.Estimate)
	}
}

// The fit as JSON; every strength has its 95 % interval beside it.
type (
	fitJSON struct {
		Ladder     string          `json:"ladder"`
		Matches    int             `json:"matches"`
		Blocks     int             `json:"blocks"`
		Versions   []versionJSON   `json:"versions"`
		Advantages []advantageJSON `json:"advantages"`
	}
	versionJSON struct {
		Bot       string `json:"bot"`
		Version   int    `json:"version"`
		VersionID string `json:"version_id"`
		Matches   int    `json:"matches"`
		tournament.Estimate
		RankFrom    int                            `json:"rank_from"`
		RankTo      int                            `json:"rank_to"`
		Roles       map[string]tournament.Estimate `json:"roles,omitempty"`
		Island      int                            `json:"island"`
		Provisional bool                           `json:"provisional"`
	}
	advantageJSON struct {
		Seats int    `json:"table_size"`
		Team  string `json:"team,omitempty"`
		Seat  *int   `json:"seat,omitempty"`
		tournament.Estimate
	}
)

func jsonFit(f tournament.LadderFit) fitJSON {
	out := fitJSON{Ladder: f.LadderID, Matches: f.Matches, Blocks: f.Blocks, Versions: []versionJSON{}, Advantages: []advantageJSON{}}
	for _, r := range f.Rows {
		v := versionJSON{
			Bot: r.Bot, Version: r.Number, VersionID: r.VersionID, Matches: r.Matches, Estimate: r.Estimate,
			RankFrom: r.Best, RankTo: r.Worst, Island: r.Island, Provisional: provisional(r),
		}
		for k, role := range r.Roles {
			if v.Roles == nil {
				v.Roles = map[string]tournament.Estimate{}
			}
			v.Roles[f.Teams[k]] = role
		}
		out.Versions = append(out.Versions, v)
	}
	for _, a := range f.Advantages {
		x := advantageJSON{Seats: a.Seats, Team: a.Team, Estimate: a.Estimate}
		if a.Team == "" {
			x.Seat = new(a.Seat)
		}
		out.Advantages = append(out.Advantages, x)
	}
	return out
}
