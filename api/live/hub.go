package live

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/molerun/molerun/api/httpx"
)

// item is one event of a stream as every reader of it is sent it. Numbers begin at 1 and have no gaps.
type item struct {
	id   int64
	text []byte
}

// newItem writes an event. kind is its SSE event type; "" is message.
func newItem(id int64, kind string, data []byte) item {
	if kind != "" {
		kind = "\nevent: " + kind
	}
	return item{id: id, text: fmt.Appendf(nil, "id: %d%s\ndata: %s\n\n", id, kind, data)}
}

// Source is where a stream is read from. load reads up to limit items after a number; over means that no more will follow.
type Source interface {
	load(ctx context.Context, after int64, limit int) (list []item, over bool, err error)
}

const (
	pageItems = 500  // read at once
	tailItems = 2000 // kept for readers: the most that a stream holds in memory
)

// ErrAhead means that the stream has not reached the number.
var ErrAhead = fmt.Errorf("%w: Last-Event-ID or after is beyond the end of this stream", httpx.ErrQuery)

// topic is one stream, read once for all who follow it.
type topic struct {
	users int // guarded by the hub

	signal  sync.Mutex // held only for moments: waking never waits for the database
	stale   bool
	look    chan struct{} // has a value when somebody should look whether there is more
	changed chan struct{} // closed when there is more

	mu   sync.Mutex // held during a read
	src  Source
	base int64 // number before the first of tail
	tail []item
	over bool
}

func newTopic(src Source, end int64) *topic {
	return &topic{
		src:     src,
		stale:   true,
		look:    make(chan struct{}, 1),
		changed: make(chan struct{}),
		base:    end,
	}
}

// wake has one of the readers look: if a thousand woke at once, they would all wait for the one that reads.
func (t *topic) wake() {
	t.fresh(true)
	select {
	case t.look <- struct{}{}:
	default: // somebody will look anyway
	}
}

// tell wakes all readers.
func (t *topic) tell() {
	t.signal.Lock()
	defer t.signal.Unlock()
	close(t.changed)
	t.changed = make(chan struct{})
}

// waiting returns a channel that closes when there is more than what is read after this call, or an error.
func (t *topic) waiting() <-chan struct{} {
	t.signal.Lock()
	defer t.signal.Unlock()
	return t.changed
}

// fresh sets whether there may be more, and reports whether there was.
func (t *topic) fresh(stale bool) bool {
	t.signal.Lock()
	defer t.signal.Unlock()
	was := t.stale
	t.stale = stale
	return was
}

// page is what follows a number in a stream, as much as one read returns.
type page struct {
	list []item
	more bool // more is available already
	over bool // no more will come
}

// next returns what follows a number.
func (t *topic) next(ctx context.Context, after int64) (page, error) {
	var p page
	var err error
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.refresh(ctx); err != nil {
		return p, err
	}
	end := t.base + int64(len(t.tail))
	switch {
	case after > end:
		return p, ErrAhead
	case after >= t.base:
		p.list = t.tail[after-t.base:]
		p.list = p.list[:min(len(p.list), pageItems):min(len(p.list), pageItems)]
	default: // before what is kept; never more than up to there, so that nothing comes twice
		if p.list, _, err = t.read(ctx, after, int(min(pageItems, t.base-after))); err != nil {
			return p, err
		}
	}
	p.more = after+int64(len(p.list)) < end
	p.over = t.over && !p.more
	return p, nil
}

// read reads the source in a time of its own: whoever reads does it for all who wait.
func (t *topic) read(ctx context.Context, after int64, limit int) ([]item, bool, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTime)
	defer cancel()
	return t.src.load(ctx, after, limit)
}

