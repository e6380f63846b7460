package storetest

import "testing"

// PostgresURL returns the address of a migrated Postgres database of the test's own, for programs that open it themselves.
func PostgresURL(t *testing.T) string {
	t.Helper()
	return freshPostgres(t, template())
}
