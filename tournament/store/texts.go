package store

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

type textsRow struct {
	TournamentID string `gorm:"primaryKey"`
	tournament.Texts
}

// Texts returns what is written about a tournament, all empty if there is no such tournament.
func (s *Store) Texts(ctx context.Context, tournamentID string) (tournament.Texts, error) {
	return takeTexts(s.SQL(ctx), tournamentID)
}

// Texts returns what is written about a tournament.
func (tx *Tx) Texts(tournamentID string) (tournament.Texts, error) {
	return takeTexts(tx.db, tournamentID)
}

func takeTexts(db *gorm.DB, tournamentID string) (tournament.Texts, error) {
	row, err := database.First[textsRow](db.Where("tournament_id = ?", tournamentID))
	if err != nil || row == nil {
		return tournament.Texts{}, err
	}
	return row.Texts, nil
}

// SaveTexts writes what is written about a tournament, in the place of what was.
func (tx *Tx) SaveTexts(tournamentID string, t tournament.Texts) error {
	row := textsRow{TournamentID: tournamentID, Texts: t}
	again := clause.OnConflict{Columns: []clause.Column{{Name: "tournament_id"}}, DoUpdates: clause.AssignmentColumns([]string{"description", "rules", "prizes"})}
	return tx.db.Clauses(again).Create(&row).Error
}
