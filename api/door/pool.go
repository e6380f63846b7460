package door

import (
	"fmt"
	"net/netip"
	"sync"
)

// Pool is a number of places that callers share. A caller may hold so many while the pool is empty, and the fewer the
// fuller it is, down to one: it takes several times as many callers as would fill it otherwise, and who comes with nothing
// finds a place until the very last is taken. It is safe for concurrent use.
type Pool struct {
	each, all int

	mu    sync.Mutex
	held  map[string]int
	taken int
}

// NewPool makes a pool of all places, of which a caller may hold each.
func NewPool(each, all int) *Pool { return &Pool{each: each, all: all, held: map[string]int{}} }

// FullError is why there is no place.
type FullError struct {
	Held int  // places that the caller has
	All  bool // every place is taken, by whomever
}

func (e *FullError) Error() string {
	if e.All {
		return "all places are taken"
	}
	return fmt.Sprintf("%d places are the caller's already", e.Held)
}

// Take takes a place for the caller that the keys name, from the narrowest to the widest: each holds at most twice as many
// as the one before. Without a key only the whole is bounded. Call leave once. The error is a [FullError].
func (p *Pool) Take(keys ...string) (func(), error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken >= p.all {
		return nil, &FullError{All: true}
	}
	for i, key := range keys {
		if held := p.held[key]; held >= share(p.each<<i, p.all, p.taken) {
			return nil, &FullError{Held: held}
		}
	}
	p.taken++
	for _, key := range keys {
		p.held[key]++
	}
	return func() { p.leave(keys) }, nil
}

func (p *Pool) leave(keys []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken--
	for _, key := range keys {
		if p.held[key]--; p.held[key] == 0 {
			delete(p.held, key)
		}
	}
}

// Taken is how many places are taken.
func (p *Pool) Taken() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.taken
}

// share is what a caller may hold of all places when some are taken: its part of those that are free, rounded up.
func share(each, all, taken int) int { return (each*(all-taken) + all - 1) / all }

// Keys name the caller at an address: all of an IPv4 address, and of IPv6 its /64 and then its /56, which one customer of a
// provider may have whole.
func Keys(a netip.Addr) []string {
	a = a.Unmap().WithZone("")
	if !a.Is6() {
		return []string{a.String()}
	}
	narrow, _ := a.Prefix(64) // no error: it is IPv6
	wide, _ := a.Prefix(56)
	return []string{narrow.String(), wide.String()}
}
