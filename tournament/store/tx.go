package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivertype"
	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
)

// Tx is one transaction over our tables and the queue's. It belongs to one goroutine and ends with the function it was
// given to.
type Tx struct {
	s   *Store
	db  *gorm.DB // the only door to the database inside a transaction
	pin *sql.Conn
	pg  pgx.Tx // used under onPin alone
	lt  *sql.Tx

	told   []told              // events to be written before the commit
	topics []string            // to be woken after it
	rounds []tournament.Format // made in it: a format for each, told after it
}

// InTx runs f in a transaction, which is committed if f returns nil and else changes nothing. It does not nest.
func (s *Store) InTx(ctx context.Context, f func(*Tx) error) error {
	var topics []string
	var rounds []tournament.Format
	err := s.inTx(ctx, func(tx *Tx) error {
		if err := f(tx); err != nil {
			return err
		}
		err := tx.write(ctx)
		topics, rounds = tx.topics, tx.rounds
		return err
	})
	if err != nil {
		return err
	}
	s.wakes.mark(topics...)
	for _, f := range rounds {
		if s.opts.Rounded != nil {
			s.opts.Rounded(f)
		}
	}
	return nil
}

func (s *Store) inTx(ctx context.Context, f func(*Tx) error) error {
	if s.pool == nil {
		return s.with(ctx).Transaction(func(db *gorm.DB) error {
			return (&Tx{s: s, db: db, lt: db.Statement.ConnPool.(*sql.Tx)}).under(ctx, f)
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

// PlayMatch is the job of playing one match from one epoch on. Another epoch is another job: an old job can do nothing.
type PlayMatch struct {
	MatchID string `json:"match_id"`
	Epoch   int64  `json:"epoch"`
}

// Kind names the job in the queue.
func (PlayMatch) Kind() string { return "play_match" }

// maxAttempts is how often the queue itself tries a job that fails on the way, as while the database is away.
const maxAttempts = 25

// enqueue adds a job for each of list, matches of one source, and returns their numbers in the same order.
func (tx *Tx) enqueue(ctx context.Context, source tournament.Source, list ...PlayMatch) ([]int64, error) {
	return tx.enqueueAt(ctx, time.Time{}, source, list...)
}

// enqueueAt is enqueue for jobs that wait until a time; the zero time is now.
func (tx *Tx) enqueueAt(ctx context.Context, at time.Time, source tournament.Source, list ...PlayMatch) ([]int64, error) {
	params := make([]river.InsertManyParams, len(list))
	for i, args := range list {
		params[i] = river.InsertManyParams{Args: args, InsertOpts: &river.InsertOpts{MaxAttempts: maxAttempts, Queue: queueOf(source), ScheduledAt: at}}
	}
	jobs, err := tx.insert(ctx, params)
	if err == nil && tx.pg != nil && source != tournament.SourceTournament { // of those, River tells the workers itself
		err = tx.onPin(func(pg pgx.Tx) error { return wakeWorkers(ctx, riverpgxv5.New(tx.s.pool).UnwrapExecutor(pg)) })
	}
	return jobs, err
}

// wakeWorkers has the workers on Postgres look for jobs, as River does when it adds one to the default queue.
func wakeWorkers(ctx context.Context, db riverdriver.Executor) error {
	return db.NotifyMany(ctx, &riverdriver.NotifyManyParams{Topic: "river_insert", Payload: []string{`{"queue": "` + river.QueueDefault + `"}`}})
}

// insert adds jobs of any kind.
func (tx *Tx) insert(ctx context.Context, params []river.InsertManyParams) ([]int64, error) {
	var rows []*rivertype.JobInsertResult
	var err error
	if tx.pg != nil {
		err = tx.onPin(func(pg pgx.Tx) (err error) {
			rows, err = tx.s.jobsPG.InsertManyTx(ctx, pg, params)
			return err
		})
	} else {
		rows, err = tx.s.jobsLT.InsertManyTx(ctx, tx.lt, params)
	}
	if err != nil {
		return nil, fmt.Errorf("enqueue: %w", err)
	}
	numbers := make([]int64, len(rows))
	for i, r := range rows {
		numbers[i] = r.Job.ID
	}
	return numbers, nil
}

// CompleteJob completes a running job in the transaction; ctx must be the worker's. A job that the queue has given up on
// meanwhile is let be: the epoch decides who may write, not the job.
func CompleteJob[A river.JobArgs](ctx context.Context, tx *Tx, job *river.Job[A]) (err error) {
	if tx.pg != nil {
		err = tx.onPin(func(pg pgx.Tx) error {
			_, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, pg, job)
			return err
		})
	} else {
		_, err = river.JobCompleteTx[*riversqlite.Driver](ctx, tx.lt, job)
	}
	if errors.Is(err, rivertype.ErrNotFound) {
		return nil
	}
	return err
}

// Worker is the working side of the queue.
type Worker interface {
	Start(ctx context.Context) error
	StopAndCancel(ctx context.Context) error
}

// Worker makes a queue client that works jobs on this store's connections. The slots of the default queue are shared by all
// matches. It sets how often the queue is asked for jobs: Postgres tells of new ones at once, SQLite cannot.
func (s *Store) Worker(c *river.Config) (Worker, error) {
	shared := &slots{total: c.Queues[river.QueueDefault].MaxWorkers, waiting: s.queuedJobs, held: map[tournament.Source]int{}}
	c.Middleware = append(c.Middleware, shared)
	if s.pool != nil {
		c.FetchPollInterval = time.Second
		driver := riverpgxv5.New(s.pool)
		shared.wake = func(ctx context.Context) error { return wakeWorkers(ctx, driver.GetExecutor()) }
		return river.NewClient(sharing[pgx.Tx]{driver, shared}, c)
	}
	c.FetchPollInterval = 20 * time.Millisecond
	shared.wake = func(context.Context) error { return nil } // it looks soon anyway
	return river.NewClient(sharing[*sql.Tx]{riversqlite.New(s.sql), shared}, c)
}
