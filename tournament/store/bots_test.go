package store_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/storetest"
)

func TestABotComesBackAsItWasMade(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		b, v, err := w.CreateBot(w.ctx, tournament.Bot{Name: "Fox", OwnerID: w.org.ID},
			tournament.Version{URL: "https://fox.example/", Secrets: tournament.Secrets{"whsec_a"}, Author: "Ada", Build: "7", Games: []string{"toy", "cia", "demol"}, WantsText: true}, 1)
		w.must(err)
		if b.Status != tournament.BotActive || b.VersionID != v.ID || v.BotID != b.ID || v.Number != 1 {
			t.Errorf("bot %+v and version %+v are not linked", b, v)
		}
		kept, err := w.Bot(w.ctx, b.ID)
		w.must(err)
		if diff := cmp.Diff(b, kept); diff != "" {
			t.Error(diff)
		}
		got, err := w.Version(w.ctx, v.ID)
		w.must(err)
		list, err := w.Versions(w.ctx, b.ID)
		w.must(err)
		if diff := cmp.Diff(v, got) + cmp.Diff([]tournament.Version{v}, list); diff != "" {
			t.Error(diff)
		}
	})
}

func TestTheQuotaCountsBotsThatAreNotRetired(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		add := func(name string) (tournament.Bot, error) {
			b, _, err := w.CreateBot(w.ctx, tournament.Bot{Name: name, OwnerID: w.org.ID}, tournament.Version{}, 2)
			return b, err
		}
		first, err := add("a")
		w.must(err)
		_, err = add("b")
		w.must(err)
		_, err = add("c")
		refused(t, "a third of two", err, tournament.ErrLimit)
		_, err = w.RetireBot(w.ctx, first.ID, "old")
		w.must(err)
		_, err = add("d")
		w.must(err)
	})
}

func TestTheQuotaHoldsUnderManyRequestsAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		won := race(40, func(i int) error {
			_, _, err := w.CreateBot(w.ctx, tournament.Bot{Name: fmt.Sprint("b", i), OwnerID: w.org.ID}, tournament.Version{}, 3)
			return err
		}, func(err error) { refused(t, "over the quota", err, tournament.ErrLimit) })
		if won != 3 {
			t.Errorf("%d bots were made at a quota of 3", won)
		}
	})
}

// race calls f n times at once, counts the successes and gives the refusals to check.
func race(n int, f func(i int) error, check func(error)) (won int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			err := f(i)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won++
			} else {
				check(err)
			}
		})
	}
	close(start)
	wg.Wait()
	return won
}

// warm opens n connections at once, so that a race begins with all of them ready. SQLite has one writer.
func (w *world) warm(n int) {
	w.t.Helper()
	if w.SQL(w.ctx).Name() != "postgres" {
		return
	}
	var all sync.WaitGroup
	all.Add(n)
	race(n, func(int) error {
		return w.InTx(w.ctx, func(*store.Tx) error { all.Done(); all.Wait(); return nil })
	}, func(err error) { w.t.Error(err) })
}

func TestABotIsPausedBackAgainAndRetiredForGood(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		b := w.bot("fox", w.org)
		check := func(got tournament.Bot, err error, status tournament.BotStatus, reason string) {
			t.Helper()
			w.must(err)
			b.Status, b.Reason, b.Pause = status, reason, ""
			if status == tournament.BotPaused {
				b.Pause = tournament.PausedByChecks
			}
			stored, err := w.Bot(w.ctx, b.ID)
			w.must(err)
			if diff := cmp.Diff(b, got) + cmp.Diff(b, stored); diff != "" {
				t.Error(diff)
			}
		}
		got, err := w.SetBotStatus(w.ctx, b.ID, tournament.BotPaused, "no answer")
		check(got, err, tournament.BotPaused, "no answer")
		got, err = w.SetBotStatus(w.ctx, b.ID, tournament.BotActive, "dropped")
		check(got, err, tournament.BotActive, "")
		_, err = w.SetBotStatus(w.ctx, b.ID, tournament.BotRetired, "")
		refused(t, "retire by status", err, tournament.ErrInvalid)
		got, err = w.RetireBot(w.ctx, b.ID, "old")
		check(got, err, tournament.BotRetired, "old")
		_, err = w.SetBotStatus(w.ctx, b.ID, tournament.BotActive, "")
		refused(t, "wake a retired bot", err, tournament.ErrState)
		_, err = w.RetireBot(w.ctx, b.ID, "again")
		refused(t, "retire twice", err, tournament.ErrState)
	})
}

