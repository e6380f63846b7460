package jobs_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/jobs"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

func TestALadderIsRefittedAfterItsResults(t *testing.T) {
	var first tournament.LadderFit
	for _, workers := range []int{1, 3} {
		storetest.Each(t, func(t *testing.T, open storetest.Open) {
			w := newWorld(t, open)
			tour := w.tournament(5, `{"steps":2}`)
			for range workers {
				c := w.config(newBots())
				c.Store, c.Refit = open(store.Options{}), 100*time.Millisecond
				c.Director = directortest.New(c.Store)
				w.run(c)
			}
			w.until("the end of the tournament", w.finished(tour.ID))
			w.Must(w.CheckRatings(w.Ctx, storetest.Toy))
			got := w.fitted()
			want := must.Get(jobs.FitLadder(w.Ctx, w.Director, storetest.Engines, storetest.Toy))(w.T)
			if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(tournament.LadderFit{}, "Took", "FittedAt")); diff != "" || got.FittedAt.IsZero() || got.Took <= 0 {
				t.Errorf("at %v in %v (-fitted by hand +stored)\n%s", got.FittedAt, got.Took, diff)
			}
			if got.Matches != 20 || got.Blocks != 10 {
				t.Errorf("got %d matches in %d blocks, want 20 in 10", got.Matches, got.Blocks)
			}
			if len(got.Rows) != 5 || len(got.Advantages) != 2 || got.Teams != nil {
				t.Errorf("got %+v; want 5 rows, 2 seats, no teams", got)
			}
			for i := range got.Rows {
				got.Rows[i].BotID, got.Rows[i].VersionID = "", ""
			}
			if first.Rows == nil {
				first = got
			}
			directortest.Alike(t, fmt.Sprintf("%d workers", workers), first, got, cmpopts.IgnoreFields(tournament.LadderFit{}, "Took", "FittedAt"))
		})
	}
}

// A worker that stops leaves no ladder without a fit for as long as it would have rested.
func TestAFitThatAStoppingWorkerHadIsForOthersAtOnce(t *testing.T) {
	for _, while := range []string{"it reads", "it fits"} {
		t.Run(while, func(t *testing.T) {
			t.Parallel()
			storetest.SQLite(t, func(t *testing.T, open storetest.Open) {
				w := newWorld(t, open)
				_, list := w.Running(3, nil)
				w.PlayAll(list)
				ctx, stop := context.WithCancel(w.Ctx)
				c := w.config(newBots())
				c.Store = open(store.Options{Query: func(sql string) {
					if strings.HasPrefix(sql, "UPDATE ladders SET fit_after_ms") && while == "it reads" {
						stop()
					}
				}})
				c.Director = directortest.New(c.Store)
				c.Engines = func(id string) (game.Engine, bool) {
					if while == "it fits" {
						stop()
					}
					return storetest.Engines(id)
				}
				w.Must(jobs.Run(ctx, c))
				f := must.Get(w.Fit(w.Ctx, storetest.Toy))(w.T)
				due := must.Get(w.Store.DueFits(w.Ctx))(w.T)
				if f.ToSeq == 0 && len(due) == 0 {
					t.Error("there is no fit, and nobody is to make one")
				}
			})
		})
	}
}

// fitted waits for a fit of all results, and returns it.
func (w *world) fitted() (f tournament.LadderFit) {
	w.T.Helper()
	w.until("a fit of all results", func() bool {
		l := must.Get(w.Ladder(w.Ctx, storetest.Toy))(w.T)
		f = must.Get(w.Fit(w.Ctx, storetest.Toy))(w.T)
		return f.ToSeq == l.LastSeq
	})
	return f
}

