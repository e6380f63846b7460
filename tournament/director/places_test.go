package director_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/migrations"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/store"
)

// shown returns the ratings of a ladder's lines by version, and their versions in the order of the page.
func (w *world) shown(ladder string) (of map[string]tournament.LadderRow, order []string) {
	w.T.Helper()
	rows := must.First(w.LadderRows(w.Ctx, ladder, store.Page{}))(w.T)
	of = map[string]tournament.LadderRow{}
	for _, r := range rows {
		of[r.VersionID] = r
		order = append(order, r.VersionID)
	}
	return of, order
}

// A line shows what the last fit gave it, and what the on-line rating has moved since the place up to which the fit has looked.
func TestALadderIsOrderedByTheFitAndCarriedByTheOnlineRating(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(3, nil)
		half := len(list) / 2
		w.PlayAll(list[:half])
		before, _ := w.shown(x.LadderID)
		f := w.fitted(w.ladder(x.LadderID)) // 1600 and a bit less for each: not in the order of the on-line ratings
		slices.Reverse(f.Rows)
		for _, m := range list[half:] {
			w.Must(w.Played(m, 0)) // while the fit was under way
		}
		w.Must(w.SaveFit(w.Ctx, f, 0))
		check := func(when string) {
			t.Helper()
			after, order := w.shown(x.LadderID)
			for _, r := range f.Rows {
				got, was := after[r.VersionID], before[r.VersionID]
				want := int64(1000*r.Elo) + got.OnlineMilli - was.OnlineMilli
				if got.Milli != want {
					t.Errorf("%s: %s shows %d, want %d: the fit's %v and what %d has moved to", when, got.Bot, got.Milli, want, r.Elo, was.OnlineMilli)
				}
			}
			if !slices.IsSortedFunc(order, func(a, b string) int { return int(after[b].Milli - after[a].Milli) }) {
				t.Errorf("%s: the lines are not in the order of their ratings", when)
			}
		}
		check("at the fit")
		y, more := w.Running(3, nil)
		w.PlayAll(more)
		check("later")
		w.Must(w.CheckRatings(w.Ctx, y.LadderID))
	})
}

// A new version begins with the rating that its parent's line shows; both a tournament and the ladder's matchmaking see what is shown.
func TestSeedsAndNewVersionsTakeTheRatingThatIsShown(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, bots := w.field(3, nil)
		w.toEnd(x)
		w.Must(w.SaveFit(w.Ctx, w.fitted(w.ladder(x.LadderID)), 0))
		two := w.Second(bots[0], storetest.Toy)
		w.Did(w.Promote(w.Ctx, bots[0].ID, two.ID))
		lines, _ := w.shown(x.LadderID)
		parent := lines[bots[0].VersionID]
		y := w.Plan(nil)
		for _, b := range bots {
			w.Did(w.Join(w.Ctx, y.ID, b.ID, b.OwnerID))
			w.Did(w.JoinLadder(w.Ctx, x.LadderID, b.ID, b.OwnerID, 10))
		}
		y = must.Get(w.Start(w.Ctx, y.ID))(w.T)
		var seeds []struct {
			BotID     string
			SeedMilli int64
		}
		w.Must(w.SQL(w.Ctx).Raw("SELECT bot_id, seed_milli FROM entries WHERE tournament_id = ?", y.ID).Scan(&seeds).Error)
		for _, s := range seeds {
			at := slices.IndexFunc(bots, func(b tournament.Bot) bool { return b.ID == s.BotID })
			if want := lines[bots[at].VersionID].Milli; s.SeedMilli != want {
				t.Errorf("%s is seeded with %d, want %d", bots[at].Name, s.SeedMilli, want)
			}
		}
		var ids []string
		for _, b := range bots[1:] {
			ids = append(ids, b.ID)
		}
		known := must.Get(w.Reader(w.Ctx).Introduced(w.ladder(x.LadderID), ids))(w.T)
		if len(known) != len(ids) {
			t.Errorf("the matchmaking knows %d bots, want %d", len(known), len(ids))
		}
		for _, e := range known {
			if e.Milli == nil || *e.Milli != lines[e.VersionID].Milli {
				t.Errorf("the matchmaking takes %s for %v, want %d", e.BotName, e.Milli, lines[e.VersionID].Milli)
			}
			if e.SE == nil || *e.SE != lines[e.VersionID].Fit.SE {
				t.Errorf("the matchmaking takes the error of %s for %v, want the fit's", e.BotName, e.SE)
			}
		}
		w.toEnd(y)
		lines, _ = w.shown(x.LadderID)
		events := must.First(w.RatingEvents(w.Ctx, store.RatingEventFilter{VersionID: two.ID}, store.Page{Sort: store.Oldest}))(w.T)
		child := lines[two.ID]
		if begun := child.Milli - (events[len(events)-1].AfterMilli - events[0].BeforeMilli); begun != parent.Milli {
			t.Errorf("the new version began at %d, want %d as its parent's line", begun, parent.Milli)
		}
	})
}

