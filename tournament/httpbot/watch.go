package httpbot

import (
	"sync"
	"time"
)

const (
	beat           = 20 * time.Millisecond  // between two looks at the clock
	stallThreshold = 100 * time.Millisecond // without a look: the process stood still
	wholeStall     = time.Second            // from here on a stall may have been the whole machine's
	nearEnd        = 100 * time.Millisecond // how soon after such a stall the machine's kernel stamps what waited for it
	stallsKept     = 64
)

// watch knows when this process was stalled: stopped by a signal, without a processor, or together with its machine. What a
// bot is asked meanwhile is not read in time, and that is no time of the bot's.
type watch struct {
	now  func() time.Time
	stop chan struct{}
	done chan struct{}

	mu      sync.Mutex
	last    time.Time     // when it was last seen alive
	stalled []span        // the latest stalls, in order
	late    time.Duration // how late looks are, smoothed over some seconds
	total   time.Duration // of all stalls
}

type span struct{ from, to time.Time }

func systemNow() time.Time { return time.Now() } //nolint:forbidigo // the default of a parameter

// newWatch begins to watch; end it.
func newWatch(now func() time.Time) *watch {
	w := &watch{now: now, stop: make(chan struct{}), done: make(chan struct{}), last: now()}
	go w.run()
	return w
}

func (w *watch) end() {
	close(w.stop)
	<-w.done
}

func (w *watch) run() {
	defer close(w.done)
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			w.look()
		case <-w.stop:
			return
		}
	}
}

// look notes that the process is alive, and the stall that has ended if it was not.
func (w *watch) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	gap := now.Sub(w.last)
	if gap > stallThreshold {
		w.stalled = append(w.stalled, span{w.last, now})
		w.stalled = w.stalled[max(0, len(w.stalled)-stallsKept):]
		w.total += gap
	}
	w.late += (max(0, gap-beat) - w.late) / 64
	w.last = now
}

// stalls returns the stalls known, and the one that nobody has noted yet: the caller may run again before the watch does. The caller
// holds mu.
func (w *watch) stalls() []span {
	if now := w.now(); now.Sub(w.last) > stallThreshold {
		return append(w.stalled[:len(w.stalled):len(w.stalled)], span{w.last, now})
	}
	return w.stalled
}

// between returns how long the process stood still from one time to another.
func (w *watch) between(from, to time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	var sum time.Duration
	for _, s := range w.stalls() {
		sum += s.within(from, to)
	}
	return sum
}

// machine returns how long the whole machine may have stood still from one time to another, when bytes came by its kernel's word:
// a long stall that ended at about that time. One that ended sooner or later was this process's alone, and the kernel saw
// through it.
func (w *watch) machine(from, to time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.stalls() {
		if s.to.Sub(s.from) >= wholeStall && to.Sub(s.to).Abs() <= nearEnd {
			return s.within(from, to)
		}
	}
	return 0
}

// within returns how much of s lies from one time to another.
func (s span) within(from, to time.Time) time.Duration {
	if s.from.After(from) {
		from = s.from
	}
	if s.to.Before(to) {
		to = s.to
	}
	return max(0, to.Sub(from))
}

// of returns how long we stood still in the time that t charges to a bot, up to end.
func (w *watch) of(t *trace, end time.Time) time.Duration {
	writtenAt := t.sent.writtenAt
	switch {
	case writtenAt.IsZero():
		return w.between(t.begin, end)
	case t.kernel:
		return w.between(t.begin, t.ready) + w.machine(writtenAt, end)
	}
	return w.between(t.begin, t.ready) + w.between(writtenAt, end)
}

// Late returns how late this process gets to run, smoothed over some seconds, and how long it has stood still in all, in stalls of
// 100 ms and more.
func (c *Client) Late() (late, stalled time.Duration) {
	c.watch.mu.Lock()
	defer c.watch.mu.Unlock()
	return c.watch.late, c.watch.total
}
