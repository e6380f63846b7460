package store

import (
	"encoding/json"
	"fmt"

	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament/pairing"
)

// A plan is the rounds that a format fixes ahead. It follows from the seed and the entries, but may take seconds to find, too
// long for the transaction that ends a round.

type planRow struct {
	TournamentID string `gorm:"primaryKey"`
	Rounds       string
}

func (planRow) TableName() string { return "plans" }

// keepPlan keeps the rounds that a tournament will make, in the place of what was kept before.
func (tx *Tx) keepPlan(tournamentID string, rounds []pairing.Round) error {
	text, err := json.Marshal(each(rounds, func(r pairing.Round) paired { return newPaired(r, nil) }))
	if err != nil {
		return err
	}
	again := clause.OnConflict{Columns: []clause.Column{{Name: "tournament_id"}}, DoUpdates: clause.AssignmentColumns([]string{"rounds"})}
	return tx.db.Clauses(again).Create(&planRow{tournamentID, string(text)}).Error
}

// plan is what was kept; nil if nothing was.
func (tx *Tx) plan(tournamentID string) ([]pairing.Round, error) {
	var rows []planRow
	if err := tx.db.Where("tournament_id = ?", tournamentID).Find(&rows).Error; err != nil || len(rows) == 0 {
		return nil, err
	}
	var list []paired
	if err := json.Unmarshal([]byte(rows[0].Rounds), &list); err != nil {
		return nil, fmt.Errorf("tournament %s: plan: %w", tournamentID, err)
	}
	out := make([]pairing.Round, len(list))
	for i, p := range list {
		var err error
		if out[i], _, err = p.round(nil); err != nil {
			return nil, fmt.Errorf("tournament %s: plan: %w", tournamentID, err)
		}
	}
	return out, nil
}
