package database_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/molerun/molerun/tournament/store/database"
)

// desk is a group whose commits are seen, and take until they are let go.
type desk struct {
	database.Group[string]
	mu      sync.Mutex
	commits [][]string
	results map[string]error
	let     chan struct{}
}

// newDesk is a desk for texts like "a1": a is the key.
func newDesk() *desk {
	d := &desk{let: make(chan struct{}), results: map[string]error{}}
	d.Size = 3
	d.MaxInFlight = 4
	d.Limit = time.Minute
	d.Key = func(s string) string { return s[:1] }
	d.Commit = func(ctx context.Context, list []string) ([]error, error) {
		d.mu.Lock()
		d.commits = append(d.commits, list)
		d.mu.Unlock()
		select {
		case <-d.let:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if slices.Contains(list, "panic") {
			panic("planted")
		}
		return database.Map(list, func(s string) error {
			if strings.HasSuffix(s, "!") {
				return fmt.Errorf("%s is refused", s)
			}
			return nil
		}), nil
	}
	return d
}

// bring lets somebody come with each of items, in order.
func (d *desk) bring(ctx context.Context, items ...string) {
	for _, item := range items {
		go func() {
			err := d.Do(ctx, item)
			d.mu.Lock()
			defer d.mu.Unlock()
			d.results[item] = err
		}()
		synctest.Wait()
	}
}

// letGo ends n commits, one after another.
func (d *desk) letGo(n int) {
	for range n {
		d.let <- struct{}{}
		synctest.Wait()
	}
}

// expect compares the commits so far, as "a1 | b1 c1", and who has an answer.
func (d *desk) expect(t *testing.T, when, commits, answered string) {
	t.Helper()
	synctest.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	var names []string
	for item := range d.results {
		names = append(names, item)
	}
	slices.Sort(names)
	if got := strings.Join(database.Map(d.commits, func(list []string) string { return strings.Join(list, " ") }), " | "); got != commits {
		t.Errorf("%s: commits %q, want %q", when, got, commits)
	}
	if got := strings.Join(names, " "); got != answered {
		t.Errorf("%s: answered %q, want %q", when, got, answered)
	}
}

func TestWhatComesDuringACommitSharesTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		d.bring(t.Context(), "a1", "b1", "c1", "d1", "e1")
		d.expect(t, "one that comes alone does not wait", "a1", "")
		d.letGo(1)
		d.expect(t, "the first is committed, the next are as many as may be", "a1 | b1 c1 d1", "a1")
		d.letGo(2)
		d.expect(t, "all are committed", "a1 | b1 c1 d1 | e1", "a1 b1 c1 d1 e1")
		d.bring(t.Context(), "f1")
		d.expect(t, "after a rest", "a1 | b1 c1 d1 | e1 | f1", "a1 b1 c1 d1 e1")
		d.letGo(1)
		d.Close()
	})
}

func TestEachGetsItsOwnResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		d.bring(t.Context(), "a1", "b1", "c!", "d1")
		d.letGo(2)
		if d.results["c!"] == nil {
			t.Error("c!: no error")
		}
		if err := errors.Join(d.results["b1"], d.results["d1"]); err != nil {
			t.Errorf("for the others: %v", err)
		}
		d.bring(t.Context(), "e1", "panic", "f1")
		d.letGo(2)
		for _, item := range []string{"panic", "f1"} {
			if err := d.results[item]; err == nil || !strings.Contains(err.Error(), "planted") {
				t.Errorf("%s: got %v, want the panic", item, err)
			}
		}
		d.bring(t.Context(), "g1")
		d.letGo(1)
		d.expect(t, "after a panic", "a1 | b1 c! d1 | e1 | panic f1 | g1", "a1 b1 c! d1 e1 f1 g1 panic")
		d.Close()
	})
}

func TestWhatFailsTogetherIsTriedAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		d.RetryEach = true
		d.bring(t.Context(), "a1", "b1", "panic", "c!")
		d.letGo(5)
		d.expect(t, "at the end", "a1 | b1 panic c! | b1 | panic | c!", "a1 b1 c! panic")
		if err := d.results["b1"]; err != nil {
			t.Errorf("b1: %v", err)
		}
		for item, want := range map[string]string{"panic": "planted", "c!": "refused"} {
			if err := d.results[item]; err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want that it is %s", item, err, want)
			}
		}
		d.Close()
	})
}

func TestItemsOfOneKeyAreCommittedInTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		d.bring(t.Context(), "z1", "a1", "a2", "b1", "a3", "c1", "d1")
		d.letGo(4)
		d.expect(t, "at the end", "z1 | a1 b1 c1 | a2 d1 | a3", "a1 a2 a3 b1 c1 d1 z1")
		d.Close()
	})
}

func TestWhoGivesUpLeavesTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		ctx, cancel := context.WithCancel(t.Context())
		d.bring(ctx, "a1")
		d.bring(t.Context(), "b1")
		d.bring(ctx, "c1")
		cancel()
		d.expect(t, "given up", "a1", "a1 c1")
		for _, item := range []string{"a1", "c1"} {
			if err := d.results[item]; !errors.Is(err, context.Canceled) {
				t.Errorf("%s: got %v, want that it was stopped", item, err)
			}
		}
		d.letGo(2)
		d.expect(t, "a1 was under way, c1 is not committed", "a1 | b1", "a1 b1 c1")
		d.Close()
	})
}

func TestACommitThatHangsHoldsUpItsOwnGroupAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		d.bring(t.Context(), "a1", "b1")
		time.Sleep(99 * time.Millisecond)
		d.expect(t, "in time", "a1", "")
		time.Sleep(time.Millisecond)
		d.expect(t, "late", "a1 | b1", "")
		d.bring(t.Context(), "c1")
		d.expect(t, "one late, one in time", "a1 | b1", "")
		time.Sleep(time.Second)
		d.bring(t.Context(), "d1")
		time.Sleep(time.Second)
		d.bring(t.Context(), "e1")
		time.Sleep(time.Second)
		d.expect(t, "no more than four at once", "a1 | b1 | c1 | d1", "")
		d.letGo(5)
		d.expect(t, "at the end", "a1 | b1 | c1 | d1 | e1", "a1 b1 c1 d1 e1")
		d.bring(t.Context(), "f1", "g1", "h1")
		d.expect(t, "afterwards", "a1 | b1 | c1 | d1 | e1 | f1", "a1 b1 c1 d1 e1")
		d.letGo(2)
		d.expect(t, "one at a time again", "a1 | b1 | c1 | d1 | e1 | f1 | g1 h1", "a1 b1 c1 d1 e1 f1 g1 h1")
		d.Close()
	})
}

func TestACommitIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		begin := time.Now()
		if err := d.Do(t.Context(), "a1"); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != d.Limit {
			t.Errorf("got %v after %v, want its end after %v", err, time.Since(begin), d.Limit)
		}
		d.Close()
	})
}

func TestAClosedGroupCommitsWhatWaitsAndTakesNoMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		d.bring(t.Context(), "a1", "b1")
		closed := make(chan struct{})
		go func() { d.Close(); close(closed) }()
		synctest.Wait()
		d.bring(t.Context(), "c1")
		d.expect(t, "closing", "a1", "c1")
		if d.results["c1"] == nil {
			t.Error("c1 came late and has no error")
		}
		d.letGo(2)
		<-closed
		d.expect(t, "closed", "a1 | b1", "a1 b1 c1")
		if err := d.results["b1"]; err != nil {
			t.Errorf("b1: %v", err)
		}
	})
}
