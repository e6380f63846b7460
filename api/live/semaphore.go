package live

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/molerun/molerun/api/cache"
	"github.com/molerun/molerun/api/connlimit"
	"github.com/molerun/molerun/api/httpx"
)

// Limits bound what is done and kept for those who look at recorded matches.
type Limits struct {
	Bytes int        // kept of what was made last
	Steps httpx.Rate // recorded steps that are played again for a caller
	Keys  int        // callers remembered; the longest unseen is forgotten
}

const (
	maxQueuedPerCaller = 16              // that a caller may wait for at once, while few do
	maxQueued          = 64              // that wait, of all callers
	placeTime          = 8 * time.Second // how long one waits for a place
	playTime           = 20 * time.Second
)

// ReplaySemaphore are places for replaying recorded matches. A replay can cost a second of a processor, and anyone may request one, so
// only some run at once: half the processors stay free for everything else. A caller has one place at a time, however much they
// ask for, so that nobody waits behind all that another wants. What a caller may have played again is bounded too, by steps.
// Nothing is read before there is a place for it.
type ReplaySemaphore struct {
	places chan struct{}
	queue  *connlimit.Pool
	steps  *httpx.Limiter
	now    func() time.Time
	cache  *cache.Cache

	mu    sync.Mutex
	turns map[string]*turn // by caller
}

// turn is what the replays of one caller take one after the other.
type turn struct {
	taken chan struct{} // holds a value while one has a place or waits for it
	users int
}

func newReplaySemaphore(l Limits, now func() time.Time) (*ReplaySemaphore, error) {
	steps, err := httpx.NewLimiter("steps", l.Steps, l.Keys)
	return &ReplaySemaphore{
		places: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)),
		queue:  connlimit.NewPool(maxQueuedPerCaller, maxQueued),
		steps:  steps,
		now:    now,
		cache:  cache.New(l.Bytes),
		turns:  map[string]*turn{},
	}, err
}

// Cache returns the cache of what was made.
func (x *ReplaySemaphore) Cache() *cache.Cache { return x.cache }

// admission is a replay that was let into the queue.
type admission struct {
	turn  *turn
	leave func() // call once
}

// admit counts so many steps that are to be played again for a caller, and lets them into the queue.
func (x *ReplaySemaphore) admit(who httpx.Caller, steps int) (admission, error) {
	leave, err := x.queue.Acquire(who...)
	var full *connlimit.FullError
	if errors.As(err, &full) {
		if full.Total {
			return admission{}, fmt.Errorf("%w: many matches are being played again", &httpx.WaitError{Wait: placeTime})
		}
		return admission{}, fmt.Errorf("%w: %d matches are being played again for you already", &httpx.WaitError{Wait: time.Second}, full.Held)
	}
	name := strings.Join(who[:min(1, len(who))], "")
	if err := x.steps.Use(name, steps, x.now()); err != nil {
		leave()
		return admission{}, fmt.Errorf("%w: you have looked at many long matches", err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	t := x.turns[name]
	if t == nil {
		t = &turn{taken: make(chan struct{}, 1)}
		x.turns[name] = t
	}
	t.users++
	return admission{t, func() {
		leave()
		x.mu.Lock()
		defer x.mu.Unlock()
		if t.users--; t.users == 0 {
			delete(x.turns, name)
		}
	}}, nil
}

// run runs play in a place, as soon as it is the caller's turn and there is one. It is done for all who wait for the same: the end
// of one request does not end it.
func (x *ReplaySemaphore) run(ctx context.Context, a admission, play func(context.Context) error) error {
	ctx = context.WithoutCancel(ctx)
	wait := time.NewTimer(placeTime)
	defer wait.Stop()
	for _, place := range []chan struct{}{a.turn.taken, x.places} {
		select {
		case place <- struct{}{}:
			defer func() { <-place }()
		case <-wait.C:
			return fmt.Errorf("%w: many matches are being played again", &httpx.WaitError{Wait: placeTime})
		}
	}
	ctx, cancel := context.WithTimeout(ctx, playTime)
	defer cancel()
	return play(ctx)
}

// ReplayCache holds the latest results of replaying matches. Each is made once for all who ask for it meanwhile and later.
type ReplayCache[K comparable, V any] struct {
	replays *ReplaySemaphore
	cache   *cache.Partition[K, V]

	mu     sync.Mutex
	making map[K]*making[V]
}

// making is a result that somebody makes; done is closed when it is there.
type making[V any] struct {
	done chan struct{}
	v    V
	err  error
}

// DoNotCache is given for the bytes of a result that nobody will ask for again.
const DoNotCache = -1

// NewReplayCache keeps results of what is played in the places of replays.
func NewReplayCache[K comparable, V any](replays *ReplaySemaphore) *ReplayCache[K, V] {
	return &ReplayCache[K, V]{replays: replays, cache: cache.NewPartition[K, V](replays.cache), making: map[K]*making[V]{}}
}

// Get returns what is kept under key, or else what play makes when there is a place for it, as costly as playing so many steps
// again. play returns how many bytes the result takes in the cache, or [DoNotCache]. A caller beyond their share gets an
// [httpx.WaitError].
func (x *ReplayCache[K, V]) Get(ctx context.Context, who httpx.Caller, key K, steps int, play func(context.Context) (V, int, error)) (V, error) {
	patience := time.NewTimer(placeTime)
	defer patience.Stop()
	for {
		v, joined, err := x.get(ctx, who, key, steps, play)
		var wait *httpx.WaitError
		if !joined || !errors.As(err, &wait) {
			return v, err
		}
		select {
		case <-patience.C:
			return v, err
		default: // whoever made it had no time left; this caller has
		}
	}
}

// get makes one try of [ReplayCache.Get]; joined reports whether another caller was to play it.
func (x *ReplayCache[K, V]) get(ctx context.Context, who httpx.Caller, key K, steps int, play func(context.Context) (V, int, error)) (v V, joined bool, err error) {
	if v, ok := x.cache.Get(key); ok {
		return v, false, nil
	}
	m, a, err := x.join(who, key, steps)
	if err != nil {
		return v, false, err
	}
	if a.turn != nil {
		defer x.made(key, m, a)
		m.err = errors.New("live: the making panicked") // unless it comes to its end
		m.err = x.replays.run(ctx, a, func(ctx context.Context) error {
			v, bytes, err := play(ctx)
			if m.v = v; err == nil && bytes != DoNotCache {
				x.cache.Put(key, v, bytes)
			}
			return err
		})
		return m.v, false, m.err
	}
	select {
	case <-m.done:
		return m.v, true, m.err
	case <-ctx.Done():
		return v, true, ctx.Err()
	}
}

// join returns the making of key: another's, or a new one, which was admitted and is the caller's to carry out.
func (x *ReplayCache[K, V]) join(who httpx.Caller, key K, steps int) (m *making[V], a admission, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	m, ok := x.making[key]
	if ok {
		return m, a, nil
	}
	if a, err = x.replays.admit(who, steps); err == nil {
		m = &making[V]{done: make(chan struct{})}
		x.making[key] = m
	}
	return m, a, err
}

// made ends a making for all who wait.
func (x *ReplayCache[K, V]) made(key K, m *making[V], a admission) {
	x.mu.Lock()
	delete(x.making, key)
	x.mu.Unlock()
	close(m.done)
	a.leave()
}
