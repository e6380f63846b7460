package database

import (
	"context"
	"database/sql"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/gorm"
)

// Tx is one transaction over our tables and the queue's. It belongs to one goroutine and ends with the function it was
// given to.
type Tx struct {
	SQL *gorm.DB // the only door to the database inside a transaction
	db  *DB
	pin *sql.Conn
	pg  pgx.Tx // used under OnPostgres alone
	lt  *sql.Tx
}

// InTx runs f in a transaction, which is committed if f returns nil and else changes nothing. It does not nest.
func (db *DB) InTx(ctx context.Context, f func(*Tx) error) error {
	if db.pool == nil {
		return db.SQL(ctx).Transaction(func(own *gorm.DB) error {
			return (&Tx{SQL: own, db: db, lt: own.Statement.ConnPool.(*sql.Tx)}).under(f)
		})
	}
	// The queue wants a pgx.Tx and gorm a database/sql connection, and both must be the same transaction. So one
	// connection is pinned, the transaction is begun on the pgx connection below it, and gorm talks through the top.
	return db.SQL(ctx).Connection(func(top *gorm.DB) error {
		tx := &Tx{db: db, pin: top.Statement.ConnPool.(*sql.Conn)}
		err := tx.pin.Raw(func(c any) error {
			var err error
			tx.pg, err = c.(*stdlib.Conn).Conn().Begin(ctx)
			return err
		})
		if err != nil {
			return err
		}
		defer func() { // after a commit it says that the transaction is over, and after a lost connection that it is gone
			_ = tx.OnPostgres(func(pg pgx.Tx) error { return pg.Rollback(ctx) })
		}()
		tx.SQL = top.Session(&gorm.Session{NewDB: true, Context: ctx})
		tx.SQL.Statement.ConnPool = begun{ConnPool: tx.pin, ctx: ctx, tx: tx}
		if err := tx.under(f); err != nil {
			return err
		}
		return tx.OnPostgres(func(pg pgx.Tx) error { return pg.Commit(ctx) })
	})
}

// SQLite is the transaction on SQLite; nil on Postgres.
func (tx *Tx) SQLite() *sql.Tx { return tx.lt }

// OnPostgres uses the transaction on the pinned connection to Postgres. When gorm meets a broken connection, database/sql
// gives the pin away and destroys the connection, so nobody may touch it without asking for the pin first.
func (tx *Tx) OnPostgres(f func(pgx.Tx) error) error {
	return tx.pin.Raw(func(any) error { return f(tx.pg) })
}

// begun tells gorm that its connection is in a transaction already.
type begun struct {
	gorm.ConnPool
	ctx context.Context
	tx  *Tx
}

func (b begun) Commit() error {
	return b.tx.OnPostgres(func(pg pgx.Tx) error { return pg.Commit(b.ctx) })
}

func (b begun) Rollback() error {
	return b.tx.OnPostgres(func(pg pgx.Tx) error { return pg.Rollback(b.ctx) })
}

// conditions are what must hold before, and what is written along after, what is done in every transaction: a request has a DB
// of its own, with its quota, its precondition and its idempotency key, for the one transaction it makes.
type conditions struct{ before, after []func(*Tx) error }

// Bound is the same database with more conditions; what is nil adds none.
func (db *DB) Bound(before, after func(*Tx) error) *DB {
	all := conditions{before: slices.Clone(db.conditions.before), after: slices.Clone(db.conditions.after)}
	if before != nil {
		all.before = append(all.before, before)
	}
	if after != nil {
		all.after = append(all.after, after)
	}
	return &DB{shared: db.shared, conditions: all}
}

// Apart is the same database without conditions.
func (db *DB) Apart() *DB { return &DB{shared: db.shared} }

// under runs f between the conditions.
func (tx *Tx) under(f func(*Tx) error) error {
	for _, hold := range tx.db.conditions.before {
		if err := hold(tx); err != nil {
			return err
		}
	}
	if err := f(tx); err != nil {
		return err
	}
	for _, along := range tx.db.conditions.after {
		if err := along(tx); err != nil {
			return err
		}
	}
	return nil
}
