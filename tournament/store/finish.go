package store

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/runner"
)

// Finish makes a running match done, in one transaction with everything that follows from it: places and verdicts, the
// ratings as far as schedule order allows, the end of its tournament after the last match, and also (the completion of
// the job; nil for none). It is [tournament.ErrFenced] if the match is no longer at m.Epoch: then nothing changes, however
// often it is called.
func (s *Store) Finish(ctx context.Context, m tournament.Match, o runner.Outcome, also func(*Tx) error) error {
	n := len(m.Seats)
	if len(o.Rank) != n || len(o.Faults) != n || len(o.Result.Rank) != n || len(o.Result.Points) != n {
		return fmt.Errorf("match %s: the outcome is not for %d seats", m.ID, n)
	}
	result, err := json.Marshal(o.Result)
	if err != nil {
		return fmt.Errorf("match %s: result: %w", m.ID, err)
	}
	return s.settle(ctx, m, map[string]any{
		"status": tournament.MatchDone, "result": string(result), "retired": int(o.Retired), "steps": o.Steps,
		"hash": hex.EncodeToString(o.Hash[:]), "ended_at": s.now(), "worker": "",
	}, func(tx *Tx) error {
		points := rating.Points(o.Result, o.Retired)
		for i := range m.Seats {
			change := map[string]any{"place": o.Rank[i], "verdict": tournament.VerdictOf(points[i], o.Rank[i]), "faults": o.Faults[i]}
			if err := tx.db.Model(&seatRow{}).Where("match_id = ? AND seat = ?", m.ID, i).Updates(change).Error; err != nil {
				return err
			}
		}
		return nil
	}, also)
}

// Void ends a running match without a result, for a fault of the platform: it takes its place in schedule order and rates
// nobody. For the rest it is like [Store.Finish].
func (s *Store) Void(ctx context.Context, m tournament.Match, reason string, also func(*Tx) error) error {
	return s.settle(ctx, m, map[string]any{
		"status": tournament.MatchVoid, "reason": reason, "ended_at": s.now(), "worker": "",
	}, nil, also)
}

// settle ends a match. Rows are locked in the order tournament, match, ladder, ratings, as in [Store.Cancel].
func (s *Store) settle(ctx context.Context, m tournament.Match, change map[string]any, seats, also func(*Tx) error) error {
	return s.InTx(ctx, func(tx *Tx) error {
		var t tournament.Tournament
		var err error
		if m.TournamentID != "" {
			if t, err = takeTournament(locked(tx.db), m.TournamentID); err != nil {
				return err
			}
		}
		guarded := tx.db.Model(&matchRow{}).Where("id = ? AND epoch = ? AND status = ?", m.ID, m.Epoch, tournament.MatchRunning)
		if err := fenced(guarded.Updates(change), m.ID, m.Epoch); err != nil {
			return err
		}
		if seats != nil {
			if err := seats(tx); err != nil {
				return err
			}
		}
		if m.LadderID != "" {
			if _, err := tx.applyRatings(m.LadderID); err != nil {
				return err
			}
		}
		if m.TournamentID != "" {
			if err := tx.finishTournament(&t); err != nil {
				return err
			}
		}
		if also != nil {
			return also(tx)
		}
		return nil
	})
}

// finishTournament ends a running tournament, whose row is locked, if none of its matches is open.
func (tx *Tx) finishTournament(t *tournament.Tournament) error {
	var open int64
	if err := tx.db.Model(&matchRow{}).Where("tournament_id = ? AND status IN ?", t.ID,
		[]tournament.MatchStatus{tournament.MatchQueued, tournament.MatchRunning}).Limit(1).Count(&open).Error; err != nil {
		return err
	}
	if open > 0 || t.Status != tournament.Running {
		return nil
	}
	return tx.end(t, tournament.Finished, "")
}
