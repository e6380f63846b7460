package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/database"
	"github.com/molerun/molerun/tournament/store/queue"
)

// Config is what a worker process needs.
type Config struct {
	Store    *store.Store
	Director *director.Director // over Store
	// Engines looks a game up by its id.
	Engines func(id string) (game.Engine, bool)
	// Players makes the player of a seat. [tournament.ErrBot] and [tournament.ErrNotFound] void the match: there is no way to
	// the bot, and that is the platform's doing. Any other error ends the attempt; the next tries again.
	Players func(ctx context.Context, m *tournament.Match, seat game.Seat) (runner.Player, error)
	// Check greets a bot and returns the build it says; what is the bot's fault is [tournament.ErrBot]. Nil: nobody's health
	// is checked by this process.
	Check func(ctx context.Context, d store.DueCheck) (build string, err error)
	// Deliver sends a delivery to its webhook; an error is ours. Nil: this process delivers no events.
	Deliver func(ctx context.Context, w tournament.Webhook, d tournament.Delivery) (tournament.Attempt, error)
	// Review reviews matches. Nil: this process reviews none.
	Review Reviewer
	// Card checks uploaded cards. Nil: this process checks none.
	Card CardChecker
	// Late reports whether this process gets to run too late for the clocks of bots: then it takes fewer matches. Nil: never.
	Late   func() bool
	Slots  int           // most matches at once; at least 1
	Logger *slog.Logger  // nil is silent
	Lease  time.Duration // how long a lost worker keeps its match; 0 is 10 s
	Renew  time.Duration // how often a lease is renewed; 0 is 3 s
	Sweep  time.Duration // how often lost matches and due tournaments are looked for; 0 is 1 s
	Refit  time.Duration // least time between two fits of a ladder with new results; 0 is 10 s
	Pack   time.Duration // decisions of matches that have been over for so long are packed; 0: never
	// ReviewTime is how long one review may take; 0 is 10 min.
	ReviewTime time.Duration
	Observe    Observer
}

// Observer hears what happens, for metrics. Nil functions are not called; the others must be quick and safe for
// concurrent use.
type Observer struct {
	Started   func(m *tournament.Match)                                            // an attempt begins; Epoch 1 is the first
	Finished  func(m *tournament.Match, o *runner.Outcome)                         // the result is safe
	Voided    func(m *tournament.Match, reason string)                             // the match is void, and that is safe
	Released  func(m *tournament.Match)                                            // given back to the queue, or no longer ours
	Decided   func(m *tournament.Match, f tournament.Fault, elapsed time.Duration) // a decision is recorded; f is "" if it is the bot's own
	Swept     func(matches, tournaments int)                                       // a look for lost work is over: matches queued again, tournaments started
	Paired    func(ladder string, made int, err error)                             // the matchmaking of a standing ladder ran
	Delivered func(ok bool)                                                        // an event was offered to a webhook, which took it or not
	Reviewed  func(ok bool, took time.Duration)                                    // a review is done, or given up
}

const (
	// matchTimeout is how long the queue lets one attempt last. At its end the match is released and goes on elsewhere.
	matchTimeout = 24 * time.Hour
	// rescueAfter is when the queue itself gives a dead worker's job to another. Our leases are faster; the job then finds
	// its match gone on and ends.
	rescueAfter = matchTimeout + time.Hour
	// parting bounds what is still written after the process was asked to stop.
	parting = 10 * time.Second
)

// Run works until ctx ends, then gives its matches back to the queue, waits for its goroutines and returns nil. An error
// is a Config or a database that does not work.
func Run(ctx context.Context, c Config) error {
	w, err := newWorker(c)
	if err != nil {
		return err
	}
	workers := river.NewWorkers()
	if err := river.AddWorkerSafely(workers, w); err != nil {
		return err
	}
	queues := map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: c.Slots}}
	if c.Deliver != nil {
		if err := river.AddWorkerSafely(workers, &deliverer{c: w.c, busy: map[string]int{}}); err != nil {
			return err
		}
		queues[queue.Events] = river.QueueConfig{MaxWorkers: deliverers, FetchPollInterval: time.Second} // nobody waits for an event by the millisecond
	}
	client, err := c.Store.Worker(&river.Config{
		Workers: workers, Logger: w.c.Logger,
		Queues:     queues,
		JobTimeout: matchTimeout, RescueStuckJobsAfter: rescueAfter,
		FetchCooldown:               2 * time.Millisecond, // throughput is at most slots per cooldown
		CompletedJobRetentionPeriod: time.Hour,
	}, c.Late)
	if err != nil {
		return err
	}
	if started, err := start(ctx, client); err != nil || !started {
		return err
	}
	var wg sync.WaitGroup
	wg.Go(func() { w.sweep(ctx) })
	wg.Go(func() { w.health(ctx) })
	wg.Go(func() { w.refit(ctx) })
	wg.Go(func() { w.calibrate(ctx) })
	if c.Review != nil {
		wg.Go(func() { w.review(ctx) })
	}
	if c.Card != nil {
		wg.Go(func() { w.cards(ctx) })
	}
	if c.Pack > 0 {
		wg.Go(func() { w.pack(ctx) })
	}
	<-ctx.Done()
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*parting)
	defer cancel()
	err = client.StopAndCancel(stop)
	wg.Wait()
	return err
}

// startAgain is between two tries to start the queue of a database that went away a moment ago.
const startAgain = 500 * time.Millisecond

// start starts the queue and reports whether it did so before ctx ended. A database that is away is waited for.
func start(ctx context.Context, client queue.Worker) (bool, error) {
	for {
		err := client.Start(context.WithoutCancel(ctx))
		if err == nil {
			return true, nil
		}
		if !database.Away(err) && !errors.Is(err, context.DeadlineExceeded) { // River waits for ten seconds, and then it is over
			return false, fmt.Errorf("start the queue: %w", err)
		}
		if pause(ctx, startAgain); ctx.Err() != nil {
			return false, nil
		}
	}
}

// pause waits for a while, or until ctx ends.
func pause(ctx context.Context, long time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(long):
	}
}

func newWorker(c Config) (*worker, error) {
	if c.Store == nil || c.Director == nil || c.Engines == nil || c.Players == nil || c.Slots < 1 {
		return nil, errors.New("jobs: Config needs Store, Director, Engines, Players and at least one slot")
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	c.Lease = cmp.Or(c.Lease, 10*time.Second) // a lost match is queued again after lease and sweep: within 12 s
	c.Renew = cmp.Or(c.Renew, 3*time.Second)
	c.Sweep = cmp.Or(c.Sweep, time.Second)
	c.Refit = cmp.Or(c.Refit, 10*time.Second)
	c.ReviewTime = cmp.Or(c.ReviewTime, 10*time.Minute)
	if c.Renew >= c.Lease {
		return nil, fmt.Errorf("jobs: a lease of %v cannot be renewed every %v", c.Lease, c.Renew)
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return &worker{c: c, director: c.Director, id: fmt.Sprintf("%s/%d/%s", host, os.Getpid(), uuid.NewString()[:8])}, nil
}

// systemNow returns the system's clock, by which the queue runs and durations are measured; what is stored follows the store's.
func systemNow() time.Time { return time.Now() } //nolint:forbidigo // see above
