package store

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
)

type checkRow struct {
	ID, BotID, VersionID string
	CheckedAt            time.Time
	Failure, Build       string
	TookUS               int64 `gorm:"column:took_us"`
}

func (checkRow) TableName() string { return "bot_checks" }

func (r checkRow) check() tournament.Check {
	return tournament.Check{
		ID: r.ID, BotID: r.BotID, VersionID: r.VersionID, At: utc(r.CheckedAt), Failure: r.Failure, Build: r.Build,
		Took: time.Duration(r.TookUS) * time.Microsecond,
	}
}

// LogCheck adds a health check to its bot's log, which goes back [tournament.KeepChecks]. Empty id and time are filled in.
func (s *Store) LogCheck(ctx context.Context, c tournament.Check) error {
	s.tidy(ctx)
	if err := s.fill(&c.ID); err != nil {
		return err
	}
	s.fillTime(&c.At)
	return s.with(ctx).Create(&checkRow{c.ID, c.BotID, c.VersionID, c.At, c.Failure, c.Build, max(0, c.Took.Microseconds())}).Error
}

// Checks is a page of a bot's health checks, the last first, and the cursor of the next, "" after the last.
func (s *Store) Checks(ctx context.Context, botID string, p Page) ([]tournament.Check, string, error) {
	db, limit, err := p.byID(s.with(ctx).Where("bot_id = ?", botID), "id")
	if err != nil {
		return nil, "", err
	}
	rows, next, err := fetch(db, limit, func(r checkRow) string { return cursor(r.ID) })
	return each(rows, checkRow.check), next, err
}

// DueCheck is a bot whose health check is due.
type DueCheck struct {
	tournament.Version
	OwnerID string
}

// DueChecks takes up to n bots whose health check is due: one of each owner, then a second of each, up to each, the longest
// unchecked first, and none of the owners in busy, whose bots are being checked already. So no number of bots of one owner,
// however slowly they answer, keeps another's waiting. Nobody else is given them until their next check is due.
func (s *Store) DueChecks(ctx context.Context, n, each int, busy []string) ([]DueCheck, error) {
	var out []DueCheck
	err := s.InTx(ctx, func(tx *Tx) error {
		now := s.now()
		due := tx.db.Model(&botRow{}).
			Where("banned_at IS NULL AND ((status = ? AND checked_at <= ?) OR (status = ? AND pause_cause <> ? AND checked_at <= ?))",
				tournament.BotActive, now.Add(-tournament.CheckActiveEvery), tournament.BotPaused, tournament.PausedByOwner, now.Add(-tournament.CheckPausedEvery))
		if len(busy) > 0 {
			due = due.Where("owner_id NOT IN ?", busy)
		}
		due = due.Session(&gorm.Session{}) // asked twice
		ranked := due.Select("id AS ranked_id, ROW_NUMBER() OVER (PARTITION BY owner_id ORDER BY checked_at, id) AS nth")
		var rows []botRow
		if err := due.Clauses(clause.Locking{Strength: "UPDATE", Table: clause.Table{Name: "bots"}, Options: "SKIP LOCKED"}).
			Joins("JOIN (?) AS ranked ON ranked_id = id", ranked).Where("nth <= ?", each).Order("nth, checked_at, id").Limit(n).Find(&rows).Error; err != nil {
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
			out = append(out, DueCheck{Version: v, OwnerID: r.OwnerID})
		}
		return nil
	})
	return out, err
}