func TestBotsAreListedByOwnerGameAndStatus(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		ada := w.user("ada")
		a, b, c := w.bot("a", ada), w.bot("b", ada), w.bot("c", w.org)
		d, _, err := w.CreateBot(w.ctx, tournament.Bot{Name: "d", OwnerID: w.org.ID}, tournament.Version{Games: []string{"cia"}}, 9)
		w.must(err)
		_, err = w.SetBotStatus(w.ctx, b.ID, tournament.BotPaused, "")
		w.must(err)
		for _, row := range []struct {
			name   string
			filter store.BotFilter
			want   []string
		}{
			{"all", store.BotFilter{}, []string{d.ID, c.ID, b.ID, a.ID}},
			{"owner", store.BotFilter{OwnerID: ada.ID}, []string{b.ID, a.ID}},
			{"game", store.BotFilter{Game: "cia"}, []string{d.ID}},
			{"status", store.BotFilter{Status: tournament.BotPaused}, []string{b.ID}},
			{"all three", store.BotFilter{OwnerID: ada.ID, Game: storetest.Toy, Status: tournament.BotActive}, []string{a.ID}},
			{"none", store.BotFilter{Game: "x' OR 1=1 --"}, nil},
		} {
			list, next, err := w.Bots(w.ctx, row.filter, store.Page{})
			w.must(err)
			var got []string
			for _, b := range list {
				got = append(got, b.ID)
			}
			if diff := cmp.Diff(row.want, got); diff != "" || next != "" {
				t.Errorf("%s: %s next %q", row.name, diff, next)
			}
		}
	})
}

func TestARotationKeepsTwoSecretsTheNewestFirst(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		id := w.bot("fox", w.org).VersionID
		_, err := w.DropOldSecret(w.ctx, id)
		refused(t, "nothing to drop", err, tournament.ErrState)
		for _, row := range []struct {
			do   func() (tournament.Version, error)
			want tournament.Secrets
		}{
			{func() (tournament.Version, error) { return w.RotateSecret(w.ctx, id, "whsec_2") }, tournament.Secrets{"whsec_2", "whsec_1"}},
			{func() (tournament.Version, error) { return w.RotateSecret(w.ctx, id, "whsec_3") }, tournament.Secrets{"whsec_3", "whsec_2"}},
			{func() (tournament.Version, error) { return w.DropOldSecret(w.ctx, id) }, tournament.Secrets{"whsec_3"}},
		} {
			got, err := row.do()
			w.must(err)
			stored, err := w.Version(w.ctx, id)
			w.must(err)
			if diff := cmp.Diff(row.want, got.Secrets) + cmp.Diff(got, stored); diff != "" {
				t.Error(diff)
			}
		}
	})
}

func TestATransactionThatFailsHalfWayChangesNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		half := errors.New("half-way")
		count := func(table string) (n int64) {
			w.must(w.SQL(w.ctx).Table(table).Count(&n).Error)
			return n
		}
		write := func(tx *store.Tx) error {
			return errors.Join(tx.Exec("INSERT INTO version_games (version_id, position, game) SELECT id, 99, 'late' FROM versions"), tx.Enqueue(store.PlayMatch{MatchID: "m"}))
		}
		w.bot("fox", w.org)
		before := count("version_games")
		err := w.InTx(w.ctx, func(tx *store.Tx) error { return errors.Join(write(tx), half) })
		if !errors.Is(err, half) {
			t.Errorf("got %v, want the error of the function", err)
		}
		if rows, jobs := count("version_games"), count("river_job"); rows != before || jobs != 0 {
			t.Errorf("%d rows and %d jobs after the failure; want %d, 0", rows, jobs, before)
		}
		func() {
			defer func() { _ = recover() }()
			_ = w.InTx(w.ctx, func(tx *store.Tx) error { _ = write(tx); panic("bug") })
		}()
		if rows, jobs := count("version_games"), count("river_job"); rows != before || jobs != 0 {
			t.Errorf("%d rows and %d jobs after the panic; want %d, 0", rows, jobs, before)
		}
		w.must(w.InTx(w.ctx, write))
		if rows, jobs := count("version_games"), count("river_job"); rows != before+1 || jobs != 1 {
			t.Errorf("%d rows and %d jobs after the success; want %d, 1: one transaction for both", rows, jobs, before+1)
		}
	})
}

// The pinned connection is given to one goroutine at a time and comes back whole, whatever happened on it.
func TestTransactionsShareFewConnections(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		w.on(open(store.Options{Now: w.clk.Now, MaxConns: 2}))
		half := errors.New("half-way")
		race(60, func(i int) error {
			return w.InTx(w.ctx, func(tx *store.Tx) error {
				if err := tx.Enqueue(store.PlayMatch{MatchID: fmt.Sprint(i)}); err != nil {
					return err
				}
				switch i % 3 {
				case 0:
					return half
				case 1:
					return errors.Join(tx.Exec("SELECT nothing FROM nowhere"), half)
				}
				return nil
			})
		}, func(err error) {
			if !errors.Is(err, half) {
				t.Error(err)
			}
		})
		var jobs int64
		w.must(w.SQL(w.ctx).Table("river_job").Count(&jobs).Error)
		if jobs != 20 {
			t.Errorf("%d jobs, want 20: one of each transaction that committed", jobs)
		}
	})
}
