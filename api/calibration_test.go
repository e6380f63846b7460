package api_test

import (
	"math"
	"strings"
	"testing"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/calibration"
	"github.com/molerun/molerun/tournament/rating/fit"
)

func TestAnybodySeesWhetherForecastsCameTrue(t *testing.T) {
	onOne(t, func(w *world) {
		w.started(func(*tournament.Tournament) {}, owner, other)
		w.get(anon, "/v1/ladders/masks/calibration").want(200, "").has("made_at", nil, "forecasters/#", 0, "ladder", "masks")
		says(t, string(w.get(anon, "/ladders/masks/calibration").want(200, "").body), "There are no forecasts to judge yet")
		says(t, string(w.get(anon, "/ladders/masks").want(200, "").body), `href="/ladders/masks/calibration"`)
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
