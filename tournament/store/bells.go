package store

import (
	"context"
	"sync"
)

// bells wake those in this process who wait for a topic. Being woken is a hint, as with [Store.Listen].
type bells struct {
	listen  sync.Once
	mu      sync.Mutex
	waiting map[string]map[chan struct{}]bool
}

// wait begins to wait for a topic: rung gets a value after each change. On Postgres the first to wait makes the process
// listen until the store is closed.
func (b *bells) wait(topic string, s *Store) (rung <-chan struct{}, leave func()) {
	if s.pool != nil {
		b.listen.Do(func() { s.wakes.alongside(func() { s.Listen(s.wakes.ctx, b.ring) }) })
	}
	own := make(chan struct{}, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waiting[topic] == nil {
		b.waiting[topic] = map[chan struct{}]bool{}
	}
	b.waiting[topic][own] = true
	return own, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if delete(b.waiting[topic], own); len(b.waiting[topic]) == 0 {
			delete(b.waiting, topic)
		}
	}
}

// ring wakes those who wait for a topic, here at once, and on Postgres in other processes without the gathering of wakes: a
// clock is running.
func (s *Store) ring(ctx context.Context, topic string) {
	s.bells.ring(topic)
	if s.pool != nil {
		_ = s.notify(ctx, []string{topic}) // a hint: who waits looks by itself from time to time
	}
}

// ring wakes those who wait for a topic in this process; "" is every topic.
func (b *bells) ring(topic string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if topic != "" {
		ringAll(b.waiting[topic])
		return
	}
	for _, waiting := range b.waiting {
		ringAll(waiting)
	}
}

func ringAll(waiting map[chan struct{}]bool) {
	for c := range waiting {
		select {
		case c <- struct{}{}:
		default: // it will look anyway
		}
	}
}
