package store

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// A topic names what has changed. Being woken is only a hint to look: the database is the truth, and a hint can be lost
// with the process that owes it.

// TopicFeed is the topic of all public events.
const TopicFeed = "feed"

// TopicTournament is the topic of a tournament's events.
func TopicTournament(id string) string { return "t:" + id }

// TopicMatch is the topic of a match: its steps and its status.
func TopicMatch(id string) string { return "m:" + id }

const (
	channel    = "molerun"              // of LISTEN and NOTIFY
	maxPayload = 7900                   // bytes; Postgres takes less than 8000
	everything = "*"                    // a payload that would be longer
	flushPause = 20 * time.Millisecond  // between two notifications of one process
	relisten   = 500 * time.Millisecond // before another try to listen
)

// wakes are the hints that one process owes to others, or on SQLite to itself.
type wakes struct {
	send func(ctx context.Context, topics []string) error // nil: there is only this process
	ctx  context.Context                                  // ends with the store
	stop context.CancelFunc

	mu      sync.Mutex
	dirty   map[string]bool
	busy    bool // the goroutine runs
	closed  bool
	running sync.WaitGroup
	next    int
	calls   map[int]func(string)
}

func newWakes() *wakes {
	ctx, stop := context.WithCancel(context.Background())
	return &wakes{ctx: ctx, stop: stop, dirty: map[string]bool{}, calls: map[int]func(string){}}
}

// mark passes topics on. With others to tell, a goroutine gathers what is marked meanwhile: one notification carries it
// all, and nobody who writes waits for it.
func (w *wakes) mark(topics ...string) {
	if len(topics) == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.send == nil {
		for _, call := range w.calls {
			for _, t := range topics {
				call(t)
			}
		}
		return
	}
	for _, t := range topics {
		w.dirty[t] = true
	}
	if !w.busy && !w.closed {
		w.busy = true
		w.running.Go(w.flush)
	}
}

func (w *wakes) flush() {
	for {
		w.mu.Lock()
		var topics []string
		for t := range w.dirty {
			topics = append(topics, t)
		}
		clear(w.dirty)
		if w.busy = len(topics) > 0 && !w.closed; !w.busy {
			w.mu.Unlock()
			return
		}
		w.mu.Unlock()
		_ = w.send(w.ctx, topics) // a hint: readers look by themselves from time to time
		select {
		case <-w.ctx.Done():
		case <-time.After(flushPause):
		}
	}
}

// alongside runs f until the store is closed, which ends w.ctx.
func (w *wakes) alongside(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.running.Go(f)
	}
}

func (w *wakes) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.stop()
	w.running.Wait()
}

// hear adds a listener of this process; call leave to end it.
func (w *wakes) hear(call func(string)) (leave func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.next++
	n := w.next
	w.calls[n] = call
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.calls, n)
	}
}

// notify sends topics through Postgres. Nothing is lost with it in a crash that a commit would keep.
func (s *Store) notify(ctx context.Context, topics []string) error {
	payload := strings.Join(topics, ",")
	if len(payload) > maxPayload {
		payload = everything
	}
	// One message of two statements is one transaction.
	_, err := s.pool.Exec(ctx, "SET LOCAL synchronous_commit TO off; SELECT pg_notify($1, $2)", pgx.QueryExecModeSimpleProtocol, channel, payload)
	return err
}

// Listen calls wake with every topic that changes, whoever changes it, and with "" when any may have changed, until ctx
// ends. On Postgres it holds one connection, outside the pool, and makes a new one when that is lost. wake must be quick
// and must not use the store.
func (s *Store) Listen(ctx context.Context, wake func(topic string)) {
	if s.pool == nil {
		leave := s.wakes.hear(wake)
		defer leave()
		wake("") // what changed before is not told again
		<-ctx.Done()
		return
	}
	for ctx.Err() == nil {
		if err := s.listen(ctx, wake); err != nil && ctx.Err() == nil {
			s.opts.Logger.Warn("listening for changes failed; will try again", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(relisten):
		}
	}
}

func (s *Store) listen(ctx context.Context, wake func(string)) error {
	c, err := pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig.Copy())
	if err != nil {
		return err
	}
	defer c.Close(context.WithoutCancel(ctx))
	if _, err := c.Exec(ctx, "LISTEN "+channel); err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	wake("") // what changed before is not told again
	for {
		n, err := c.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		if n.Payload == everything {
			wake("")
			continue
		}
		for topic := range strings.SplitSeq(n.Payload, ",") {
			wake(topic)
		}
	}
}
