package store_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/storetest"
)

// second is one more version of a bot.
func (w *world) second(b tournament.Bot, games ...string) tournament.Version {
	w.t.Helper()
	v, err := w.AddVersion(w.ctx, tournament.Version{BotID: b.ID, URL: "http://two", Secrets: tournament.Secrets{"whsec_2"}, Build: "b2", Note: "faster", Games: games}, 10)
	w.must(err)
	return v
}

func TestVersionsAreNumberedAndPlayWhenPromoted(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		b := w.bot("fox", w.org)
		v := w.second(b, storetest.Toy)
		stored, err := w.Version(w.ctx, v.ID)
		w.must(err)
		if diff := cmp.Diff(v, stored); diff != "" || v.Number != 2 {
			t.Errorf("got number %d: %s", v.Number, diff)
		}
		if now, err := w.Bot(w.ctx, b.ID); err != nil || now.VersionID != b.VersionID {
			t.Errorf("got %+v (%v), want the first version still active", now, err)
		}
		_, err = w.SetBotStatus(w.ctx, b.ID, tournament.BotPaused, "gone")
		w.must(err)
		now, err := w.Promote(w.ctx, b.ID, v.ID)
		w.must(err)
		if stored, err := w.Bot(w.ctx, b.ID); err != nil || stored.VersionID != v.ID || cmp.Diff(now, stored) != "" || now.Status != tournament.BotActive || now.Reason != "" {
			t.Errorf("got %+v and stored %+v (%v), want the second version, awake", now, stored, err)
		}
		_, err = w.Promote(w.ctx, b.ID, v.ID)
		refused(t, "what plays already", err, tournament.ErrState)
		_, err = w.Promote(w.ctx, b.ID, w.bot("owl", w.org).VersionID)
		refused(t, "another bot's version", err, tournament.ErrNotFound)
		_, err = w.Promote(w.ctx, b.ID, "no-such")
		refused(t, "no version", err, tournament.ErrNotFound)
		_, err = w.AddVersion(w.ctx, tournament.Version{BotID: b.ID}, 2)
		refused(t, "a third of two", err, tournament.ErrLimit)
		_, err = w.RetireBot(w.ctx, b.ID, "old")
		w.must(err)
		_, err = w.AddVersion(w.ctx, tournament.Version{BotID: b.ID}, 9)
		refused(t, "of a retired bot", err, tournament.ErrState)
		_, err = w.Promote(w.ctx, b.ID, b.VersionID)
		refused(t, "a retired bot", err, tournament.ErrState)
	})
}

func TestManyVersionsAtOnceHaveANumberEach(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		b := w.bot("fox", w.org)
		won := race(12, func(int) error {
			_, err := w.AddVersion(w.ctx, tournament.Version{BotID: b.ID}, 6)
			return err
		}, func(err error) { refused(t, "over the quota", err, tournament.ErrLimit) })
		list, err := w.Versions(w.ctx, b.ID)
		w.must(err)
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
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		b := w.bot("fox", w.org)
		_, err := w.EnsureLadder(w.ctx, storetest.Toy)
		w.must(err)
		_, err = w.JoinLadder(w.ctx, storetest.Toy, b.ID, w.org.ID, 5)
		w.must(err)
		cup := w.plan(func(t *tournament.Tournament) { t.Game = storetest.ToyTeams })
		_, err = w.Join(w.ctx, cup.ID, b.ID, w.org.ID)
		w.must(err)
		v := w.second(b, "demol", storetest.Toy)
		_, err = w.Promote(w.ctx, b.ID, v.ID)
		refused(t, "without a game of a tournament", err, tournament.ErrState)
		_, err = w.Withdraw(w.ctx, cup.ID, b.ID, w.org.ID)
		w.must(err)
		_, err = w.Promote(w.ctx, b.ID, v.ID)
		w.must(err)
		v = w.second(b, "demol")
		_, err = w.Promote(w.ctx, b.ID, v.ID)
		refused(t, "without a game of a ladder", err, tournament.ErrState)
		w.must(w.LeaveLadder(w.ctx, storetest.Toy, b.ID, w.org.ID))
		_, err = w.Promote(w.ctx, b.ID, v.ID)
		w.must(err)
	})
}

