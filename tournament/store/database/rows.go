package database

import (
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgtype"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
)

// What the rows of all tables share.

// ColumnsOf returns the columns of a row behind the name that its table has in a query. Never * for them: a statement that
// Postgres keeps must give the same columns when a migration adds one.
func ColumnsOf[R any](db *gorm.DB, table string) string {
	stmt := gorm.Statement{DB: db}
	if err := stmt.Parse(new(R)); err != nil { // of our own types: never
		return table + ".*"
	}
	var names []string
	for _, f := range stmt.Schema.Fields {
		if f.DBName != "" && f.Creatable { // the others come of other tables
			names = append(names, table+"."+f.DBName)
		}
	}
	return strings.Join(names, ", ")
}

// Map returns f of each element.
func Map[A, B any](list []A, f func(A) B) []B {
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = f(a)
	}
	return out
}

// TryMap is [Map], up to the first error.
func TryMap[A, B any](list []A, f func(A) (B, error)) ([]B, error) {
	out := make([]B, len(list))
	for i, a := range list {
		var err error
		if out[i], err = f(a); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Index returns what f makes of each element, by the key that comes with it.
func Index[A any, K comparable, V any](list []A, f func(A) (K, V)) map[K]V {
	out := make(map[K]V, len(list))
	for _, a := range list {
		k, v := f(a)
		out[k] = v
	}
	return out
}

// NotFound makes the database's "no such row" a sentinel that says what was looked for.
func NotFound(err error, what, id string) error {
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return fmt.Errorf("%w: there is no %s %q", tournament.ErrNotFound, what, id)
	}
	return err
}

// Taken makes a broken uniqueness a sentinel that says of what.
func Taken(err error, what, name string) error {
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		return fmt.Errorf("%w: %s %q is there already", tournament.ErrTaken, what, name)
	}
	return err
}

// BatchSize is how many rows go into one statement: the SQLite driver's cost of binding grows with the square.
const BatchSize = 100

// Array returns a list as one parameter, so that the text of a statement is the same for any number of elements, and planned once: an array
// to Postgres, JSON to SQLite.
func Array[T any](list []T) driver.Valuer { return array[T]{list} }

type array[T any] struct{ pgtype.FlatArray[T] }

// Value returns the list for SQLite.
func (a array[T]) Value() (driver.Value, error) {
	text, err := json.Marshal(a.FlatArray)
	return string(text), err
}

// AnyOf reports, as SQL, whether a column is in the [Array] that is the next parameter.
func (db *DB) AnyOf(column string) string {
	if db.main != nil {
		return column + " = ANY (?)"
	}
	return column + " IN (SELECT value FROM json_each(?))"
}

// Listed returns rows as one parameter, for [DB.Given].
func Listed[R any](rows []R) driver.Valuer { return listed[R](rows) }

type listed[R any] []R

// Value returns the rows as JSON.
func (l listed[R]) Value() (driver.Value, error) {
	text, err := json.Marshal(append([]R{}, l...))
	return string(text), err
}

// Given returns, as SQL, the rows that are the next parameter, [Listed]: given.value is one of them, and given.value ->> 0 its first cell,
// which wants a cast unless it is text. The text of such a statement is the same for any number of rows. Numbers that are not whole may
// lose their last digit in SQLite.
func (db *DB) Given() string {
	if db.main != nil {
		return "jsonb_array_elements(CAST(CAST(? AS TEXT) AS JSONB)) AS given (value)"
	}
	return "json_each(?) AS given"
}

// JSON returns, as SQL, a column of text as JSON.
func (db *DB) JSON(column string) string {
	if db.main != nil {
		return "CAST(" + column + " AS JSON)"
	}
	return column
}

// All returns the rows of a query.
func All[R any](db *gorm.DB) ([]R, error) {
	var rows []R
	err := db.Find(&rows).Error
	return rows, err
}

// Pluck returns one column of the rows of a query.
func Pluck[T any](db *gorm.DB, column string) ([]T, error) {
	var list []T
	err := db.Pluck(column, &list).Error
	return list, err
}

// Count returns how many rows a query has.
func Count(db *gorm.DB) (int, error) {
	var n int64
	err := db.Count(&n).Error
	return int(n), err
}

// UnderQuota refuses, with [tournament.ErrLimit], one more row of a query that has quota already. what names them, and way says how
// to get below it.
func UnderQuota(db *gorm.DB, quota int, what, way string) error {
	has, err := Count(db)
	if err == nil && has >= quota {
		err = fmt.Errorf("%w: %s: you have %d, of %d at most; %s", tournament.ErrLimit, what, has, quota, way)
	}
	return err
}

// Counts returns the numbers that a query calls n, by what it calls who.
func Counts[K comparable](db *gorm.DB) (map[K]int, error) {
	type row struct {
		Who K
		N   int
	}
	rows, err := All[row](db)
	return Index(rows, func(r row) (K, int) { return r.Who, r.N }), err
}

// InParts returns what a query finds for each part of a long list: a statement takes so many parameters and no more.
func InParts[R, K any](list []K, query func(part []K) *gorm.DB) ([]R, error) {
	var out []R
	for part := range slices.Chunk(list, BatchSize) {
		rows, err := All[R](query(part))
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	return out, nil
}

// Narrow adds a condition on a value to a query, unless that is zero.
func Narrow[T comparable](db *gorm.DB, condition string, value T) *gorm.DB {
	var zero T
	if value == zero {
		return db
	}
	return db.Where(condition, value)
}

// Made narrows a query to rows that were made at a time or later, and before another, by their ids; a zero time narrows nothing.
func Made(db *gorm.DB, id string, since, until time.Time) *gorm.DB {
	if !since.IsZero() {
		db = db.Where(id+" >= ?", FirstID(since))
	}
	if !until.IsZero() {
		db = db.Where(id+" < ?", FirstID(until))
	}
	return db
}

// Changed returns the error of a statement that was carried out, or none if it has changed no row.
func Changed(done *gorm.DB, none error) error {
	if done.Error == nil && done.RowsAffected == 0 {
		return none
	}
	return done.Error
}

// Upsert makes db write a row in the place of the one that has the same key: all of it, or some columns.
func Upsert(db *gorm.DB, key []string, columns ...string) *gorm.DB {
	again := clause.OnConflict{DoUpdates: clause.AssignmentColumns(columns), UpdateAll: len(columns) == 0}
	again.Columns = Map(key, func(name string) clause.Column { return clause.Column{Name: name} })
	return db.Clauses(again)
}

// First returns the first row of a query, or nil.
func First[R any](db *gorm.DB) (*R, error) {
	rows, err := All[R](db.Limit(1))
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}

// FirstOr is [First] with a substitute for a row that is not there.
func FirstOr[R any](db *gorm.DB, none R) (R, error) {
	row, err := First[R](db)
	if err != nil || row == nil {
		return none, err
	}
	return *row, nil
}

// Take returns the one row of a query, which is a what with an id. Without one the error is [tournament.ErrNotFound].
func Take[R any](db *gorm.DB, what, id string) (R, error) {
	var row R
	err := db.Take(&row).Error
	return row, NotFound(err, what, id)
}

// ByID is [Take] by the id.
func ByID[R any](db *gorm.DB, what, id string) (R, error) {
	return Take[R](db.Where("id = ?", id), what, id)
}
