package queue

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivertype"
	"golang.org/x/time/rate"
	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/notify"
	"github.com/molerun/molerun/tournament/store/database"
)

// Queue adds jobs in the transactions of a database, and has them worked. It is safe for concurrent use.
type Queue struct {
	db       *database.DB
	postgres *river.Client[pgx.Tx] // one of the two is set
	sqlite   *river.Client[*sql.Tx]
}

// New returns the queue of a database.
func New(db *database.DB) (*Queue, error) {
	q := &Queue{db: db}
	c := &river.Config{Logger: quieted(db.Options().Logger)}
	var err error
	if pool := db.Pool(); pool != nil {
		q.postgres, err = river.NewClient(riverpgxv5.New(pool), c)
	} else {
		q.sqlite, err = river.NewClient(riversqlite.New(db.Raw()), c)
	}
	return q, err
}

// maxAttempts is how often the queue itself tries a job that fails on the way, as while the database is away.
const maxAttempts = 25

// AddMatches adds a job for each of list, matches of one source, that waits until a time, and returns their numbers in the
// same order. The zero time is now. ahead is how many matches of their tournament wait already: the more do, the later their turn is,
// up to [FarAhead].
func (q *Queue) AddMatches(ctx context.Context, tx *database.Tx, at time.Time, source tournament.Source, ahead int, list ...river.JobArgs) ([]int64, error) {
	jobs, err := q.insert(ctx, tx, at, queueOf(source), ahead, list)
	if err == nil && q.postgres != nil && source != tournament.SourceTournament { // of those, River tells the workers itself
		err = tx.OnPostgres(func(pg pgx.Tx) error { return wakeWorkers(ctx, riverpgxv5.New(q.db.Pool()).UnwrapExecutor(pg)) })
	}
	return jobs, err
}

// AddDeliveries adds a job for each of list to the queue [Events], not to be done before a time by the database's clock. The zero time
// is now.
func (q *Queue) AddDeliveries(ctx context.Context, tx *database.Tx, at time.Time, list ...river.JobArgs) error {
	_, err := q.insert(ctx, tx, at, Events, 0, list)
	return err
}

// wakeWorkers has the workers on Postgres look for jobs, as River does when it adds one to the default queue.
func wakeWorkers(ctx context.Context, db riverdriver.Executor) error {
	return db.NotifyMany(ctx, &riverdriver.NotifyManyParams{Topic: "river_insert", Payload: []string{`{"queue": "` + river.QueueDefault + `"}`}})
}

// FarAhead is how many matches of a tournament put the next one last: whether more wait makes no difference.
const FarAhead = 256

// priority is that of a match before which so many of its tournament wait; River takes 1 first and 4 last, and of equals the oldest. So
// the next round of one tournament does not wait for all of another that is made whole.
func priority(ahead int) int {
	switch {
	case ahead < 16:
		return 1
	case ahead < 64:
		return 2
	case ahead < FarAhead:
		return 3
	}
	return 4
}

func (q *Queue) insert(ctx context.Context, tx *database.Tx, at time.Time, into string, ahead int, list []river.JobArgs) ([]int64, error) {
	params := make([]river.InsertManyParams, len(list))
	for i, args := range list {
		opts := river.InsertOpts{MaxAttempts: maxAttempts, Queue: into, ScheduledAt: at}
		if into == river.QueueDefault {
			opts.Priority = priority(ahead + i)
		}
		params[i] = river.InsertManyParams{Args: args, InsertOpts: &opts}
	}
	var rows []*rivertype.JobInsertResult
	var err error
	if q.postgres != nil {
		err = tx.OnPostgres(func(pg pgx.Tx) error {
			var err error
			rows, err = q.postgres.InsertManyTx(ctx, pg, params)
			return err
		})
	} else {
		rows, err = q.sqlite.InsertManyTx(ctx, tx.SQLite(), params)
	}
	if err != nil {
		return nil, fmt.Errorf("enqueue: %w", err)
	}
	return database.Map(rows, func(r *rivertype.JobInsertResult) int64 { return r.Job.ID }), nil
}

// Complete completes a running job with the transaction. One that the queue has given up on meanwhile is let be: the epoch decides who
// may write, not the job.
func Complete(tx *database.Tx, id int64) {
	tx.Enqueue(func(db *gorm.DB) *gorm.DB {
		return db.Exec("UPDATE river_job SET state = 'completed', finalized_at = CURRENT_TIMESTAMP WHERE id = ? AND state = 'running'", id)
	})
}

