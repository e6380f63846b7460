package jobs

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// sweep looks after what nobody is at, at once and then every interval, until ctx ends. Every worker process does it: the
// store's locks keep two from doing the same.
func (w *worker) sweep(ctx context.Context) {
	var classified time.Time
	for ctx.Err() == nil {
		err := w.sweepOnce(ctx)
		if now := systemNow(); now.Sub(classified) >= classifyEvery {
			classified = now
			err = errors.Join(err, w.c.Store.Classify(ctx))
		}
		if err != nil && ctx.Err() == nil {
			w.c.Logger.Warn("sweep failed; will try again", "error", err)
		}
		pause(ctx, w.c.Sweep*3/4+rand.N(w.c.Sweep/2+1)) // no secret: workers started together drift out of step
	}
}

// every works at once and then every period, until ctx ends. What fails is logged, and tried again then.
func (w *worker) every(ctx context.Context, period time.Duration, failed string, work func(context.Context) error) {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		if err := work(ctx); err != nil && ctx.Err() == nil {
			w.c.Logger.Warn(failed+"; will try again", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// classifyEvery is how often a process puts the lines of ladders into their classes: what has changed shows so long after at the latest.
const classifyEvery = 30 * time.Second

// sweepOnce does every part even if another fails.
func (w *worker) sweepOnce(ctx context.Context) error {
	lost, err := w.director.Sweep(ctx, w.c.Lease)
	if lost > 0 {
		w.c.Logger.Info("lost matches queued again", "matches", lost)
	}
	makeErr := w.makeDue(ctx)
	checkInErr := w.tellCheckIns(ctx)
	started, startErr := w.startDue(ctx)
	if f := w.c.Observe.Swept; f != nil && !database.Away(errors.Join(err, startErr)) { // what cannot be carried out was looked at
		f(lost, started)
	}
	return errors.Join(err, makeErr, checkInErr, startErr, w.advanceDue(ctx), w.makeLadders(ctx), w.director.Evict(ctx), w.director.ClearSeats(ctx), w.applyPending(ctx),
		w.judge(ctx), w.sweepDeliveries(ctx))
}

// eachDue does one thing for each id that is due, of a kind that errors name; one that fails holds up no other.
func eachDue(ctx context.Context, kind string, due func(context.Context) ([]string, error), do func(id string) error) error {
	ids, err := due(ctx)
	for _, id := range ids {
		if one := do(id); one != nil {
			err = errors.Join(err, fmt.Errorf("%s %s: %w", kind, id, one))
		}
	}
	return err
}

// makeDue makes the tournaments that schedules owe.
func (w *worker) makeDue(ctx context.Context) error {
	return eachDue(ctx, "schedule", w.c.Store.DueSchedules, func(id string) error {
		made, err := w.director.MakeDue(ctx, id)
		for _, t := range made {
			w.c.Logger.Info("tournament made", "schedule", id, "tournament", t.ID, "number", t.Number, "starts_at", t.StartsAt)
		}
		if errors.Is(err, tournament.ErrNotFound) {
			return nil // deleted meanwhile
		}
		return err
	})
}

// tellCheckIns emits an event for each check-in that has opened.
func (w *worker) tellCheckIns(ctx context.Context) error {
	return eachDue(ctx, "check-in of tournament", w.c.Store.DueCheckIns, func(id string) error { return w.director.TellCheckIn(ctx, id) })
}

// startDue starts the tournaments whose time has come; one that cannot be started holds up no other.
func (w *worker) startDue(ctx context.Context) (int, error) {
	started := 0
	err := eachDue(ctx, "start of tournament", w.c.Store.DueTournaments, func(id string) error {
		now, err := w.director.StartDue(ctx, id)
		if errors.Is(err, tournament.ErrState) {
			return nil // another process was first, or it was postponed
		}
		if err == nil {
			w.c.Logger.Info("tournament started", "tournament", now.ID, "status", now.Status, "reason", now.Reason)
			started++
		}
		return err
	})
	return started, err
}

// advanceDue goes on with tournaments that no ending match will: those that wait for bots, and arenas.
func (w *worker) advanceDue(ctx context.Context) error {
	return eachDue(ctx, "tournament", w.c.Store.DueRounds, func(id string) error { return w.director.Advance(ctx, id) })
}

// makeLadders gives matches to those who wait on standing ladders.
func (w *worker) makeLadders(ctx context.Context) error {
	return eachDue(ctx, "ladder", w.c.Store.StandingLadders, func(id string) error {
		made, err := w.director.MakeLadder(ctx, id, tournament.LadderAtOnce(w.c.Slots))
		if f := w.c.Observe.Paired; f != nil {
			f(id, made, err)
		}
		return err
	})
}

// judge pauses bots whose matches are past a bound.
func (w *worker) judge(ctx context.Context) error {
	return eachDue(ctx, "bot", w.c.Store.Suspects, func(id string) error {
		conduct, err := w.director.JudgeBot(ctx, id)
		if conduct != "" {
			w.c.Logger.Warn("bot is paused for its conduct", "bot", id, "conduct", conduct)
		}
		return err
	})
}

// sweepDeliveries sends again what was lost with its worker.
func (w *worker) sweepDeliveries(ctx context.Context) error {
	if w.c.Deliver == nil {
		return nil
	}
	_, err := w.c.Store.SweepDeliveries(ctx, deliveryPatience)
	return err
}

// applyPending rates what a crash between two finishers, a long queue behind one match, or a tournament that waits has left.
func (w *worker) applyPending(ctx context.Context) error {
	reordered := eachDue(ctx, "order of ladder", w.c.Store.MisplacedLadders, func(id string) error { return w.director.ReorderLadder(ctx, id) })
	return errors.Join(reordered, eachDue(ctx, "ratings of ladder", w.c.Store.PendingLadders, func(id string) error {
		_, err := w.director.ApplyRatings(ctx, id)
		return err
	}))
}
