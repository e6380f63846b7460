package director

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// Group commit: whoever comes while a transaction is under way waits, and the next transaction takes all who wait. There is
// no goroutine of its own: one of the callers leads each group, and hands over to one who waits.

// groupSize is the most endings of one transaction.
const groupSize = 64

// groupLimit bounds a transaction that does not belong to one caller's context alone.
const groupLimit = 30 * time.Second

// grouped is what an ending needs to wait in a group. err is written by the leader before done is closed.
type grouped struct {
	err  error
	done chan struct{}
	lead chan struct{}
}

// group are the endings of one director that wait for their transaction.
type group struct {
	mu      sync.Mutex
	led     bool
	waiting []*ending
}

// settle returns when e is safe, or why it is not.
func (g *group) settle(ctx context.Context, e *ending, commit func(context.Context, []*ending) error) error {
	e.done, e.lead = make(chan struct{}), make(chan struct{}, 1)
	g.mu.Lock()
	g.waiting = append(g.waiting, e)
	if !g.led {
		g.led = true
		e.lead <- struct{}{}
	}
	g.mu.Unlock()
	select {
	case <-e.done:
	case <-e.lead:
		g.run(ctx, commit)
		<-e.done // the leader was the first of those waiting, so it is in its own group
	}
	return e.err
}

// run commits one group and hands over. If the group fails, each of it is tried alone, so that nobody suffers for another.
func (g *group) run(ctx context.Context, commit func(context.Context, []*ending) error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), groupLimit)
	defer cancel()
	list := g.take()
	if err := safely(ctx, commit, list); err != nil {
		for _, e := range list {
			if len(list) > 1 {
				err = safely(ctx, commit, []*ending{e})
			}
			if err != nil {
				e.err = err
			}
		}
	}
	g.mu.Lock()
	if g.led = len(g.waiting) > 0; g.led {
		g.waiting[0].lead <- struct{}{}
	}
	g.mu.Unlock()
	for _, e := range list {
		close(e.done)
	}
}

// safely makes a panic of one ending's own work an error: the leader works for others too, and they wait for it.
func safely(ctx context.Context, commit func(context.Context, []*ending) error, list []*ending) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("settle: panic: %v\n%s", p, debug.Stack())
		}
	}()
	return commit(ctx, list)
}

// take removes the next group from those waiting, the first of them among it. A match that is ended twice waits for
// another group: the second ending must see the first.
func (g *group) take() (list []*ending) {
	g.mu.Lock()
	defer g.mu.Unlock()
	rest := g.waiting[:0:0]
	seen := map[string]bool{}
	for _, e := range g.waiting {
		if len(list) < groupSize && !seen[e.match.ID] {
			seen[e.match.ID] = true
			list = append(list, e)
		} else {
			rest = append(rest, e)
		}
	}
	g.waiting = rest
	return list
}
