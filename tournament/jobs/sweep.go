package jobs

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/molerun/molerun/tournament"
)

// sweep looks after what nobody is at, at once and then every interval, until ctx ends. Every worker process does it: the
// store's locks keep two from doing the same.
func (w *worker) sweep(ctx context.Context) {
	var classified time.Time
	for {
		err := w.sweepOnce(ctx)
		if now := systemNow(); now.Sub(classified) >= classifyEvery {
			classified = now
			err = errors.Join(err, w.c.Store.Classify(ctx))
		}
		if err != nil && ctx.Err() == nil {
			w.c.Logger.Warn("sweep failed; will try again", "error", err)
		}
		wait := time.NewTimer(w.c.Sweep*3/4 + rand.N(w.c.Sweep/2+1)) // no secret: workers started together drift apart
		select {
		case <-ctx.Done():
			wait.Stop()
			return
		case <-wait.C:
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
	if f := w.c.Observe.Swept; f != nil && err == nil && startErr == nil {
		f(lost, started)
	}
	return errors.Join(err, makeErr, checkInErr, startErr, w.advanceDue(ctx), w.makeLadders(ctx), w.director.Evict(ctx), w.director.ClearSeats(ctx), w.applyPending(ctx), w.countLadders(ctx),
		w.judge(ctx), w.sweepDeliveries(ctx))
}

// makeDue makes the tournaments that schedules owe; one that fails holds up no other.
func (w *worker) makeDue(ctx context.Context) error {
	due, err := w.c.Store.DueSchedules(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, id := range due {
		made, err := w.director.MakeDue(ctx, id)
		if err != nil && !errors.Is(err, tournament.ErrNotFound) { // deleted meanwhile
			failed = errors.Join(failed, fmt.Errorf("schedule %s: %w", id, err))
		}
		for _, t := range made {
			w.c.Logger.Info("tournament made", "schedule", id, "tournament", t.ID, "number", t.Number, "starts_at", t.StartsAt)
		}
	}
	return failed
}

// tellCheckIns emits an event for each check-in that has opened; a failure for one holds up no other.
func (w *worker) tellCheckIns(ctx context.Context) error {
	due, err := w.c.Store.DueCheckIns(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, id := range due {
		if err := w.director.TellCheckIn(ctx, id); err != nil {
			failed = errors.Join(failed, fmt.Errorf("check-in of tournament %s: %w", id, err))
		}
	}
	return failed
}

// startDue starts the tournaments whose time has come; one that cannot be started holds up no other.
func (w *worker) startDue(ctx context.Context) (int, error) {
	var started int
	due, err := w.c.Store.DueTournaments(ctx)
	if err != nil {
		return 0, err
	}
	var failed error
	for _, id := range due {
		now, err := w.director.Start(ctx, id)
		if errors.Is(err, tournament.ErrState) {
			continue // another process was first
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("start of tournament %s: %w", id, err))
			continue
		}
		w.c.Logger.Info("tournament started", "tournament", now.ID, "status", now.Status, "reason", now.Reason)
		started++
	}
	return started, failed
}

// advanceDue goes on with tournaments that no ending match will: those that wait for bots, and arenas. One that fails holds
// up no other.
func (w *worker) advanceDue(ctx context.Context) error {
	due, err := w.c.Store.DueRounds(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, id := range due {
		if err := w.director.Advance(ctx, id); err != nil {
			failed = errors.Join(failed, fmt.Errorf("tournament %s: %w", id, err))
		}
	}
	return failed
}

// makeLadders gives matches to those who wait on standing ladders; one that fails holds up no other.
func (w *worker) makeLadders(ctx context.Context) error {
	ladders, err := w.c.Store.StandingLadders(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, id := range ladders {
		made, err := w.director.MakeLadder(ctx, id, tournament.LadderAtOnce(w.c.Slots))
		if f := w.c.Observe.Paired; f != nil {
			f(id, made, err)
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("ladder %s: %w", id, err))
		}
	}
	return failed
}

// countLadders counts some of what a program of the release before has rated.
func (w *worker) countLadders(ctx context.Context) error {
	_, err := w.c.Store.CountLadders(ctx)
	return err
}

// judge pauses bots whose matches are past a bound; one that cannot be judged holds up no other.
func (w *worker) judge(ctx context.Context) error {
	suspects, err := w.c.Store.Suspects(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, id := range suspects {
		conduct, err := w.director.JudgeBot(ctx, id)
		if conduct != "" {
			w.c.Logger.Warn("bot is paused for its conduct", "bot", id, "conduct", conduct)
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("bot %s: %w", id, err))
		}
	}
	return failed
}

// sweepDeliveries sends again what was lost with its worker.
func (w *worker) sweepDeliveries(ctx context.Context) error {
	if w.c.Deliver == nil {
		return nil
	}
	_, err := w.c.Store.SweepDeliveries(ctx, deliveryPatience)
	return err
}

// applyPending rates what a crash between two finishers, or a long queue behind one match, has left; a ladder that fails holds up no
// other.
func (w *worker) applyPending(ctx context.Context) error {
	ladders, err := w.c.Store.PendingLadders(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, id := range ladders {
		if _, err := w.director.ApplyRatings(ctx, id); err != nil {
			failed = errors.Join(failed, fmt.Errorf("ratings of ladder %s: %w", id, err))
		}
	}
	return failed
}
