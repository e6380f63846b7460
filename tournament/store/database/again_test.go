package database_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament/store"
)

// A writer of SQLite that finds another process writing, and may not wait, hears that it is busy. It tries again.
func TestABusyFileIsTriedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.db")
	s := storetest.OpenURL(t, path, store.Options{})
	other := must.Get(sql.Open("sqlite", path+"?_pragma=busy_timeout(0)"))(t)
	defer other.Close()
	exec := func(c *sql.Conn, text string) error {
		_, err := c.ExecContext(context.WithoutCancel(t.Context()), text)
		return err
	}
	writer, impatient := connection(t, other), connection(t, other)
	must.OK(t, exec(writer, "BEGIN IMMEDIATE"))
	tries := 0
	err := s.Again(t.Context(), func() error {
		if tries++; tries == 2 {
			if err := exec(writer, "COMMIT"); err != nil {
				t.Error(err)
			}
		}
		return exec(impatient, "BEGIN IMMEDIATE")
	})
	if err != nil || tries != 2 {
		t.Errorf("after %d tries: %v; want 2 and success", tries, err)
	}
}

func connection(t *testing.T, db *sql.DB) *sql.Conn {
	t.Helper()
	c := must.Get(db.Conn(t.Context()))(t)
	t.Cleanup(func() { _ = c.Close() })
	return c
}
