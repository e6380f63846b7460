package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func TestAnUnwellBotIsPausedAndReturnsByItself(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		var ahead atomic.Int64 // of the real clock
		w := liveWorld(t, open(store.Options{Now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }}))
		b := w.NewBot("bot", w.Org)
		status := func(want tournament.BotStatus) func() bool {
			return func() bool {
				now := must.Get(w.Bot(w.Ctx, b.ID))(w.T)
				return now.Status == want
			}
		}
		var asked atomic.Int64
		var answer atomic.Pointer[error]
		refusal := fmt.Errorf("%w: answered with status 500", tournament.ErrBot)
		answer.Store(&refusal)
		c := w.config(newBots())
		c.Check = func(context.Context, store.DueCheck) (string, error) { asked.Add(1); return "b7", *answer.Load() }
		w.run(c)

		ahead.Add(int64(tournament.CheckActiveEvery))
		w.until("a failed check pauses", status(tournament.BotPaused))
		if now, err := w.Bot(w.Ctx, b.ID); err != nil || now.Reason != "answered with status 500" {
			t.Errorf("reason %q (%v), want the facts of %q", now.Reason, err, refusal)
		}
		ours := errors.New("our own resolver is away")
		answer.Store(&ours)
		n := asked.Load()
		ahead.Add(int64(tournament.CheckPausedEvery))
		w.until("a failure of ours is asked", func() bool { return asked.Load() > n })
		var well error
		answer.Store(&well)
		for pass := range 2 {
			n := asked.Load()
			w.until(fmt.Sprint("pass ", pass+1), func() bool {
				ahead.Add(int64(tournament.CheckPausedEvery)) // again and again: the check before may still be writing down when it was
				return asked.Load() > n
			})
		}
		w.until("two passes in a row bring it back", status(tournament.BotActive))
		log := must.First(w.Checks(w.Ctx, b.ID, store.Page{Sort: store.Oldest}))(w.T)
		if first, last := log[0], log[len(log)-1]; first.Failure != "answered with status 500" || first.Build != "b7" || first.VersionID != b.VersionID || last.Failure != "" {
			t.Errorf("the log begins with %+v and ends with %+v, want a failure with the facts of %q, and a pass", first, last, refusal)
		}
	})
}
