package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// What is read and watched at once.
const (
	watchersAll = 1000
	watchPace   = 200 * time.Millisecond // between the steps of a match
	watchReads  = 200                    // a second
	watchSpans  = 8                      // how many times longer than the others this is measured
)

// crowd is how many watch how many matches.
type crowd struct{ watchers, matches int }

// watchers measures what a reader of pages waits while matches run and many watch them, against the same pages of the same
// platform while nothing happens: the slowest in a hundred against five times the middle one. The watchers and the readers
// are in this process and need their part of the processors.
func watchers(ctx context.Context, o options) ([]figure, error) {
	return onBoth(ctx, o, "watchers.db", "?_pragma=busy_timeout(10000)", func(on database) ([]figure, error) {
		row, err := watchersOn(ctx, o, crowd{watchers: watchersAll, matches: 66}, on)
		return []figure{row}, err
	})
}

func watchersOn(ctx context.Context, o options, all crowd, on database) (_ figure, err error) {
	ctx, stop := context.WithCancel(ctx)
	db, err := openStore(ctx, o, on.url, 0)
	if err != nil {
		stop()
		return figure{}, err
	}
	var busy sync.WaitGroup
	defer func() {
		stop()
		busy.Wait()
		err = errors.Join(err, db.Close())
	}()
	games, err := startGames(ctx, all.matches, on)
	if err != nil {
		return figure{}, err
	}
	s, err := newSite(ctx, db, o.Now)
	if err != nil {
		return figure{}, err
	}
	defer s.close()
	s.client.Transport = &http.Transport{MaxIdleConnsPerHost: watchReads}
	busy.Go(func() { s.pages.Run(ctx) })
	if err := games[0].append(ctx, db); err != nil {
		return figure{}, err
	}
	paths := []string{"/", "/matches/" + games[0].id, "/v1/matches/" + games[0].id, "/v1/matches/" + games[0].id + "/events", "/v1/matches?limit=10", "/v1/games"}
	if _, err := s.reads(ctx, paths, o.Span/2); err != nil { // warms up
		return figure{}, err
	}
	idle, err := s.reads(ctx, paths, o.Span*watchSpans)
	if err != nil {
		return figure{}, err
	}
	var got atomic.Int64
	for i := range all.watchers {
		if err := s.watch(ctx, &busy, games[i%len(games)].id, &got); err != nil {
			return figure{}, err
		}
	}
	var failed atomic.Pointer[error]
	for i, g := range games {
		busy.Go(func() {
			if err := g.play(ctx, db, watchPace*time.Duration(i)/time.Duration(len(games))); err != nil && ctx.Err() == nil {
				failed.Store(&err)
			}
		})
	}
	begin := got.Load()
	loaded, err := s.reads(ctx, paths, o.Span*watchSpans)
	if e := failed.Load(); e != nil {
		err = errors.Join(err, *e)
	}
	if err == nil && got.Load()-begin < int64(all.watchers) {
		err = fmt.Errorf("%d watchers got %d bytes while matches ran", all.watchers, got.Load()-begin)
	}
	middle, slow := idle[len(idle)/2], loaded[len(loaded)*99/100]
	return ceiling(fmt.Sprintf("reads while %d watch, p99, %s", all.watchers, on.name), "ms", slow, middle,
		fmt.Sprintf("the middle one of the same reads while nothing happens (p99 then: %.3g ms; the middle one under load: %.3g ms)",
			idle[len(idle)*99/100], loaded[len(loaded)/2]), 5), err
}

// running is a match that goes on step by step.
type running struct {
	id    string
	steps []runner.Step
	next  int
}

// startGames makes the matches that are watched: they run, and have no step yet.
func startGames(ctx context.Context, matches int, on database) (_ []*running, err error) {
	long, err := longest(slices.DeleteFunc(contests(false), func(c contest) bool { return c.engine.Info().ID != "molehill" }))
	if err != nil {
		return nil, err
	}
	raw, err := sql.Open(on.driver, on.dsn)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, raw.Close()) }()
	if on.driver == "pgx" { // the matches have no bots: nobody asks them
		raw.SetMaxOpenConns(1)
		if _, err := raw.ExecContext(ctx, "SET session_replication_role = replica"); err != nil {
			return nil, err
		}
	}
	list := make([]*running, matches)
	for i := range list {
		id := fmt.Sprintf("00000000-0000-7000-9000-%012d", i+1)
		spec, err := long.spec(id)
		if err != nil {
			return nil, err
		}
		if err := long.save(ctx, raw, spec, tournament.MatchRunning); err != nil {
			return nil, err
		}
		list[i] = &running{id: id, steps: spec.Recorded}
	}
	return list, nil
}

var errShort = errors.New("a match that is watched is over too early")

func (g *running) append(ctx context.Context, db *store.Store) error {
	if g.next == len(g.steps) {
		return errShort
	}
	g.next++
	return db.AppendStep(ctx, g.id, 1, g.steps[g.next-1])
}

// play appends a step after the other until ctx ends.
func (g *running) play(ctx context.Context, db *store.Store, after time.Duration) error {
	for wait := after; ; wait = watchPace {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
		if err := g.append(ctx, db); err != nil {
			return err
		}
	}
}

// watch follows the events of a match until ctx ends.
func (s *site) watch(ctx context.Context, busy *sync.WaitGroup, id string, got *atomic.Int64) error {
	c, err := new(net.Dialer).DialContext(ctx, "tcp", s.url[len("http://"):])
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(c, "GET /v1/matches/%s/events HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n", id); err != nil {
		return errors.Join(err, c.Close())
	}
	first := make([]byte, len("HTTP/1.1 200"))
	if _, err := io.ReadFull(c, first); err != nil || string(first) != "HTTP/1.1 200" {
		return errors.Join(fmt.Errorf("a watcher gets %q: %w", first, err), c.Close())
	}
	busy.Go(func() {
		defer context.AfterFunc(ctx, func() { _ = c.Close() })()
		buffer := make([]byte, 4<<10)
		for {
			n, err := c.Read(buffer)
			got.Add(int64(n))
			if err != nil {
				return
			}
		}
	})
	return nil
}

// reads asks for the paths in turn at an even rate and returns how long each took, in ms, sorted.
func (s *site) reads(ctx context.Context, paths []string, span time.Duration) ([]float64, error) {
	n := max(len(paths), int(span.Seconds()*watchReads))
	took, errs := make([]float64, n), make([]error, n)
	var wg sync.WaitGroup
	tick := time.NewTicker(time.Second / watchReads)
	defer tick.Stop()
	for i := range n {
		<-tick.C
		wg.Go(func() { took[i], errs[i] = s.ask(ctx, paths[i%len(paths)]) })
	}
	wg.Wait()
	slices.Sort(took)
	return took, errors.Join(errs...)
}
