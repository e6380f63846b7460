package store_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/database"
)

// A refused write counts for half a minute, wherever it was made: by a statement alone, in a transaction, or by the queue. Then the database
// is asked again.
func TestADatabaseThatRefusedAWriteHasNoRoomForAWhile(t *testing.T) {
	for _, row := range []struct {
		name, code string
		refuses    bool
	}{{"no room", "53100", true}, {"read-only", "25006", true}, {"too many connections", "53300", false}, {"a duplicate", "23505", false}} {
		for _, way := range []string{"alone", "in a transaction", "by the pool"} {
			t.Run(row.name+" "+way, func(t *testing.T) {
				t.Parallel()
				storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
					var ahead atomic.Int64
					s := open(store.Options{Now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }})
					raise := "DO $$ BEGIN RAISE EXCEPTION 'as asked for' USING ERRCODE = '" + row.code + "'; END $$"
					if err := s.Room(); err != nil {
						t.Fatalf("before: %v", err)
					}
					var err error
					switch way {
					case "alone":
						err = s.SQL(t.Context()).Exec(raise).Error
					case "by the pool":
						_, err = s.Pool().Exec(t.Context(), raise)
					default:
						err = s.InTx(t.Context(), func(tx *store.Tx) error { return tx.SQL.Exec(raise).Error })
					}
					if err == nil {
						t.Fatal("nothing was refused")
					}
					if got := database.Away(err); got != (row.code != "23505") {
						t.Errorf("%v: away %v", err, got)
					}
					if got := s.Room(); (got != nil) != row.refuses {
						t.Errorf("after: %v, want an error: %v", got, row.refuses)
					}
					ahead.Store(int64(31 * time.Second))
					if err := s.Room(); err != nil {
						t.Errorf("half a minute later: %v", err)
					}
				})
			})
		}
	}
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
		if !database.Away(err) || s.Room() == nil {
			t.Errorf("a write that had no room: %v, away %v; full: %v", err, database.Away(err), s.Room())
		}
	})
}

// A read-only database is asked by a look that changes nothing, and by each refused write, whose error says what to do.
func TestADatabaseThatIsReadOnlySaysSo(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		s := open(store.Options{MaxConns: 1})
		if err := s.Writable(t.Context()); err != nil {
			t.Fatalf("before: %v", err)
		}
		only, want := "PRAGMA query_only = 1", "let this user write "
		if s.Pool() != nil {
			only, want = "SET default_transaction_read_only = on", "read-only transaction"
		}
		if _, err := s.Raw().ExecContext(t.Context(), only); err != nil {
			t.Fatal(err)
		}
		err := s.InTx(t.Context(), func(tx *store.Tx) error { return tx.SQL.Exec("UPDATE users SET role = 'owner'").Error })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a write: %v, want %q", err, want)
		}
		for _, err := range []error{s.Room(), s.Writable(t.Context())} {
			if err == nil || !strings.HasPrefix(err.Error(), "the database is read-only") {
				t.Errorf("afterwards: %v", err)
			}
		}
	})
}
