package jobs_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/jobs"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

func TestALeaseIsRenewedAsLongAsThePlayersThink(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		tour := w.tournament(2, `{"steps":1}`)
		b := newBots()
		b.before = func(ctx context.Context, _ *tournament.Match, _ runner.Ask) {
			select { // three leases
			case <-ctx.Done():
			case <-time.After(1500 * time.Millisecond):
			}
		}
		c := w.config(b)
		c.Lease, c.Renew = 500*time.Millisecond, 50*time.Millisecond
		w.run(c)
		w.until("the end of the tournament", w.finished(tour.ID))
		for _, m := range w.matches(tour.ID) {
			if m.Epoch != 1 || b.asked[key(m.ID, 0, 0)] != 1 {
				t.Errorf("match took %d attempts and asked %d times, want 1 and 1", m.Epoch, b.asked[key(m.ID, 0, 0)])
			}
		}
	})
}

func TestAWorkerLeavesAMatchThatIsNoLongerItsOwn(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		tour := w.tournament(2, `{"steps":1}`)
		b := newBots()
		var asked, left atomic.Int32
		b.before = func(ctx context.Context, _ *tournament.Match, _ runner.Ask) {
			asked.Add(1)
			<-ctx.Done() // the clock alone would let it think for eleven seconds
			if !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
				left.Add(1)
			}
		}
		c := w.config(b)
		w.run(c)
		w.until("both matches to ask both players", func() bool { return asked.Load() == 4 })
		w.Did(w.Cancel(w.Ctx, tour.ID, "rain"))
		w.until("the players to be let go", func() bool { return left.Load() == 4 })
		for _, m := range w.matches(tour.ID) {
			if m.Status != tournament.MatchVoid || m.Epoch != 1 || !strings.Contains(m.Reason, "rain") {
				t.Errorf("match is %s (%s) after %d attempts, want void for rain after 1", m.Status, m.Reason, m.Epoch)
			}
		}
	})
}

func TestAMatchThatCannotBePlayedHereIsVoid(t *testing.T) {
	type engines func(string) (game.Engine, bool)
	for _, row := range []struct {
		name, reason string
		epochs       int
		find         engines
	}{
		{"a game this program lacks", "no game", 0, func(string) (game.Engine, bool) { return nil, false }},
		{"rules of another version", "the match was made for rules 1 of toy, this program has 2", 0, func(id string) (game.Engine, bool) {
			e, ok := storetest.Engines(id)
			return newer{e}, ok
		}},
		{"tried fifty times", "given up after 50 attempts", 50, storetest.Engines},
	} {
		t.Run(row.name, func(t *testing.T) {
			on(t, storetest.One, func(t *testing.T, w *world) {
				tour := w.tournament(2, `{"steps":1}`)
				w.Did(w.Start(w.Ctx, tour.ID))
				first := w.matches(tour.ID)[0]
				for epoch := range row.epochs {
					must.First(w.Claim(w.Ctx, store.PlayMatch{MatchID: first.ID, Epoch: int64(epoch)}, "w", time.Minute))(w.T)
					w.Must(w.Release(w.Ctx, first.ID, int64(epoch+1)))
				}
				c := w.config(newBots())
				c.Engines = row.find
				w.run(c)
				var m tournament.Match
				w.until("the end of the match", func() bool {
					m = must.Get(w.Match(w.Ctx, first.ID))(w.T)
					return m.Status.Over()
				})
				if m.Status != tournament.MatchVoid || !strings.HasPrefix(m.Reason, row.reason) {
					t.Errorf("match is %s (%s), want void: %s", m.Status, m.Reason, row.reason)
				}
			})
		})
	}
}

// newer is a game whose rules have changed.
type newer struct{ game.Engine }

func (n newer) Info() game.Info {
	info := n.Engine.Info()
	info.Version++
	return info
}

// A match whose end could not be saved has left its slot, whatever the end was.
func TestAMatchThatCouldNotBeSettledIsPlayedNoMore(t *testing.T) {
	for end, player := range map[string]func(runner.Player) (runner.Player, error){
		"its result":   func(p runner.Player) (runner.Player, error) { return p, nil },
		"that is void": func(p runner.Player) (runner.Player, error) { return broken{p}, nil },
		"given back":   func(runner.Player) (runner.Player, error) { return nil, driver.ErrBadConn },
	} {
		t.Run(end, func(t *testing.T) {
			t.Parallel()
			storetest.SQLite(t, func(t *testing.T, open storetest.Open) {
				var away atomic.Bool
				w := liveWorld(t, open(store.Options{Commit: func(int) error {
					if away.Load() {
						return driver.ErrBadConn
					}
					return nil
				}}))
				tour := w.tournament(2, `{"steps":1}`)
				b := newBots()
				c := w.config(b)
				var begun, over atomic.Int32
				c.Players = func(ctx context.Context, m *tournament.Match, seat game.Seat) (runner.Player, error) {
					p, err := b.player(ctx, m, seat)
					if m.Epoch == 1 && m.LadderSeq == 1 {
						away.Store(true) // steps are recorded all the same
						time.AfterFunc(time.Second/2, func() { away.Store(false) })
						p, err = player(p)
					}
					return p, err
				}
				c.Observe = jobs.Observer{
					Started:  func(*tournament.Match) { begun.Add(1) },
					Finished: func(*tournament.Match, *runner.Outcome) { over.Add(1) },
					Voided:   func(*tournament.Match, string) { over.Add(1) },
					Released: func(*tournament.Match) { over.Add(1) },
				}
				stop := w.run(c)
				w.until("the end of the tournament", w.finished(tour.ID))
				stop()
				if begun.Load() != over.Load() || begun.Load() < 3 {
					t.Errorf("%d attempts began and %d are over, want as many and one that failed", begun.Load(), over.Load())
				}
			})
		})
	}
}
