package shelf

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Shelf keeps things of every kind up to a number of bytes; the longest unasked for goes first. It is safe for concurrent use.
type Shelf struct {
	most int

	mu   sync.Mutex
	held int
	list *simplelru.LRU[any, thing]
}

// thing is what is kept, and how many bytes it takes.
type thing struct {
	v     any
	bytes int
}

// overhead is what a thing takes beside its own bytes.
const overhead = 512

// New makes a shelf for so many bytes.
func New(most int) *Shelf {
	s := &Shelf{most: most}
	s.list, _ = simplelru.NewLRU(math.MaxInt, func(_ any, t thing) { s.held -= t.bytes }) // no error: it has a size
	return s
}

// Held is how many bytes the things on the shelf take.
func (s *Shelf) Held() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held
}

// Kind is one kind of thing on a shelf, apart from those of other kinds.
type Kind[K comparable, V any] struct{ shelf *Shelf }

// NewKind makes a kind of thing on a shelf.
func NewKind[K comparable, V any](s *Shelf) *Kind[K, V] { return &Kind[K, V]{s} }

// place is where a thing lies.
type place[K comparable, V any] struct {
	kind *Kind[K, V]
	key  K
}

// Get returns what lies under key, if anything does.
func (k *Kind[K, V]) Get(key K) (V, bool) {
	k.shelf.mu.Lock()
	defer k.shelf.mu.Unlock()
	return k.get(key)
}

func (k *Kind[K, V]) get(key K) (V, bool) {
	t, ok := k.shelf.list.Get(place[K, V]{k, key})
	v, _ := t.v.(V)
	return v, ok
}

// Put puts a thing of so many bytes under key, in place of what lay there. What is larger than the shelf is not kept.
func (k *Kind[K, V]) Put(key K, v V, bytes int) {
	k.shelf.mu.Lock()
	defer k.shelf.mu.Unlock()
	k.put(key, v, bytes)
}

func (k *Kind[K, V]) put(key K, v V, bytes int) {
	s := k.shelf
	s.list.Remove(place[K, V]{k, key})
	if bytes += overhead; bytes > s.most {
		return
	}
	s.list.Add(place[K, V]{k, key}, thing{v, bytes})
	for s.held += bytes; s.held > s.most; {
		s.list.RemoveOldest()
	}
}

// GetOrPut returns what lies under key, or else puts v there, whose bytes are not known yet: see Put.
func (k *Kind[K, V]) GetOrPut(key K, v V) V {
	k.shelf.mu.Lock()
	defer k.shelf.mu.Unlock()
	if old, ok := k.get(key); ok {
		return old
	}
	k.put(key, v, 0)
	return v
}

// Remove takes away what lies under key.
func (k *Kind[K, V]) Remove(key K) {
	k.shelf.mu.Lock()
	defer k.shelf.mu.Unlock()
	k.shelf.list.Remove(place[K, V]{k, key})
}
