package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// counted is a game that counts its deals, and the most that were under way at once.
type counted struct {
	game.Engine
	deals, open, most atomic.Int32
}

func (c *counted) New(config json.RawMessage, seats int, seed game.Seed) (game.Table, []game.Event, error) {
	c.deals.Add(1)
	if n := c.open.Add(1); n > c.most.Load() {
		c.most.Store(n)
	}
	defer c.open.Add(-1)
	for range 100 {
		runtime.Gosched()
	}
	return c.Engine.New(config, seats, seed)
}

// onOneCounted is onOne with a game of masks whose deals are counted.
func onOneCounted(t *testing.T, test func(w *world, c *counted)) {
	t.Helper()
	storetest.One(t, func(t *testing.T, open storetest.Open) {
		c := &counted{Engine: game.Wrap(masks{})}
		test(newWorld(t, open, func(cfg *api.Config) { cfg.Engines = []game.Engine{engines()[0], c} }), c)
	})
}

// TestARecordedMatchIsPlayedAgainOnceForAllWhoAsk: anybody may ask for a record or a view, and each can cost much.
func TestARecordedMatchIsPlayedAgainOnceForAllWhoAsk(t *testing.T) {
	onOneCounted(t, func(w *world, c *counted) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		at := "/v1/matches/" + list[0].ID
		first := map[string][]byte{}
		for _, path := range []string{at + "/replay", at + "/view?step=2", at + "/view?step=2&seat=0", at + "/view?step=4&seat=1"} {
			first[path] = w.get(anon, path).want(200, "").body
		}
		if bytes.Equal(first[at+"/view?step=2"], first[at+"/view?step=2&seat=0"]) {
			t.Error("a seat's view is the spectator's: a kept table must be looked at again for each")
		}
		before := c.deals.Load()
		same(t, "deals", before, 2)
		var wait sync.WaitGroup
		for range 8 {
			for path, want := range first {
				wait.Go(func() {
					if got := w.get(anon, path); got.status != 200 || !bytes.Equal(got.body, want) {
						t.Errorf("%s again: got %d, want the same answer", path, got.status)
					}
				})
			}
		}
		wait.Wait()
		if got := c.deals.Load(); got != before {
			t.Errorf("got %d more deals, want none: what was played is kept", got-before)
		}
		c.most.Store(0)
		for step := range 4 {
			for range 4 {
				wait.Go(func() {
					if got := w.get(anon, fmt.Sprintf("%s/view?step=%d", at, step)); got.status != 200 {
						t.Errorf("step %d: got %d %s", step, got.status, got.body)
					}
				})
			}
		}
		wait.Wait()
		if most, bound := c.most.Load(), int32(max(1, runtime.GOMAXPROCS(0)/2)); most > bound { // a number of processors
			t.Errorf("got %d matches played again at once, want at most %d", most, bound)
		}
	})
}

// TestALiveMatchIsPlayedAgainOnceForAllWhoWatch: its page, the viewer's steps, its board, its state and its events show
// any step of a match that runs, and anybody may watch any number of matches.
func TestALiveMatchIsPlayedAgainOnceForAllWhoWatch(t *testing.T) {
	onOneCounted(t, func(w *world, c *counted) {
		_, list := w.started(func(cup *tournament.Tournament) { cup.Cycles = 6 }, owner, other)
		for _, m := range list {
			w.play(m, 2)
		}
		watch := func() {
			var wait sync.WaitGroup
			for _, m := range list {
				for _, path := range []string{"/matches/%s", "/matches/%s?step=1", "/matches/%s/frames", "/matches/%s/frames?from=2", "/v1/matches/%s", "/v1/matches/%s/events"} {
					wait.Go(func() {
						if got := w.get(anon, fmt.Sprintf(path, m.ID)); got.status != 200 {
							t.Errorf(path+": got %d %s", m.ID, got.status, got.body)
						}
					})
				}
			}
			wait.Wait()
		}
		c.deals.Store(0)
		c.most.Store(0)
		watch()
		first, n, bound := c.deals.Load(), int32(len(list)), int32(max(1, runtime.GOMAXPROCS(0)/2)) // small numbers
		if first < 2*n || first > 2*n*bound {
			t.Errorf("got %d deals for %d matches, want one of each for the viewer and one for the words", first, n)
		}
		if most := c.most.Load(); most > bound {
			t.Errorf("got %d matches played again at once, want at most %d", most, bound)
		}
		watch()
		same(t, "more deals", c.deals.Load()-first, 0)
	})
}

// spoiler is a tape on which one step has a hash that is not its own.
type spoiler struct {
	tape
	step int
}

func (x *spoiler) Append(ctx context.Context, s runner.Step) error {
	if s.Step == x.step {
		s.Hash[0] ^= 1
	}
	return x.tape.Append(ctx, s)
}

// TestAStepThatDoesNotFitItsHashIsNotShown: whoever looks at a match that was changed in the database must not take it for what
// was played.
func TestAStepThatDoesNotFitItsHashIsNotShown(t *testing.T) {
	onOne(t, func(w *world) {
		w.faulty = true
		_, list := w.started(func(cup *tournament.Tournament) { cup.Cycles = 2 }, owner, other)
		for i, steps := range []int{3, 100} { // one match runs, one is over
			m, _, err := w.director.Claim(t.Context(), store.PlayMatch{MatchID: list[i].ID, Epoch: list[i].Epoch}, "test", time.Minute)
			must.OK(t, err)
			engine, _ := findGame(m.Game)
			log := &spoiler{tape: tape{w.store, m, steps}, step: 2}
			o, err := runner.Play(t.Context(), runner.SpecOf(m, engine, nil), []runner.Player{nodder{}, nodder{}}, log)
			if err == nil {
				err = w.director.Finish(t.Context(), m, o, nil)
			}
			if err != nil && !errors.Is(err, errEnough) {
				t.Fatal(err)
			}
			paths := []string{"/matches/%s", "/matches/%s/frames", "/matches/%s/moves", "/matches/%s/board.svg", "/v1/matches/%s", "/v1/matches/%s/events"}
			if steps == 100 {
				paths = append(paths, "/v1/matches/%s/view?step=2", "/v1/matches/%s/replay")
			}
			for _, path := range paths {
				for range 2 { // also when it has been asked for before
					if got := w.get(anon, fmt.Sprintf(path, m.ID)); got.status != 500 {
						t.Errorf(path+" after %d steps: got %d, want 500", m.ID, steps, got.status)
					}
				}
			}
		}
	})
}
