package jobs_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/review"
	"github.com/molerun/molerun/bots/review/report"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/jobs"
)

// played returns matches that are over, of a platform with reviews.
func (w *world) played() []tournament.Match {
	w.T.Helper()
	tour := w.tournament(3, `{"steps":3}`)
	stop := w.run(w.config(newBots()))
	w.until("the end of the tournament", w.finished(tour.ID))
	stop()
	return w.matches(tour.ID)
}

// reviewing returns what a worker needs that reviews by r.
func (w *world) reviewing(r jobs.Reviewer) jobs.Config {
	c := w.config(newBots())
	c.Review = r
	return c
}

// ask has a match reviewed for a stranger.
func (w *world) ask(m tournament.Match) {
	w.T.Helper()
	w.Did(w.AskReview(w.Ctx, m.ID, false, 10))
}

// reviewed returns the review of a match once it is in a state.
func (w *world) reviewed(m tournament.Match, state tournament.ReviewState) tournament.MatchReview {
	w.T.Helper()
	var got tournament.MatchReview
	w.until("the review to be "+string(state), func() bool {
		got = must.Get(w.Review(w.Ctx, m.ID))(w.T)
		return got.State == state
	})
	return got
}

// reportOf is a report that names its match and the playouts.
func reportOf(rec *replay.Record, playouts int) *report.Report {
	return &report.Report{Game: rec.Header.Game, Rules: rec.Header.Match, Playouts: playouts}
}

func TestReviewsAreMadeOneAtATimeThoseOfOwnersFirst(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		list := w.played()
		for _, m := range list {
			w.ask(m)
		}
		last := list[len(list)-1]
		w.Did(w.AskReview(w.Ctx, last.ID, true, 0))
		var at, most atomic.Int32
		order := make(chan string, len(list))
		c := w.reviewing(func(_ context.Context, rec *replay.Record, playouts int, pause func()) (*report.Report, error) {
			if n := at.Add(1); n > 1 {
				most.Store(n)
			}
			defer at.Add(-1)
			pause()
			order <- rec.Header.Match
			return reportOf(rec, playouts), nil
		})
		var told atomic.Int32
		c.Observe.Reviewed = func(ok bool, _ time.Duration) {
			if ok {
				told.Add(1)
			}
		}
		stop := w.run(c)
		for _, m := range list {
			got := w.reviewed(m, tournament.ReviewDone)
			var r report.Report
			w.Must(json.Unmarshal(got.Report, &r))
			// 3 steps of 2 seats: each decision could have more than it may have
			if r.Game != storetest.Toy || r.Rules != m.ID || r.Playouts != review.DefaultPlayouts || got.EndedAt == nil || got.Tries != 1 {
				t.Errorf("got %+v, tries %d, ended %v", r, got.Tries, got.EndedAt)
			}
		}
		stop()
		if first := <-order; first != last.ID || most.Load() > 1 || told.Load() != int32(len(list)) {
			t.Errorf("first %s, want that of the owner %s; %d at once, want one; %d told, want %d", first, last.ID, most.Load(), told.Load(), len(list))
		}
	})
}

func TestAReviewIsBegunAgainAfterItsWorkerIsLost(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		m := w.played()[0]
		w.ask(m)
		lost := must.Get(w.ClaimReview(w.Ctx, time.Millisecond))(w.T)
		if lost == nil || lost.MatchID != m.ID || lost.State != tournament.ReviewRunning {
			t.Fatalf("got %+v", lost)
		}
		begun := make(chan struct{}, 10)
		stop := w.run(w.reviewing(func(ctx context.Context, _ *replay.Record, _ int, _ func()) (*report.Report, error) {
			begun <- struct{}{}
			<-ctx.Done()
			return nil, ctx.Err()
		}))
		<-begun
		lost.State, lost.Report = tournament.ReviewDone, []byte(`{"game":"of the lost one"}`)
		w.Must(w.SaveReview(w.Ctx, *lost, 0))
		if got, err := w.Review(w.Ctx, m.ID); err != nil || got.State != tournament.ReviewRunning {
			t.Errorf("after the lost worker has written: got %s (%v), want it running", got.State, err)
		}
		stop()
		if got := w.reviewed(m, tournament.ReviewWaiting); got.Tries != 1 || len(got.Report) > 0 {
			t.Errorf("after the worker has stopped, which is no try: got %+v, want it waiting, without the report of the lost one", got)
		}
		stop = w.run(w.reviewing(func(_ context.Context, rec *replay.Record, n int, _ func()) (*report.Report, error) {
			return reportOf(rec, n), nil
		}))
		if got := w.reviewed(m, tournament.ReviewDone); got.Tries != 2 {
			t.Errorf("got try %d, want 2", got.Tries)
		}
		stop()
	})
}

