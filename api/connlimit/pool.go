package connlimit

import (
	"fmt"
	"net/netip"
	"sync"
)

// Pool shares a number of places among callers. A caller's limit shrinks from perCaller, when the pool is empty, to one, when it is
// almost full: a few callers cannot fill it, and one that holds nothing gets a place as long as there is any. It is safe for
// concurrent use.
type Pool struct {
	perCaller, total int

	mu    sync.Mutex
	held  map[string]int // by key
	inUse int
}

// NewPool returns a pool of total places, of which one caller may hold perCaller.
func NewPool(perCaller, total int) *Pool {
	return &Pool{perCaller: perCaller, total: total, held: map[string]int{}}
}

// FullError says why no place was given.
type FullError struct {
	Held  int  // places that the caller holds
	Total bool // all places of the pool are taken
}

func (e *FullError) Error() string {
	if e.Total {
		return "all places are taken"
	}
	return fmt.Sprintf("%d places are the caller's already", e.Held)
}

// Acquire takes a place for the caller that the keys name, the narrowest key first; each key may hold twice as many places as the one
// before it. Without keys only the total is bounded. Call the function it returns once, to give the place back. The error is a
// [FullError].
func (p *Pool) Acquire(keys ...string) (func(), error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.inUse >= p.total {
		return nil, &FullError{Total: true}
	}
	for i, key := range keys {
		if held := p.held[key]; held >= share(p.perCaller<<i, p.total, p.inUse) {
			return nil, &FullError{Held: held}
		}
	}
	p.inUse++
	for _, key := range keys {
		p.held[key]++
	}
	return func() { p.release(keys) }, nil
}

func (p *Pool) release(keys []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inUse--
	for _, key := range keys {
		if p.held[key]--; p.held[key] == 0 {
			delete(p.held, key)
		}
	}
}

// InUse returns how many places are taken.
func (p *Pool) InUse() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.inUse
}

// share returns how many places a caller may hold when inUse of total are taken: perCaller times the free part, rounded up.
func share(perCaller, total, inUse int) int { return (perCaller*(total-inUse) + total - 1) / total }

// CallerKeys returns the keys of the caller at an address: an IPv4 address itself; of an IPv6 address its /64, then its /56, which
// a provider may give to one customer.
func CallerKeys(a netip.Addr) []string {
	a = a.Unmap().WithZone("")
	if !a.Is6() {
		return []string{a.String()}
	}
	narrow, _ := a.Prefix(64) // no error: it is IPv6
	wide, _ := a.Prefix(56)
	return []string{narrow.String(), wide.String()}
}
