package database

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/gorm"
)

// Tx is one transaction over our tables and the queue's. It belongs to one goroutine and ends with the function it was
// given to.
type Tx struct {
	SQL   *gorm.DB // the only door to the database inside a transaction
	db    *DB
	pin   *sql.Conn
	pg    pgx.Tx // used under OnPostgres alone
	lt    *sql.Tx
	locks locks
	try   int // of [DB.InTx], from 1; 0: there is one alone

	late    []*gorm.DB // statements of [Tx.Enqueue] that are not carried out yet
	lateErr error      // what went wrong with one of them
	over    bool       // the transaction was committed with them
}

// InTx runs f in a transaction, which is committed if f returns nil and else changes nothing. It does not nest. A transaction that
// fails because of others is tried again ([DB.Again]), with its hooks, so f may run several times: it sets whatever it hands out
// again each time, and does nothing but with the database.
func (db *DB) InTx(ctx context.Context, f func(*Tx) error) error {
	try := 0
	return db.Again(ctx, func() error {
		try++
		return db.once(ctx, try, f)
	})
}

// Once is [DB.InTx] for an f that cannot run twice, such as one that reads a stream.
func (db *DB) Once(ctx context.Context, f func(*Tx) error) error { return db.once(ctx, 0, f) }

// Transact runs f in a transaction of a kind, and returns its value: that of the run that was committed.
func Transact[X, T any](ctx context.Context, in func(context.Context, func(X) error) error, f func(X) (T, error)) (T, error) {
	var out T
	err := in(ctx, func(tx X) (err error) {
		out, err = f(tx)
		return err
	})
	return out, err
}

// once makes one try of a transaction.
func (db *DB) once(ctx context.Context, try int, f func(*Tx) error) error {
	defer db.over.Add(1)
	if db.main == nil {
		return db.SQL(ctx).Transaction(func(own *gorm.DB) error {
			tx := &Tx{SQL: own, db: db, try: try, lt: own.Statement.ConnPool.(*sql.Tx)}
			if err := tx.runHooks(f); err != nil {
				return err
			}
			return tx.unsettled()
		})
	}
	// The queue wants a pgx.Tx and gorm a database/sql connection, and both must be the same transaction. So one
	// connection is pinned, the transaction is begun on the pgx connection below it, and gorm talks through the top.
	err := db.SQL(ctx).Connection(func(top *gorm.DB) error {
		tx := &Tx{db: db, try: try, pin: top.Statement.ConnPool.(*sql.Conn)}
		err := tx.pin.Raw(func(c any) error {
			var err error
			tx.pg, err = c.(*stdlib.Conn).Conn().Begin(ctx)
			return err
		})
		if err != nil {
			return err
		}
		defer tx.rollback(ctx)
		tx.SQL = top.Session(&gorm.Session{NewDB: true, Context: ctx})
		tx.SQL.Statement.ConnPool = begun{tx.pin, tx}
		if err := tx.runHooks(f); err != nil {
			return err
		}
		if err := tx.unsettled(); err != nil {
			return err
		}
		return tx.commit()
	})
	return ended(ctx, err)
}

// unsettled returns what keeps the transaction from its commit: a statement that was put off, or a test.
func (tx *Tx) unsettled() error {
	if tx.lateErr != nil || tx.try == 0 || tx.db.opts.Commit == nil {
		return tx.lateErr
	}
	return errors.Join(tx.flush(), tx.db.opts.Commit(tx.try))
}

// View runs f on the database as it is at one moment. f reads alone: it locks nothing, and waits for nobody who writes.
func (db *DB) View(ctx context.Context, f func(*gorm.DB) error) error {
	if db.main != nil {
		return db.Again(ctx, func() error {
			return db.SQL(ctx).Transaction(f, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
		})
	}
	conn, err := db.readers.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()                                // it goes back to the pool
	if _, err := conn.ExecContext(ctx, "BEGIN DEFERRED"); err != nil { // a transaction of database/sql would ask for the writer's lock
		return err
	}
	own := db.SQL(ctx)
	own.Statement.ConnPool = conn
	err = f(own.Session(&gorm.Session{}))
	_, back := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") // nothing was written
	return errors.Join(err, back)
}

// SQLite returns the transaction on SQLite; nil on Postgres.
func (tx *Tx) SQLite() *sql.Tx { return tx.lt }

// OnPostgres uses the transaction on the pinned connection to Postgres. When gorm meets a broken connection, database/sql
// gives the pin away and destroys the connection, so nobody may touch it without asking for the pin first.
func (tx *Tx) OnPostgres(f func(pgx.Tx) error) error {
	if err := tx.flush(); err != nil {
		return err
	}
	return tx.pin.Raw(func(any) error { return f(tx.pg) })
}

// begun is the pinned connection as gorm sees it: what was put off comes before what gorm asks for.
type begun struct {
	gorm.ConnPool
	tx *Tx
}

// ExecContext makes a [gorm.ConnPool].
func (b begun) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if err := b.tx.flush(); err != nil {
		return nil, err
	}
	return b.ConnPool.ExecContext(ctx, query, args...)
}

// QueryContext makes a [gorm.ConnPool].
func (b begun) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := b.tx.flush(); err != nil {
		return nil, err
	}
	return b.ConnPool.QueryContext(ctx, query, args...)
}

// QueryRowContext makes a [gorm.ConnPool].
func (b begun) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	_ = b.tx.flush() // the transaction keeps the error, and this query fails in it too
	return b.ConnPool.QueryRowContext(ctx, query, args...)
}

// hooks are what must hold before, and what is written along after, what is done in every transaction: a request has a DB
// of its own, with its quota, its precondition and its idempotency key, for the one transaction it makes.
type hooks struct{ before, after []func(*Tx) error }

// WithHooks returns the same database with more hooks; what is nil adds none.
func (db *DB) WithHooks(before, after func(*Tx) error) *DB {
	all := hooks{before: slices.Clone(db.hooks.before), after: slices.Clone(db.hooks.after)}
	if before != nil {
		all.before = append(all.before, before)
	}
	if after != nil {
		all.after = append(all.after, after)
	}
	return &DB{shared: db.shared, hooks: all}
}

// WithoutHooks returns the same database without hooks.
func (db *DB) WithoutHooks() *DB { return &DB{shared: db.shared} }

// runHooks runs f between the hooks.
func (tx *Tx) runHooks(f func(*Tx) error) error {
	for _, hold := range tx.db.hooks.before {
		if err := hold(tx); err != nil {
			return err
		}
	}
	if err := f(tx); err != nil {
		return err
	}
	for _, along := range tx.db.hooks.after {
		if err := along(tx); err != nil {
			return err
		}
	}
	return nil
}
