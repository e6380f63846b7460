package director

import (
	"context"
	"fmt"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// Claim makes a queued match this worker's until the lease ends: it is running under the next epoch. It returns the match
// and the steps recorded so far. A match that is not queued at the job's epoch is [tournament.ErrState]: another worker
// has it, or it is over. So is one that would begin while its tournament is paused; resuming makes another job for it.
func (d *Director) Claim(ctx context.Context, job store.PlayMatch, worker string, lease time.Duration) (m tournament.Match, done []runner.Step, err error) {
	var rests, claimed bool
	err = d.inTx(ctx, func(tx *txn) error {
		if m, claimed, err = tx.Claim(job, worker, lease); err != nil {
			return err
		}
		if !claimed {
			if m, rests, err = tx.claimLate(job, worker, lease); err != nil || rests {
				return err
			}
		}
		if m.Epoch == 1 { // nobody had it before: nothing is recorded
			tx.TellMatch(tournament.EventMatchStarted, m)
			return nil
		}
		done, err = tx.Decisions(m.ID)
		return err
	})
	if err == nil && rests {
		err = fmt.Errorf("%w: match %s waits for its tournament, which is paused", tournament.ErrState, m.ID)
	}
	return m, done, err
}

// claimLate claims a match that could not be claimed at once, if its tournament has been resumed meanwhile. While that is paused it
// leaves the match without a job, and reports that it rests.
func (tx *txn) claimLate(job store.PlayMatch, worker string, lease time.Duration) (m tournament.Match, rests bool, err error) {
	if m, err = tx.Match(job.MatchID); err != nil {
		return m, false, err
	}
	if m.Status == tournament.MatchQueued && m.Epoch == job.Epoch {
		if rests, err = tx.park(m); err != nil || rests {
			return m, rests, err
		}
		late, claimed, err := tx.Claim(job, worker, lease)
		if err != nil || claimed {
			return late, false, err
		}
		if m, err = tx.Match(job.MatchID); err != nil {
			return m, false, err
		}
	}
	return m, false, fmt.Errorf("%w: match %s is %s at epoch %d, not %s at %d", tournament.ErrState, m.ID, m.Status, m.Epoch, tournament.MatchQueued, job.Epoch)
}

// park leaves a queued match without a job if its tournament is paused, and reports whether it is.
func (tx *txn) park(m tournament.Match) (bool, error) {
	t, err := tx.LockTournament(m.TournamentID)
	if err != nil || t.PausedAt == nil {
		return false, err
	}
	return true, tx.Park(m)
}

// Release gives a running match back to the queue, to be resumed at once by whoever comes first. It is
// [tournament.ErrFenced] if the match is no longer this epoch's.
func (d *Director) Release(ctx context.Context, matchID string, epoch int64) error {
	return d.inTx(ctx, func(tx *txn) error {
		return tx.Requeue(ctx, store.MatchAt{ID: matchID, Epoch: epoch, Status: tournament.MatchRunning})
	})
}

// Requeue takes a match that is not over from whoever plays it and gives it a new job; what is recorded is not asked again.
// A match that is over is [tournament.ErrState].
func (d *Director) Requeue(ctx context.Context, id string) (m tournament.Match, err error) {
	err = d.inTx(ctx, func(tx *txn) error {
		if m, err = tx.openMatch(id, "queued again"); err != nil {
			return err
		}
		if err := tx.Requeue(ctx, store.MatchAt{ID: m.ID, Epoch: m.Epoch, Status: m.Status}); err != nil {
			return err
		}
		m, err = tx.Match(id)
		return err
	})
	return m, err
}

// Sweep queues matches again that were lost: running ones whose lease has ended, and queued ones whose job was taken a
// lease ago by a worker that never claimed the match, or was cancelled or given up. It returns how many. Matches by challenge
// that are parked go on where there is room, and jobs that the dead have left behind are cancelled.
func (d *Director) Sweep(ctx context.Context, lease time.Duration) (n int, err error) {
	err = d.inTx(ctx, func(tx *txn) error {
		lost, err := tx.LostMatches(lease)
		if err != nil {
			return err
		}
		n = len(lost)
		for _, m := range lost {
			if err := tx.Requeue(ctx, m); err != nil {
				return err
			}
		}
		if err := tx.CancelDeadJobs(lease); err != nil {
			return err
		}
		return tx.sweepChallenges(ctx)
	})
	return n, err
}
