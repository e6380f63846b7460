package cache

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Cache keeps entries of several types up to a number of bytes, and drops the least recently used. It is safe for concurrent use.
type Cache struct {
	limit int

	mu    sync.Mutex
	bytes int
	list  *simplelru.LRU[any, entry]
}

type entry struct {
	v     any
	bytes int
}

// overhead is what an entry takes beside its own bytes.
const overhead = 512

// New returns a cache for limit bytes.
func New(limit int) *Cache {
	c := &Cache{limit: limit}
	c.list, _ = simplelru.NewLRU(math.MaxInt, func(_ any, e entry) { c.bytes -= e.bytes }) // fails only without a size
	return c
}

// Bytes returns how many bytes the entries take.
func (c *Cache) Bytes() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}

// Partition is the part of a cache with entries of one type. Its keys are its own; the bytes are shared.
type Partition[K comparable, V any] struct{ cache *Cache }

// NewPartition returns a new partition of c.
func NewPartition[K comparable, V any](c *Cache) *Partition[K, V] { return &Partition[K, V]{c} }

type partitionKey[K comparable, V any] struct {
	partition *Partition[K, V]
	key       K
}

// Get returns the entry under key, if there is one.
func (p *Partition[K, V]) Get(key K) (V, bool) {
	p.cache.mu.Lock()
	defer p.cache.mu.Unlock()
	return p.get(key)
}

func (p *Partition[K, V]) get(key K) (V, bool) {
	e, ok := p.cache.list.Get(partitionKey[K, V]{p, key})
	v, _ := e.v.(V)
	return v, ok
}

// Put replaces the entry under key. An entry larger than the cache is not kept.
func (p *Partition[K, V]) Put(key K, v V, bytes int) {
	p.cache.mu.Lock()
	defer p.cache.mu.Unlock()
	p.put(key, v, bytes)
}

func (p *Partition[K, V]) put(key K, v V, bytes int) {
	c := p.cache
	c.list.Remove(partitionKey[K, V]{p, key})
	if bytes += overhead; bytes > c.limit {
		return
	}
	c.list.Add(partitionKey[K, V]{p, key}, entry{v, bytes})
	for c.bytes += bytes; c.bytes > c.limit; {
		c.list.RemoveOldest()
	}
}

// GetOrPut returns the entry under key. If there is none it puts v there, of unknown size until the next [Partition.Put].
func (p *Partition[K, V]) GetOrPut(key K, v V) V {
	p.cache.mu.Lock()
	defer p.cache.mu.Unlock()
	if old, ok := p.get(key); ok {
		return old
	}
	p.put(key, v, 0)
	return v
}