// A promoted version begins where the one before it stands, matches made before keep theirs, and going back takes up the
// old row.
func TestPromotionInheritsTheRatingAndGoingBackRestoresIt(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		fox, owl := w.bot("fox", w.org), w.bot("owl", w.user("ada"))
		rows := func() map[string]tournament.LadderRow {
			list, _, err := w.LadderRows(w.ctx, storetest.Toy, store.Page{})
			w.must(err)
			out := map[string]tournament.LadderRow{}
			for _, r := range list {
				out[r.VersionID] = r
			}
			return out
		}
		play := func() (list []tournament.Match) { // fox wins; made now, so with its active version
			cup := w.plan(nil)
			for _, b := range []tournament.Bot{fox, owl} {
				_, err := w.Join(w.ctx, cup.ID, b.ID, b.OwnerID)
				w.must(err)
			}
			_, err := w.Start(w.ctx, cup.ID)
			w.must(err)
			return w.all(store.MatchFilter{TournamentID: cup.ID})
		}
		end := func(list []tournament.Match) {
			for _, m := range list {
				seat := slices.IndexFunc(m.Seats, func(s tournament.MatchSeat) bool { return s.BotID == fox.ID })
				w.must(w.Finish(w.ctx, w.claim(m), won(m, seat), nil))
			}
		}
		end(play())
		first := rows()[fox.VersionID]
		waiting := play()
		two := w.second(fox, storetest.Toy)
		_, err := w.Promote(w.ctx, fox.ID, two.ID)
		w.must(err)
		end(waiting)
		if now := rows()[fox.VersionID]; now.Games != first.Games+1 || rows()[two.ID].Games != 0 {
			t.Errorf("got %+v and %+v, want the match that waited to be the first version's", now, rows()[two.ID])
		}
		first = rows()[fox.VersionID]
		end(play())
		events, _, err := w.RatingEvents(w.ctx, store.RatingEventFilter{VersionID: two.ID}, store.Page{})
		w.must(err)
		if len(events) != 1 || events[0].BeforeMilli != first.Milli || events[0].K < 45 {
			t.Errorf("got %+v, want one match from %d with a fresh K", events, first.Milli)
		}
		second := rows()[two.ID]
		_, err = w.Promote(w.ctx, fox.ID, fox.VersionID)
		w.must(err)
		end(play())
		events, _, err = w.RatingEvents(w.ctx, store.RatingEventFilter{VersionID: fox.VersionID}, store.Page{Limit: 1})
		w.must(err)
		if events[0].BeforeMilli != first.Milli || rows()[fox.VersionID].Games != first.Games+1 || rows()[two.ID].Milli != second.Milli {
			t.Errorf("got %+v, want the old row taken up at %d and the other left at %d", events[0], first.Milli, second.Milli)
		}
		w.must(w.CheckRatings(w.ctx, storetest.Toy))
	})
}

func TestAnotherBuildInTheMiddleOfAMatchIsNoted(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		_, list := w.running(2, nil)
		m := w.claim(list[0])
		for n, builds := range [][2]string{{"", "b1"}, {"b1", "b1"}, {"b2", ""}, {"b2", "b3"}, {"b1", "b4"}} {
			s := step(n+1, 2)
			s.Turns[0].Build, s.Turns[1].Build = builds[0], builds[1]
			w.must(w.AppendStep(w.ctx, m.ID, m.Epoch, s))
		}
		got, err := w.Redeploys(w.ctx, m.ID)
		w.must(err)
		want := []tournament.Redeploy{{Seat: 0, Step: 3, Pinned: "b1", Build: "b2"}, {Seat: 1, Step: 4, Pinned: "b1", Build: "b3"}, {Seat: 1, Step: 5, Pinned: "b1", Build: "b4"}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		w.must(w.SQL(w.ctx).Exec("UPDATE match_seats SET build = '' WHERE match_id = ?", m.ID).Error)
		got, err = w.Redeploys(w.ctx, m.ID)
		w.must(err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("registered without a build, pinned by the first answer: %s", diff)
		}
		if got, err := w.Redeploys(w.ctx, "no-such"); err != nil || len(got) != 0 {
			t.Errorf("got %v, %v, want nothing of no match", got, err)
		}
	})
}

func TestTheLogOfChecksIsKeptForAWeek(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		b, other := w.bot("fox", w.org), w.bot("owl", w.org)
		for i, failure := range []string{"", "no answer", ""} {
			w.must(w.LogCheck(w.ctx, tournament.Check{BotID: b.ID, VersionID: b.VersionID, Failure: failure, Build: fmt.Sprint("b", i), Took: 1500}))
		}
		w.must(w.LogCheck(w.ctx, tournament.Check{BotID: other.ID, VersionID: other.VersionID}))
		first, next, err := w.Checks(w.ctx, b.ID, store.Page{Limit: 2})
		w.must(err)
		rest, end, err := w.Checks(w.ctx, b.ID, store.Page{Limit: 2, After: next})
		w.must(err)
		var got []string
		for _, c := range append(first, rest...) {
			got = append(got, c.Build+c.Failure)
			if c.Took != 1000 || c.At != w.clk.Now().UTC().Truncate(1000) || c.VersionID != b.VersionID {
				t.Errorf("got %+v", c)
			}
		}
		if !slices.Equal(got, []string{"b2", "b1no answer", "b0"}) || end != "" {
			t.Errorf("got %v, then %q", got, end)
		}
		w.clk.move(tournament.KeepChecks + 1e6)
		w.must(w.LogCheck(w.ctx, tournament.Check{BotID: b.ID, VersionID: b.VersionID, Build: "new"}))
		w.clk.move(60e9)
		w.must(w.LogCheck(w.ctx, tournament.Check{BotID: b.ID, VersionID: b.VersionID, Build: "newer"}))
		list, _, err := w.Checks(w.ctx, b.ID, store.Page{})
		w.must(err)
		if len(list) != 2 || list[0].Build != "newer" {
			t.Errorf("got %+v, want the two of this week", list)
		}
	})
}
