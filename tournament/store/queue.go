package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivertype"

	"github.com/molerun/molerun/tournament"
)

// PlayMatch is the job of playing one match from one epoch on. Another epoch is another job: an old job can do nothing.
type PlayMatch struct {
	MatchID string `json:"match_id"`
	Epoch   int64  `json:"epoch"`
}

// Kind names the job in the queue.
func (PlayMatch) Kind() string { return "play_match" }

// maxAttempts is how often the queue itself tries a job that fails on the way, as while the database is away.
const maxAttempts = 25

// enqueue adds a job for each of list, matches of one source, that waits until a time, and returns their numbers in the same
// order. The zero time is now.
func (tx *Tx) enqueue(ctx context.Context, at time.Time, source tournament.Source, list ...PlayMatch) ([]int64, error) {
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

// Job is a job of the queue.
type Job struct {
	ID          int64
	Kind, Queue string
	State       string // of [JobStates]
	Args        json.RawMessage
	Attempt     int
	MaxAttempts int
	LastError   string // of the attempt before; "" if none failed
	CreatedAt   time.Time
	ScheduledAt time.Time
	AttemptedAt *time.Time
	FinalizedAt *time.Time
}

// JobStates are the states of a job.
func JobStates() []string {
	return []string{"available", "cancelled", "completed", "discarded", "pending", "retryable", "running", "scheduled"}
}

// Jobs is a page of the queue's jobs, the last made first, and the cursor of the next, "" after the last. state is one of
// [JobStates], or "" for all.
func (s *Store) Jobs(ctx context.Context, state string, p Page) ([]Job, string, error) {
	limit, err := p.limit()
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
			return nil, "", badCursor()
		}
		params = params.Where("id < @before", river.NamedArgs{"before": id})
	}
	var list *river.JobListResult
	if s.pool != nil {
		list, err = s.jobsPG.JobList(ctx, params)
	} else {
		list, err = s.jobsLT.JobList(ctx, params)
	}
	if err != nil {
		return nil, "", fmt.Errorf("list jobs: %w", err)
	}
	rows, next := cut(list.Jobs, limit, func(r *rivertype.JobRow) string { return strconv.FormatInt(r.ID, 10) })
	return each(rows, jobOf), next, nil
}

func jobOf(r *rivertype.JobRow) Job {
	j := Job{
		ID: r.ID, Kind: r.Kind, Queue: r.Queue, State: string(r.State), Args: r.EncodedArgs, Attempt: r.Attempt, MaxAttempts: r.MaxAttempts,
		CreatedAt: utc(r.CreatedAt), ScheduledAt: utc(r.ScheduledAt), AttemptedAt: utcPtr(r.AttemptedAt), FinalizedAt: utcPtr(r.FinalizedAt),
	}
	if n := len(r.Errors); n > 0 {
		j.LastError = r.Errors[n-1].Error
	}
	return j
}
