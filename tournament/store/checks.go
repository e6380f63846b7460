package store

import (
	"context"
	"time"

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
