package store

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// Claim makes a queued match this worker's until the lease ends: it is running under the next epoch. It returns the match
// and the steps recorded so far. A match that is not queued at the job's epoch is [tournament.ErrState]: another worker
// has it, or it is over. So is one that would begin while its tournament is paused; resuming makes another job for it.
func (s *Store) Claim(ctx context.Context, job PlayMatch, worker string, lease time.Duration) (m tournament.Match, done []runner.Step, err error) {
	var rests bool
	err = s.InTx(ctx, func(tx *Tx) error {
		claimed, err := tx.claim(job, worker, lease)
		if err != nil {
			return err
		}
		if m, err = takeMatch(tx.db, job.MatchID); err != nil {
			return err
		}
		if !claimed && m.Status == tournament.MatchQueued && m.Epoch == job.Epoch {
			if rests, err = tx.park(m); err != nil || rests {
				return err
			}
			if claimed, err = tx.claim(job, worker, lease); err != nil { // resumed meanwhile
				return err
			}
			if m, err = takeMatch(tx.db, job.MatchID); err != nil {
				return err
			}
		}
		if !claimed {
			return fmt.Errorf("%w: match %s is %s at epoch %d, not %s at %d", tournament.ErrState, m.ID, m.Status, m.Epoch, tournament.MatchQueued, job.Epoch)
		}
		if m.Epoch == 1 {
			tx.tellMatch(tournament.EventMatchStarted, m)
		}
		done, err = recorded(tx.db, m.ID, 0)
		return err
	})
	if err == nil && rests {
		err = fmt.Errorf("%w: match %s waits for its tournament, which is paused", tournament.ErrState, m.ID)
	}
	return m, done, err
}

// claim takes a queued match; one that has not begun only if its tournament is not paused.
func (tx *Tx) claim(job PlayMatch, worker string, lease time.Duration) (bool, error) {
	change := tx.db.Exec("UPDATE matches SET status = ?, epoch = epoch + 1, worker = ?, lease_until_ms = "+tx.s.nowMS()+" + ?,"+
		" started_at = COALESCE(started_at, ?), engine = CASE WHEN engine = '' THEN ? ELSE engine END"+
		" WHERE id = ? AND status = ? AND epoch = ? AND (epoch > 0 OR NOT EXISTS ("+
		"SELECT 1 FROM tournaments t WHERE t.id = matches.tournament_id AND t.paused_at IS NOT NULL))",
		tournament.MatchRunning, worker, lease.Milliseconds(), tx.s.now(), tx.s.opts.Program, job.MatchID, tournament.MatchQueued, job.Epoch)
	return change.RowsAffected > 0, change.Error
}

// Renew moves the end of the lease to lease from now. [tournament.ErrFenced] means that the match is no longer this
// epoch's.
func (s *Store) Renew(ctx context.Context, matchID string, epoch int64, lease time.Duration) error {
	change := s.with(ctx).Exec("UPDATE matches SET lease_until_ms = "+s.nowMS()+" + ? WHERE id = ? AND epoch = ? AND status = ?",
		lease.Milliseconds(), matchID, epoch, tournament.MatchRunning)
	return fenced(change, matchID, epoch)
}

// AppendStep records a step of a running match, all of its decisions or none. It is [tournament.ErrFenced] if the match is
// no longer this epoch's or has the step already.
func (s *Store) AppendStep(ctx context.Context, matchID string, epoch int64, step runner.Step) error {
	if len(step.Turns) == 0 {
		return fmt.Errorf("step %d of match %s has no decisions", step.Step, matchID)
	}
	// One statement: the match's row is share-locked while it is checked, so that on Postgres a takeover either comes
	// first and fences us, or waits until the step is there for it to read.
	var sql strings.Builder
	sql.WriteString("WITH live AS (SELECT id FROM matches WHERE id = ? AND epoch = ? AND status = ?")
	if s.pool != nil {
		sql.WriteString(" FOR SHARE")
	}
	sql.WriteString(") INSERT INTO decisions (match_id, step, seat, action, say, decided_by, why, clock, fault, reason, memo, debug, build, sent_ahead, hash, recorded_ms)")
	args := []any{matchID, epoch, tournament.MatchRunning}
	hash := hex.EncodeToString(step.Hash[:])
	for i, d := range step.Turns {
		ahead := ""
		if len(d.Then) > 0 {
			b, err := json.Marshal(d.Then)
			if err != nil {
				return err
			}
			ahead = string(b)
		}
		if i > 0 {
			sql.WriteString(" UNION ALL")
		}
		sql.WriteString(" SELECT id, CAST(? AS INTEGER), CAST(? AS INTEGER), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, " + s.nowMS() + " FROM live")
		args = append(args, step.Step, int(d.Seat), string(d.Action), d.Say, d.By, d.Why, string(d.Clock), d.Fault, d.Reason, d.Memo, d.Debug, d.Build, ahead, hash)
	}
	err := fenced(s.with(ctx).Exec(sql.String(), args...), matchID, epoch)
	if err == nil {
		s.wakes.mark(TopicMatch(matchID))
	}
	return err
}

