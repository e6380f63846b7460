package director

import (
	"context"
	"fmt"
	"strings"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// DisableUser shuts an account for a reason, bans its bots and takes them from what is open ([Director.Evict]; what fails of
// that is done by the next sweep). Its tokens stay, and are refused by whoever looks at [tournament.User]. An account that is
// shut already is [tournament.ErrState].
func (d *Director) DisableUser(ctx context.Context, id, reason string) (tournament.User, error) {
	u, err := transact(ctx, d, func(tx *txn) (tournament.User, error) {
		u, err := tx.LockUser(id)
		if err != nil {
			return u, err
		}
		if u.DisabledAt != nil {
			return u, fmt.Errorf("%w: user %q is disabled already: %s", tournament.ErrState, u.Name, u.DisabledReason)
		}
		u.DisabledAt, u.DisabledReason = new(d.now()), reason
		err = tx.eachBotOf(id, func(b store.BotState) error {
			if b.BannedAt != nil {
				return nil
			}
			return tx.ban(&b, tournament.BannedByOwner, "its owner's account is disabled")
		})
		if err != nil {
			return u, err
		}
		return u, tx.SaveDisabled(u)
	})
	if err == nil {
		err = d.On(d.store.WithoutHooks()).Evict(ctx)
	}
	return u, err
}

// EnableUser opens an account again, and lifts the bans that came with its shutting as [Director.UnbanBot] does. What was void stays void, and a bot that was taken
// from a tournament stays out. An open account is [tournament.ErrState].
func (d *Director) EnableUser(ctx context.Context, id string) (tournament.User, error) {
	return transact(ctx, d, func(tx *txn) (tournament.User, error) {
		u, err := tx.LockUser(id)
		if err != nil {
			return u, err
		}
		if u.DeletedAt != nil {
			return u, fmt.Errorf("%w: user %q is deleted; that is permanent", tournament.ErrState, u.Name)
		}
		if u.DisabledAt == nil {
			return u, fmt.Errorf("%w: user %q is not disabled", tournament.ErrState, u.Name)
		}
		u.DisabledAt, u.DisabledReason = nil, ""
		err = tx.eachBotOf(id, func(b store.BotState) error {
			if b.Pause != tournament.BannedByOwner { // no other ban is lifted
				return nil
			}
			return tx.lift(&b)
		})
		if err != nil {
			return u, err
		}
		return u, tx.SaveDisabled(u)
	})
}

// DeleteUser ends an account for its user, permanently, who confirms it with its name: any other is a [tournament.FieldError]. Its
// bots are retired and taken from what is open as in [Director.DisableUser], its name is free again, and what is not part of a
// match's record goes. An administrator's, and that of a user who organises what is not over, is [tournament.ErrState].
func (d *Director) DeleteUser(ctx context.Context, id, name string) error {
	err := d.inTx(ctx, func(tx *txn) error {
		u, err := tx.LockUser(id)
		if err != nil {
			return err
		}
		if err := tx.checkDeletable(u, name); err != nil {
			return err
		}
		err = tx.eachBotOf(id, func(b store.BotState) error {
			return tx.saveHealth(&b, tournament.Health{Status: tournament.BotRetired, Reason: "its owner's account is deleted"}, "")
		})
		if err != nil {
			return err
		}
		if u.Name, err = d.deletedName(); err != nil {
			return err
		}
		u.DeletedAt = new(d.now())
		u.DisabledAt = u.DeletedAt
		u.DisabledReason = "deleted by its user"
		return tx.EraseUser(u)
	})
	if err == nil {
		err = d.On(d.store.WithoutHooks()).Evict(ctx)
	}
	return err
}

// checkDeletable refuses to delete a user, whose row is locked, for what others would lose.
func (tx *txn) checkDeletable(u tournament.User, name string) error {
	if name != u.Name {
		return &tournament.FieldError{Pointer: "/name", Reason: "is not the name of your account, which confirms that it is to be deleted"}
	}
	if u.Role == tournament.RoleAdmin {
		return fmt.Errorf("%w: %q is an administrator; another administrator must take the role away first", tournament.ErrState, u.Name)
	}
	open, err := tx.Organised(u.ID)
	if err != nil || len(open) == 0 {
		return err
	}
	how := "cancel them"
	if !u.Role.Reaches(tournament.RoleOrganiser) { // who has lost the role cannot
		how = "ask an administrator to cancel them"
	}
	return fmt.Errorf("%w: %q organises %s; %s, or wait until they are over", tournament.ErrState, u.Name, strings.Join(open, ", "), how)
}

// deletedName returns a name for an account that nobody can have taken before: it is not known from anything.
func (d *Director) deletedName() (string, error) {
	id, err := d.newID()
	if err != nil {
		return "", err
	}
	random := strings.ReplaceAll(id, "-", "")
	return "deleted-" + random[len(random)-24:], nil
}

// eachBotOf calls do with each bot of a user.
func (tx *txn) eachBotOf(ownerID string, do func(store.BotState) error) error {
	bots, err := tx.BotsOf(ownerID)
	if err != nil {
		return err
	}
	for _, b := range bots {
		if err := do(b); err != nil {
			return err
		}
	}
	return nil
}