// agentsWon ends a match at a table of four whose first seat was the mole's: every third is won by it, the others by the agents.
func (w *world) agentsWon(m tournament.Match, i int) runner.Outcome {
	w.T.Helper()
	o := directortest.Won(m, 0)
	o.Result.Team, o.Result.Points = []string{"mole", "agent", "agent", "agent"}, []float64{0, 0, 0, 0}
	if i%3 > 0 {
		o.Result.Rank = []int{2, 1, 1, 1}
	}
	o.Rank = o.Result.Rank
	w.Must(w.Finish(w.Ctx, w.Take(m), o, nil))
	return o
}

// fours returns the matches of six bots, each of an owner of its own, at tables of four with hidden teams.
func (w *world) fours() []tournament.Match {
	w.T.Helper()
	_, list := w.Running(6, func(t *tournament.Tournament) {
		t.Game, t.Table, t.Cycles, t.Capacity = storetest.ToyTeams, 4, 3, 6
	})
	return list
}

// The same matches, given to package fit by hand and to the platform as results.
func TestAFitOfTeamsKnowsRolesAndTheAdvantageOfATeam(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		list := w.fours()
		at := map[string]int{}
		h := must.Get(fit.New(6, nil, fit.HiddenTeams()))(w.T)
		for i, m := range list {
			o := w.agentsWon(m, i)
			x := fit.Match{}
			for seat, s := range m.Seats {
				if _, known := at[s.VersionID]; !known {
					at[s.VersionID] = len(at)
				}
				x.Seats = append(x.Seats, rating.Seat{Player: at[s.VersionID], Rank: o.Rank[seat], Team: o.Result.Team[seat]})
			}
			w.Must(h.Add(x))
		}
		want := must.Get(h.Fit())(w.T)
		got := must.Get(jobs.FitLadder(w.Ctx, w.Director, storetest.Engines, storetest.ToyTeams))(w.T)
		if !cmp.Equal(got.Teams, []string{"agent", "mole"}) || len(got.Advantages) != 1 || len(got.Rows) != len(at) {
			t.Fatalf("got %+v; want the agents' advantage and %d versions", got, len(at))
		}
		a, sat := got.Advantages[0], want.Team[4]
		if a.Seats != 4 || a.Team != "agent" || math.Abs(a.Elo-sat.Elo) > .001 || math.Abs(a.SE-sat.SE) > .001 {
			t.Errorf("got %+v, want the agents' advantage at four seats, %+v", a, sat)
		}
		for i, r := range got.Rows {
			p := want.Players[at[r.VersionID]]
			if i > 0 && r.Elo > got.Rows[i-1].Elo {
				t.Errorf("row %d is stronger than the one before", i)
			}
			for k, role := range r.Roles {
				w := tournament.Estimate(p.Roles[k])
				directortest.Alike(t, fmt.Sprintf("version %s as %s", r.VersionID, got.Teams[k]), w, role, cmpopts.EquateApprox(0, .001))
			}
			if r.Best != p.Best || r.Worst != p.Worst || r.Matches != p.Games {
				t.Errorf("version %s: got %+v, want %+v", r.VersionID, r, p)
			}
		}
	})
}

// A line whose bot retires while no fit is due: a worker that looks takes it out of the ranking.
func TestAWorkerPutsLinesIntoTheirClasses(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		tour := w.tournament(3, `{"steps":2}`)
		c := w.config(newBots())
		c.Store, c.Refit = open(store.Options{}), 100*time.Millisecond
		c.Director = directortest.New(c.Store)
		w.run(c)
		w.until("the end of the tournament", w.finished(tour.ID))
		w.fitted()
		bot := w.matches(tour.ID)[0].Seats[0].BotID
		w.Did(w.RetireBot(w.Ctx, bot, "enough"))
		other := w.config(newBots())
		other.Store = open(store.Options{})
		other.Director = directortest.New(other.Store)
		w.run(other) // it looks when it starts, and then every half minute
		w.until("the line in its class", func() bool {
			rows := must.First(w.LadderRows(w.Ctx, storetest.Toy, store.Page{}))(w.T)
			for _, r := range rows {
				if r.BotID == bot {
					return r.Class == tournament.LineReplaced
				}
			}
			return false
		})
	})
}
