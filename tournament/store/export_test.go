package store

import (
	"time"

	"github.com/molerun/molerun/tournament"
)

// Enqueue adds jobs in the transaction.
func (tx *Tx) Enqueue(list ...PlayMatch) error {
	_, err := tx.enqueue(tx.db.Statement.Context, time.Time{}, tournament.SourceTournament, list...)
	return err
}

// LadderQuery asks for a page of a ladder.
func LadderQuery(first bool) string { return ladderQuery(first, false) }
