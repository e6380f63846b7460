package director

import (
	"context"

	"github.com/molerun/molerun/tournament"
)

// Write changes what is written about a tournament, and gives the tournament with its texts. The rules are
// [tournament.CanWrite] and [tournament.Texts.Check].
func (d *Director) Write(ctx context.Context, id string, change func(*tournament.Texts)) (tournament.Tournament, error) {
	var t tournament.Tournament
	err := d.inTx(ctx, func(tx *txn) error {
		var err error
		if t, err = tx.LockTournament(id); err != nil {
			return err
		}
		if err := tournament.CanWrite(t); err != nil {
			return err
		}
		if t.Texts, err = tx.Texts(id); err != nil {
			return err
		}
		change(&t.Texts)
		if err := t.Texts.Check(); err != nil {
			return err
		}
		return tx.SaveTexts(id, t.Texts)
	})
	return t, err
}