func TestAReviewThatCannotBeMadeFailsInWords(t *testing.T) {
	on(t, storetest.SQLite, func(t *testing.T, w *world) {
		m := w.played()[0]
		for what, x := range map[string]struct {
			tries int // before
			make  jobs.Reviewer
			want  tournament.ReviewState
			why   string
		}{
			"the first failure": {0, func(context.Context, *replay.Record, int, func()) (*report.Report, error) {
				return nil, errors.New("of ours")
			}, tournament.ReviewWaiting, ""},
			"the first panic": {0, func(context.Context, *replay.Record, int, func()) (*report.Report, error) { panic("of ours") }, tournament.ReviewWaiting, ""},
			"the last panic":  {4, func(context.Context, *replay.Record, int, func()) (*report.Report, error) { panic("of ours") }, tournament.ReviewFailed, "in 5 tries"},
			"workers that are lost": {5, func(context.Context, *replay.Record, int, func()) (*report.Report, error) {
				return &report.Report{}, nil
			}, tournament.ReviewFailed, "in 5 tries"},
			"one that takes too long": {0, func(ctx context.Context, _ *replay.Record, _ int, _ func()) (*report.Report, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}, tournament.ReviewFailed, "longer than 200ms"},
		} {
			w.Must(w.SQL(w.Ctx).Exec("DELETE FROM match_reviews").Error)
			w.ask(m)
			w.Must(w.SQL(w.Ctx).Exec("UPDATE match_reviews SET tries = ?", x.tries).Error)
			c := w.reviewing(x.make)
			c.ReviewTime = 200 * time.Millisecond
			stop := w.run(c)
			w.until(what, func() bool {
				got := must.Get(w.Review(w.Ctx, m.ID))(w.T)
				return got.State == x.want && got.Tries == x.tries+1
			})
			stop()
			if got := w.reviewed(m, x.want); !strings.Contains(got.Reason, x.why) || strings.Contains(got.Reason, "of ours") || (got.Reason == "") != (x.why == "") {
				t.Errorf("%s: got %q, want %q in it and nothing of the inside", what, got.Reason, x.why)
			}
		}
	})
}

// A review that gets no time because its process is late is begun again: that was no try.
func TestAReviewThatRestedTooLongIsBegunAgain(t *testing.T) {
	on(t, storetest.SQLite, func(t *testing.T, w *world) {
		m := w.played()[0]
		w.ask(m)
		var late atomic.Bool
		var made atomic.Int32
		c := w.reviewing(func(ctx context.Context, rec *replay.Record, n int, pause func()) (*report.Report, error) {
			if made.Add(1) == 1 {
				late.Store(true)
				pause() // until its time is over
				late.Store(false)
				return nil, ctx.Err()
			}
			return reportOf(rec, n), nil
		})
		c.Late, c.ReviewTime = late.Load, 2*time.Second
		stop := w.run(c)
		if got := w.reviewed(m, tournament.ReviewDone); got.Tries != 1 || made.Load() != 2 {
			t.Errorf("got try %d after %d began, want the first after 2", got.Tries, made.Load())
		}
		stop()
	})
}

func TestReviewsRestWhileTheProcessIsLate(t *testing.T) {
	on(t, storetest.SQLite, func(t *testing.T, w *world) {
		list := w.played()
		var late, made atomic.Int32
		late.Store(1)
		paused := make(chan struct{})
		c := w.reviewing(func(_ context.Context, rec *replay.Record, n int, pause func()) (*report.Report, error) {
			if made.Add(1) == 1 {
				late.Store(1)
				close(paused)
				pause()
			}
			if late.Load() == 1 {
				return nil, errors.New("it went on while the process was late")
			}
			return reportOf(rec, n), nil
		})
		c.Late = func() bool { return late.Load() == 1 }
		w.ask(list[0])
		stop := w.run(c)
		time.Sleep(300 * time.Millisecond) // six looks
		if n := made.Load(); n > 0 {
			t.Errorf("%d reviews were begun by a process that is late", n)
		}
		late.Store(0)
		<-paused
		time.Sleep(300 * time.Millisecond)
		if got, err := w.Review(w.Ctx, list[0].ID); err != nil || got.State != tournament.ReviewRunning {
			t.Errorf("got %+v (%v), want it running still", got, err)
		}
		late.Store(0)
		w.reviewed(list[0], tournament.ReviewDone)
		stop()
	})
}