// refresh reads what is new. One does it for all: the others wait at the lock.
func (t *topic) refresh(ctx context.Context) error {
	if t.over || !t.fresh(false) {
		return nil
	}
	for {
		end := t.base + int64(len(t.tail))
		list, over, err := t.read(ctx, end, pageItems)
		if err != nil {
			t.fresh(true)
			t.tell()
			return err
		}
		if over || len(list) > 0 {
			t.tell()
		}
		t.tail = append(t.tail, list...)
		if drop := len(t.tail) - tailItems; drop > 0 {
			t.base += int64(drop)
			t.tail = append([]item(nil), t.tail[drop:]...) // those who still read the old ones keep them
		}
		if over || len(list) < pageItems {
			t.over = over
			return nil
		}
	}
}

// hub holds everything that is followed in this process.
type hub struct {
	draining, closing chan struct{} // closed when the streams end, and when nobody is to stay any longer

	mu     sync.Mutex
	closed bool
	topics map[string]*topic
	dirty  map[string]bool   // changed since the last flush
	leases map[string]*lease // by id of the token
}

func newHub() *hub {
	return &hub{
		draining: make(chan struct{}),
		closing:  make(chan struct{}),
		topics:   map[string]*topic{},
		dirty:    map[string]bool{},
		leases:   map[string]*lease{},
	}
}

// note keeps in mind that a topic has changed; "" is all topics, which take their turns.
func (h *hub) note(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.topics[name] != nil {
		h.dirty[name] = true
	}
	if name == "" {
		for each := range h.topics {
			h.dirty[each] = true
		}
	}
}

// turns is how many parts the topics are divided into. They take turns, so that not all readers wake at the same moment.
const turns = 10

// flush wakes what was noted of the part whose turn it is, one topic after the other within a time: a topic that changes all
// the time is read once for many changes, and a reader of a page never waits behind the readers of many topics.
func (h *hub) flush(turn int, within time.Duration) {
	h.mu.Lock()
	var names []string
	for name := range h.dirty {
		sum := fnv.New32a()
		_, _ = sum.Write([]byte(name))
		if int(sum.Sum32()%turns) == turn%turns {
			names = append(names, name)
			delete(h.dirty, name)
		}
	}
	h.mu.Unlock()
	for i, name := range names {
		if i > 0 {
			time.Sleep(within / time.Duration(len(names)))
		}
		h.wake(name)
	}
}

// wake has one of those who watch a topic look.
func (h *hub) wake(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t := h.topics[name]; t != nil {
		t.wake()
	}
}

// join returns the topic of a name, made if nobody watches it yet; leave when done.
func (h *hub) join(name string, src Source, end int64) *topic {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[name]
	if t == nil {
		t = newTopic(src, end)
		h.topics[name] = t
	}
	t.users++
	return t
}

func (h *hub) leave(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t := h.topics[name]; t != nil {
		if t.users--; t.users == 0 {
			delete(h.topics, name)
		}
	}
}

// lease keeps a token's callers connected while it is live.
type lease struct {
	ended chan struct{} // closed when it is no longer live, or the hub is
	users int
}

// lease watches the token of a caller who stays: ended is closed when it is live no more, or the hub is closed. Without a
// token only the latter ends it.
func (h *hub) lease(tokenID string) (ended <-chan struct{}, leave func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if tokenID == "" || h.closed {
		return h.closing, func() {}
	}
	l := h.leases[tokenID]
	if l == nil {
		l = &lease{ended: make(chan struct{})}
		h.leases[tokenID] = l
	}
	l.users++
	return l.ended, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if l.users--; l.users == 0 && h.leases[tokenID] == l {
			delete(h.leases, tokenID)
		}
	}
}

// tokens returns those that streams hang on.
func (h *hub) tokens() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Collect(maps.Keys(h.leases))
}

// end ends what hangs on a token.
func (h *hub) end(tokenID string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if l := h.leases[tokenID]; l != nil {
		close(l.ended)
		delete(h.leases, tokenID)
	}
}

// drain ends the streams. Others who stay are still served.
func (h *hub) drain() {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.draining:
	default:
		close(h.draining)
	}
}

// close ends all there is.
func (h *hub) close() {
	h.drain()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	h.closed = true
	close(h.closing)
	for id, l := range h.leases {
		close(l.ended)
		delete(h.leases, id)
	}
}
