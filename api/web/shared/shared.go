package shared

import (
	"sync"

	"github.com/molerun/molerun/api/cache"
)

// Things are what was made last. Each is made once for all who ask for it meanwhile and later.
type Things[K comparable, V any] struct{ cache *cache.Partition[K, *made[V]] }

// made is a thing that somebody makes while they hold the lock.
type made[V any] struct {
	mu    sync.Mutex
	times int // that it was made
	stale bool
	v     V
}

// New keeps things in a cache.
func New[K comparable, V any](c *cache.Cache) *Things[K, V] {
	return &Things[K, V]{cache.NewPartition[K, *made[V]](c)}
}

// Get returns what is kept under key and still holds, or else what build makes, with the bytes that it takes. holds and build must
// look at what is there when they are called. What failed is made again for the next.
func (x *Things[K, V]) Get(key K, holds func(V) (bool, error), build func() (v V, bytes int, err error)) (V, error) {
	own := x.cache.GetOrPut(key, &made[V]{})
	for {
		v, times, err := own.get(func() (V, error) {
			v, bytes, err := build()
			if err == nil {
				x.cache.Put(key, own, bytes)
			}
			return v, err
		})
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

// get returns the thing and how often it was made before this call; 0: in it.
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
