package jobs

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
	"github.com/molerun/molerun/tournament/store/outbox"
	"github.com/molerun/molerun/tournament/store/queue"
)

const (
	// deliverers is how many deliveries a process sends at a time.
	deliverers = 8
	// deliverersEach is how many of them send to webhooks of one user: slow receivers hold up their owner's messages alone.
	deliverersEach = 4
	// shortRest and longRest bound how long a delivery rests that finds its user's taken: half as long as it has waited. A process looks at some
	// eighty jobs a second, so that many thousands that came back each minute would hold up the others again.
	shortRest, longRest = time.Second, 10 * time.Minute
	// deliveryTimeout is how long the queue lets one try last; the sender's own limit is shorter.
	deliveryTimeout = time.Minute
	// deliveryPatience is when a delivery that should have been tried is taken for lost with its worker.
	deliveryPatience = 2 * time.Minute
)

// deliverer sends events to webhooks.
type deliverer struct {
	river.WorkerDefaults[outbox.DeliverEvent]
	c Config

	mu   sync.Mutex
	busy map[string]int // deliveries that are being sent, by user
}

// take reports whether another delivery may be sent to a user's webhooks now; then [deliverer.leave] is to be called after it.
func (d *deliverer) take(userID string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy[userID] >= deliverersEach {
		return false
	}
	d.busy[userID]++
	return true
}

func (d *deliverer) leave(userID string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy[userID]--; d.busy[userID] == 0 {
		delete(d.busy, userID)
	}
}

// Timeout bounds one try.
func (d *deliverer) Timeout(*river.Job[outbox.DeliverEvent]) time.Duration { return deliveryTimeout }

// NextRetry tries a job soon that failed by us; failures of the receiver are waited for elsewhere. If our clock is wrong, the sweeper
// does so after deliveryPatience, by the database's.
func (d *deliverer) NextRetry(*river.Job[outbox.DeliverEvent]) time.Time {
	return systemNow().Add(2 * time.Second)
}

// Work sends one delivery once. The error it returns is ours or the database's; the receiver's are recorded, with what
// follows from them.
func (d *deliverer) Work(ctx context.Context, job *river.Job[outbox.DeliverEvent]) error {
	hook, delivery, err := d.c.Store.StartDelivery(ctx, job.Args)
	if errors.Is(err, tournament.ErrState) || errors.Is(err, tournament.ErrNotFound) {
		return nil // somebody was first, or nobody wants it any more
	}
	if err != nil {
		return err
	}
	if !d.take(hook.UserID) {
		rest := min(max(shortRest, systemNow().Sub(delivery.CreatedAt)/2), longRest)
		rest += rand.N(rest) // no secret: those that rest do not come back together
		return cmp.Or(d.c.Store.RestDelivery(ctx, delivery, rest), river.JobSnooze(rest))
	}
	defer d.leave(hook.UserID)
	attempt, err := d.c.Deliver(ctx, hook, delivery)
	if err != nil {
		return err
	}
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), parting)
	defer cancel()
	_, err = d.c.Store.Attempted(saving, delivery, attempt, func(tx *database.Tx) error {
		queue.Complete(tx, job.ID)
		return nil
	})
	if errors.Is(err, tournament.ErrFenced) || errors.Is(err, tournament.ErrNotFound) {
		return nil
	}
	if f := d.c.Observe.Delivered; f != nil && err == nil {
		f(attempt.Reason == "")
	}
	if err == nil && attempt.Reason != "" {
		d.c.Logger.Info("event not delivered", "webhook", hook.ID, "delivery", delivery.ID, "kind", delivery.Kind, "attempts", delivery.Attempts+1)
	}
	return err
}
