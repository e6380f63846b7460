package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament/store"
)

// A statement after the end of its context makes database/sql give the connection up, and the pool's own goroutine takes it
// apart: the race detector sees who still touches it.
func TestAConnectionGivenUpIsLeftToThePool(t *testing.T) {
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		s := open(store.Options{})
		for range 20 {
			ctx, cancel := context.WithCancel(t.Context())
			err := s.InTx(ctx, func(tx *store.Tx) error {
				cancel()
				if err := tx.SQL.Exec("SELECT 1").Error; err == nil {
					t.Error("a statement ran after the end of its context")
				}
				if err := tx.AddJobs(store.PlayMatch{MatchID: "m", Epoch: 1}); err == nil {
					t.Error("a job was taken after the end of its context")
				}
				return nil
			})
			if err == nil {
				t.Error("a transaction was committed after the end of its context")
			}
		}
	})
}

// The end of a context breaks the connection. Whoever meets that later in the transaction is told of the end, not of a database that is away.
func TestATransactionThatIsStoppedSaysSo(t *testing.T) {
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		s := open(store.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		err := s.Once(ctx, func(tx *store.Tx) error {
			time.AfterFunc(50*time.Millisecond, cancel)
			if err := tx.SQL.Exec("SELECT pg_sleep(10)").Error; err == nil {
				t.Error("a statement outlived its context")
			}
			return tx.SQL.WithContext(t.Context()).Exec("SELECT 1").Error
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want the end of the context", err)
		}
	})
}

func TestALostConnectionFailsItsTransactionAlone(t *testing.T) {
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		s := open(store.Options{})
		lost := errors.New("lost")
		err := s.InTx(t.Context(), func(tx *store.Tx) error {
			for _, sql := range []string{"SELECT pg_terminate_backend(pg_backend_pid())", "SELECT 1"} {
				if err := tx.SQL.Exec(sql).Error; err == nil {
					t.Errorf("%s: a lost connection answers", sql)
				}
			}
			return lost
		})
		if !errors.Is(err, lost) {
			t.Errorf("got %v, want the function's own error", err)
		}
		if err := s.InTx(t.Context(), func(tx *store.Tx) error { return tx.SQL.Exec("SELECT 1").Error }); err != nil {
			t.Errorf("after a lost connection: %v", err)
		}
	})
}
