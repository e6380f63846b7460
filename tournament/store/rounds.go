package store

import (
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
)

// Round is a round of a tournament as it was made. Pairing is JSON, which the director writes and reads.
type Round struct {
	TournamentID string
	Number       int
	Pairing      string
	MadeAt       time.Time
}

// TableName is what gorm calls to know where rounds are.
func (Round) TableName() string { return "rounds" }

// Rounds are the rounds of a tournament, in order. Tournaments of old programs have none.
func (r Reader) Rounds(tournamentID string) (rows []Round, err error) {
	err = r.db.Where("tournament_id = ?", tournamentID).Order("number").Find(&rows).Error
	return rows, err
}

// LastRound is the round of a tournament that was made last; false if there is none.
func (r Reader) LastRound(tournamentID string) (Round, bool, error) {
	last, err := first[Round](r.db.Where("tournament_id = ?", tournamentID).Order("number DESC"))
	if err != nil || last == nil {
		return Round{}, false, err
	}
	return *last, true, nil
}

// Round is a round by its number; false if there is none.
func (r Reader) Round(tournamentID string, number int) (Round, bool, error) {
	row, err := first[Round](r.db.Where("tournament_id = ? AND number = ?", tournamentID, number))
	if err != nil || row == nil {
		return Round{}, false, err
	}
	return *row, true, nil
}

// WithRounds is a tournament with its rounds, in one query.
func (r Reader) WithRounds(id string) (tournament.Tournament, []Round, error) {
	var list []struct {
		Tournament tournamentRow `gorm:"embedded"`
		Round      Round         `gorm:"embedded;embeddedPrefix:round_"`
	}
	err := r.db.Table("tournaments t").Joins("LEFT JOIN rounds r ON r.tournament_id = t.id").
		Select(columnsOf[tournamentRow](r.db, "t")+", r.tournament_id AS round_tournament_id, r.number AS round_number, r.pairing AS round_pairing, r.made_at AS round_made_at").
		Where("t.id = ?", id).Order("r.number").Scan(&list).Error
	if err == nil && len(list) == 0 {
		err = gorm.ErrRecordNotFound
	}
	if err != nil {
		return tournament.Tournament{}, nil, found(err, "tournament", id)
	}
	var rounds []Round
	for _, x := range list {
		if x.Round.Number > 0 {
			rounds = append(rounds, x.Round)
		}
	}
	return list[0].Tournament.tournament(), rounds, nil
}

// AddRound adds a round that was made.
func (tx *Tx) AddRound(r Round) error {
	r.MadeAt = utc(r.MadeAt)
	return tx.db.Create(&r).Error
}

// ChangeRound writes a round's pairing anew.
func (tx *Tx) ChangeRound(r Round) error {
	return tx.db.Model(&Round{}).Where("tournament_id = ? AND number = ?", r.TournamentID, r.Number).Update("pairing", r.Pairing).Error
}

type planRow struct {
	TournamentID string `gorm:"primaryKey"`
	Rounds       string
}

func (planRow) TableName() string { return "plans" }

// KeepPlan keeps the rounds that a tournament will make, as JSON, in the place of what was kept before.
func (tx *Tx) KeepPlan(tournamentID, rounds string) error {
	again := clause.OnConflict{Columns: []clause.Column{{Name: "tournament_id"}}, DoUpdates: clause.AssignmentColumns([]string{"rounds"})}
	return tx.db.Clauses(again).Create(&planRow{tournamentID, rounds}).Error
}

// Plan is what [Tx.KeepPlan] kept; "" if nothing was.
func (r Reader) Plan(tournamentID string) (string, error) {
	row, err := first[planRow](r.db.Where("tournament_id = ?", tournamentID))
	if err != nil || row == nil {
		return "", err
	}
	return row.Rounds, nil
}
