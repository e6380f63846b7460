package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/molerun/molerun/bots/review"
	"github.com/molerun/molerun/bots/review/report"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store/database"
)

const (
	// reviewTries is how often a review is begun whose workers are lost, or fail on the way.
	reviewTries = 5
	// reviewRest is how long a review rests after a try that failed.
	reviewRest = 30 * time.Second
	// reviewPlayouts is how many playouts the decisions of a match share, as long as each has enough for an interval.
	reviewPlayouts = 100_000
	// lateRest is how long a review rests while the process gets to run too late for the clocks of bots.
	lateRest = 100 * time.Millisecond
)

// review reviews the matches that somebody wants reviewed, one at a time, until ctx ends. It takes no slot, and rests while matches would
// suffer. It is no job of the queue for the reason of refit.
func (w *worker) review(ctx context.Context) {
	w.every(ctx, w.c.Sweep, "reviews of matches failed", func(ctx context.Context) error {
		for ctx.Err() == nil && !w.late() {
			r, err := w.c.Store.ClaimReview(ctx, w.c.ReviewTime+2*parting)
			if err != nil || r == nil {
				return err
			}
			if err := w.reviewOne(ctx, *r); err != nil {
				return fmt.Errorf("match %s: %w", r.MatchID, err)
			}
		}
		return nil
	})
}

func (w *worker) late() bool { return w.c.Late != nil && w.c.Late() }

// reviewOne makes a claimed review and saves what came of it.
func (w *worker) reviewOne(ctx context.Context, r tournament.MatchReview) error {
	began := systemNow()
	making, cancel := context.WithTimeout(ctx, w.c.ReviewTime)
	defer cancel()
	made, err := w.reviewed(making, r)
	rest := time.Duration(0)
	switch {
	case err == nil:
		r.State, r.Report = tournament.ReviewDone, made
	case ctx.Err() != nil: // the worker stops
		r.State = tournament.ReviewWaiting
	case errors.Is(making.Err(), context.DeadlineExceeded):
		r.State, r.Reason = tournament.ReviewFailed, fmt.Sprintf("it took longer than %v", w.c.ReviewTime)
	case r.Tries >= reviewTries:
		r.State, r.Reason = tournament.ReviewFailed, fmt.Sprintf("the platform could not make it in %d tries; its operator finds in the log why", reviewTries)
	default:
		r.State, rest = tournament.ReviewWaiting, reviewRest
	}
	if err != nil && ctx.Err() == nil {
		w.c.Logger.Warn("match not reviewed", "match", r.MatchID, "try", r.Tries, "error", err)
	}
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), parting)
	defer cancel()
	err = w.c.Store.SaveReview(saving, r, rest)
	if f := w.c.Observe.Reviewed; f != nil && err == nil && r.State != tournament.ReviewWaiting {
		f(r.State == tournament.ReviewDone, time.Since(began))
	}
	return err
}

// reviewed returns the report of a match as JSON.
func (w *worker) reviewed(ctx context.Context, r tournament.MatchReview) (out []byte, err error) {
	defer database.Recover(&err)
	if r.Tries > reviewTries {
		return nil, errors.New("the workers that made it were lost")
	}
	rec, err := w.record(ctx, r.MatchID)
	if err != nil {
		return nil, err
	}
	decisions := 0
	for _, step := range rec.Steps {
		decisions += len(step.Turns)
	}
	made, err := w.c.Review(ctx, rec, min(review.DefaultPlayouts, max(review.LeastPlayouts, reviewPlayouts/max(1, decisions))), func() { w.rest(ctx) })
	if err != nil {
		return nil, err
	}
	return json.Marshal(made)
}

// record returns the verified record of a match that is over.
func (w *worker) record(ctx context.Context, id string) (*replay.Record, error) {
	m, err := w.c.Store.Match(ctx, id)
	if err != nil {
		return nil, err
	}
	engine, ok := w.c.Engines(m.Game)
	if !ok {
		return nil, fmt.Errorf("%w: there is no game %q", tournament.ErrNotFound, m.Game)
	}
	var b bytes.Buffer
	if err := runner.WriteAsRead(&b, runner.SpecOf(m, engine, nil), m.Nonce, func(each func([]runner.Step) error) error {
		return w.c.Store.StepsAfter(ctx, m.ID, 0, each)
	}); err != nil {
		return nil, err
	}
	return replay.Verify(&b, w.c.Engines)
}

// Reviewer makes the report of a match, of every seat, with at most so many playouts a decision. It calls pause between decisions, which
// returns when it may go on.
type Reviewer func(ctx context.Context, rec *replay.Record, playouts int, pause func()) (*report.Report, error)
