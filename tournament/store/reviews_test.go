package store_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
)

func TestAReviewIsAskedForOnceAndStrangersWaitForRoom(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		_, list := w.Running(4, nil)
		ask := func(i int, byOwner bool, most int) tournament.MatchReview {
			t.Helper()
			got := must.Get(w.AskReview(w.Ctx, list[i].ID, byOwner, most))(w.T)
			w.Clock.Move(time.Second)
			return got
		}
		directortest.Refused(t, "a review nobody asked for", directortest.Err(w.Review(w.Ctx, list[0].ID)), tournament.ErrNotFound)
		first := ask(0, false, 2)
		if again := ask(0, false, 2); again.State != tournament.ReviewWaiting || !again.AskedAt.Equal(first.AskedAt) {
			t.Errorf("asked again: got %+v, want %+v", again, first)
		}
		ask(1, false, 2)
		directortest.Refused(t, "a third of strangers", directortest.Err(w.AskReview(w.Ctx, list[2].ID, false, 2)), tournament.ErrFull)
		ask(2, true, 2) // an owner's goes in all the same
		ask(1, true, 2) // and moves up a stranger's, which was asked for before
		for i, want := range []int{1, 2, 0} {
			r := must.Get(w.ClaimReview(w.Ctx, time.Hour))(w.T)
			if r == nil || r.MatchID != list[want].ID || r.Tries != 1 || r.State != tournament.ReviewRunning {
				t.Fatalf("claim %d: got %+v, want that of match %d", i, r, want)
			}
			r.State, r.Reason = tournament.ReviewFailed, "no"
			if want == 0 {
				r.State, r.Reason, r.Report = tournament.ReviewDone, "", []byte(`{"game":"toy"}`)
			}
			w.Must(w.SaveReview(w.Ctx, *r, 0))
		}
		if r, err := w.ClaimReview(w.Ctx, time.Hour); r != nil || err != nil {
			t.Errorf("got %+v (%v), want nothing due", r, err)
		}
		done := ask(0, true, 2)
		if done.State != tournament.ReviewDone || string(done.Report) != `{"game":"toy"}` || done.EndedAt == nil {
			t.Errorf("got %+v, want the report", done)
		}
		if again := ask(1, false, 2); again.State != tournament.ReviewWaiting || again.Reason != "" || again.Tries != 0 || again.EndedAt != nil {
			t.Errorf("a failed one that was asked for again: got %+v, want it as new", again)
		}
		all := must.Get(w.Reviews(w.Ctx, []string{list[0].ID, list[1].ID, list[3].ID}))(w.T)
		if len(all) != 2 || all[list[0].ID].State != tournament.ReviewDone || all[list[1].ID].State != tournament.ReviewWaiting {
			t.Errorf("got %+v", all)
		}
	})
}

func TestWorkersAtOnceNeverClaimTheSameReview(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		_, list := w.Running(4, nil)
		for _, m := range list {
			w.Did(w.AskReview(w.Ctx, m.ID, false, 100))
		}
		var mu sync.Mutex
		var got []string
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 20 * len(list) { // one that meets another's claim gets nothing, and looks again
					r, err := w.ClaimReview(w.Ctx, time.Hour)
					if err != nil {
						t.Error(err)
					}
					if r == nil {
						continue
					}
					mu.Lock()
					got = append(got, r.MatchID)
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		slices.Sort(got)
		if once := slices.Compact(slices.Clone(got)); len(got) != len(list) || len(once) != len(list) {
			t.Errorf("%d claims of %d reviews, want each of %d once", len(got), len(once), len(list))
		}
	})
}
