package storetest

import (
	"testing"
	"time"

	"github.com/molerun/molerun/tournament/store"
)

// UntilBlocked waits until some connection to the Postgres of a test's own store waits for a lock.
func UntilBlocked(t *testing.T, s *store.Store) {
	t.Helper()
	const blocked = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		var n int64
		if err := s.SQL(t.Context()).Raw(blocked).Scan(&n).Error; err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatal("nobody waited for a lock")
		}
	}
}
