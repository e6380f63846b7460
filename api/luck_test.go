package api_test

import (
	"math"
	"strings"
	"testing"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/jobs"
)

func TestPointsWithoutLuckAreShownBesideThoseOfRecord(t *testing.T) {
	onOne(t, func(w *world) {
		cup, _ := w.played(func(x *tournament.Tournament) { x.Cycles = 4 }, owner, other)
		path := "/v1/tournaments/" + cup.ID
		f, err := jobs.FitLadder(t.Context(), w.director, func(string) (game.Engine, bool) { return game.Wrap(masks{}), true }, "masks")
		must.OK(t, err)
		f.Teams, f.Matches = []string{"even", "odd"}, 100
		f.Advantages = []tournament.Advantage{{Seats: 2, Team: "even", Estimate: tournament.Normal(100, 5)}}
		for i := range f.Rows {
			f.Rows[i].Roles = []tournament.Estimate{f.Rows[i].Estimate, f.Rows[i].Estimate}
		}
		holds(t, "no column without such a fit", !strings.Contains(string(w.get(anon, "/tournaments/"+cup.ID).want(200, "").body), "ithout luck"))
		holds(t, "no share without such a fit", !strings.Contains(string(w.get(anon, path+"/crosstable").want(200, "").body), "adjusted"))
		must.OK(t, w.store.SaveFit(t.Context(), f, 0))
		lines := into[wire.Page[tournament.Standing]](w.get(anon, path+"/standings").want(200, "")).Data
		same(t, "lines", len(lines), 2)
		for _, l := range lines {
			if l.Adjusted == nil {
				t.Fatalf("%s has no adjusted points", l.Bot)
			}
			holds(t, "the interval is about the points", l.Adjusted.Low < l.Adjusted.Value && l.Adjusted.Value < l.Adjusted.High)
		}
		body := string(w.get(anon, "/tournaments/"+cup.ID).want(200, "").body)
		same(t, "columns on the page", strings.Count(body, `<th scope="col">Without luck</th>`), 1)
		sheet := string(w.get(anon, path+"/export").want(200, "").body)
		holds(t, "the export has the columns", strings.Contains(strings.SplitN(sheet, "\n", 2)[0], "since_round,adjusted_points,adjusted_low,adjusted_high,"))
		rows := into[wire.Page[wire.CrosstableRow]](w.get(anon, path+"/crosstable").want(200, "")).Data
		for i, r := range rows { // of two bots, so the cell is the whole line
			x := r.Cells[0]
			if x.Adjusted == nil {
				t.Fatalf("%s against %s has no adjusted share", r.Bot, x.Bot)
			}
			games := float64(x.Games)
			holds(t, "the games make the points without luck", math.Abs(x.Adjusted.Value*games-lines[i].Adjusted.Value) < .01)
			holds(t, "and the bound of its interval", math.Abs(x.Adjusted.Low*games-lines[i].Adjusted.Low) < .01)
		}
		same(t, "shares without luck on the page", strings.Count(body, `<span class="pm">without luck `), 2)
		cells := strings.Split(strings.TrimSpace(string(w.get(anon, path+"/export?table=crosstable").want(200, "").body)), "\n")
		same(t, "columns of the crosstable", strings.TrimSpace(cells[0]), "rank,bot,opponent,blocks,games,share,low,high,adjusted_share,adjusted_low,adjusted_high")
		same(t, "commas in its first line", strings.Count(cells[1], ","), 10)
	})
}
