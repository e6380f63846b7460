package shared

import (
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Things are what was made last. Each is made once for all who ask for it meanwhile and later.
type Things[K comparable, V any] struct{ cache *lru.Cache[K, *made[V]] }

// made is a thing that somebody makes while they hold the lock.
type made[V any] struct {
	mu    sync.Mutex
	times int // that it was made
	stale bool
	v     V
}

// New keeps this many things.
func New[K comparable, V any](most int) (*Things[K, V], error) {
	cache, err := lru.New[K, *made[V]](most)
	return &Things[K, V]{cache}, err
}

// Get is what is kept under key and still holds, or else what build makes. holds and build must look at what is there when they
// are called. What failed is made again for the next.
func (x *Things[K, V]) Get(key K, holds func(V) (bool, error), build func() (V, error)) (V, error) {
	own, ok := x.cache.Get(key)
	if !ok {
		own = &made[V]{}
		if other, had, _ := x.cache.PeekOrAdd(key, own); had {
			own = other
		}
	}
	for {
		v, times, err := own.get(build)
		if err != nil {
			x.cache.Remove(key)
			return v, err
		}
		if times == 0 {
			return v, nil
		}
		if ok, err := holds(v); ok || err != nil {
			return v, err
		}
		own.drop(times)
	}
}

// get is the thing and how often it was made before this call; 0: in it.
func (m *made[V]) get(build func() (V, error)) (V, int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.times > 0 && !m.stale {
		return m.v, m.times, nil
	}
	v, err := build()
	if err == nil {
		m.v, m.stale = v, false
		m.times++
	}
	return v, 0, err
}

// drop has the thing made again, unless that was done since it was made for the n-th time.
func (m *made[V]) drop(times int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stale = m.stale || m.times == times
}