// Worker is the working side of the queue.
type Worker interface {
	Start(ctx context.Context) error
	StopAndCancel(ctx context.Context) error
}

// Worker makes a queue client that works jobs on this store's connections. The slots of the default queue are shared by all
// matches; while late reports true they are given out more slowly (admit); late may be nil. It sets how often the
// queue is asked for jobs: Postgres tells of new ones at once, SQLite cannot.
func (q *Queue) Worker(c *river.Config, late func() bool) (Worker, error) {
	total := c.Queues[river.QueueDefault].MaxWorkers
	shared := &slots{
		total:   total,
		waiting: q.waiting,
		late:    late,
		again:   rate.NewLimiter(rate.Every(time.Second), 1),
		most:    total,
		held:    map[tournament.Source]int{},
	}
	c.Middleware = append(c.Middleware, shared)
	c.Logger = quieted(c.Logger)
	if pool := q.db.Pool(); pool != nil {
		c.FetchPollInterval = time.Second
		driver, listener := riverpgxv5.New(pool), q.db.ListenPool()
		if listener == nil { // nobody tells of new jobs
			c.PollOnly, c.FetchPollInterval = true, notify.LookPause
		}
		shared.wake = func(ctx context.Context) error { return wakeWorkers(ctx, driver.GetExecutor()) }
		return river.NewClient(listening{sharing[pgx.Tx]{Driver: driver, slots: shared}, riverpgxv5.New(listener)}, c)
	}
	c.FetchPollInterval = 20 * time.Millisecond
	shared.wake = func(context.Context) error { return nil } // it looks soon anyway
	return river.NewClient(sharing[*sql.Tx]{Driver: riversqlite.New(q.db.Raw()), slots: shared}, c)
}

// listening is a queue's driver that hears of jobs past a pooler.
type listening struct {
	sharing[pgx.Tx]
	direct riverdriver.Driver[pgx.Tx]
}

// GetListener returns how the queue's client hears of jobs.
func (d listening) GetListener(p *riverdriver.GetListenenerParams) riverdriver.Listener {
	return d.direct.GetListener(p)
}

// Job is a job of the queue.
type Job struct {
	ID          int64
	Kind, Queue string
	State       string // a [rivertype.JobState]
	Args        json.RawMessage
	Attempt     int
	MaxAttempts int
	LastError   string // of the attempt before; "" if none failed
	CreatedAt   time.Time
	ScheduledAt time.Time
	AttemptedAt *time.Time
	FinalizedAt *time.Time
}

// Jobs returns a page of the queue's jobs, the last made first, and the cursor of the next, "" after the last. state is one of
// River's ([rivertype.JobState]), or "" for all.
func (q *Queue) Jobs(ctx context.Context, state string, p database.Page) ([]Job, string, error) {
	limit, err := p.Limited()
	if err != nil {
		return nil, "", err
	}
	params := river.NewJobListParams().First(limit+1).OrderBy(river.JobListOrderByID, river.SortOrderDesc)
	if state != "" {
		params = params.States(rivertype.JobState(state))
	}
	if p.After != "" {
		id, err := strconv.ParseInt(p.After, 10, 64)
		if err != nil {
			return nil, "", database.BadCursor()
		}
		params = params.Where("id < @before", river.NamedArgs{"before": id})
	}
	var list *river.JobListResult
	if q.postgres != nil {
		list, err = q.postgres.JobList(ctx, params)
	} else {
		list, err = q.sqlite.JobList(ctx, params)
	}
	if err != nil {
		return nil, "", fmt.Errorf("list jobs: %w", err)
	}
	rows, next := database.Cut(list.Jobs, limit, func(r *rivertype.JobRow) string { return strconv.FormatInt(r.ID, 10) })
	return database.Map(rows, jobOf), next, nil
}

func jobOf(r *rivertype.JobRow) Job {
	j := Job{
		ID: r.ID, Kind: r.Kind, Queue: r.Queue, State: string(r.State), Args: r.EncodedArgs, Attempt: r.Attempt, MaxAttempts: r.MaxAttempts,
		CreatedAt: database.UTC(r.CreatedAt), ScheduledAt: database.UTC(r.ScheduledAt), AttemptedAt: database.UTCPtr(r.AttemptedAt), FinalizedAt: database.UTCPtr(r.FinalizedAt),
	}
	if n := len(r.Errors); n > 0 {
		j.LastError = r.Errors[n-1].Error
	}
	return j
}
