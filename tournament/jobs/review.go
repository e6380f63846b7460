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
	// reviewPlayouts is how many playouts the decisions of a match share, as long as each has enough for an interval.
	reviewPlayouts = 100_000
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
	t, cancel := w.try(ctx, w.c.ReviewTime)
	defer cancel()
	made, err := w.reviewed(t, r)
	var wait time.Duration
	if err == nil {
		r.State, r.Report = tournament.ReviewDone, made
	} else {
		r.State = tournament.ReviewWaiting
		if r.Reason, wait = t.failed(r.Tries, reviewTries); r.Reason != "" {
			r.State = tournament.ReviewFailed
		}
	}
	if err != nil && ctx.Err() == nil {
		w.c.Logger.Warn("match not reviewed", "match", r.MatchID, "try", r.Tries, "error", err)
	}
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), parting)
	defer cancel()
	err = w.c.Store.SaveReview(saving, r, wait)
	if f := w.c.Observe.Reviewed; f != nil && err == nil && r.State != tournament.ReviewWaiting {
		f(r.State == tournament.ReviewDone, time.Since(began))
	}
	return err
}

// reviewed returns the report of a match as JSON.
func (w *worker) reviewed(t *try, r tournament.MatchReview) (out []byte, err error) {
	defer database.Recover(&err)
	if r.Tries > reviewTries {
		return nil, errors.New("the workers that made it were lost")
	}
	rec, err := w.record(t.ctx, r.MatchID)
	if err != nil {
		return nil, err
	}
	decisions := 0
	for _, step := range rec.Steps {
		decisions += len(step.Turns)
	}
	made, err := w.c.Review(t.ctx, rec, min(review.DefaultPlayouts, max(review.LeastPlayouts, reviewPlayouts/max(1, decisions))), t.rest)
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
