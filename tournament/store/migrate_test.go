package store_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

func pending(t *testing.T, s *store.Store) (waiting, all int) {
	t.Helper()
	list, err := s.MigrationStatus(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		if m.Name == "" || (m.Applied != nil && m.Pending) {
			t.Errorf("migration %+v", m)
		}
		if m.Pending {
			waiting++
		}
	}
	return waiting, len(list)
}

func TestMigrationsRunOnceOnAnEmptyDatabase(t *testing.T) {
	storetest.Bare(t, func(t *testing.T, open storetest.Open) {
		s := open(store.Options{})
		if waiting, all := pending(t, s); waiting != all || all < 2 {
			t.Errorf("%d of %d migrations wait before the first run, want all", waiting, all)
		}
		if tables, err := s.SQL(t.Context()).Migrator().GetTables(); err != nil || len(tables) > 0 {
			t.Errorf("who asked made %v (%v): want nothing made, the database may be somebody else's", tables, err)
		}
		for range 2 {
			if err := s.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			if waiting, all := pending(t, s); waiting != 0 {
				t.Errorf("%d of %d migrations wait after a run, want none", waiting, all)
			}
		}
	})
}

// A seat is written again when its match ends; without room on its page every index of the table gets an entry more.
func TestPagesOfSeatsHaveRoomForEndings(t *testing.T) {
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		s := open(store.Options{})
		for range 2 {
			if err := s.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			var set string
			err := s.SQL(t.Context()).Raw("SELECT array_to_string(reloptions, ',') FROM pg_class WHERE oid = to_regclass('match_seats')").Scan(&set).Error
			if err != nil || set != "fillfactor=60" {
				t.Errorf("pages of seats have %q (%v), want fillfactor=60", set, err)
			}
		}
	})
}

// Where the extension may not be made, or is somewhere we do not look, searches do without; the next Migrate finds it.
func TestNamesAreIndexedByTheirPartsWherePostgresCan(t *testing.T) {
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		s := open(store.Options{})
		for _, step := range []struct {
			before []string
			want   bool
		}{
			{nil, true},
			{[]string{"DROP EXTENSION pg_trgm CASCADE", "CREATE SCHEMA apart", "CREATE EXTENSION pg_trgm SCHEMA apart"}, false},
			{[]string{"DROP EXTENSION pg_trgm"}, true},
		} {
			for _, sql := range step.before {
				if err := s.SQL(t.Context()).Exec(sql).Error; err != nil {
					t.Fatalf("%s: %v", sql, err)
				}
			}
			if err := s.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got, err := s.FindsParts(t.Context()); got != step.want || err != nil {
				t.Errorf("after %q: indexed %v, %v, want %v", step.before, got, err, step.want)
			}
		}
	})
}

func TestProcessesThatMigrateTogetherTakeTurns(t *testing.T) {
	storetest.Bare(t, func(t *testing.T, open storetest.Open) {
		s := open(store.Options{})
		if s.SQL(t.Context()).Name() == "sqlite" { // one process by design
			if err := s.Migrate(t.Context()); err != nil {
				t.Error(err)
			}
			return
		}
		stores := []*store.Store{s, open(store.Options{}), open(store.Options{}), open(store.Options{})}
		directortest.Race(4, func(i int) error { return stores[i].Migrate(t.Context()) }, func(err error) { t.Error(err) })
		if waiting, all := pending(t, s); waiting != 0 {
			t.Errorf("%d of %d migrations wait", waiting, all)
		}
	})
}

func TestTheTablesRefuseWhatTheProgramNeverWrites(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		w.Running(2, nil)
		for _, sql := range []string{
			"UPDATE users SET role = 'king'",
			"UPDATE bots SET status = 'asleep'",
			"UPDATE matches SET status = 'done'",
			"UPDATE matches SET status = 'void'",
			"UPDATE matches SET ladder_seq = NULL",
			"UPDATE matches SET rated = FALSE",
			"UPDATE matches SET ladder_id = 'nowhere'",
			"UPDATE matches SET seed = 'short'",
			"UPDATE match_seats SET seat = 16",
			"UPDATE match_seats SET alias = 'same'",
			"UPDATE entries SET bot_id = 'nobody'",
			"UPDATE ladders SET next_seq = last_seq + 2",
			"DELETE FROM users",
			"INSERT INTO matches SELECT * FROM matches",
		} {
			if err := w.InTx(w.Ctx, func(tx *store.Tx) error { return tx.SQL.Exec(sql).Error }); err == nil {
				t.Errorf("%s: was accepted", sql)
			}
		}
	})
}

func TestADatabaseThatCannotBeOpenedIsAnErrorWithoutItsPassword(t *testing.T) {
	o := store.Options{Now: directortest.NewClock().Now, Rand: strings.NewReader("")}
	for _, dsn := range []string{"postgres://me:hunter2@[bad/db", "postgres://me:hunter2@127.0.0.1:1/db?connect_timeout=2", "sqlite:", "x.db?mode=memory", filepath.Join(t.TempDir(), "no", "such", "folder.db")} {
		s, err := store.Open(t.Context(), dsn, o)
		if err == nil {
			t.Errorf("%s was opened", dsn)
			_ = s.Close()
		} else if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v tells the password", err)
		}
	}
	if _, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), store.Options{}); err == nil {
		t.Error("a store without clock and randomness was opened")
	}
}

func TestWithoutRandomnessNothingIsMade(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		dry := director.New(w.Store, director.Options{Engines: storetest.Engines, Rand: strings.NewReader("")})
		b := w.NewBot("fox", w.Org)
		x := w.Plan(nil)
		for _, b := range []tournament.Bot{b, w.NewBot("owl", w.NewUser("olga"))} {
			_, err := w.Join(w.Ctx, x.ID, b.ID, b.OwnerID)
			w.Must(err)
		}
		if _, err := dry.Start(w.Ctx, x.ID); err == nil {
			t.Error("a tournament was started without randomness")
		}
		if got, err := w.Tournament(w.Ctx, x.ID); err != nil || got.Status != tournament.Scheduled {
			t.Errorf("tournament is %s (%v), want scheduled", got.Status, err)
		}
	})
}

func TestAClosedStoreIsAnError(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		if err := w.Ping(w.Ctx); err != nil {
			t.Error(err)
		}
		w.Must(w.Close())
		if err := w.Ping(w.Ctx); err == nil {
			t.Error("a closed store answers")
		}
		if _, err := w.User(w.Ctx, w.Org.ID); err == nil || errors.Is(err, tournament.ErrNotFound) {
			t.Errorf("got %v, want an error that is not %v", err, tournament.ErrNotFound)
		}
	})
}
