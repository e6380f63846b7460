package api_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/jobs"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/calibration"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// fitted stores the fit of the ladder of masks as it stands, with advantages that no match has shown.
func (w *world) fitted() tournament.LadderFit {
	w.t.Helper()
	f, err := jobs.FitLadder(w.t.Context(), w.director, func(string) (game.Engine, bool) { return game.Wrap(masks{}), true }, "masks")
	f.Advantages = []tournament.Advantage{
		{Seats: 2, Seat: 0, Estimate: tournament.Normal(12.345, 5)},
		{Seats: 2, Seat: 1, Estimate: tournament.Normal(-12.345, 5)},
		{Seats: 3, Team: "agent", Estimate: tournament.Normal(7, 5)},
	}
	if err == nil {
		err = w.store.SaveFit(w.t.Context(), f, 0)
	}
	must.OK(w.t, err)
	return f
}

func TestTheFitStandsBesideTheLadder(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.get(anon, "/v1/ladders/masks/fit").want(200, "").has("fitted_at", nil, "versions/#", 0, "ladder", "masks")
		must.Say(t, string(w.do(admin, "POST", "/v1/ladders/masks/seasons", nil).want(409, "wrong_state").body), "no fit yet")
		for _, m := range list {
			w.play(m, 100)
		}
		f := w.fitted()
		fit := w.get(anon, "/v1/ladders/masks/fit").want(200, "")
		fit.has("matches", len(list), "matches_seen", len(list), "versions/#", 2, "advantages/#", 3, "fitted_at", some{})
		fit.has("advantages/1/seat", 1, "advantages/2/seat", nil, "advantages/2/plus_minus", 9.8)
		got := into[wire.LadderFit](fit)
		rows := into[wire.Page[wire.LadderEntry]](w.get(anon, "/v1/ladders/masks/entries").want(200, "")).Data
		for i, v := range got.Versions {
			want := f.Rows[i]
			if math.Abs(v.Low-want.Low) > .05 || math.Abs(v.High-want.High) > .05 {
				t.Errorf("version %d: got the interval %v to %v, want %v to %v", i, v.Low, v.High, want.Low, want.High)
			}
			same(t, fmt.Sprintf("row %d: v.VersionID", i), v.VersionID, want.VersionID)
			holds(t, fmt.Sprintf("row %d: v.Rating-want.Elo <= .05", i), v.Rating-want.Elo <= .05)
			holds(t, fmt.Sprintf("row %d: want.Elo-v.Rating <= .05", i), want.Elo-v.Rating <= .05)
			holds(t, fmt.Sprintf("row %d: v.PlusMinus is half the interval", i), math.Abs(v.PlusMinus-want.Half()) <= .05)
			same(t, fmt.Sprintf("row %d: v.RankFrom", i), v.RankFrom, want.Best)
			same(t, fmt.Sprintf("row %d: v.RankTo", i), v.RankTo, want.Worst)
			holds(t, fmt.Sprintf("row %d: v.Bot != \"\"", i), v.Bot != "")
			for _, r := range rows {
				if r.VersionID == v.VersionID && (r.Fit == nil || *r.Fit != v.FitColumns || !r.Provisional) {
					t.Errorf("on the ladder: got %+v, want %+v and provisional", r, v.FitColumns)
				}
			}
		}
		began := w.do(admin, "POST", "/v1/ladders/masks/seasons", nil).want(201, "")
		began.has("season", 2, "from_seq", len(list)+1, "advantages/#", 3, "advantages/0/elo", 12.345)
		w.get(anon, "/v1/ladders/masks/seasons").want(200, "").has("data/#", 2, "data/0/season", 1)
		w.get(anon, "/v1/ladders/masks").want(200, "").has("season", 2)
		w.do(admin, "POST", "/v1/ladders/masks/seasons", nil).want(409, "wrong_state")
	})
}

func TestAnybodySeesWhetherForecastsCameTrue(t *testing.T) {
	onOne(t, func(w *world) {
		w.started(func(*tournament.Tournament) {}, owner, other)
		w.get(anon, "/v1/ladders/masks/calibration").want(200, "").has("made_at", nil, "forecasters/#", 0, "ladder", "masks")
		must.Say(t, string(w.get(anon, "/ladders/masks/calibration").want(200, "").body), "There are no forecasts to judge yet")
		must.Say(t, string(w.get(anon, "/ladders/masks").want(200, "").body), `href="/ladders/masks/calibration"`)
		w.get(anon, "/v1/ladders/nothing/calibration").want(404, "not_found")
		w.get(anon, "/ladders/nothing/calibration").want(404, "")

		want := judged(t)
		must.OK(t, w.store.SaveCalibration(t.Context(), want, 0))
		got := into[wire.Calibration](w.get(anon, "/v1/ladders/masks/calibration").want(200, ""))
		same(t, "got.Judged", got.Judged, want.Judged)
		same(t, "got.Rated", got.Rated, want.ToSeq)
		holds(t, "got.MadeAt is told", got.MadeAt != nil)
		same(t, "len(got.Forecasters)", len(got.Forecasters), 3)
		for i, f := range want.Forecasters {
			same(t, "name", got.Forecasters[i].Name, f.Name)
			same(t, f.Name+": Brier score", got.Forecasters[i].Brier, f.Brier)
			same(t, f.Name+": bits", got.Forecasters[i].Bits, f.Bits)
			same(t, f.Name+": bins", len(got.Forecasters[i].Bins), len(f.Bins))
			for k, b := range f.Bins {
				same(t, f.Name+": share that won", got.Forecasters[i].Bins[k].Won, b.Won)
			}
		}
		body := string(w.get(anon, "/ladders/masks/calibration").want(200, "").body)
		bins := len(want.Forecasters[0].Bins)
		same(t, "marks in the diagram", strings.Count(body, `class="dot"`), bins)
		same(t, "rows of the tables", strings.Count(body, `<tr><th scope="row">`), bins+1+len(want.Forecasters[1].Bins)+1+3)
		holds(t, "the coin is in the table", strings.Contains(body, "a coin"))
	})
}

// judged is the calibration of 200 games in which the first of two bots wins three of four.
func judged(t *testing.T) tournament.Calibration {
	t.Helper()
	l := calibration.Ladder{
		Parents: []int{-1, -1},
		Prior:   fit.Standard(),
		Params:  func(int) rating.Params { return rating.Params{} },
	}
	for i := range 200 {
		seats := []rating.Seat{{Player: 0, Rank: 1}, {Player: 1, Rank: 2}}
		if i%4 == 3 {
			seats[0].Rank, seats[1].Rank = 2, 1
		}
		l.Matches = append(l.Matches, fit.Match{Match: rating.Match{Seats: seats}})
	}
	c, err := calibration.Judge(t.Context(), l)
	must.OK(t, err)
	if all := c.Forecasters[0].All; math.Abs(all.Won.Value-.75) > .01 {
		t.Fatalf("the favourite won %v, want three of four", all.Won)
	}
	c.LadderID, c.ToSeq = "masks", 200
	return c
}

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
