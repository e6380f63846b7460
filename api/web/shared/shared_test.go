package shared_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/molerun/molerun/api/cache"
	"github.com/molerun/molerun/api/web/shared"
)

func TestWhatIsSharedIsNeverOlderThanTheQuestion(t *testing.T) {
	x := shared.New[string, int64](cache.New(1 << 20))
	var now, builds atomic.Int64
	holds := func(v int64) (bool, error) { return v == now.Load(), nil }
	build := func() (int64, int, error) { builds.Add(1); return now.Load(), 8, nil }
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				asked := now.Load()
				if v, err := x.Get("x", holds, build); err != nil || v < asked {
					t.Errorf("got %d, %v, asked at %d", v, err, asked)
				}
				now.Add(1)
			}
		})
	}
	wg.Wait()
	before := builds.Load()
	for range 8 {
		wg.Go(func() {
			if v, err := x.Get("x", holds, build); err != nil || v != now.Load() {
				t.Errorf("got %d, %v, want %d", v, err, now.Load())
			}
		})
	}
	wg.Wait()
	if n := builds.Load() - before; n > 1 {
		t.Errorf("made %d times for all who ask, want once", n)
	}
}

func TestWhatCannotBeMadeIsTriedAgain(t *testing.T) {
	x := shared.New[string, int](cache.New(1 << 20))
	holds := func(int) (bool, error) { return true, nil }
	no := errors.New("no database")
	if _, err := x.Get("x", holds, func() (int, int, error) { return 0, 0, no }); !errors.Is(err, no) {
		t.Errorf("got %v, want %v", err, no)
	}
	if v, err := x.Get("x", holds, func() (int, int, error) { return 7, 8, nil }); err != nil || v != 7 {
		t.Errorf("got %d, %v, want 7", v, err)
	}
	if _, err := x.Get("x", func(int) (bool, error) { return false, no }, nil); !errors.Is(err, no) {
		t.Errorf("a check that fails: got %v, want %v", err, no)
	}
}
