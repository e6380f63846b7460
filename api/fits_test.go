package api_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/jobs"
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
		says(t, string(w.do(admin, "POST", "/v1/ladders/masks/seasons", nil).want(409, "wrong_state").body), "no fit yet")
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
