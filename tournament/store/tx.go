package store

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/gorm"
)

// Tx is one transaction over our tables and the queue's. It belongs to one goroutine and ends with the function it was
// given to.
type Tx struct {
	Reader // its connection is the only door to the database inside a transaction
	s      *Store
	pin    *sql.Conn
	pg     pgx.Tx // used under onPin alone
	lt     *sql.Tx

	told   []told   // events to be written before the commit
	topics []string // to be woken after it
}

// Reader reads what the director decides by: inside a transaction as a part of it, outside of one from [Store.Reader].
type Reader struct{ db *gorm.DB }

// Reader reads outside transactions.
func (s *Store) Reader(ctx context.Context) Reader { return Reader{s.with(ctx)} }

// InTx runs f in a transaction, which is committed if f returns nil and else changes nothing. It does not nest.
func (s *Store) InTx(ctx context.Context, f func(*Tx) error) error {
	var topics []string
	err := s.inTx(ctx, func(tx *Tx) error {
		if err := f(tx); err != nil {
			return err
		}
		err := tx.write(ctx)
		topics = tx.topics
		return err
	})
	if err != nil {
		return err
	}
	s.bus.Publish(topics...)
	return nil
}

func (s *Store) inTx(ctx context.Context, f func(*Tx) error) error {
	if s.pool == nil {
		return s.with(ctx).Transaction(func(db *gorm.DB) error {
			return (&Tx{Reader: Reader{db}, s: s, lt: db.Statement.ConnPool.(*sql.Tx)}).under(ctx, f)
		})
	}
	// The queue wants a pgx.Tx and gorm a database/sql connection, and both must be the same transaction. So one
	// connection is pinned, the transaction is begun on the pgx connection below it, and gorm talks through the top.
	return s.with(ctx).Connection(func(top *gorm.DB) (err error) {
		tx := &Tx{s: s, pin: top.Statement.ConnPool.(*sql.Conn)}
		err = tx.pin.Raw(func(c any) (err error) {
			tx.pg, err = c.(*stdlib.Conn).Conn().Begin(ctx)
			return err
		})
		if err != nil {
			return err
		}
		defer func() { // after a commit it says that the transaction is over, and after a lost connection that it is gone
			_ = tx.onPin(func(pg pgx.Tx) error { return pg.Rollback(ctx) })
		}()
		tx.db = top.Session(&gorm.Session{NewDB: true, Context: ctx})
		tx.db.Statement.ConnPool = begun{tx.pin, ctx, tx}
		if err := tx.under(ctx, f); err != nil {
			return err
		}
		return tx.onPin(func(pg pgx.Tx) error { return pg.Commit(ctx) })
	})
}

// onPin uses the transaction on the pinned connection. When gorm meets a broken connection, database/sql gives the pin away
// and destroys the connection, so nobody may touch it without asking for the pin first.
func (tx *Tx) onPin(f func(pgx.Tx) error) error {
	return tx.pin.Raw(func(any) error { return f(tx.pg) })
}

// begun tells gorm that its connection is in a transaction already.
type begun struct {
	gorm.ConnPool
	ctx context.Context
	tx  *Tx
}

func (b begun) Commit() error {
	return b.tx.onPin(func(pg pgx.Tx) error { return pg.Commit(b.ctx) })
}

func (b begun) Rollback() error {
	return b.tx.onPin(func(pg pgx.Tx) error { return pg.Rollback(b.ctx) })
}
