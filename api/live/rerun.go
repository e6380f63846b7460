package live

import (
	"context"
	"runtime"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Reruns are places for replaying recorded matches. A replay can cost seconds of a processor, and anyone may request one, so
// only some run at once: half the processors stay free for everything else.
type Reruns struct{ places chan struct{} }

func newReruns() *Reruns {
	return &Reruns{make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))}
}

// enter waits for a place to play in until ctx ends.
func (x *Reruns) enter(ctx context.Context) (func(), error) {
	select {
	case x.places <- struct{}{}:
		return func() { <-x.places }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Kept holds the latest results of replaying matches.
type Kept[K comparable, V any] struct {
	reruns *Reruns
	cache  *lru.Cache[K, V]
}

// NewKept keeps this many results of what is played in the places of reruns.
func NewKept[K comparable, V any](reruns *Reruns, most int) (*Kept[K, V], error) {
	cache, err := lru.New[K, V](most)
	return &Kept[K, V]{reruns, cache}, err
}

// Has is what is kept under key, if anything is.
func (x *Kept[K, V]) Has(key K) (V, bool) { return x.cache.Get(key) }

// Get returns what is kept under key, or else what play makes when there is a place for it.
func (x *Kept[K, V]) Get(ctx context.Context, key K, play func() (v V, keep bool, err error)) (V, error) {
	if v, ok := x.cache.Get(key); ok {
		return v, nil
	}
	leave, err := x.reruns.enter(ctx)
	if err != nil {
		return *new(V), err
	}
	defer leave()
	if v, ok := x.cache.Get(key); ok { // somebody played it meanwhile
		return v, nil
	}
	v, keep, err := play()
	if err == nil && keep {
		x.cache.Add(key, v)
	}
	return v, err
}
