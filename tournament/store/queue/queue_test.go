package queue_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"go.uber.org/goleak"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func TestMain(m *testing.M) { storetest.Main(m, func() error { return goleak.Find() }) }

type slow struct{}

func (slow) Kind() string { return "slow" }

// ending ends its job in a transaction that is still open when it returns, as one is whose client lost the connection.
type ending struct {
	river.WorkerDefaults[slow]
	s    *store.Store
	open chan pgx.Tx
}

func (w ending) Work(ctx context.Context, job *river.Job[slow]) error {
	tx, err := w.s.Pool().Begin(context.WithoutCancel(ctx))
	if err == nil {
		_, err = tx.Exec(ctx, "UPDATE river_job SET state = 'completed', finalized_at = now() WHERE id = $1", job.ID)
		w.open <- tx
	}
	return err
}

func TestAJobThatIsEndedTwiceAtOnceEndsNoWorker(t *testing.T) {
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		s := open(store.Options{})
		w := ending{s: s, open: make(chan pgx.Tx)}
		workers := river.NewWorkers()
		river.AddWorker(workers, w)
		queues := map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 1}}
		client := must.Get(s.Worker(&river.Config{Workers: workers, Queues: queues, Logger: slog.New(slog.DiscardHandler)}, nil))(t)
		must.OK(t, client.Start(t.Context()))
		for range 2 { // the worker still takes jobs after the first
			must.OK(t, s.InTx(t.Context(), func(tx *store.Tx) error {
				_, err := s.AddMatches(t.Context(), tx.Tx, time.Time{}, tournament.SourceTournament, 0, slow{})
				return err
			}))
			tx := <-w.open
			storetest.UntilBlocked(t, s)
			must.OK(t, tx.Commit(t.Context()))
		}
		if err := client.StopAndCancel(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// numbered is a match of one of two tournaments.
type numbered struct {
	N     int
	Small bool
}

func (numbered) Kind() string { return "numbered" }

type noting struct {
	river.WorkerDefaults[numbered]
	done chan numbered
}

func (w noting) Work(ctx context.Context, job *river.Job[numbered]) error {
	select {
	case w.done <- job.Args:
	case <-ctx.Done():
	}
	return nil
}

// A round of a tournament that is made while hundreds of matches of another wait has its turn after the first few of them; those of one
// tournament keep their order.
func TestARoundDoesNotWaitForAllOfAnotherTournament(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		s := open(store.Options{})
		var big, small []river.JobArgs
		for n := range 300 {
			big = append(big, numbered{N: n})
		}
		for n := range 5 {
			small = append(small, numbered{n, true})
		}
		for _, list := range [][]river.JobArgs{big[:150], big[150:], small} {
			ahead := list[0].(numbered).N
			must.OK(t, s.InTx(t.Context(), func(tx *store.Tx) error {
				_, err := s.AddMatches(t.Context(), tx.Tx, time.Time{}, tournament.SourceTournament, ahead, list...)
				return err
			}))
		}
		w, workers := noting{done: make(chan numbered)}, river.NewWorkers()
		river.AddWorker(workers, w)
		client, err := s.Worker(&river.Config{
			Workers: workers, Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 1}},
			FetchCooldown: time.Millisecond, FetchPollInterval: time.Millisecond, Logger: slog.New(slog.DiscardHandler),
		}, nil)
		must.OK(t, err)
		must.OK(t, client.Start(t.Context()))
		defer func() {
			if err := client.StopAndCancel(t.Context()); err != nil {
				t.Error(err)
			}
		}()
		at := map[bool]int{} // the next of each
		for range 40 {
			got := <-w.done
			if got.N != at[got.Small] {
				t.Fatalf("match %d of one tournament (small: %v) is played after %d", got.N, got.Small, at[got.Small])
			}
			at[got.Small]++
			if !got.Small && got.N >= 16 && at[true] < 5 {
				t.Fatalf("%d matches of the small tournament were played before match %d of the big one, want all 5", at[true], got.N)
			}
		}
	})
}