// fenced makes a guarded write that found nothing to write [tournament.ErrFenced].
func fenced(change *gorm.DB, matchID string, epoch int64) error {
	if errors.Is(change.Error, gorm.ErrDuplicatedKey) || (change.Error == nil && change.RowsAffected == 0) {
		return fmt.Errorf("%w: match %s is not at epoch %d any more", tournament.ErrFenced, matchID, epoch)
	}
	return change.Error
}

// Release gives a running match back to the queue, to be resumed at once by whoever comes first. It is
// [tournament.ErrFenced] if the match is no longer this epoch's.
func (s *Store) Release(ctx context.Context, matchID string, epoch int64) error {
	return s.InTx(ctx, func(tx *Tx) error { return tx.requeue(ctx, matchID, epoch, tournament.MatchRunning) })
}

// requeue makes a match at this epoch and status queued, with a new job.
func (tx *Tx) requeue(ctx context.Context, matchID string, epoch int64, from tournament.MatchStatus) error {
	var r matchRow
	if err := tx.db.Select("tournament_id", "ladder_id").Where("id = ?", matchID).Take(&r).Error; err != nil {
		return found(err, "match", matchID)
	}
	jobs, err := tx.enqueue(ctx, r.source(), PlayMatch{matchID, epoch})
	if err != nil {
		return err
	}
	return fenced(tx.db.Model(&matchRow{}).Where("id = ? AND epoch = ? AND status = ?", matchID, epoch, from).
		Updates(map[string]any{"status": tournament.MatchQueued, "worker": "", "lease_until_ms": 0, "job_id": jobs[0]}), matchID, epoch)
}

// sweepBatch is how many lost matches one sweep takes back.
const sweepBatch = 100

// Sweep queues matches again that were lost: running ones whose lease has ended, and queued ones whose job was taken a
// lease ago by a worker that never claimed the match, or was cancelled or given up. It returns how many. Matches by challenge
// that are parked go on where there is room.
func (s *Store) Sweep(ctx context.Context, lease time.Duration) (n int, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		skip := clause.Locking{Strength: "UPDATE", Options: "SKIP LOCKED"} // another sweeper has them
		var rows []matchRow
		if err := tx.db.Clauses(skip).Where("status = ? AND lease_until_ms < "+s.nowMS(), tournament.MatchRunning).
			Order("id").Limit(sweepBatch).Find(&rows).Error; err != nil {
			return err
		}
		var orphans []matchRow
		if err := tx.db.Clauses(skip).Where("status = ? AND job_id IN (SELECT id FROM river_job WHERE kind = ? AND ("+
			"state IN ('cancelled', 'discarded') OR (state = 'running' AND "+s.jobAgeMS()+" > ?)))",
			tournament.MatchQueued, PlayMatch{}.Kind(), lease.Milliseconds()).
			Order("id").Limit(sweepBatch).Find(&orphans).Error; err != nil {
			return err
		}
		rows = append(rows, orphans...)
		n = len(rows)
		for _, r := range rows {
			if err := tx.requeue(ctx, r.ID, r.Epoch, tournament.MatchStatus(r.Status)); err != nil {
				return err
			}
		}
		return tx.sweepChallenges(ctx)
	})
	return n, err
}

// jobAgeMS is how long ago a queue's job was taken, by the database's clock, as SQL.
func (s *Store) jobAgeMS() string {
	if s.pool != nil {
		return "EXTRACT(EPOCH FROM clock_timestamp() - attempted_at) * 1000"
	}
	return "(unixepoch('subsec') - unixepoch(attempted_at, 'subsec')) * 1000"
}
