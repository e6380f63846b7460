package director

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// SeedEntries seeds a tournament by hand: bots, by id, the best first; the other entries follow by rating. It takes the place of what
// was seeded before; nobody takes all of it back. After the start it is [tournament.ErrState]; bots that are not entered, or are
// named twice, are refused all at once.
func (d *Director) SeedEntries(ctx context.Context, tournamentID string, bots []string) ([]tournament.Entry, error) {
	var out []tournament.Entry
	err := d.inTx(ctx, func(tx *txn) error {
		t, err := tx.LockTournament(tournamentID)
		if err != nil {
			return err
		}
		if err := tournament.CanSeed(t); err != nil {
			return err
		}
		all, err := tx.Entered(t.ID)
		if err != nil {
			return err
		}
		entered := each(slices.DeleteFunc(all, func(e store.Entered) bool { return e.WithdrawnAt != nil }), entryOf)
		var errs []error
		for i, id := range bots {
			switch {
			case !slices.ContainsFunc(entered, func(e tournament.Entry) bool { return e.BotID == id }):
				errs = append(errs, &tournament.FieldError{Pointer: fmt.Sprintf("/bots/%d", i), Reason: "is not entered"})
			case slices.Contains(bots[:i], id):
				errs = append(errs, &tournament.FieldError{Pointer: fmt.Sprintf("/bots/%d", i), Reason: "is there twice"})
			}
		}
		if len(errs) > 0 {
			return errors.Join(errs...)
		}
		for i, e := range entered {
			entered[i].Seed = 1 + slices.Index(bots, e.BotID)
			if err := tx.SeedEntry(entered[i]); err != nil {
				return err
			}
		}
		out = entered
		return nil
	})
	return out, err
}
