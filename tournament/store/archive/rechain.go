package archive

import (
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// rechain writes the hashes of a match's record again, packed or not, and reports whether it did. A match of rules that this
// program does not play stays as it is, and so does one whose decisions make no record: whoever verifies the restored data learns of it.
func rechain(tx *store.Tx, engines func(id string) (game.Engine, bool), matchID string) (bool, error) {
	m, err := tx.Match(matchID)
	if err != nil {
		return false, err
	}
	engine, known := engines(m.Game)
	if !known || engine.Info().Version != m.RulesVersion {
		return false, nil
	}
	list, err := tx.Decisions(matchID)
	if err != nil || len(list) == 0 {
		return false, err
	}
	hashes, err := runner.Hashes(runner.SpecOf(m, engine, list))
	if err != nil || hashes[len(hashes)-1] == list[len(list)-1].Hash { // nothing that was cleaned is part of the record
		return false, nil //nolint:nilerr // see above
	}
	return true, tx.SaveHashes(matchID, hashes)
}
