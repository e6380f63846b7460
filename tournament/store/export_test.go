package store

import (
	"time"

	"github.com/molerun/molerun/tournament"
)

// AddJobs adds jobs in the transaction.
func (tx *Tx) AddJobs(list ...PlayMatch) error {
	_, err := tx.enqueue(tx.db.Statement.Context, time.Time{}, tournament.SourceTournament, 0, list...)
	return err
}

// LadderQuery asks for a page of a ladder.
func LadderQuery(first bool) string { return ladderQuery(first, false) }