// What a program of the release before leaves, or a backup of it, is as the migration makes it: that statement, on lines without a place.
func TestLinesOfTheReleaseBeforeGetTheirPlaces(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, bots := w.field(5, nil)
		w.toEnd(x)
		w.Must(w.SQL(w.Ctx).Exec("UPDATE ratings SET games = 40, wins = 40, draws = 0, losses = 0").Error)
		w.Did(w.RetireBot(w.Ctx, bots[1].ID, "enough"))
		w.Must(w.SaveFit(w.Ctx, w.fitted(w.ladder(x.LadderID)), 0))
		want, order := w.shown(x.LadderID)
		w.Must(w.SQL(w.Ctx).Exec("UPDATE ratings SET class = 1, offset_milli = 0").Error)
		updates := must.Get(migrations.Updates(22))(w.T)
		w.Must(w.SQL(w.Ctx).Exec(updates[0]).Error)
		got, again := w.shown(x.LadderID)
		directortest.Alike(t, "by the migration", want, got)
		directortest.Alike(t, "in another order", order, again)
	})
}

// ratedByTheReleaseBefore rewrites all that a ladder's matches have changed as a program would have that knows the first rule of K alone.
func (w *world) ratedByTheReleaseBefore(ladder string) {
	w.T.Helper()
	h := must.Get(w.History(w.Ctx, ladder))(w.T)
	states := make([]rating.State, len(h.Versions))
	for i := range states {
		states[i] = rating.New()
	}
	for i, m := range h.Matches {
		for _, d := range must.Get(rating.Rate(m.Match, states, rating.Params{Rule: rating.FirstRule}))(w.T) {
			states[d.Player] = d.After
			version := h.Versions[d.Player].VersionID
			w.Must(w.SQL(w.Ctx).Exec("UPDATE rating_events SET k_rule = 0, before_milli = ?, delta_milli = ?, after_milli = ?, k = ?, expected = ?, score = ? WHERE ladder_seq = ? AND version_id = ?",
				d.Before.Rating, d.Change, d.After.Rating, d.K, d.Expected, d.Score, i+1, version).Error)
			w.Must(w.SQL(w.Ctx).Exec("UPDATE ratings SET milli = ? WHERE version_id = ?", d.After.Rating, version).Error)
		}
	}
}

// Programs of two releases may rate one ladder in turn while it is upgraded: each of its matches is checked by the rule that
// it was rated by.
func TestALadderThatWasUpgradedStillChecks(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, bots := w.field(3, nil)
		w.toEnd(x)
		w.ratedByTheReleaseBefore(x.LadderID)
		w.Must(w.CheckRatings(w.Ctx, x.LadderID))
		old := must.Get(w.Store.Ladder(w.Ctx, x.LadderID))(w.T)
		y := w.Plan(nil)
		y = w.Begin(y, bots...)
		w.toEnd(y)
		w.Must(w.CheckRatings(w.Ctx, x.LadderID))
		for what, change := range map[string]string{
			"a gain of another rule":            "UPDATE rating_events SET k = k - 1 WHERE ladder_seq = ?",
			"another rule than it was rated by": "UPDATE rating_events SET k_rule = 0 WHERE ladder_seq = ?",
		} {
			undone := errors.New("undone")
			err := w.InTx(w.Ctx, func(tx *store.Tx) error {
				if err := tx.SQL.Exec(change, old.NextSeq).Error; err != nil {
					return err
				}
				if err := director.CheckRatings(tx.Reader, x.LadderID); !errors.Is(err, director.ErrRatings) {
					t.Errorf("%s: got %v, want %v", what, err, director.ErrRatings)
				}
				return undone
			})
			if !errors.Is(err, undone) {
				t.Error(err)
			}
		}
	})
}

// A history read in two parts is the one that is read whole, and a version that plays for the first time has it read whole again.
func TestAHistoryIsReadOnFromWhereItWasLeft(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(4, nil)
		half := len(list) / 2
		w.PlayAll(list[:half])
		first := must.Get(w.History(w.Ctx, x.LadderID))(w.T)
		if len(first.Matches) == 0 {
			t.Fatal("nothing is rated yet")
		}
		w.PlayAll(list[half:])
		second := must.Get(w.HistoryAfter(w.Ctx, first))(w.T)
		whole := must.Get(w.History(w.Ctx, x.LadderID))(w.T)
		if second.FromSeq != first.ToSeq+1 {
			t.Errorf("the second part begins at %d, want %d", second.FromSeq, first.ToSeq+1)
		}
		if parts := slices.Concat(first.Matches, second.Matches); !reflect.DeepEqual(parts, whole.Matches) {
			t.Errorf("in two parts %+v\nwhole %+v", parts, whole.Matches)
		}
		directortest.Alike(t, "versions", whole.Versions, second.Versions)
		y, _ := w.field(3, nil)
		w.toEnd(y)
		third := must.Get(w.HistoryAfter(w.Ctx, second))(w.T)
		if third.FromSeq != 1 || len(third.Versions) != len(whole.Versions)+3 {
			t.Errorf("after three new versions: from %d with %d versions, want all from 1 with %d", third.FromSeq, len(third.Versions), len(whole.Versions)+3)
		}
	})
}
