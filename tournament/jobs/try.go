package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// tryRest is how long a review of a match or a check of a card rests after a try that failed.
	tryRest = 30 * time.Second
	// lateRest is how long a try rests while the process gets to run too late for the clocks of bots.
	lateRest = 100 * time.Millisecond
)

// try is one try at a review of a match or at a check of a card.
type try struct {
	w       *worker
	worker  context.Context // ends when the worker stops
	ctx     context.Context // ends when the time for the try is over, too
	limit   time.Duration
	resting time.Duration
}

func (w *worker) try(ctx context.Context, limit time.Duration) (*try, context.CancelFunc) {
	making, cancel := context.WithTimeout(ctx, limit)
	return &try{w: w, worker: ctx, ctx: making, limit: limit}, cancel
}

// rest waits while the process gets to run too late for the clocks of bots.
func (t *try) rest() {
	began := systemNow()
	for t.ctx.Err() == nil && t.w.late() {
		pause(t.ctx, lateRest)
	}
	t.resting += systemNow().Sub(began)
}

// failed says what comes of a try that ended by err, one of so many: why there is no other, or else "" and how long the next one waits. It waits
// for nothing if this was no try: the worker stops, or was late half of the time.
func (t *try) failed(tries, most int) (reason string, wait time.Duration) {
	over := errors.Is(t.ctx.Err(), context.DeadlineExceeded)
	switch {
	case t.worker.Err() != nil, over && 2*t.resting > t.limit:
		return "", 0
	case over:
		return fmt.Sprintf("it took longer than %v", t.limit), 0
	case tries >= most:
		return fmt.Sprintf("the platform failed at it in %d tries; its operator finds in the log why", most), 0
	}
	return "", tryRest
}
