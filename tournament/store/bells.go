package store

import "sync"

// bells wake those in this process who wait for a topic. Being woken is a hint, as with [Store.Listen].
type bells struct {
	listen  sync.Once
	mu      sync.Mutex
	waiting map[string]map[chan struct{}]bool
}

// wait begins to wait for a topic: rung gets a value after each change. The first to wait makes the process listen until
// the store is closed.
func (b *bells) wait(topic string, s *Store) (rung <-chan struct{}, leave func()) {
	b.listen.Do(func() { s.wakes.alongside(func() { s.Listen(s.wakes.ctx, b.ring) }) })
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

// ring wakes those who wait for a topic; "" is every topic.
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
