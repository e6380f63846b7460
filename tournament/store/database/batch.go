package database

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
)

// Every statement on its own is a way to the server and back. In a transaction that many wait for, statements that do not need each
// other's answers share one.

// Statement carries one statement out on a connection, like db.Find(&rows).
type Statement func(db *gorm.DB) *gorm.DB

// Batch carries statements out in their order; on Postgres on one way there and back, as one that does not wait for another's
// answer. The results are where the statements put them.
func (tx *Tx) Batch(list ...Statement) error {
	tx.Enqueue(list...)
	err := tx.flush()
	tx.lateErr = nil
	return err
}

// Enqueue carries statements without results out before the next one, or with the commit at the latest: nobody waits for them in between.
// What goes wrong is the error of the next caller, or of the transaction.
func (tx *Tx) Enqueue(list ...Statement) {
	for _, carryOut := range list {
		switch {
		case tx.lateErr != nil:
			return
		case tx.lt != nil:
			tx.lateErr = carryOut(tx.SQL).Error
		default:
			tx.late = append(tx.late, carryOut(tx.SQL.Session(&gorm.Session{DryRun: true})))
		}
	}
}

// flush carries out what was put off, and then what else there is to be done on the same way.
func (tx *Tx) flush(last ...*pgx.QueuedQuery) error {
	late := tx.late
	tx.late = nil
	if tx.lateErr != nil || len(late)+len(last) == 0 {
		return tx.lateErr
	}
	batch := &pgx.Batch{}
	for _, put := range late {
		if tx.lateErr = put.Error; tx.lateErr != nil { // it could not be put into words
			return tx.lateErr
		}
		batch.Queue(put.Statement.SQL.String(), put.Statement.Vars...).Query(func(rows pgx.Rows) error { return read(rows, put) })
	}
	batch.QueuedQueries = append(batch.QueuedQueries, last...)
	tx.lateErr = tx.pin.Raw(func(any) error { return tx.pg.SendBatch(tx.SQL.Statement.Context, batch).Close() })
	return tx.lateErr
}

// read puts rows where a statement wants them.
func read(rows pgx.Rows, put *gorm.DB) error {
	if rows.Err() != nil || len(rows.FieldDescriptions()) == 0 {
		rows.Close()
		return put.AddError(rows.Err())
	}
	gorm.Scan(asked{rows}, put, 0)
	return put.Error
}

// commit ends the transaction on Postgres, on one way with what was put off.
func (tx *Tx) commit() error {
	if len(tx.late) == 0 {
		if tx.lateErr != nil {
			return tx.lateErr
		}
		return tx.OnPostgres(func(pg pgx.Tx) error { return pg.Commit(tx.SQL.Statement.Context) })
	}
	last := &pgx.QueuedQuery{SQL: "commit"}
	last.Exec(func(done pgconn.CommandTag) error {
		if done.String() != "COMMIT" {
			return pgx.ErrTxCommitRollback
		}
		tx.over = true
		return nil
	})
	return tx.flush(last)
}

// rollback undoes the transaction, unless it is over.
func (tx *Tx) rollback(ctx context.Context) {
	if !tx.over {
		_ = tx.pin.Raw(func(any) error { return tx.pg.Rollback(ctx) }) // after a commit it says that the transaction is over, and after a lost connection that it is gone
	}
}

// asked are rows of Postgres as gorm reads them.
type asked struct{ pgx.Rows }

// Columns returns the names of the columns.
func (a asked) Columns() ([]string, error) {
	return Map(a.FieldDescriptions(), func(f pgconn.FieldDescription) string { return f.Name }), nil
}

// ColumnTypes says nothing: gorm asks for them only to fill maps.
func (a asked) ColumnTypes() ([]*sql.ColumnType, error) { return nil, nil }

// Close ends the reading.
func (a asked) Close() error {
	a.Rows.Close()
	return a.Err()
}
