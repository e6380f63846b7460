package store

import (
	"context"
	"slices"
	"strings"

	"github.com/molerun/molerun/tournament"
)

// A paused tournament is running with paused_at set. A worker that takes the job of a match that has not begun parks the
// match instead: it stays queued, without a job (job_id 0), until the tournament is resumed. Parking and resuming both hold
// the tournament's row, so that no match falls between them.

// PauseTournament lets no new match of a running tournament begin; those that have begun go on to their end, with another
// worker if theirs is lost. The rule is [tournament.CanPause].
func (s *Store) PauseTournament(ctx context.Context, id string) (tournament.Tournament, error) {
	return s.rest(ctx, id, func(_ *Tx, t *tournament.Tournament) error {
		if err := tournament.CanPause(*t); err != nil {
			return err
		}
		now := s.now()
		t.PausedAt = &now
		return nil
	})
}

// ResumeTournament lets the matches of a paused tournament begin again. The rule is [tournament.CanResume].
func (s *Store) ResumeTournament(ctx context.Context, id string) (tournament.Tournament, error) {
	return s.rest(ctx, id, func(tx *Tx, t *tournament.Tournament) error {
		if err := tournament.CanResume(*t); err != nil {
			return err
		}
		t.PausedAt = nil
		return tx.unpark(ctx, id)
	})
}

func (s *Store) rest(ctx context.Context, id string, change func(*Tx, *tournament.Tournament) error) (t tournament.Tournament, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		if t, err = takeTournament(locked(tx.db), id); err != nil {
			return err
		}
		if err := change(tx, &t); err != nil {
			return err
		}
		tx.tellTournament(map[bool]tournament.EventKind{true: tournament.EventTournamentResumed, false: tournament.EventTournamentPaused}[t.PausedAt == nil], t)
		return tx.db.Model(&tournamentRow{}).Where("id = ?", id).Update("paused_at", t.PausedAt).Error
	})
	return t, err
}

// park leaves a queued match without a job if its tournament is paused, and tells whether it is.
func (tx *Tx) park(m tournament.Match) (bool, error) {
	t, err := takeTournament(locked(tx.db), m.TournamentID)
	if err != nil || t.PausedAt == nil {
		return false, err
	}
	return true, tx.db.Model(&matchRow{}).Where("id = ? AND status = ? AND epoch = ?", m.ID, tournament.MatchQueued, m.Epoch).Update("job_id", 0).Error
}

// unpark makes a job for each parked match of a tournament, whose row is locked.
func (tx *Tx) unpark(ctx context.Context, tournamentID string) error {
	var parked []matchRow
	if err := locked(tx.db).Select("id", "epoch").Where("tournament_id = ? AND status = ? AND job_id = 0", tournamentID, tournament.MatchQueued).
		Order("id").Find(&parked).Error; err != nil {
		return err
	}
	return tx.giveJobs(ctx, tournament.SourceTournament, parked)
}

// giveJobs makes a job for each of the parked matches of a source, whose rows are locked.
func (tx *Tx) giveJobs(ctx context.Context, source tournament.Source, parked []matchRow) error {
	for list := range slices.Chunk(parked, batch) {
		jobs, err := tx.enqueue(ctx, source, each(list, func(r matchRow) PlayMatch { return PlayMatch{r.ID, r.Epoch} })...)
		if err != nil {
			return err
		}
		rows := make([]string, len(list))
		var args []any
		for i, r := range list {
			rows[i] = "(CAST(? AS TEXT), CAST(? AS BIGINT))"
			args = append(args, r.ID, jobs[i])
		}
		if err := tx.db.Exec("WITH v (id, job_id) AS (VALUES "+strings.Join(rows, ", ")+")"+
			" UPDATE matches SET job_id = v.job_id FROM v WHERE matches.id = v.id", args...).Error; err != nil {
			return err
		}
	}
	return nil
}
