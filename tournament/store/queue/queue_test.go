package queue_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"go.uber.org/goleak"

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
		client, err := s.Worker(&river.Config{Workers: workers, Queues: queues, Logger: slog.New(slog.DiscardHandler)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := client.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the worker still takes jobs after the first
			if err := s.InTx(t.Context(), func(tx *store.Tx) error {
				_, err := s.AddMatches(t.Context(), tx.Tx, time.Time{}, tournament.SourceTournament, slow{})
				return err
			}); err != nil {
				t.Fatal(err)
			}
			tx := <-w.open
			storetest.UntilBlocked(t, s)
			if err := tx.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if err := client.StopAndCancel(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
