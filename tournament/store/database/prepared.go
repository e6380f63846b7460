package database

import (
	"context"
	"database/sql"
	"database/sql/driver"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"modernc.org/sqlite"
)

// keptStatements is how many statements a connection to SQLite keeps prepared. The demo has some 400 texts, migrations among them.
const keptStatements = 512

// openPrepared opens SQLite with connections that keep statements prepared, as those to Postgres do: to parse them again and again takes a
// fifth of all time.
//
// heed is given every error of the driver, and its own takes that one's place.
func openPrepared(dsn string, heed func(error) error) (*sql.DB, error) {
	c, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(preparing{c, heed}), nil
}

type preparing struct {
	driver.Connector
	heed func(error) error
}

func (p preparing) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := p.Connector.Connect(ctx)
	if err != nil {
		return nil, p.heed(err)
	}
	idle, err := simplelru.NewLRU[string, driver.Stmt](keptStatements, nil)
	return &preparedConn{liteConn: c.(liteConn), idle: idle, heed: p.heed}, err
}

// liteConn is what the driver's connections can do.
type liteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// preparedConn is a connection that keeps statements. Like every connection, one goroutine at a time uses it.
type preparedConn struct {
	liteConn
	idle *simplelru.LRU[string, driver.Stmt] // by their texts; one that is being carried out is not among them
	heed func(error) error
}

// BeginTx makes a [driver.ConnBeginTx].
func (c *preparedConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	tx, err := c.liteConn.BeginTx(ctx, o)
	if err != nil {
		return nil, c.heed(err)
	}
	return heededTx{tx, c.heed}, nil
}

type heededTx struct {
	driver.Tx
	heed func(error) error
}

// Commit makes a [driver.Tx].
func (t heededTx) Commit() error { return t.heed(t.Tx.Commit()) }

// take returns a statement that nobody else carries out until it is put back.
func (c *preparedConn) take(ctx context.Context, query string) (driver.Stmt, error) {
	if s, ok := c.idle.Peek(query); ok {
		c.idle.Remove(query)
		return s, nil
	}
	s, err := c.PrepareContext(ctx, query)
	return s, c.heed(err)
}

// put keeps a statement for the next time; the one that has not been used for longest goes. A second statement of one text was only
// needed while the first was read.
func (c *preparedConn) put(query string, s driver.Stmt) error {
	if c.idle.Contains(query) {
		return s.Close()
	}
	if c.idle.Len() == keptStatements {
		_, oldest, _ := c.idle.RemoveOldest()
		if err := oldest.Close(); err != nil {
			return err
		}
	}
	c.idle.Add(query, s)
	return nil
}

func (c *preparedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.take(ctx, query)
	if err != nil {
		return nil, err
	}
	r, err := s.(driver.StmtExecContext).ExecContext(ctx, args)
	if err != nil {
		_ = s.Close() // the error says more
		return nil, c.heed(err)
	}
	return r, c.put(query, s)
}

func (c *preparedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.take(ctx, query)
	if err != nil {
		return nil, err
	}
	r, err := s.(driver.StmtQueryContext).QueryContext(ctx, args)
	if err != nil {
		_ = s.Close() // the error says more
		return nil, c.heed(err)
	}
	return &preparedRows{liteRows: r.(liteRows), conn: c, query: query, stmt: s}, nil
}

// Close ends the connection. SQLite leaves its files as they are while a statement is kept.
func (c *preparedConn) Close() error {
	for _, s := range c.idle.Values() {
		_ = s.Close()
	}
	return c.liteConn.Close()
}

// liteRows is what the driver's rows can do.
type liteRows interface {
	driver.Rows
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypeLength
	driver.RowsColumnTypeNullable
	driver.RowsColumnTypePrecisionScale
	driver.RowsColumnTypeScanType
}

// preparedRows give their statement back once they are read.
type preparedRows struct {
	liteRows
	conn  *preparedConn
	query string
	stmt  driver.Stmt
}

// Next makes [driver.Rows].
func (r *preparedRows) Next(dest []driver.Value) error { return r.conn.heed(r.liteRows.Next(dest)) }

func (r *preparedRows) Close() error {
	if err := r.liteRows.Close(); err != nil {
		_ = r.stmt.Close() // the error says more
		return err
	}
	return r.conn.put(r.query, r.stmt)
}
