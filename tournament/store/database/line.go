package database

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/molerun/molerun/tournament/notify"
)

// line is the connections by one URL of Postgres. Through a pooler that gives a server's session to each transaction, what belongs to a
// session is lost: statements prepared under a name, LISTEN, locks held between transactions.
type line struct {
	*pgxpool.Pool
	pooled atomic.Bool
}

// connectWait bounds connecting to one host, where the URL has no connect_timeout: pgx waits two minutes, or without end. It leaves
// time for the next host to whoever waits five seconds.
const connectWait = 3 * time.Second

const urlForm = "postgres://user:password@host:port/database"

// CheckURL refuses what cannot be read as a URL of Postgres. The error does not repeat it, since it holds a password.
func CheckURL(dsn string) error {
	var file *fs.PathError // of certificates
	if _, err := pgxpool.ParseConfig(dsn); errors.As(err, &file) {
		return fmt.Errorf("names a file that cannot be read: %w", file)
	} else if err != nil {
		return errors.New("is not " + urlForm + "; percent-encode what else the password holds")
	}
	return nil
}

// openLine connects to nobody yet. heed receives what Postgres refuses. name says in errors which URL it is: they never repeat one, since it holds a password.
func openLine(ctx context.Context, name, dsn string, most int, heed func(error) error) (*line, error) {
	c, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("%s is not %s", name, urlForm)
	}
	if most > 0 {
		c.MaxConns = int32(min(most, 1000))
	}
	c.ConnConfig.ConnectTimeout = cmp.Or(c.ConnConfig.ConnectTimeout, connectWait)
	keep := c.ConnConfig.OnPgError
	c.ConnConfig.OnPgError = func(conn *pgconn.PgConn, err *pgconn.PgError) bool { _ = heed(err); return keep(conn, err) }
	l := &line{}
	c.BeforeConnect = func(_ context.Context, one *pgx.ConnConfig) error {
		if l.pooled.Load() {
			withoutNames(one)
		}
		return nil
	}
	c.AfterConnect = l.inspect
	c.PrepareConn = func(_ context.Context, conn *pgx.Conn) (bool, error) {
		return conn.PgConn().CustomData()[unusable] == nil, nil // the pool makes another, as BeforeConnect says
	}
	l.Pool, err = pgxpool.NewWithConfig(ctx, c)
	return l, err
}

// withoutNames has a connection keep the types of a statement's values and not the statement. They are read and written as on a direct
// connection, which in pgx's exec mode they are not.
func withoutNames(c *pgx.ConnConfig) {
	if c.DefaultQueryExecMode == pgx.QueryExecModeCacheStatement {
		c.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
}

// unusable marks a connection that prepares statements through a pooler: the first there is.
const unusable = "prepares through a pooler"

// inspect finds out about a new connection.
func (l *line) inspect(ctx context.Context, c *pgx.Conn) error {
	pooled, err := throughPooler(ctx, c)
	if err != nil || !pooled {
		return err
	}
	l.pooled.Store(true)
	if c.Config().DefaultQueryExecMode == pgx.QueryExecModeCacheStatement {
		c.PgConn().CustomData()[unusable] = true
	}
	return nil
}

// throughPooler reports whether a pooler answers a connection: it makes up the process number that a client needs to cancel, since it has no
// process for it.
func throughPooler(ctx context.Context, c *pgx.Conn) (bool, error) {
	var process uint32
	err := c.QueryRow(ctx, "SELECT pg_backend_pid()", pgx.QueryExecModeSimpleProtocol).Scan(&process)
	return process != c.PgConn().PID(), err
}

// session returns a new connection outside the pool, whose session is its own; otherwise the error is [notify.ErrPooled].
func (l *line) session(ctx context.Context) (*pgx.Conn, error) {
	c, err := pgx.ConnectConfig(ctx, l.Config().ConnConfig)
	if err != nil {
		return nil, err
	}
	pooled, err := throughPooler(ctx, c)
	if pooled && err == nil {
		err = notify.ErrPooled
	}
	if err != nil {
		return nil, errors.Join(err, c.Close(context.WithoutCancel(ctx)))
	}
	return c, nil
}

// Hearing is how a process learns what others change in the database.
type Hearing string

// The ways to hear.
const (
	Alone    Hearing = "alone"    // SQLite has no other processes that tell
	Listens  Hearing = "listens"  // LISTEN, by the URL of the database
	Directly Hearing = "directly" // LISTEN, by the direct URL
	Looks    Hearing = "looks"    // by looking: a pooler keeps notifications
)

// echoWait is how long asking for a notification may take, and then the notification itself.
const echoWait = 5 * time.Second

// errDeaf means that a notification did not come back in time.
var errDeaf = fmt.Errorf("notifications: %w", context.DeadlineExceeded)

// Hearing asks Postgres how this process hears, and tries it, for some seconds: ctx must leave them, or nobody learns why it hears nothing.
// The error may say that it is [Away].
func (db *DB) Hearing(ctx context.Context) (Hearing, error) {
	if db.main == nil {
		return Alone, nil
	}
	way := Listens
	if db.direct != nil {
		way = Directly
	}
	err := db.echo(ctx)
	switch {
	case errors.Is(err, notify.ErrPooled) && way == Listens:
		return Looks, nil
	case errors.Is(err, notify.ErrPooled):
		err = fmt.Errorf("the direct URL: %w", err)
	case way == Directly && (errors.Is(err, errDeaf) || errors.Is(unwritable(err), errReadOnly)): // a standby lets nobody listen
		err = errors.New("the direct URL does not hear what the database's URL sends: is it another database, or a standby?")
	case err != nil && way == Directly:
		err = fmt.Errorf("the direct URL: %w", err)
	}
	return way, err
}

// echo tells something and waits until it is heard.
func (db *DB) echo(outer context.Context) error {
	ctx, cancel := context.WithTimeout(outer, echoWait)
	defer cancel()
	c, err := db.listening().session(ctx)
	if err != nil {
		return err
	}
	defer c.Close(context.WithoutCancel(ctx))
	var id string
	if err := db.Fill(&id); err != nil {
		return err
	}
	name := "molerun_echo_" + id
	if _, err := c.Exec(ctx, "LISTEN "+pgx.Identifier{name}.Sanitize()); err != nil {
		return err
	}
	if _, err := db.main.Exec(ctx, "SELECT pg_notify($1, '')", name); err != nil {
		return err
	}
	hearing, cancel := context.WithTimeout(outer, echoWait)
	defer cancel()
	if _, err = c.WaitForNotification(hearing); err != nil && hearing.Err() != nil && outer.Err() == nil {
		return errDeaf
	}
	return err
}

// listening returns the line by which notifications come.
func (db *DB) listening() *line {
	if db.direct != nil {
		return db.direct
	}
	return db.main
}

// Pooled reports whether a pooler was found between us and Postgres, as the first connection finds it.
func (db *DB) Pooled() bool { return db.main != nil && db.main.pooled.Load() }

// ListenPool returns the connections that LISTEN is for; nil where nobody can: on SQLite, and where poolers are all there is.
func (db *DB) ListenPool() *pgxpool.Pool {
	if db.main == nil || db.listening().pooled.Load() {
		return nil
	}
	return db.listening().Pool
}
