package jobs

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/molerun/molerun/tournament"
)

// checksAtOnce is how many bots a process greets at a time. A slow one holds up no more than its own place.
const checksAtOnce = 24

// health greets the bots whose check is due, until ctx ends. Every worker process does it; the store gives each bot to one.
func (w *worker) health(ctx context.Context) {
	if w.c.Check == nil {
		return
	}
	tick := time.NewTicker(w.c.Sweep)
	defer tick.Stop()
	places := make(chan struct{}, checksAtOnce)
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		if free := cap(places) - len(places); free > 0 {
			due, err := w.c.Store.DueChecks(ctx, free)
			w.failed(ctx, err)
			for _, v := range due {
				places <- struct{}{}
				wg.Go(func() {
					defer func() { <-places }()
					w.failed(ctx, w.checkOne(ctx, v))
				})
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// failed logs a check that failed by us, which left the bot as it was.
func (w *worker) failed(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		w.c.Logger.Warn("health checks failed by us; will try again", "error", err)
	}
}

func (w *worker) checkOne(ctx context.Context, v tournament.Version) error {
	failure := ""
	start := time.Now() //nolint:forbidigo // how long a bot takes is told by the system's clock
	build, err := w.c.Check(ctx, v)
	if errors.Is(err, tournament.ErrBot) {
		failure = err.Error()
	} else if err != nil {
		return err
	}
	took := time.Since(start)
	h, err := w.director.Checked(ctx, v.BotID, failure)
	if errors.Is(err, tournament.ErrState) {
		return nil // retired, banned or paused by its owner meanwhile
	}
	if err == nil {
		err = w.c.Store.LogCheck(ctx, tournament.Check{BotID: v.BotID, VersionID: v.ID, Failure: failure, Build: build, Took: took})
	}
	if err == nil && h.Status == tournament.BotPaused {
		w.c.Logger.Info("bot is paused", "bot", v.BotID, "passes", h.Passes)
	}
	return err
}
