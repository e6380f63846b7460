package database

import (
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// What a transaction reads in order to change it, it locks. Two transactions that lock the same rows in different orders wait for each
// other until the server ends one of them. So all lock in one order: by kind, then by id.

// Kind is a kind of rows: the name of their table.
type Kind string

// The kinds whose rows are locked.
const (
	Users       Kind = "users"
	Logins      Kind = "logins"
	ClassLinks  Kind = "class_links"
	Tokens      Kind = "tokens"
	Schedules   Kind = "schedules"
	Series      Kind = "series"
	Tournaments Kind = "tournaments"
	Matches     Kind = "matches"
	Ladders     Kind = "ladders"
	Ratings     Kind = "ratings"
	Bots        Kind = "bots"
	Webhooks    Kind = "webhooks"
	Deliveries  Kind = "deliveries"
	Messages    Kind = "letters"
	Feeds       Kind = "feeds"
	Keys        Kind = "idempotency_keys"
)

// lockOrder returns the kinds in the order in which transactions lock their rows.
func lockOrder() []Kind {
	return []Kind{
		Users, Logins, ClassLinks, Tokens, Schedules, Series, Tournaments, Matches, Ladders, Ratings, Bots, Webhooks, Deliveries, Messages, Feeds, Keys,
	}
}

// Rows are ids by kind.
type Rows map[Kind][]string

// ErrLockOrder is the code of a transaction that locks rows after others that come behind them in the one order.
var ErrLockOrder = errors.New("lock_order")

// locks are what a transaction holds.
type locks struct {
	last int // place of a kind in the order
	rows map[Kind][]string
}

// Lock locks rows, all on one way to the server and in the one order. A row that does not exist is no error.
func (tx *Tx) Lock(rows Rows) error {
	for k := range rows {
		if !slices.Contains(lockOrder(), k) {
			return fmt.Errorf("%w: %s has no place in the order", ErrLockOrder, k)
		}
	}
	var list []Statement
	for _, k := range lockOrder() {
		if ids := slices.Compact(slices.Sorted(slices.Values(rows[k]))); len(ids) > 0 {
			list = append(list, func(db *gorm.DB) *gorm.DB {
				var sink []string
				return tx.Locked(db, k, ids...).Table(string(k)).Where(tx.db.AnyOf("id"), Array(ids)).Order("id").Pluck("id", &sink)
			})
		}
	}
	return tx.Batch(list...)
}

// Locked makes a query of db lock the rows of a kind that it reads. what are their ids in ascending order, or words for a condition
// that they meet. The rows may be referred to meanwhile, as nobody changes their ids: a stronger lock would have writers of other
// tables wait. SQLite has one writer at a time and drops the clause.
//
// With [Options].CheckLocks a lock out of order is [ErrLockOrder]. What is held already may be locked again at any time.
func (tx *Tx) Locked(db *gorm.DB, k Kind, what ...string) *gorm.DB {
	db = db.Clauses(clause.Locking{Strength: "NO KEY UPDATE"})
	if err := tx.locks.take(k, what); err != nil && tx.db.opts.CheckLocks {
		_ = db.AddError(err)
	}
	return db
}

// SkipLocked makes a query of db lock the rows of a kind that nobody else has locked, and pass over the others. It waits for nobody, so
// it may come at any time; what comes after it waits with these rows held.
func (tx *Tx) SkipLocked(db *gorm.DB, k Kind) *gorm.DB {
	tx.locks.last = max(tx.locks.last, slices.Index(lockOrder(), k))
	return db.Clauses(clause.Locking{Strength: "NO KEY UPDATE", Table: clause.Table{Name: string(k)}, Options: "SKIP LOCKED"})
}

// Holds notes that the transaction has locked a row which was not known when it did, as one of several in ascending order.
func (tx *Tx) Holds(k Kind, id string) {
	if tx.locks.rows == nil {
		tx.locks.rows = Rows{}
	}
	tx.locks.rows[k] = slices.Sorted(slices.Values(append(tx.locks.rows[k], id)))
	tx.locks.last = max(tx.locks.last, slices.Index(lockOrder(), k))
}

// take notes what is locked now, and returns why that is out of order.
func (l *locks) take(k Kind, what []string) error {
	held := l.rows[k]
	fresh := slices.DeleteFunc(slices.Clone(what), func(w string) bool { return slices.Contains(held, w) })
	if len(fresh) == 0 {
		return nil
	}
	if l.rows == nil {
		l.rows = Rows{}
	}
	l.rows[k] = append(held, fresh...)
	at := slices.Index(lockOrder(), k)
	if at < l.last {
		return fmt.Errorf("%w: %s %q after %s: lock them in one step, or first", ErrLockOrder, k, fresh, lockOrder()[l.last])
	}
	l.last = at
	if n := len(held); n > 0 && fresh[0] < held[n-1] || !slices.IsSorted(fresh) {
		return fmt.Errorf("%w: %s %q after %q: lock them in one step", ErrLockOrder, k, fresh, held)
	}
	return nil
}
