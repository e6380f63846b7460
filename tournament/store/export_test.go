package store

import (
	"time"

	"github.com/molerun/molerun/tournament"
)

// Exec runs SQL in the transaction.
func (tx *Tx) Exec(sql string, args ...any) error { return tx.db.Exec(sql, args...).Error }

// Enqueue adds jobs in the transaction.
func (tx *Tx) Enqueue(list ...PlayMatch) error {
	_, err := tx.enqueue(tx.db.Statement.Context, time.Time{}, tournament.SourceTournament, list...)
	return err
}
