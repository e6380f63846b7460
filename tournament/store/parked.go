package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
)

// A match is parked while it is queued without a job (job_id 0): no worker comes for it.

// Park takes the job from a queued match that has not begun.
func (tx *Tx) Park(m tournament.Match) error {
	return tx.db.Model(&matchRow{}).Where("id = ? AND status = ? AND epoch = ?", m.ID, tournament.MatchQueued, m.Epoch).Update("job_id", 0).Error
}

// Parked are the parked matches of a tournament, whose row is locked, and locks them.
func (tx *Tx) Parked(tournamentID string) ([]MatchAt, error) {
	var rows []matchRow
	err := locked(tx.db).Select("id", "epoch").Where("tournament_id = ? AND status = ? AND job_id = 0", tournamentID, tournament.MatchQueued).
		Order("id").Find(&rows).Error
	return each(rows, matchRow.at), err
}

// openAsked narrows to the matches by challenge of an asker that are not over.
const openAsked = "asker_id = ? AND status IN ('queued', 'running')"

// OpenAsked counts the matches by challenge of an asker that are not over, and those of them that have a job.
func (r Reader) OpenAsked(askerID string) (open, going int, err error) {
	var n struct{ Open, Going int }
	err = r.db.Model(&matchRow{}).Select("COUNT(*) AS open, COALESCE(SUM(CASE WHEN job_id <> 0 THEN 1 ELSE 0 END), 0) AS going").
		Where(openAsked, askerID).Scan(&n).Error
	return n.Open, n.Going, err
}

// ParkedAsked are parked matches of an asker, the oldest first, and locks them. Those that somebody else has locked are left
// out.
func (tx *Tx) ParkedAsked(askerID string, limit int) ([]MatchAt, error) {
	var rows []matchRow
	err := tx.db.Clauses(clause.Locking{Strength: "UPDATE", Options: "SKIP LOCKED"}).Select("id", "epoch").
		Where(openAsked+" AND status = 'queued' AND job_id = 0", askerID).Order("id").Limit(limit).Find(&rows).Error
	return each(rows, matchRow.at), err
}

// ParkedAskers are those who have a parked match by challenge.
func (r Reader) ParkedAskers() (ids []string, err error) {
	err = r.db.Model(&matchRow{}).Distinct("asker_id").Where("asker_id IS NOT NULL AND status IN ('queued', 'running') AND status = 'queued' AND job_id = 0").
		Order("asker_id").Pluck("asker_id", &ids).Error
	return ids, err
}

// GiveJobs makes a job for each of the parked matches of a source, whose rows are locked.
func (tx *Tx) GiveJobs(ctx context.Context, source tournament.Source, parked []MatchAt) error {
	for list := range slices.Chunk(parked, batch) {
		jobs, err := tx.enqueue(ctx, time.Time{}, source, each(list, func(m MatchAt) PlayMatch { return PlayMatch{m.ID, m.Epoch} })...)
		if err != nil {
			return err
		}
		rows := make([]string, len(list))
		var args []any
		for i, m := range list {
			rows[i] = "(CAST(? AS TEXT), CAST(? AS BIGINT))"
			args = append(args, m.ID, jobs[i])
		}
		if err := tx.db.Exec("WITH v (id, job_id) AS (VALUES "+strings.Join(rows, ", ")+")"+
			" UPDATE matches SET job_id = v.job_id FROM v WHERE matches.id = v.id", args...).Error; err != nil {
			return err
		}
	}
	return nil
}
