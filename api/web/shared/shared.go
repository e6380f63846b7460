package shared

import (
	"fmt"

	"golang.org/x/sync/singleflight"

	"github.com/molerun/molerun/api/cache"
)

// Things are what was made last. Each is made once for all who ask for it meanwhile and later.
type Things[K comparable, V any] struct {
	cache  *cache.Partition[K, V]
	making singleflight.Group
}

// New keeps things in a cache.
func New[K comparable, V any](c *cache.Cache) *Things[K, V] {
	return &Things[K, V]{cache: cache.NewPartition[K, V](c)}
}

// Get returns what is kept under key and still holds, or else what build makes, with the bytes that it takes. holds and build must
// look at what is there when they are called. What failed is made again for the next.
func (x *Things[K, V]) Get(key K, holds func(V) (bool, error), build func() (v V, bytes int, err error)) (V, error) {
	kept := func() (V, bool, error) {
		v, ok := x.cache.Get(key)
		if !ok {
			return v, false, nil
		}
		ok, err := holds(v)
		return v, ok, err
	}
	for {
		if v, ok, err := kept(); ok || err != nil {
			return v, err
		}
		mine := false
		made, err, _ := x.making.Do(fmt.Sprintf("%#v", key), func() (any, error) {
			mine = true
			if v, ok, err := kept(); ok || err != nil { // made meanwhile
				return v, err
			}
			v, bytes, err := build()
			if err == nil {
				x.cache.Put(key, v, bytes)
			}
			return v, err
		})
		v, _ := made.(V)
		if mine {
			return v, err
		}
		if err == nil { // another's, who may have asked before this caller
			if ok, err := holds(v); ok || err != nil {
				return v, err
			}
		}
	}
}
