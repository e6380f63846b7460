package live

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/internal/must"
)

func keptOf(t *testing.T, steps int) *ReplayCache[int, int] {
	t.Helper()
	r, err := newReplaySemaphore(Limits{Bytes: 1 << 20, Steps: httpx.Rate{Count: steps, Per: time.Minute}, Keys: 9}, func() time.Time { return time.Unix(0, 0) })
	must.OK(t, err)
	return NewReplayCache[int, int](r)
}

// TestACallerHasOnePlaceAtATime: however much one asks for, another's request waits for one of theirs at most.
func TestACallerHasOnePlaceAtATime(t *testing.T) {
	x := keptOf(t, 1000)
	var mu sync.Mutex
	var wait sync.WaitGroup
	open, most := 0, 0
	for i := range maxQueuedPerCaller / 2 {
		wait.Go(func() {
			_, err := x.Get(t.Context(), httpx.Caller{"a"}, i, 1, func(context.Context) (int, int, error) {
				mu.Lock()
				open++
				most = max(most, open)
				mu.Unlock()
				for range 100 {
					runtime.Gosched() // others have their turn
				}
				mu.Lock()
				open--
				mu.Unlock()
				return i, 8, nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if most != 1 {
		t.Errorf("a caller had %d places at once, want 1", most)
	}
}

// TestWhoJoinsHasTheirOwnPatience: what the first caller waited for in vain is made for those who came later, and have time.
func TestWhoJoinsHasTheirOwnPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := keptOf(t, 1000)
		for range cap(x.replays.places) {
			x.replays.places <- struct{}{}
		}
		get := func(who string) (int, error) {
			return x.Get(t.Context(), httpx.Caller{who}, 1, 1, func(context.Context) (int, int, error) { return 7, 8, nil })
		}
		var wait sync.WaitGroup
		var told *httpx.WaitError
		wait.Go(func() {
			if _, err := get("first"); !errors.As(err, &told) {
				t.Errorf("the first gets %v, want a wait", err)
			}
		})
		time.Sleep(placeTime / 2)
		for _, who := range []string{"second", "third"} {
			wait.Go(func() {
				if v, err := get(who); v != 7 || err != nil {
					t.Errorf("the %s gets %d, %v; there is a place before their time ends", who, v, err)
				}
			})
		}
		time.Sleep(placeTime/2 + time.Second)
		<-x.replays.places
		wait.Wait()
	})
}

// TestAMakingIsForAllWhoAsk: they wait for it, and none of them ends it by leaving.
func TestAMakingIsForAllWhoAsk(t *testing.T) {
	x := keptOf(t, 10)
	begun, free := make(chan struct{}), make(chan struct{})
	leaving, leave := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	makes := 0
	play := func(ctx context.Context) (int, int, error) {
		makes++
		close(begun)
		<-free
		return 7, 8, ctx.Err()
	}
	wait.Go(func() { _, _ = x.Get(leaving, httpx.Caller{"a"}, 1, 10, play) })
	<-begun
	leave()
	for range 8 {
		wait.Go(func() { // their own share is used up: another's work costs them nothing
			if v, err := x.Get(t.Context(), httpx.Caller{"a"}, 1, 10, play); v != 7 || err != nil {
				t.Errorf("got %d, %v", v, err)
			}
		})
	}
	close(free)
	wait.Wait()
	if makes != 1 {
		t.Errorf("made %d times, want once", makes)
	}
	var told *httpx.WaitError
	if _, err := x.Get(t.Context(), httpx.Caller{"a"}, 2, 10, play); !errors.As(err, &told) || told.Wait != time.Minute {
		t.Errorf("whose share is used up gets %v, want a wait of a minute", err)
	}
}
