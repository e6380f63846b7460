package database

import (
	"context"
	"database/sql"
	"regexp"
	"strings"
	"time"

	gormlog "gorm.io/gorm/logger"
)

// statements logs what is carried out, and nothing else that gorm would log.
type statements struct {
	gormlog.Interface
	tell func(sql string)
}

// Trace is called by gorm after each statement.
func (t statements) Trace(_ context.Context, _ time.Time, f func() (string, int64), _ error) {
	sql, _ := f()
	t.tell(sql)
}

// sqliteReaders is how many connections read an SQLite database beside the one that writes.
const sqliteReaders = 4

// split is SQLite as gorm sees it outside transactions: a reader sees what is committed, and waits neither for a writer
// nor for the queue.
type split struct {
	*sql.DB
	readers *sql.DB
}

// of returns where a statement belongs. The readers' connections refuse to change anything.
func (s split) of(query string) *sql.DB {
	switch word, _, _ := strings.Cut(strings.TrimSpace(query), " "); {
	case word == "SELECT", word == "WITH" && !changes.MatchString(query):
		return s.readers
	}
	return s.DB
}

// GetDBConn returns the database below gorm.
func (s split) GetDBConn() (*sql.DB, error) { return s.DB, nil }

var changes = regexp.MustCompile(`\b(INSERT|UPDATE|DELETE)\b`)

func (s split) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return s.of(query).QueryContext(ctx, query, args...)
}
