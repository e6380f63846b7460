package jobs_test

import (
	"math"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/jobs"
	"github.com/molerun/molerun/tournament/rating"
)

// The points of record stay as they are; beside them stand those without the luck of the deals, once the ladder has a fit.
func TestStandingsOfHiddenTeamsTellPointsWithoutLuck(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		list := w.fours()
		var blocks [][]rating.TeamGame
		at := map[string]int{}
		var versions []string
		for i, m := range list {
			o := w.agentsWon(m, i)
			points := []float64{1, 0, 0, 0}
			if o.Rank[0] > 1 {
				points = []float64{0, 1, 1, 1}
			}
			g := rating.TeamGame{Team: o.Result.Team, Points: points}
			for _, s := range m.Seats {
				if _, known := at[s.VersionID]; !known {
					at[s.VersionID] = len(at)
					versions = append(versions, s.VersionID)
				}
				g.Seats = append(g.Seats, at[s.VersionID])
			}
			blocks = append(blocks, []rating.TeamGame{g})
		}
		lines := func() []tournament.Standing {
			return must.Get(w.Standings(w.Ctx, list[0].TournamentID))(w.T)
		}
		before := lines()
		for _, l := range before {
			if l.Adjusted != nil {
				t.Errorf("%s: without a fit adjusted to %+v", l.Bot, l.Adjusted)
			}
		}
		f := must.Get(jobs.FitLadder(w.Ctx, w.Director, storetest.Engines, storetest.ToyTeams))(w.T)
		w.Must(w.SaveFit(w.Ctx, f, 0))
		for _, l := range lines() {
			if l.Adjusted != nil {
				t.Errorf("%s: by a fit of the event alone adjusted to %+v", l.Bot, l.Adjusted)
			}
		}
		f.Matches = 4 * len(list) // as if of a ladder with more
		w.Must(w.SaveFit(w.Ctx, f, 0))
		strengths, known := rating.StrengthsOf(f, versions)
		if !known {
			t.Fatal("the fit knows of no teams")
		}
		lucks := rating.Lucks(len(versions), strengths.Deals(blocks))
		moved := 0.0
		for i, l := range lines() {
			luck := lucks[at[l.VersionID]]
			if l.Adjusted == nil || luck == nil {
				t.Fatalf("%s: adjusted to %+v, by hand %+v; want both", l.Bot, l.Adjusted, luck)
			}
			if math.Abs(l.Adjusted.Value-(l.Points-luck.Points)) > .01 {
				t.Errorf("%s: %v points, adjusted to %v, the luck was %v", l.Bot, l.Points, l.Adjusted.Value, luck.Points)
			}
			if math.Abs((l.Adjusted.High-l.Adjusted.Low)/2-luck.Half) > .01 {
				t.Errorf("%s: the interval of %+v, want half of it %v", l.Bot, l.Adjusted, luck.Half)
			}
			if l.Bot != before[i].Bot || l.Points != before[i].Points || l.Rank != before[i].Rank {
				t.Errorf("line %d is of %s with %v points, before the fit of %s with %v", i, l.Bot, l.Points, before[i].Bot, before[i].Points)
			}
			moved = max(moved, math.Abs(luck.Points))
		}
		if moved < .02 { // twice what rounding may hide
			t.Errorf("no luck above %v points; want some", moved)
		}
		board := must.Get(w.Scoreboard(w.Ctx, list[0].TournamentID))(w.T)
		cellsFollow(t, board, at, rating.PairLucks(strengths.Deals(blocks)))
	})
}

// cellsFollow wants the cells of a crosstable to be without the lucks of pairs, where two bots have shared four blocks.
func cellsFollow(t *testing.T, board director.Scoreboard, at map[string]int, pairs map[rating.Pair]*rating.Luck) {
	t.Helper()
	cross, err := board.Crosstable()
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, line := range cross {
		for k, x := range line.Cells {
			luck := pairs[rating.Pair{Entry: at[line.Entry.VersionID], Other: at[cross[k].Entry.VersionID]}]
			if (luck == nil || x.Blocks == 0) != (x.Adjusted == nil) || x.Blocks >= 4 && luck == nil {
				t.Fatalf("%s against %s: %+v, by hand %+v", line.Entry.BotName, cross[k].Entry.BotName, x, luck)
			}
			if x.Adjusted == nil {
				continue
			}
			told++
			games := float64(x.Shared)
			if math.Abs(x.Adjusted.Value-(x.Level-luck.Points/games)) > 1e-5 || math.Abs((x.Adjusted.High-x.Adjusted.Low)/2-luck.Half/games) > 1e-5 {
				t.Errorf("%s against %s: %+v adjusted to %+v, by hand %+v", line.Entry.BotName, cross[k].Entry.BotName, x, x.Adjusted, luck)
			}
		}
	}
	if told == 0 {
		t.Error("no cell is told without luck")
	}
}
