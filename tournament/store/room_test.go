package store_test

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/database"
)

// A write that had no room counts for half a minute, wherever it was refused: by a statement alone, in a transaction, or by the queue. Whether it is
// still read-only, the database is asked at once: here it never was.
func TestADatabaseThatRefusedAWriteHasNoRoomForAWhile(t *testing.T) {
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		var ahead atomic.Int64
		s := open(store.Options{Now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }})
		for _, row := range []struct {
			name, code string
			refuses    bool
		}{{"no room", "53100", true}, {"read-only", "25006", false}, {"too many connections", "53300", false}, {"a duplicate", "23505", false}} {
			for way, run := range map[string]func(sql string) error{
				"alone":       func(sql string) error { return s.SQL(t.Context()).Exec(sql).Error },
				"by the pool": func(sql string) error { _, err := s.Pool().Exec(t.Context(), sql); return err },
				"in a transaction": func(sql string) error {
					return s.InTx(t.Context(), func(tx *store.Tx) error { return tx.SQL.Exec(sql).Error })
				},
			} {
				must.OK(t, s.Room(t.Context()))
				err := run("DO $$ BEGIN RAISE EXCEPTION 'as asked for' USING ERRCODE = '" + row.code + "'; END $$")
				if err == nil || database.Away(err) != (row.code != "23505") {
					t.Errorf("%s %s: %v: away %v", row.name, way, err, database.Away(err))
				}
				if got := s.Room(t.Context()); (got != nil) != row.refuses {
					t.Errorf("%s %s, after: %v, want an error: %v", row.name, way, got, row.refuses)
				}
				ahead.Add(int64(31 * time.Second))
				if err := s.Room(t.Context()); err != nil {
					t.Errorf("%s %s, half a minute later: %v", row.name, way, err)
				}
			}
		}
	})
}

// SQLite says itself that it is full: here as it may not have one page more.
func TestAnSQLiteFileThatMayNotGrowIsFullForAWhile(t *testing.T) {
	storetest.SQLite(t, func(t *testing.T, open storetest.Open) {
		s := open(store.Options{})
		if _, err := s.Raw().ExecContext(t.Context(), "PRAGMA max_page_count = 1"); err != nil { // it is as many as there are already
			t.Fatal(err)
		}
		err := s.InTx(t.Context(), func(tx *store.Tx) error {
			return tx.SQL.Exec("CREATE TABLE wide AS SELECT zeroblob(1000000) AS x").Error
		})
		if !database.Away(err) || s.Room(t.Context()) == nil {
			t.Errorf("a write that had no room: %v, away %v; full: %v", err, database.Away(err), s.Room(t.Context()))
		}
	})
}

// Whatever keeps SQLite from its file, and whoever meets it, the error says which file it is and what to do.
func TestWhatKeepsSQLiteFromItsFileSaysWhichAndWhatHelps(t *testing.T) {
	run := func(s *store.Store, sql string) {
		t.Helper()
		_, err := s.Raw().ExecContext(t.Context(), sql)
		must.OK(t, err)
	}
	for _, row := range []struct {
		name  string
		spoil func(file string, s *store.Store)
		want  string
	}{
		{"no page more", func(_ string, s *store.Store) { run(s, "PRAGMA max_page_count = 1") }, "the disk under the database is full: make room on the disk of "},
		{"not for writing", func(_ string, s *store.Store) { run(s, "PRAGMA query_only = 1") }, "the database is read-only: let this user write "},
		{"in other hands", func(file string, s *store.Store) {
			other := storetest.OpenURL(t, file, store.Options{})
			run(other, "BEGIN IMMEDIATE")
			run(s, "PRAGMA busy_timeout = 0")
		}, "another process holds the database, and has for ten seconds: see which program has "},
	} {
		for way, write := range map[string]func(*store.Store, string) error{
			"alone":      func(s *store.Store, sql string) error { return s.SQL(t.Context()).Exec(sql).Error },
			"below gorm": func(s *store.Store, sql string) error { _, err := s.Raw().ExecContext(t.Context(), sql); return err },
			"in a transaction": func(s *store.Store, sql string) error {
				return s.Once(t.Context(), func(tx *store.Tx) error { return tx.SQL.Exec(sql).Error })
			},
		} {
			t.Run(row.name+" "+way, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "m.db")
				s := storetest.OpenURL(t, file, store.Options{})
				row.spoil(file, s)
				err := write(s, "CREATE TABLE wide AS SELECT zeroblob(1000000) AS x")
				if err == nil || !strings.HasPrefix(err.Error(), row.want+file) {
					t.Errorf("%v; want %s%s", err, row.want, file)
				}
			})
		}
	}
	for name, text := range map[string]string{
		"no database": "a list of things to buy",
		"damaged":     "SQLite format 3\x00\x10\x00\x02\x02\x00\x40\x20\x20\x00\x00\x00\x01\x00\x00\x00\x03",
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "m.db")
			must.OK(t, os.WriteFile(file, []byte(text+strings.Repeat("\x00", 8192)), 0o600))
			s, err := store.Open(t.Context(), file, store.Options{Now: time.Now, Rand: rand.Reader})
			if err == nil {
				t.Cleanup(func() { _ = s.Close() })
				_, err = s.MigrationStatus(t.Context())
			}
			if want := "the file is no SQLite database, or is damaged: check the path; if " + file; err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v; want %s", err, want)
			}
		})
	}
}

// A read-only database is asked by a look that changes nothing, and by each refused write, whose error says what to do.
func TestADatabaseThatIsReadOnlySaysSo(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		s := open(store.Options{MaxConns: 1})
		if err := s.Writable(t.Context()); err != nil {
			t.Fatalf("before: %v", err)
		}
		only, again, want := "PRAGMA query_only = 1", "PRAGMA query_only = 0", "let this user write "
		if s.Pool() != nil {
			only, again, want = "SET default_transaction_read_only = on", "SET default_transaction_read_only = off", "read-only transaction"
		}
		_, err := s.Raw().ExecContext(t.Context(), only)
		must.OK(t, err)
		err = s.InTx(t.Context(), func(tx *store.Tx) error { return tx.SQL.Exec("UPDATE users SET role = 'owner'").Error })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a write: %v, want %q", err, want)
		}
		for _, err := range []error{s.Room(t.Context()), s.Writable(t.Context())} {
			if err == nil || !strings.HasPrefix(err.Error(), "the database is read-only") {
				t.Errorf("afterwards: %v", err)
			}
		}
		_, err = s.Raw().ExecContext(t.Context(), again)
		must.OK(t, err)
		if err := s.Room(t.Context()); err != nil {
			t.Errorf("as soon as it takes writes again: %v", err)
		}
	})
}
