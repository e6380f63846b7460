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
		empty := into[wire.LadderFit](w.get(anon, "/v1/ladders/masks/fit").want(200, ""))
		if empty.FittedAt != nil || len(empty.Versions) != 0 || empty.Ladder != "masks" {
			t.Errorf("before the first: got %+v", empty)
		}
		if p := w.do(admin, "POST", "/v1/ladders/masks/seasons", nil).want(409, "wrong_state"); !strings.Contains(string(p.body), "no fit yet") {
			t.Errorf("a season before the first fit: got %s", p.body)
		}
		for _, m := range list {
			w.play(m, 100)
		}
		f := w.fitted()
		got := into[wire.LadderFit](w.get(anon, "/v1/ladders/masks/fit").want(200, ""))
		same(t, "got.Matches", got.Matches, len(list))
		same(t, "got.Rated", got.Rated, int64(len(list)))
		same(t, "len(got.Versions)", len(got.Versions), 2)
		if len(got.Advantages) != 3 {
			t.Fatalf("got %+v, want a fit of %d matches of 2 versions", got, len(list))
		}
		same(t, "*got.Advantages[1].Seat", *got.Advantages[1].Seat, 1)
		holds(t, "got.Advantages[2].Seat == nil", got.Advantages[2].Seat == nil)
		same(t, "got.Advantages[2].PlusMinus", got.Advantages[2].PlusMinus, 9.8)
		holds(t, "got.FittedAt != nil", got.FittedAt != nil)
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
		began := into[wire.Season](w.do(admin, "POST", "/v1/ladders/masks/seasons", nil).want(201, ""))
		seasons := into[wire.Page[wire.Season]](w.get(anon, "/v1/ladders/masks/seasons").want(200, "")).Data
		same(t, "began.Number", began.Number, 2)
		same(t, "began.FromSeq", began.FromSeq, int64(len(list))+1)
		if len(began.Advantages) != 3 {
			t.Fatalf("got %+v among %+v, want the second, from place %d on", began, seasons, len(list)+1)
		}
		same(t, "began.Advantages[0].Elo", began.Advantages[0].Elo, 12.345)
		if len(seasons) != 2 {
			t.Fatalf("got %+v among %+v, want the second, from place %d on", began, seasons, len(list)+1)
		}
		same(t, "seasons[0].Number", seasons[0].Number, 1)
		if l := into[wire.Ladder](w.get(anon, "/v1/ladders/masks").want(200, "")); l.Season != 2 {
			t.Errorf("got %+v, want season 2", l)
		}
		w.do(admin, "POST", "/v1/ladders/masks/seasons", nil).want(409, "wrong_state")
	})
}
