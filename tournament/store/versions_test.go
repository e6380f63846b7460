package store_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func TestVersionsAreNumberedAndPlayWhenPromoted(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		b := w.NewBot("fox", w.Org)
		v := w.Second(b, storetest.Toy)
		stored := must.Get(w.Version(w.Ctx, v.ID))(w.T)
		if diff := cmp.Diff(v, stored); diff != "" || v.Number != 2 {
			t.Errorf("got number %d: %s", v.Number, diff)
		}
		if now, err := w.Bot(w.Ctx, b.ID); err != nil || now.VersionID != b.VersionID {
			t.Errorf("got %+v (%v), want the first version still active", now, err)
		}
		w.Did(w.Greet(b.ID, "gone"))
		now := must.Get(w.Promote(w.Ctx, b.ID, v.ID))(w.T)
		kept := must.Get(w.Bot(w.Ctx, b.ID))(w.T)
		if diff := cmp.Diff(now, kept); diff != "" || kept.VersionID != v.ID || kept.Status != tournament.BotActive || kept.Reason != "" {
			t.Errorf("got %+v, want it active with the second version: %s", kept, diff)
		}
		directortest.Refused(t, "what plays already", directortest.Err(w.Promote(w.Ctx, b.ID, v.ID)), tournament.ErrState)
		directortest.Refused(t, "another bot's version", directortest.Err(w.Promote(w.Ctx, b.ID, w.NewBot("owl", w.Org).VersionID)), tournament.ErrNotFound)
		directortest.Refused(t, "no version", directortest.Err(w.Promote(w.Ctx, b.ID, "no-such")), tournament.ErrNotFound)
		directortest.Refused(t, "a third of two", directortest.Err(w.AddVersion(w.Ctx, tournament.Version{BotID: b.ID}, 2)), tournament.ErrLimit)
		w.Did(w.RetireBot(w.Ctx, b.ID, "old"))
		directortest.Refused(t, "of a retired bot", directortest.Err(w.AddVersion(w.Ctx, tournament.Version{BotID: b.ID}, 9)), tournament.ErrState)
		directortest.Refused(t, "a retired bot", directortest.Err(w.Promote(w.Ctx, b.ID, b.VersionID)), tournament.ErrState)
	})
}

func TestManyVersionsAtOnceHaveANumberEach(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		b := w.NewBot("fox", w.Org)
		won := directortest.Race(12, func(int) error {
			_, err := w.AddVersion(w.Ctx, tournament.Version{BotID: b.ID}, 6)
			return err
		}, func(err error) { directortest.Refused(t, "over the quota", err, tournament.ErrLimit) })
		list := must.Get(w.Versions(w.Ctx, b.ID))(w.T)
		var numbers []int
		for _, v := range list {
			numbers = append(numbers, v.Number)
		}
		if won != 5 || !slices.Equal(numbers, []int{6, 5, 4, 3, 2, 1}) {
			t.Errorf("%d were made, numbered %v; want 5 beside the first", won, numbers)
		}
	})
}

func TestAVersionMustPlayWhereItsBotIsEntered(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		b := w.NewBot("fox", w.Org)
		w.Did(w.EnsureLadder(w.Ctx, storetest.Toy))
		w.Did(w.JoinLadder(w.Ctx, storetest.Toy, b.ID, w.Org.ID, 5))
		cup := w.Plan(func(t *tournament.Tournament) { t.Game = storetest.ToyTeams })
		w.Did(w.Join(w.Ctx, cup.ID, b.ID, w.Org.ID))
		v := w.Second(b, "demol", storetest.Toy)
		directortest.Refused(t, "without a game of a tournament", directortest.Err(w.Promote(w.Ctx, b.ID, v.ID)), tournament.ErrState)
		w.Did(w.Withdraw(w.Ctx, cup.ID, b.ID, w.Org.ID))
		w.Did(w.Promote(w.Ctx, b.ID, v.ID))
		v = w.Second(b, "demol")
		directortest.Refused(t, "without a game of a ladder", directortest.Err(w.Promote(w.Ctx, b.ID, v.ID)), tournament.ErrState)
		w.Must(w.LeaveLadder(w.Ctx, storetest.Toy, b.ID, w.Org.ID))
		w.Did(w.Promote(w.Ctx, b.ID, v.ID))
	})
}

func TestAnotherBuildInTheMiddleOfAMatchIsNoted(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		_, list := w.Running(2, nil)
		m := w.Take(list[0])
		for n, builds := range [][2]string{{"", "b1"}, {"b1", "b1"}, {"b2", ""}, {"b2", "b3"}, {"b1", "b4"}} {
			s := directortest.Step(n+1, 2)
			s.Turns[0].Build, s.Turns[1].Build = builds[0], builds[1]
			w.Must(w.AppendStep(w.Ctx, m.ID, m.Epoch, s))
		}
		got := must.Get(w.Reader(w.Ctx).Redeploys(m))(w.T)
		want := []tournament.Redeploy{{Seat: 0, Step: 3, Pinned: "b1", Build: "b2"}, {Seat: 1, Step: 4, Pinned: "b1", Build: "b3"}, {Seat: 1, Step: 5, Pinned: "b1", Build: "b4"}}
		directortest.Alike(t, "the builds", want, got)
		for i := range m.Seats {
			m.Seats[i].Build = ""
		}
		got = must.Get(w.Reader(w.Ctx).Redeploys(m))(w.T)
		directortest.Alike(t, "registered without a build, pinned by the first answer", want, got)
	})
}

func TestTheLogOfChecksIsKeptForAWeek(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		b, other := w.NewBot("fox", w.Org), w.NewBot("owl", w.Org)
		for i, failure := range []string{"", "no answer", ""} {
			w.Must(w.LogCheck(w.Ctx, tournament.Check{BotID: b.ID, VersionID: b.VersionID, Failure: failure, Build: fmt.Sprint("b", i), Took: 1500}))
		}
		w.Must(w.LogCheck(w.Ctx, tournament.Check{BotID: other.ID, VersionID: other.VersionID}))
		first, next, err := w.Checks(w.Ctx, b.ID, store.Page{Limit: 2})
		w.Must(err)
		rest, end, err := w.Checks(w.Ctx, b.ID, store.Page{Limit: 2, After: next})
		w.Must(err)
		var got []string
		for _, c := range append(first, rest...) {
			got = append(got, c.Build+c.Failure)
			if c.Took != 1000 || c.At != w.Clock.Now().UTC().Truncate(1000) || c.VersionID != b.VersionID {
				t.Errorf("got %+v", c)
			}
		}
		if !slices.Equal(got, []string{"b2", "b1no answer", "b0"}) || end != "" {
			t.Errorf("got %v, then %q", got, end)
		}
		w.Clock.Move(tournament.KeepChecks + 1e6)
		w.Must(w.LogCheck(w.Ctx, tournament.Check{BotID: b.ID, VersionID: b.VersionID, Build: "new"}))
		w.Clock.Move(60e9)
		w.Must(w.LogCheck(w.Ctx, tournament.Check{BotID: b.ID, VersionID: b.VersionID, Build: "newer"}))
		list := must.First(w.Checks(w.Ctx, b.ID, store.Page{}))(w.T)
		if len(list) != 2 || list[0].Build != "newer" {
			t.Errorf("got %+v, want the two of this week", list)
		}
	})
}
