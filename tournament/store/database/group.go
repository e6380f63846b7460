package database

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// groupPatience is how long a commit may take before the next is made beside it.
const groupPatience = 100 * time.Millisecond

// Group commits together what many callers bring at the same time: what comes while a commit is under way waits, and shares
// the next. An item that comes alone waits for none. It has a goroutine of its own only while there is something to commit. It is
// safe for concurrent use.
type Group[T any] struct {
	Size  int            // most items of one commit
	Limit time.Duration  // of one commit: it belongs to no caller's context
	Key   func(T) string // no two items of one key share a commit, and they keep their order
	// Commit returns what came of each item, or why nothing came of any.
	Commit func(context.Context, []T) ([]error, error)
	// RetryEach has the items of a commit that failed tried one by one, so that nobody suffers for another.
	RetryEach bool
	// MaxInFlight is how many commits are made side by side at most; 0 is one. The next begins beside one that takes too long: its
	// connection may hang, and that must not hold up everybody. Commits that lock the same rows should be one in flight.
	MaxInFlight int

	running  sync.WaitGroup
	mu       sync.Mutex
	closed   bool
	inFlight int // commits under way
	late     int // those of them that take too long
	waiting  []*grouped[T]
}

// grouped is an item that waits. The channel has room for what came of it.
type grouped[T any] struct {
	item T
	done chan error
}

// Do returns what Commit says of item. When ctx ends first the error is ctx's, and item is committed or not.
func (g *Group[T]) Do(ctx context.Context, item T) error {
	own := &grouped[T]{item: item, done: make(chan error, 1)}
	if err := g.join(own); err != nil {
		return err
	}
	select {
	case err := <-own.done:
		return err
	case <-ctx.Done():
	}
	g.leave(own)
	select {
	case err := <-own.done: // both at once
		return err
	default:
		return ctx.Err()
	}
}

func (g *Group[T]) join(own *grouped[T]) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return errors.New("the database is closed")
	}
	g.waiting = append(g.waiting, own)
	g.begin()
	return nil
}

// begin sees to it that those who wait are looked after; the lock is held.
func (g *Group[T]) begin() {
	if len(g.waiting) > 0 && g.inFlight == g.late && g.inFlight < max(1, g.MaxInFlight) {
		g.inFlight++
		g.running.Go(g.run)
	}
}

// leave takes back what no commit has taken up yet.
func (g *Group[T]) leave(own *grouped[T]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = slices.DeleteFunc(g.waiting, func(other *grouped[T]) bool { return other == own })
}

// Close ends the group: what waits is committed first, and what comes later is refused.
func (g *Group[T]) Close() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.running.Wait()
}

// run commits group after group, until nobody waits or another lane does it.
func (g *Group[T]) run() {
	for {
		list := g.take()
		if list == nil {
			return
		}
		g.commit(list)
	}
}

// take removes the next group from those waiting, the first of them among it; nil ends the lane.
func (g *Group[T]) take() []*grouped[T] {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.waiting) == 0 || g.inFlight-g.late > 1 {
		g.inFlight--
		return nil
	}
	var list, rest []*grouped[T]
	seen := map[string]bool{}
	for _, w := range g.waiting {
		key := g.Key(w.item)
		if len(list) < g.Size && !seen[key] {
			list = append(list, w)
		} else {
			rest = append(rest, w)
		}
		seen[key] = true
	}
	g.waiting = rest
	return list
}

// commit commits one group, and has the next begin beside it if that takes too long.
func (g *Group[T]) commit(list []*grouped[T]) {
	late := false
	timer := time.AfterFunc(groupPatience, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if !late {
			late = true
			g.late++
			g.begin()
		}
	})
	errs := g.outcomes(Map(list, func(w *grouped[T]) T { return w.item }))
	timer.Stop()
	g.mu.Lock()
	if late {
		g.late--
	}
	late = true // if the timer has fired and waits for the lock, it is too late
	g.mu.Unlock()
	for i, w := range list {
		w.done <- errs[i]
	}
}

// outcomes commits items and returns what came of each.
func (g *Group[T]) outcomes(items []T) []error {
	ctx, cancel := context.WithTimeout(context.Background(), g.Limit)
	defer cancel()
	errs, err := g.safely(ctx, items)
	if err == nil {
		return errs
	}
	errs = slices.Repeat([]error{err}, len(items))
	if !g.RetryEach || len(items) == 1 {
		return errs
	}
	for i := range items {
		one, err := g.safely(ctx, items[i:i+1])
		if err == nil {
			err = one[0]
		}
		errs[i] = err
	}
	return errs
}

// safely makes a panic an error: the others wait.
func (g *Group[T]) safely(ctx context.Context, items []T) (_ []error, err error) {
	defer Recover(&err)
	return g.Commit(ctx, items)
}

// Recover makes a panic the error that the function returns which defers it.
func Recover(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}
