package director

import (
	"context"
	"fmt"

	"github.com/molerun/molerun/tournament"
)

// DisableUser shuts an account for a reason, bans its bots and takes them from what is open ([Director.Evict]; what fails of
// that is done by the next sweep). Its tokens stay, and are refused by whoever looks at [tournament.User]. An account that is
// shut already is [tournament.ErrState].
func (d *Director) DisableUser(ctx context.Context, id, reason string) (tournament.User, error) {
	var u tournament.User
	err := d.inTx(ctx, func(tx *txn) error {
		var err error
		if u, err = tx.LockUser(id); err != nil {
			return err
		}
		if u.DisabledAt != nil {
			return fmt.Errorf("%w: user %q is disabled already: %s", tournament.ErrState, u.Name, u.DisabledReason)
		}
		u.DisabledAt, u.DisabledReason = new(d.now()), reason
		if err := tx.banBotsOf(id); err != nil {
			return err
		}
		return tx.SaveDisabled(u)
	})
	if err == nil {
		err = d.On(d.store.Apart()).Evict(ctx)
	}
	return u, err
}

// EnableUser opens an account again, and lifts the bans that came with its shutting. What was void stays void, and who was taken
// from a tournament stays out. An open account is [tournament.ErrState].
func (d *Director) EnableUser(ctx context.Context, id string) (tournament.User, error) {
	var u tournament.User
	err := d.inTx(ctx, func(tx *txn) error {
		var err error
		if u, err = tx.LockUser(id); err != nil {
			return err
		}
		if u.DisabledAt == nil {
			return fmt.Errorf("%w: user %q is not disabled", tournament.ErrState, u.Name)
		}
		u.DisabledAt, u.DisabledReason = nil, ""
		if err := tx.unbanBotsOf(id); err != nil {
			return err
		}
		return tx.SaveDisabled(u)
	})
	return u, err
}

// banBotsOf bans the bots of a user, but those that are banned already.
func (tx *txn) banBotsOf(ownerID string) error {
	bots, err := tx.BotsOf(ownerID)
	if err != nil {
		return err
	}
	for _, b := range bots {
		if b.BannedAt != nil {
			continue
		}
		tx.ban(&b, tournament.BannedByOwner, "its owner's account is disabled")
		if err := tx.SaveBotState(b); err != nil {
			return err
		}
	}
	return nil
}

// unbanBotsOf lifts what banBotsOf did, and no other ban.
func (tx *txn) unbanBotsOf(ownerID string) error {
	bots, err := tx.BotsOf(ownerID)
	if err != nil {
		return err
	}
	for _, b := range bots {
		if b.Pause != tournament.BannedByOwner {
			continue
		}
		b.BannedAt, b.Pause, b.Reason = nil, tournament.PausedByChecks, unbanned
		if err := tx.SaveBotState(b); err != nil {
			return err
		}
	}
	return nil
}
