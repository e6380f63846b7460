package notify

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// flushPause is between two notifications of one process.
const flushPause = 20 * time.Millisecond

// Bus passes topics on. It is safe for concurrent use.
type Bus struct {
	others  *others // the other processes; nil: there is only this one
	ctx     context.Context
	stop    context.CancelFunc
	running sync.WaitGroup
	news    atomic.Int64

	mu     sync.Mutex
	closed bool
	dirty  map[string]bool // published, and not sent yet
	busy   bool            // the goroutine that sends runs
	hears  bool            // the goroutine that hears the others runs
	looks  bool            // it has found that nothing can be heard
	linked bool            // it hears them now
	next   int
	calls  map[string]map[int]func(topic string) // by topic; under Everything those who hear of all
}

// New returns a bus of one process or, with a pool of connections to Postgres and a way to listen there, of all that use its database. Where
// nobody can listen, everything may have changed every [LookPause]. A nil log is silent.
func New(pool *pgxpool.Pool, session Session, log *slog.Logger) *Bus {
	b := &Bus{dirty: map[string]bool{}, calls: map[string]map[int]func(string){}}
	b.ctx, b.stop = context.WithCancel(context.Background())
	if pool != nil {
		b.others = &others{pool: pool, session: session, log: log}
	}
	return b
}

// Close ends what the bus does by itself.
func (b *Bus) Close() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.stop()
	b.running.Wait()
}

// Publish passes topics on. With others to tell, a goroutine gathers what is published meanwhile: one notification carries it
// all, and nobody who writes waits for it.
func (b *Bus) Publish(topics ...string) {
	if len(topics) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.others == nil || b.looks {
		for _, t := range topics {
			b.deliver(t)
		}
	}
	if b.others == nil {
		return
	}
	for _, t := range topics {
		b.dirty[t] = true
	}
	if !b.busy && !b.closed {
		b.busy = true
		b.running.Go(b.flush)
	}
}

// PublishNow passes a topic on without gathering: a clock is running.
func (b *Bus) PublishNow(ctx context.Context, topic string) {
	b.mu.Lock()
	b.deliver(topic)
	b.mu.Unlock()
	if b.others != nil {
		_ = b.others.send(ctx, []string{topic}) // a hint: those that wait look by themselves from time to time
	}
}

func (b *Bus) flush() {
	for {
		b.mu.Lock()
		topics := slices.Collect(maps.Keys(b.dirty))
		clear(b.dirty)
		if b.busy = len(topics) > 0 && !b.closed; !b.busy {
			b.mu.Unlock()
			return
		}
		b.mu.Unlock()
		_ = b.others.send(b.ctx, topics) // a hint: readers look by themselves from time to time
		select {
		case <-b.ctx.Done():
		case <-time.After(flushPause):
		}
	}
}

// deliver calls those of this process who hear of a topic; the lock is held.
func (b *Bus) deliver(topic string) {
	if topic == Feed || topic == Everything {
		b.news.Add(1)
	}
	if topic != Everything {
		for _, call := range b.calls[topic] {
			call(topic)
		}
		for _, call := range b.calls[Everything] {
			call(topic)
		}
		return
	}
	for _, calls := range b.calls {
		for _, call := range calls {
			call(Everything)
		}
	}
}

// News returns a number that changes whenever public events may have come.
func (b *Bus) News() int64 { return b.news.Load() }

// subscribe calls with a topic when it has changed, and with [Everything] when it may have, until leave. call must be quick
// and must not use the bus.
func (b *Bus) subscribe(topic string, call func(topic string)) func() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next++
	n := b.next
	if b.calls[topic] == nil {
		b.calls[topic] = map[int]func(string){}
	}
	b.calls[topic][n] = call
	if b.others != nil && !b.hears && !b.closed {
		b.hears = true
		b.running.Go(b.hear)
	}
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if delete(b.calls[topic], n); len(b.calls[topic]) == 0 {
			delete(b.calls, topic)
		}
	}
}

// hear passes on what others publish, or has everybody look.
func (b *Bus) hear() {
	b.others.hear(b.ctx, b.heard, b.lost)
	if b.ctx.Err() != nil {
		return
	}
	b.others.log.Info("a pooler keeps notifications: looking for changes instead", "pause", LookPause.String())
	b.mu.Lock()
	b.looks = true
	b.mu.Unlock()
	tick := time.NewTicker(LookPause)
	defer tick.Stop()
	for {
		b.heard(Everything)
		select {
		case <-b.ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// heard passes on what another process, or this one, has published. The first there is of a connection is [Everything].
func (b *Bus) heard(topic string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.linked = true
	b.deliver(topic)
}

// lost notes that nothing is heard for a while.
func (b *Bus) lost() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.linked = false
}

// Listen calls wake with every topic that changes, whoever changes it, and with [Everything] when any may have changed, until
// ctx ends. wake must be quick and must not use the bus.
func (b *Bus) Listen(ctx context.Context, wake func(topic string)) {
	leave := b.subscribe(Everything, wake)
	defer leave()
	b.mu.Lock()
	if b.others == nil || b.linked {
		wake(Everything) // nobody notifies again of what changed before
	}
	b.mu.Unlock()
	<-ctx.Done()
}

// Wait begins to wait for a topic: rung gets a value after each change, and perhaps without one. A waiter looks once by
// itself before. Call leave when done.
func (b *Bus) Wait(topic string) (<-chan struct{}, func()) {
	own := make(chan struct{}, 1)
	return own, b.subscribe(topic, func(string) {
		select {
		case own <- struct{}{}:
		default: // it will look anyway
		}
	})
}
