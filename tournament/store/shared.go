package store

import (
	"context"

	"github.com/molerun/molerun/tournament/store/database"
)

// sharedSetting holds a setting that every process of a platform needs alike.
type sharedSetting struct {
	Name  string `gorm:"primaryKey"`
	Value string
}

// PrivateBots names the setting that opens networks outside the public internet to bots.
const PrivateBots = "private_bots"

// Shared returns a setting as the process that serves has shared it last, "" if none has.
func (s *Store) Shared(ctx context.Context, name string) (string, error) {
	row, err := database.FirstOr(s.Reader(ctx).db.Where("name = ?", name), sharedSetting{})
	return row.Value, err
}

// Share writes a setting for all processes, in the place of what was.
func (s *Store) Share(ctx context.Context, name, value string) error {
	return s.InTx(ctx, func(tx *Tx) error {
		return database.Upsert(tx.db, []string{"name"}).Create(&sharedSetting{Name: name, Value: value}).Error
	})
}
