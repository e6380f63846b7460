package store

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
)

// DueChecks takes up to n bots whose health check is due: one of each owner, then a second of each, and so on, the longest
// unchecked first. So no number of bots of one owner, however slowly they answer, keeps another's waiting. Nobody else is
// given them until their next check is due.
func (s *Store) DueChecks(ctx context.Context, n int) (out []tournament.Version, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		now := s.now()
		due := tx.db.Model(&botRow{}).
			Where("banned_at IS NULL AND ((status = ? AND checked_at <= ?) OR (status = ? AND pause_cause <> ? AND checked_at <= ?))",
							tournament.BotActive, now.Add(-tournament.CheckActiveEvery), tournament.BotPaused, tournament.PausedByOwner, now.Add(-tournament.CheckPausedEvery)).
			Session(&gorm.Session{}) // asked twice
		ranked := due.Select("id AS ranked_id, ROW_NUMBER() OVER (PARTITION BY owner_id ORDER BY checked_at, id) AS nth")
		var rows []botRow
		if err := due.Clauses(clause.Locking{Strength: "UPDATE", Table: clause.Table{Name: "bots"}, Options: "SKIP LOCKED"}).
			Joins("JOIN (?) AS ranked ON ranked_id = id", ranked).Order("nth, checked_at, id").Limit(n).Find(&rows).Error; err != nil {
			return err
		}
		for _, r := range rows {
			if err := tx.db.Model(&botRow{}).Where("id = ?", r.ID).Update("checked_at", now).Error; err != nil {
				return err
			}
			v, err := version(tx.db, r.VersionID)
			if err != nil {
				return err
			}
			out = append(out, v)
		}
		return nil
	})
	return out, err
}
