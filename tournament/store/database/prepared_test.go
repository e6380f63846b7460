package database_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/store/database"
)

// lite opens a file of SQLite, and returns its one connection that writes. At the end no statement may be left: with one, SQLite does not
// tidy its files up.
func lite(t *testing.T) *sql.DB {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.db")
	db := must.Get(database.Open(t.Context(), "sqlite:"+file, database.Options{Now: time.Now, Rand: rand.Reader}))(t)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(file + "-wal"); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the log beside the file: %v, want that it does not exist", err)
		}
	})
	return db.Raw()
}

// run carries out statements one after another, twice each: the second time they are prepared already.
func run(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		for range 2 {
			if _, err := db.ExecContext(t.Context(), s); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
		}
	}
}

// numbers reads a column of numbers, and carries out inside, if any, after the first.
func numbers(t *testing.T, in interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}, query string, inside func(),
) []int {
	t.Helper()
	rows := must.Get(in.QueryContext(t.Context(), query))(t)
	defer rows.Close()
	var all []int
	for rows.Next() {
		var n int
		must.OK(t, rows.Scan(&n))
		if all = append(all, n); len(all) == 1 && inside != nil {
			inside()
		}
	}
	must.OK(t, rows.Err())
	return all
}

// TestAPreparedStatementOfSQLiteSaysWhatAFreshOneWould: a statement that was prepared earlier, in whatever circumstances.
func TestAPreparedStatementOfSQLiteSaysWhatAFreshOneWould(t *testing.T) {
	const all = "SELECT n FROM numbers ORDER BY n"
	planted := func(t *testing.T) *sql.DB {
		t.Helper()
		db := lite(t)
		run(t, db, "CREATE TABLE IF NOT EXISTS numbers (n INTEGER PRIMARY KEY)", "INSERT INTO numbers VALUES (1), (2), (3) ON CONFLICT DO NOTHING")
		return db
	}

	t.Run("inside itself", func(t *testing.T) {
		tx := must.Get(planted(t).BeginTx(t.Context(), nil))(t)
		defer tx.Rollback()
		for range 2 {
			var inner []int
			outer := numbers(t, tx, all, func() { inner = numbers(t, tx, all, nil) })
			if want := []int{1, 2, 3}; !slices.Equal(outer, want) || !slices.Equal(inner, want) {
				t.Errorf("got %v outside and %v inside", outer, inner)
			}
		}
	})
	t.Run("left before its end", func(t *testing.T) {
		db := planted(t)
		for range 2 {
			rows, err := db.QueryContext(t.Context(), all)
			if err != nil || !rows.Next() {
				t.Fatal(err)
			}
			must.OK(t, rows.Close())
		}
		run(t, db, "DELETE FROM numbers WHERE n = 3")
		if got := numbers(t, db, all, nil); !slices.Equal(got, []int{1, 2}) {
			t.Errorf("got %v", got)
		}
	})
	t.Run("after another schema", func(t *testing.T) {
		db := planted(t)
		numbers(t, db, "SELECT * FROM numbers", nil)
		_, err := db.ExecContext(t.Context(), "ALTER TABLE numbers ADD COLUMN name TEXT DEFAULT 'x'")
		must.OK(t, err)
		rows := must.Get(db.QueryContext(t.Context(), "SELECT * FROM numbers"))(t)
		defer rows.Close()
		if got, err := rows.Columns(); err != nil || !slices.Equal(got, []string{"n", "name"}) {
			t.Errorf("got %v, %v", got, err)
		}
	})
	t.Run("after an error", func(t *testing.T) {
		db := planted(t)
		const insert = "INSERT INTO numbers VALUES (?)"
		for i, n := range []int{4, 4, 5, 5, 6} {
			if _, err := db.ExecContext(t.Context(), insert, n); (err != nil) != (i == 1 || i == 3) {
				t.Errorf("%d, insert %d: got %v", n, i, err)
			}
		}
		if got := numbers(t, db, all, nil); !slices.Equal(got, []int{1, 2, 3, 4, 5, 6}) {
			t.Errorf("got %v", got)
		}
	})
	t.Run("after a cancellation", func(t *testing.T) {
		db := planted(t)
		const long = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?) SELECT MAX(n) FROM c"
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		var n int
		if err := db.QueryRowContext(ctx, long, int64(1)<<40).Scan(&n); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v, want that it took too long", err)
		}
		if err := db.QueryRowContext(t.Context(), long, 7).Scan(&n); err != nil || n != 7 {
			t.Errorf("got %d, %v", n, err)
		}
	})
	t.Run("after an error between rows", func(t *testing.T) {
		db := planted(t)
		const sums = "SELECT n, ABS(CASE n WHEN ? THEN -9223372036854775808 ELSE n END) FROM numbers ORDER BY n"
		for _, bad := range []int{2, 3, 7} {
			rows := must.Get(db.QueryContext(t.Context(), sums, bad))(t)
			read := 0
			for rows.Next() {
				read++
			}
			if want := min(bad-1, 3); read != want || (rows.Err() == nil) != (bad == 7) {
				t.Errorf("row %d is bad: got %d rows, %v", bad, read, rows.Err())
			}
			_ = rows.Close()
		}
	})
	t.Run("a pragma", func(t *testing.T) { // some do their work when they are prepared, and SQLite prepares each again
		db := planted(t)
		for _, want := range []int{1, 2, 1, 2} {
			_, err := db.ExecContext(t.Context(), fmt.Sprintf("PRAGMA synchronous = %d", want))
			must.OK(t, err)
			if got := numbers(t, db, "PRAGMA synchronous", nil); !slices.Equal(got, []int{want}) {
				t.Errorf("got %v, want %d", got, want)
			}
		}
	})
	t.Run("more texts than are kept", func(t *testing.T) {
		db := planted(t)
		for range 2 {
			for n := range 1000 {
				if got := numbers(t, db, fmt.Sprintf("SELECT n + %d FROM numbers WHERE n = 1", n), nil); !slices.Equal(got, []int{n + 1}) {
					t.Fatalf("got %v", got)
				}
			}
		}
		if got := numbers(t, db, all, nil); !slices.Equal(got, []int{1, 2, 3}) {
			t.Errorf("got %v", got)
		}
	})
}
