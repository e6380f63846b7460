package store

import (
	"encoding/hex"

	"github.com/molerun/molerun/tournament/runner"
)

// rechain writes the hashes of a match's record anew, packed or not, and reports whether it did. A match of rules that this
// program does not play stays as it is, and so does one whose decisions make no record: who verifies the restored data is told.
func (tx *Tx) rechain(matchID string) (bool, error) {
	m, err := takeMatch(tx.db, matchID)
	if err != nil {
		return false, err
	}
	engine, known := tx.s.opts.Engines(m.Game)
	if !known || engine.Info().Version != m.RulesVersion {
		return false, nil
	}
	rows, err := decided(tx.db, decidedQuery, matchID, 0, anySeat)
	if err != nil {
		return false, err
	}
	list, err := steps(rows)
	if err != nil || len(list) == 0 {
		return false, err
	}
	hashes, err := runner.Hashes(runner.SpecOf(m, engine, list))
	if err != nil || hashes[len(hashes)-1] == list[len(list)-1].Hash { // nothing that was cleaned is part of the record
		return false, nil //nolint:nilerr // see above
	}
	for i := range rows { // a step has rows, and all steps are there: they made the record
		rows[i].Hash = hex.EncodeToString(hashes[rows[i].Step-1][:])
	}
	return true, tx.saveHashes(matchID, rows)
}

// saveHashes writes the hashes of all decisions of a match.
func (tx *Tx) saveHashes(matchID string, rows []decisionRow) error {
	last := rows[len(rows)-1].Hash
	if err := tx.db.Exec("UPDATE matches SET hash = ? WHERE id = ? AND hash <> ''", last, matchID).Error; err != nil {
		return err
	}
	packed, err := packRows(rows)
	if err != nil {
		return err
	}
	change := tx.db.Exec("UPDATE packed_decisions SET packed = ? WHERE match_id = ?", packed, matchID)
	if change.Error != nil || change.RowsAffected > 0 {
		return change.Error
	}
	for i, r := range rows {
		if i > 0 && rows[i-1].Step == r.Step {
			continue
		}
		if err := tx.db.Exec("UPDATE decisions SET hash = ? WHERE match_id = ? AND step = ?", r.Hash, matchID, r.Step).Error; err != nil {
			return err
		}
	}
	return nil
}
