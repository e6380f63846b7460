package live

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/api/httpx"
)

// counter is a source of so many items, and of errors.
type counter struct {
	mu    sync.Mutex
	n     int64
	over  bool
	fails int
	loads int
}

func (c *counter) load(_ context.Context, after int64, limit int) (out []item, over bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.loads++
	if c.fails > 0 {
		c.fails--
		return nil, false, errors.New("no database")
	}
	for i := after + 1; i <= c.n && len(out) < limit; i++ {
		out = append(out, newItem(i, "", []byte(strconv.FormatInt(i, 10))))
	}
	return out, c.over && after+int64(len(out)) == c.n, nil
}

func (c *counter) add(n int64, over bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n, c.over = c.n+n, over
}

// readAll follows a topic from a number to its end, and returns the first gap or repeat.
func readAll(ctx context.Context, t *topic, after int64) error {
	for {
		changed := t.waiting()
		p, err := t.next(ctx, after)
		if err != nil {
			return err
		}
		for _, i := range p.list {
			if after++; i.id != after {
				return fmt.Errorf("got number %d, want %d", i.id, after)
			}
		}
		switch {
		case p.over:
			return nil
		case p.more:
		default:
			select {
			case <-t.look:
			case <-changed:
			case <-ctx.Done():
				return fmt.Errorf("waits after %d: %w", after, ctx.Err())
			}
		}
	}
}

func TestWhoeverReadsATopicFromWhereverReadsAllOfIt(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	src := &counter{n: 3 * tailItems}
	h := newHub()
	one := h.join("x", src, 2*tailItems) // the first to watch wants no more than what comes
	var wg sync.WaitGroup
	for range 16 {
		from := rand.Int64N(3 * tailItems) // any place will do
		wg.Go(func() {
			if err := readAll(ctx, h.join("x", src, 0), from); err != nil {
				t.Errorf("from %d: %v", from, err)
			}
		})
	}
	for i := range 50 {
		src.add(rand.Int64N(tailItems/4), i == 49) // any number will do
		h.note([]string{"x", ""}[i%2])
		for turn := range turns {
			h.flush(turn, 0)
		}
	}
	wg.Wait()
	if len(one.tail) > tailItems || one.base+int64(len(one.tail)) != src.n {
		t.Errorf("keeps %d items after %d of %d, want at most %d", len(one.tail), one.base, src.n, tailItems)
	}
}

func TestATopicIsReadOnceForAllAndAgainAfterAFailure(t *testing.T) {
	src := &counter{n: 5, fails: 1}
	x := newTopic(src, 0)
	if _, err := x.next(t.Context(), 0); err == nil {
		t.Error("nobody hears of the failure")
	}
	for range 3 {
		if p, err := x.next(t.Context(), 2); err != nil || len(p.list) != 3 {
			t.Errorf("got %+v, %v, want the last three", p, err)
		}
	}
	if src.loads != 2 {
		t.Errorf("read %d times, want once and once in vain", src.loads)
	}
	if _, err := x.next(t.Context(), 6); !errors.Is(err, httpx.ErrQuery) {
		t.Errorf("beyond the end: got %v, want %v", err, httpx.ErrQuery)
	}
}

func TestATopicIsForgottenWithItsLastReader(t *testing.T) {
	h := newHub()
	h.join("x", &counter{}, 0)
	h.join("x", &counter{}, 0)
	h.leave("x")
	if len(h.topics) != 1 {
		t.Error("it is gone while somebody reads")
	}
	h.leave("x")
	if len(h.topics) != 0 {
		t.Error("it stays")
	}
}

func TestOneReaderLooksForAllAndWakesThemOnlyWithNews(t *testing.T) {
	src := &counter{n: 1}
	x := newTopic(src, 1)
	if _, err := x.next(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	all := x.waiting()
	told := func() bool {
		select {
		case <-all:
			return true
		default:
			return false
		}
	}
	for _, row := range []struct {
		name string
		more int64
		over bool
		fail int
		want bool
	}{
		{"nothing new", 0, false, 0, false},
		{"an event", 1, false, 0, true},
		{"a failure, which each of them hears", 0, false, 1, true},
		{"the end", 0, true, 0, true},
	} {
		all = x.waiting()
		src.add(row.more, row.over)
		src.fails = row.fail
		x.wake()
		x.wake()
		<-x.look
		if len(x.look) > 0 || told() {
			t.Errorf("%s: more than one was woken", row.name)
		}
		if _, err := x.next(t.Context(), src.n); (err != nil) != (row.fail > 0) {
			t.Errorf("%s: got %v", row.name, err)
		}
		if got := told(); got != row.want {
			t.Errorf("%s: all were woken: %v, want %v", row.name, got, row.want)
		}
	}
}
