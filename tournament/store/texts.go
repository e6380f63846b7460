package store

import (
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

type textsRow struct {
	TournamentID string `gorm:"primaryKey"`
	tournament.Texts
}

// Texts returns what is written about a tournament, all empty if there is no such tournament.
func (r Reader) Texts(tournamentID string) (tournament.Texts, error) {
	row, err := database.FirstOr(r.db.Where("tournament_id = ?", tournamentID), textsRow{})
	return row.Texts, err
}

// SaveTexts writes what is written about a tournament, in the place of what was.
func (tx *Tx) SaveTexts(tournamentID string, t tournament.Texts) error {
	return database.Upsert(tx.db, []string{"tournament_id"}).Create(&textsRow{TournamentID: tournamentID, Texts: t}).Error
}
