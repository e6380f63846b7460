package jobs

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

const (
	// checksAtOnce is how many bots a process greets at a time. A slow one holds up no more than its own place.
	checksAtOnce = 24
	// checksOfOwner is how many of those are one owner's: it takes six owners with slow bots to fill all places.
	checksOfOwner = 4
)

// health greets the bots whose check is due, until ctx ends. Every worker process does it; the store gives each bot to one.
func (w *worker) health(ctx context.Context) {
	if w.c.Check == nil {
		return
	}
	tick := time.NewTicker(w.c.Sweep)
	defer tick.Stop()
	running, again := checksRunning{byOwner: map[string]int{}}, make(chan struct{}, 1)
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		if n, busy := running.count(); n < checksAtOnce {
			due, err := w.c.Store.DueChecks(ctx, checksAtOnce-n, checksOfOwner, busy)
			w.failed(ctx, err)
			for _, d := range due {
				running.add(d.OwnerID, 1)
				wg.Go(func() {
					defer func() {
						running.add(d.OwnerID, -1)
						select {
						case again <- struct{}{}: // its place is free
						default:
						}
					}()
					w.failed(ctx, w.checkOne(ctx, d))
				})
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-again:
		}
	}
}

// checksRunning counts the checks under way by owner.
type checksRunning struct {
	mu      sync.Mutex
	byOwner map[string]int // no zeros
}

func (c *checksRunning) add(owner string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byOwner[owner] += n; c.byOwner[owner] == 0 {
		delete(c.byOwner, owner)
	}
}

// count returns how many checks are under way, and whose.
func (c *checksRunning) count() (int, []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, k := range c.byOwner {
		n += k
	}
	return n, slices.Collect(maps.Keys(c.byOwner))
}

// failed logs a check that failed by us, which left the bot as it was.
func (w *worker) failed(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		w.c.Logger.Warn("health checks failed by us; will try again", "error", err)
	}
}

func (w *worker) checkOne(ctx context.Context, d store.DueCheck) error {
	failure := ""
	start := systemNow()
	build, err := w.c.Check(ctx, d)
	if errors.Is(err, tournament.ErrBot) {
		failure = tournament.Facts(err, tournament.ErrBot)
	} else if err != nil {
		return err
	}
	took := time.Since(start)
	h, err := w.director.Checked(ctx, d.BotID, d.ID, failure)
	if errors.Is(err, tournament.ErrState) {
		return nil // retired, banned, paused by its owner or promoted meanwhile
	}
	if err == nil {
		err = w.c.Store.LogCheck(ctx, tournament.Check{BotID: d.BotID, VersionID: d.ID, Failure: failure, Build: build, Took: took})
	}
	if err == nil && h.Status == tournament.BotPaused {
		w.c.Logger.Info("bot is paused", "bot", d.BotID, "passes", h.Passes)
	}
	return err
}
