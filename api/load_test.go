package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// load is how much happens at once.
type load struct {
	bots, steps, watchers int           // everybody meets everybody once, all at once
	think                 time.Duration // of every decision
}

func loadOf() (load, bool) {
	if os.Getenv("MOLERUN_NIGHTLY") == "1" {
		return load{bots: 12, steps: 60, watchers: 500, think: 200 * time.Millisecond}, true // 66 matches
	}
	return load{bots: 5, steps: 12, watchers: 50, think: 5 * time.Millisecond}, false
}

// thinker is a nodder that takes its time, as bots do: not all of them at one moment.
type thinker struct {
	nodder
	time.Duration
}

func (p thinker) Ask(ctx context.Context, b runner.Briefing, a runner.Ask) runner.Reply {
	time.Sleep(p.Duration/2 + rand.N(p.Duration))
	return p.nodder.Ask(ctx, b, a)
}

// run plays a queued match to its end.
func (w *world) run(m tournament.Match, think time.Duration) error {
	ctx := w.t.Context()
	m, done, err := w.director.Claim(ctx, store.PlayMatch{MatchID: m.ID, Epoch: m.Epoch}, "test", time.Minute)
	if err != nil {
		return err
	}
	engine, _ := storetest.Engines(m.Game)
	players := make([]runner.Player, len(m.Seats))
	for i := range players {
		players[i] = thinker{Duration: think}
	}
	o, err := runner.Play(ctx, runner.SpecOf(m, engine, done), players, &tape{w.store, m, 1 << 30})
	if err != nil {
		return err
	}
	return w.director.Finish(ctx, m, o, nil)
}

// follow watches a stream to its last message and counts; it is cut now and then, and comes back. last tells the last.
func (l *live) follow(path string, last func(message) bool) (n int, err error) {
	for after := "0"; ; {
		s := l.watch(anon, path, after)
		for range 1 + rand.IntN(20) {
			m, ok := s.next()
			if !ok {
				err = fmt.Errorf("%s ended after %d messages: %d", path, n, s.answer.StatusCode)
				break
			}
			if n++; m.id != strconv.Itoa(n) {
				err = fmt.Errorf("%s: got number %q (%s %s), want %d", path, m.id, m.kind, m.data, n)
				break
			}
			if last(m) {
				s.close()
				return n, nil
			}
		}
		after = s.lastID
		s.close()
		if err != nil {
			return n, err
		}
	}
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}

func TestWatchersMissNothingWhileMatchesRun(t *testing.T) {
	size, nightly := loadOf()
	onOne(t, func(w *world) {
		who := slices.Repeat([]string{owner}, size.bots)
		cup, _ := w.started(func(c *tournament.Tournament) {
			c.Game, c.Config, c.Rated, c.Capacity = "toy", json.RawMessage(fmt.Sprintf(`{"steps":%d}`, size.steps)), false, size.bots
		}, who...)
		list, _, err := w.store.Matches(t.Context(), store.MatchFilter{TournamentID: cup.ID}, store.Page{Limit: store.MaxPage})
		if err != nil || len(list) != size.bots*(size.bots-1)/2 {
			t.Fatalf("got %d matches, %v", len(list), err)
		}
		l := w.goLive(w.api)
		transport := l.server.Client().Transport.(*http.Transport)
		transport.MaxIdleConnsPerHost = 100
		feed := "/v1/tournaments/" + cup.ID
		runtime.GC()
		before := heap()

		var watching, playing sync.WaitGroup
		var mu sync.Mutex
		seen := map[string][]int{} // how many messages its watchers got, by path
		for i := range size.watchers {
			path, last := "/v1/matches/"+list[i%len(list)].ID+"/events", func(m message) bool { return m.kind == "end" }
			if i%4 == 3 {
				path = []string{"/v1/events", feed + "/events"}[i/4%2]
				last = func(m message) bool { return m.kind == "tournament.finished" }
			}
			watching.Go(func() {
				n, err := l.follow(path, last)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				seen[path] = append(seen[path], n)
			})
		}
		w.until("all watch", func() bool { return int(w.metric("molerun_streams")) >= size.watchers || t.Failed() })
		for _, m := range list {
			playing.Go(func() {
				if err := w.run(m, size.think); err != nil {
					t.Error(err)
				}
			})
		}
		playing.Wait()
		peak := heap()
		if t.Failed() {
			w.api.Stop() // nobody waits for what will not come
		}
		watching.Wait()
		total := 0
		for path, counts := range seen {
			want := 0
			switch page := w.get(anon, path+"?after=0"); path {
			case "/v1/events", feed + "/events":
				want = len(into[wire.Events](page.want(200, "")).Data)
			default:
				want = into[wire.MatchEvents](page.want(200, "")).Last + 1 // and the end
			}
			for _, n := range counts {
				if total += n; n != want {
					t.Errorf("%s: a watcher got %d messages of %d", path, n, want)
				}
			}
		}
		if !nightly {
			return
		}
		t.Logf("%d matches of %d steps, %d watchers: %d messages, none lost or twice; memory %d KiB idle, %d KiB under load, %d KiB a watcher with its client",
			len(list), size.steps, size.watchers, total, before>>10, peak>>10, int64(peak-before)>>10/int64(size.watchers))
		if peak > 512<<20 {
			t.Errorf("%d MiB in use: want a bound of 512", peak>>20)
		}
	})
}
