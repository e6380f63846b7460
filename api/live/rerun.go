package live

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/molerun/molerun/api/door"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/shelf"
)

// Limits bound what is done and kept for those who look at recorded matches.
type Limits struct {
	Bytes int        // kept of what was made last
	Steps httpx.Rate // recorded steps that are played again for a caller
	Keys  int        // callers remembered; the longest unseen is forgotten
}

const (
	rerunsEach = 4               // that a caller may wait for at once, while few do
	rerunsAll  = 64              // that wait, of all callers
	placeTime  = 8 * time.Second // how long one waits for a place
	playTime   = 20 * time.Second
)

// Reruns are places for replaying recorded matches. A replay can cost a second of a processor, and anyone may request one, so
// only some run at once: half the processors stay free for everything else. What a caller may have played again is bounded too,
// by steps. Nothing is read before there is a place for it.
type Reruns struct {
	places chan struct{}
	queue  *door.Pool
	steps  *httpx.Limiter
	now    func() time.Time
	shelf  *shelf.Shelf
}

func newReruns(l Limits, now func() time.Time) (*Reruns, error) {
	steps, err := httpx.NewLimiter("steps", l.Steps, l.Keys)
	return &Reruns{
		places: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)),
		queue:  door.NewPool(rerunsEach, rerunsAll),
		steps:  steps,
		now:    now,
		shelf:  shelf.New(l.Bytes),
	}, err
}

// Shelf is where what was made is kept.
func (x *Reruns) Shelf() *shelf.Shelf { return x.shelf }

// admit counts so many steps that are to be played again for a caller, and lets them into the queue until leave is called.
func (x *Reruns) admit(who httpx.Caller, steps int) (leave func(), err error) {
	leave, err = x.queue.Take(who...)
	var full *door.FullError
	if errors.As(err, &full) {
		if full.All {
			return nil, fmt.Errorf("%w: many matches are being played again", &httpx.WaitError{Wait: placeTime})
		}
		return nil, fmt.Errorf("%w: %d matches are being played again for you already", &httpx.WaitError{Wait: time.Second}, full.Held)
	}
	for _, name := range who[:min(1, len(who))] {
		if err := x.steps.Use(name, steps, x.now()); err != nil {
			leave()
			return nil, fmt.Errorf("%w: you have looked at many long matches", err)
		}
	}
	return leave, nil
}

// run runs play in a place, as soon as there is one. It is done for all who wait for the same: the end of one request does not
// end it.
func (x *Reruns) run(ctx context.Context, play func(context.Context) error) error {
	ctx = context.WithoutCancel(ctx)
	wait := time.NewTimer(placeTime)
	defer wait.Stop()
	select {
	case x.places <- struct{}{}:
		defer func() { <-x.places }()
	case <-wait.C:
		return fmt.Errorf("%w: many matches are being played again", &httpx.WaitError{Wait: placeTime})
	}
	ctx, cancel := context.WithTimeout(ctx, playTime)
	defer cancel()
	return play(ctx)
}

// Kept holds the latest results of replaying matches. Each is made once for all who ask for it meanwhile and later.
type Kept[K comparable, V any] struct {
	reruns *Reruns
	kind   *shelf.Kind[K, V]

	mu     sync.Mutex
	making map[K]*making[V]
}

// making is a result that somebody makes; done is closed when it is there.
type making[V any] struct {
	done chan struct{}
	v    V
	err  error
}

// NotKept, as the bytes of a result, is one that nobody will ask for again.
const NotKept = -1

// NewKept keeps results of what is played in the places of reruns.
func NewKept[K comparable, V any](reruns *Reruns) *Kept[K, V] {
	return &Kept[K, V]{reruns: reruns, kind: shelf.NewKind[K, V](reruns.shelf), making: map[K]*making[V]{}}
}

// Get returns what is kept under key, or else what play makes when there is a place for it, as costly as playing so many steps
// again. play returns how many bytes the result takes on the shelf, or [NotKept]. Who asks for more than their share is told to wait
// ([httpx.WaitError]).
func (x *Kept[K, V]) Get(ctx context.Context, who httpx.Caller, key K, steps int, play func(context.Context) (V, int, error)) (V, error) {
	if v, ok := x.kind.Get(key); ok {
		return v, nil
	}
	m, mine, err := x.join(who, key, steps)
	if err != nil {
		return *new(V), err
	}
	if mine != nil {
		defer mine()
		m.err = errors.New("live: the making panicked") // unless it comes to its end
		m.err = x.reruns.run(ctx, func(ctx context.Context) error {
			v, bytes, err := play(ctx)
			if m.v = v; err == nil && bytes != NotKept {
				x.kind.Put(key, v, bytes)
			}
			return err
		})
		return m.v, m.err
	}
	select {
	case <-m.done:
		return m.v, m.err
	case <-ctx.Done():
		return *new(V), ctx.Err()
	}
}

// join returns the making of key: another's, or a new one, with what ends it.
func (x *Kept[K, V]) join(who httpx.Caller, key K, steps int) (m *making[V], mine func(), err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if m, ok := x.making[key]; ok {
		return m, nil, nil
	}
	leave, err := x.reruns.admit(who, steps)
	if err != nil {
		return nil, nil, err
	}
	m = &making[V]{done: make(chan struct{})}
	x.making[key] = m
	return m, func() {
		x.mu.Lock()
		delete(x.making, key)
		x.mu.Unlock()
		close(m.done)
		leave()
	}, nil
}
