package store

import (
	"context"
	"fmt"

	"github.com/molerun/molerun/tournament"
)

// ownerDisabled is why the bots of a disabled user are banned; enabling the user lifts these bans alone.
const ownerDisabled = "its owner's account is disabled"

// Users is a page of users and the cursor of the next, "" after the last.
func (s *Store) Users(ctx context.Context, p Page) ([]tournament.User, string, error) {
	db, limit, err := p.byID(s.with(ctx), "id")
	if err != nil {
		return nil, "", err
	}
	rows, next, err := fetch(db, limit, func(r userRow) string { return cursor(r.ID) })
	return each(rows, userRow.user), next, err
}

// LockUser is a user, the row locked.
func (tx *Tx) LockUser(id string) (tournament.User, error) {
	var r userRow
	err := locked(tx.db).Where("id = ?", id).Take(&r).Error
	return r.user(), found(err, "user", id)
}

// SaveDisabled writes since when and why a user is disabled.
func (tx *Tx) SaveDisabled(u tournament.User) error {
	return tx.db.Model(&userRow{}).Where("id = ?", u.ID).Updates(map[string]any{"disabled_at": utcPtr(u.DisabledAt), "disabled_reason": u.DisabledReason}).Error
}

// BanBotsOf bans the bots of a user who is disabled, but those that are banned already.
func (tx *Tx) BanBotsOf(ownerID string) error {
	return tx.db.Model(&botRow{}).Where("owner_id = ? AND status <> ? AND banned_at IS NULL", ownerID, tournament.BotRetired).Updates(map[string]any{
		"banned_at": tx.s.now(), "status": tournament.BotPaused, "reason": banned(ownerDisabled), "passes": 0,
	}).Error
}

// UnbanBotsOf lifts what [Tx.BanBotsOf] did.
func (tx *Tx) UnbanBotsOf(ownerID string) error {
	return tx.db.Model(&botRow{}).Where("owner_id = ? AND status <> ? AND reason = ?", ownerID, tournament.BotRetired, banned(ownerDisabled)).
		Updates(map[string]any{"banned_at": nil, "reason": unbanned}).Error
}

// unbanned is why a bot is still paused after its ban: it must pass its checks like any other.
const unbanned = "the ban was lifted; two health checks must pass"

func banned(reason string) string { return "banned: " + reason }

// BanBot pauses a bot for a reason until [Store.UnbanBot]: neither its owner nor a health check wakes it. What it has begun it
// plays to the end. A bot that is banned or retired already is [tournament.ErrState].
func (s *Store) BanBot(ctx context.Context, id, reason string) (tournament.Bot, error) {
	return s.changeBan(ctx, id, func(r *botRow) error {
		if r.BannedAt != nil {
			return fmt.Errorf("%w: bot %q is %s", tournament.ErrState, r.Name, r.Reason)
		}
		r.BannedAt, r.Status, r.Reason = new(s.now()), string(tournament.BotPaused), banned(reason)
		return nil
	})
}

// UnbanBot lifts a ban, also one for its conduct: what has ended before counts no more. The bot stays paused until two health checks in a row pass, or its owner's check does. A bot that
// is not banned is [tournament.ErrState].
func (s *Store) UnbanBot(ctx context.Context, id string) (tournament.Bot, error) {
	return s.changeBan(ctx, id, func(r *botRow) error {
		if r.BannedAt == nil {
			return fmt.Errorf("%w: bot %q is not banned", tournament.ErrState, r.Name)
		}
		r.BannedAt, r.Reason = nil, unbanned
		r.Conduct, r.ConductFrom = "", new(s.now())
		return nil
	})
}

func (s *Store) changeBan(ctx context.Context, id string, change func(*botRow) error) (b tournament.Bot, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		r, err := tx.living(id)
		if err != nil {
			return err
		}
		before := r
		if err := change(&r); err != nil {
			return err
		}
		b = r.bot()
		tx.tellBot(before, tournament.Health{Status: b.Status, Reason: b.Reason})
		return tx.db.Model(&botRow{}).Where("id = ?", id).
			Updates(map[string]any{
				"banned_at": r.BannedAt, "status": r.Status, "reason": r.Reason, "passes": 0, "conduct": r.Conduct, "conduct_from": r.ConductFrom,
			}).Error
	})
	return b, err
}
