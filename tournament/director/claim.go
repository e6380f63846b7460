package director

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// claim is a match that a worker claims, and what came of it.
type claim struct {
	store.Claim
	match tournament.Match
	done  []runner.Step
	taken bool
}

// Claim makes a queued match this worker's until the lease ends: it is running under the next epoch. It returns the match
// and the steps recorded so far. A match that is not queued at the job's epoch is [tournament.ErrState]: another worker
// has it, or it is over. So is one that would begin while its tournament is paused, or waits for a bot in a round robin; resuming, or
// [Director.Advance], makes another job for it. Claims that come in meanwhile share the transaction of the next group.
func (d *Director) Claim(ctx context.Context, job store.PlayMatch, worker string, lease time.Duration) (tournament.Match, []runner.Step, error) {
	c := &claim{Claim: store.Claim{PlayMatch: job, Worker: worker, Lease: lease}}
	if err := d.claims.Do(ctx, c); err != nil {
		return tournament.Match{}, nil, err
	}
	if !c.taken {
		if err := d.claimLate(ctx, c); err != nil {
			return c.match, nil, err
		}
	}
	return c.match, c.done, nil
}

// claimGroup claims the matches that are there to be taken, in one transaction.
func (d *Director) claimGroup(ctx context.Context, group []*claim) ([]error, error) {
	err := d.inTx(ctx, func(tx *txn) error {
		found, err := tx.Claim(store.Map(group, func(c *claim) store.Claim { return c.Claim })...)
		if err != nil {
			return err
		}
		for _, c := range group {
			if c.match, c.taken = found[c.MatchID]; !c.taken {
				continue
			}
			if err := tx.pickUp(c); err != nil {
				return err
			}
		}
		return nil
	})
	return make([]error, len(group)), err
}

// pickUp tells of a match that was claimed for the first time, or reads what was recorded of it.
func (tx *txn) pickUp(c *claim) error {
	if c.match.Epoch == 1 { // nobody had it before: nothing is recorded
		tx.EmitMatch(tournament.EventMatchStarted, c.match, nil)
		return nil
	}
	var err error
	c.done, err = tx.Decisions(c.match.ID)
	return err
}

// claimLate claims a match that could not be claimed at once, if its tournament has been resumed meanwhile, or its bots are back. Else
// it leaves the match without a job. It has a transaction of its own: a transaction that waits for a tournament's row must not hold locks on matches.
func (d *Director) claimLate(ctx context.Context, c *claim) error {
	var rests string
	err := d.inTx(ctx, func(tx *txn) error {
		var err error
		if c.match, err = tx.Match(c.MatchID); err != nil {
			return err
		}
		if c.match.Status == tournament.MatchQueued && c.match.Epoch == c.Epoch {
			if rests, err = tx.park(c.match); err != nil || rests != "" {
				return err
			}
			c.Decided = true
			found, err := tx.Claim(c.Claim)
			if err != nil {
				return err
			}
			if c.match, c.taken = found[c.MatchID]; c.taken {
				return tx.pickUp(c)
			}
			if c.match, err = tx.Match(c.MatchID); err != nil {
				return err
			}
		}
		return fmt.Errorf("%w: match %s is %s at epoch %d, not %s at %d", tournament.ErrState, c.MatchID, c.match.Status, c.match.Epoch, tournament.MatchQueued, c.Epoch)
	})
	if err == nil && rests != "" {
		err = fmt.Errorf("%w: match %s waits for %s", tournament.ErrState, c.MatchID, rests)
	}
	return err
}

// park leaves a queued match without a job if its tournament is paused, or if it is a round robin's and waits for a bot, and says for
// what it waits.
func (tx *txn) park(m tournament.Match) (string, error) {
	t, err := tx.LockTournament(m.TournamentID)
	if err != nil {
		return "", err
	}
	rests := ""
	switch {
	case t.PausedAt != nil:
		rests = "its tournament, which is paused"
	case t.Format == tournament.RoundRobin:
		waits, err := tx.waitsForBots(m)
		if err != nil {
			return "", err
		}
		if waits {
			rests = "a bot that is paused or must be greeted first"
		}
	}
	if rests == "" {
		return "", nil
	}
	return rests, tx.Park(m)
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
func (d *Director) Requeue(ctx context.Context, id string) (tournament.Match, error) {
	return transact(ctx, d, func(tx *txn) (tournament.Match, error) {
		m, err := tx.openMatch(id, "queued again")
		if err != nil {
			return m, err
		}
		if err := tx.Requeue(ctx, store.MatchAt{ID: m.ID, Epoch: m.Epoch, Status: m.Status}); err != nil {
			return m, err
		}
		return tx.Match(id)
	})
}

// Sweep queues matches again that were lost: running ones whose lease has ended, and queued ones whose job was taken a
// lease ago by a worker that never claimed the match, or was cancelled or given up. It returns how many. Matches by challenge
// that are parked go on where there is room, and jobs that the dead have left behind are cancelled. What fails holds up nothing else.
func (d *Director) Sweep(ctx context.Context, lease time.Duration) (int, error) {
	n, err := d.requeueLost(ctx, lease)
	return n, errors.Join(err, d.inTx(ctx, func(tx *txn) error { return tx.CancelDeadJobs(lease) }), d.sweepChallenges(ctx))
}

// lostAtOnce is how many lost matches one transaction queues again.
const lostAtOnce = 100

// requeueLost queues lost matches again, many with a transaction. Those of one that fails are tried one by one: a match that cannot be
// queued again holds up no other.
func (d *Director) requeueLost(ctx context.Context, lease time.Duration) (int, error) {
	lost, err := d.store.LostMatches(ctx, lease)
	if err != nil {
		return 0, err
	}
	n := 0
	var failed error
	for ids := range slices.Chunk(lost, lostAtOnce) {
		queued, err := d.requeueThese(ctx, lease, ids)
		if err == nil {
			n += queued
			continue
		}
		for _, id := range ids {
			queued, err := d.requeueThese(ctx, lease, []string{id})
			if err == nil {
				n += queued
			} else {
				failed = errors.Join(failed, fmt.Errorf("lost match %s: %w", id, err))
			}
		}
	}
	return n, failed
}

// requeueThese queues those of some matches again that are still lost, in one transaction.
func (d *Director) requeueThese(ctx context.Context, lease time.Duration, ids []string) (int, error) {
	return transact(ctx, d, func(tx *txn) (int, error) {
		lost, err := tx.LockLost(lease, ids)
		if err != nil {
			return 0, err
		}
		return len(lost), tx.GiveJobs(ctx, lost)
	})
}
