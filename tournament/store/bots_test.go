package store_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func TestABotComesBackAsItWasMade(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		b, v, err := w.CreateBot(w.Ctx, tournament.Bot{Name: "Fox", OwnerID: w.Org.ID},
			tournament.Version{URL: "https://fox.example/", Secrets: tournament.Secrets{"whsec_a"}, Author: "Ada", Build: "7", Games: []string{"toy", "cia", "demol"}, WantsText: true}, 1)
		w.Must(err)
		if b.Status != tournament.BotActive || b.VersionID != v.ID || v.BotID != b.ID || v.Number != 1 {
			t.Errorf("got %+v with %+v, want it active with its first version", b, v)
		}
		kept := must.Get(w.Bot(w.Ctx, b.ID))(w.T)
		directortest.Alike(t, "the bot", b, kept)
		got := must.Get(w.Version(w.Ctx, v.ID))(w.T)
		list := must.Get(w.Versions(w.Ctx, b.ID))(w.T)
		if diff := cmp.Diff(v, got) + cmp.Diff([]tournament.Version{v}, list); diff != "" {
			t.Error(diff)
		}
	})
}

func TestTheQuotaOfBotsHoldsUnderManyRequestsAtOnce(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		add := func(i int) error {
			_, _, err := w.CreateBot(w.Ctx, tournament.Bot{Name: fmt.Sprint("b", i), OwnerID: w.Org.ID}, tournament.Version{}, 3)
			return err
		}
		won := directortest.Race(40, add, func(err error) { directortest.Refused(t, "over the quota", err, tournament.ErrLimit) })
		must.Same(t, "bots made at a quota of 3", won, 3)
		w.Did(w.RetireBot(w.Ctx, must.First(w.Bots(w.Ctx, store.BotFilter{}, store.Page{}))(t)[0].ID, "old"))
		w.Must(add(40)) // retired ones are not counted
		directortest.Refused(t, "one more", add(41), tournament.ErrLimit)
	})
}

func TestABotIsPausedBackAgainAndRetiredForGood(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		b := w.NewBot("fox", w.Org)
		check := func(got tournament.Bot, err error, status tournament.BotStatus, reason string) {
			t.Helper()
			w.Must(err)
			b.Status, b.Reason, b.Pause = status, reason, ""
			if status == tournament.BotPaused {
				b.Pause = tournament.PausedByChecks
			}
			stored := must.Get(w.Bot(w.Ctx, b.ID))(w.T)
			if diff := cmp.Diff(b, got) + cmp.Diff(b, stored); diff != "" {
				t.Error(diff)
			}
		}
		got, err := w.Greet(b.ID, "no answer")
		check(got, err, tournament.BotPaused, "no answer")
		got, err = w.Greet(b.ID, "")
		check(got, err, tournament.BotActive, "")
		got, err = w.RetireBot(w.Ctx, b.ID, "old")
		check(got, err, tournament.BotRetired, "old")
		directortest.Refused(t, "wake a retired bot", directortest.Err(w.Greet(b.ID, "")), tournament.ErrState)
		directortest.Refused(t, "retire twice", directortest.Err(w.RetireBot(w.Ctx, b.ID, "again")), tournament.ErrState)
	})
}

func TestBotsAreListedByOwnerGameAndStatus(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		ada := w.NewUser("ada")
		a, b, c := w.NewBot("a", ada), w.NewBot("b", ada), w.NewBot("c", w.Org)
		d := must.First(w.CreateBot(w.Ctx, tournament.Bot{Name: "d", OwnerID: w.Org.ID}, tournament.Version{Games: []string{"cia"}}, 9))(w.T)
		w.Did(w.Greet(b.ID, "no answer"))
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
			list, next, err := w.Bots(w.Ctx, row.filter, store.Page{})
			w.Must(err)
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
	on(t, storetest.Each, func(t *testing.T, w *world) {
		id := w.NewBot("fox", w.Org).VersionID
		directortest.Refused(t, "nothing to drop", directortest.Err(w.DropOldSecret(w.Ctx, id)), tournament.ErrState)
		for _, row := range []struct {
			do   func() (tournament.Version, error)
			want tournament.Secrets
		}{
			{func() (tournament.Version, error) { return w.RotateSecret(w.Ctx, id, "whsec_2") }, tournament.Secrets{"whsec_2", "whsec_1"}},
			{func() (tournament.Version, error) { return w.RotateSecret(w.Ctx, id, "whsec_3") }, tournament.Secrets{"whsec_3", "whsec_2"}},
			{func() (tournament.Version, error) { return w.DropOldSecret(w.Ctx, id) }, tournament.Secrets{"whsec_3"}},
		} {
			got := must.Get(row.do())(w.T)
			stored := must.Get(w.Version(w.Ctx, id))(w.T)
			if diff := cmp.Diff(row.want, got.Secrets) + cmp.Diff(got, stored); diff != "" {
				t.Error(diff)
			}
		}
	})
}

func TestATransactionThatFailsHalfWayChangesNothing(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		half := errors.New("half-way")
		count := func(table string) (n int64) {
			w.Must(w.SQL(w.Ctx).Table(table).Count(&n).Error)
			return n
		}
		write := func(tx *store.Tx) error {
			return errors.Join(tx.SQL.Exec("INSERT INTO version_games (version_id, position, game) SELECT id, 99, 'late' FROM versions").Error, tx.AddJobs(store.PlayMatch{MatchID: "m"}))
		}
		w.NewBot("fox", w.Org)
		before := count("version_games")
		err := w.InTx(w.Ctx, func(tx *store.Tx) error { return errors.Join(write(tx), half) })
		if !errors.Is(err, half) {
			t.Errorf("got %v, want the error of the function", err)
		}
		if rows, jobs := count("version_games"), count("river_job"); rows != before || jobs != 0 {
			t.Errorf("%d rows and %d jobs after the failure; want %d, 0", rows, jobs, before)
		}
		func() {
			defer func() { _ = recover() }()
			_ = w.InTx(w.Ctx, func(tx *store.Tx) error { _ = write(tx); panic("bug") })
		}()
		if rows, jobs := count("version_games"), count("river_job"); rows != before || jobs != 0 {
			t.Errorf("%d rows and %d jobs after the panic; want %d, 0", rows, jobs, before)
		}
		w.Must(w.InTx(w.Ctx, write))
		if rows, jobs := count("version_games"), count("river_job"); rows != before+1 || jobs != 1 {
			t.Errorf("%d rows and %d jobs after the success; want %d, 1: one transaction for both", rows, jobs, before+1)
		}
	})
}

// The pinned connection is given to one goroutine at a time and comes back whole, whatever happened on it.
func TestTransactionsShareFewConnections(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		w.Use(open(store.Options{Now: w.Clock.Now, MaxConns: 2}))
		half := errors.New("half-way")
		directortest.Race(60, func(i int) error {
			return w.InTx(w.Ctx, func(tx *store.Tx) error {
				if err := tx.AddJobs(store.PlayMatch{MatchID: fmt.Sprint(i)}); err != nil {
					return err
				}
				switch i % 3 {
				case 0:
					return half
				case 1:
					return errors.Join(tx.SQL.Exec("SELECT nothing FROM nowhere").Error, half)
				}
				return nil
			})
		}, func(err error) {
			if !errors.Is(err, half) {
				t.Error(err)
			}
		})
		var jobs int64
		w.Must(w.SQL(w.Ctx).Table("river_job").Count(&jobs).Error)
		if jobs != 20 {
			t.Errorf("%d jobs, want 20: one of each transaction that committed", jobs)
		}
	})
}
