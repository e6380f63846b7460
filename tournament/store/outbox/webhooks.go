package outbox

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

type webhookRow struct {
	tournament.Webhook
	KindsJSON string `gorm:"column:kinds"`
}

func newWebhookRow(w tournament.Webhook) (webhookRow, error) {
	kinds, err := json.Marshal(w.Kinds)
	return webhookRow{Webhook: w, KindsJSON: string(kinds)}, err
}

func (r webhookRow) webhook() (tournament.Webhook, error) {
	w := r.Webhook
	if err := json.Unmarshal([]byte(r.KindsJSON), &w.Kinds); err != nil {
		return w, fmt.Errorf("webhook %s: kinds: %w", r.ID, err)
	}
	return w, nil
}

func takeWebhook(db *gorm.DB, id string) (tournament.Webhook, error) {
	r, err := database.ByID[webhookRow](db, "webhook", id)
	if err != nil {
		return tournament.Webhook{}, err
	}
	return r.webhook()
}

// CreateWebhook adds a webhook, enabled. An empty id, format and time are filled in; a user who has quota of them gets
// [tournament.ErrLimit].
func (o *Outbox) CreateWebhook(ctx context.Context, w tournament.Webhook, quota int) (tournament.Webhook, error) {
	if err := o.db.Fill(&w.ID, &w.CreatedAt); err != nil {
		return w, err
	}
	w.Format = cmp.Or(w.Format, tournament.FormatStandard)
	w.Enabled, w.Reason, w.FailingSince = true, "", nil
	err := o.db.InTx(ctx, func(tx *database.Tx) error {
		if err := tx.Locked(tx.SQL, database.Users, w.UserID).Table("users").Where("id = ? AND deleted_at IS NULL", w.UserID).Take(&map[string]any{}).Error; err != nil { // two at once cannot both be the last
			return database.NotFound(err, "user", w.UserID)
		}
		has := tx.SQL.Model(&webhookRow{}).Where("user_id = ?", w.UserID)
		if err := database.UnderQuota(has, quota, "webhooks", "delete one first"); err != nil {
			return err
		}
		row, err := newWebhookRow(w)
		if err != nil {
			return err
		}
		return database.Taken(tx.SQL.Create(&row).Error, "webhook", w.ID)
	})
	return w, err
}

// Webhook returns a webhook by id.
func (o *Outbox) Webhook(ctx context.Context, id string) (tournament.Webhook, error) {
	return takeWebhook(o.db.SQL(ctx), id)
}

// Webhooks returns a page of a user's webhooks and the cursor of the next, "" after the last.
func (o *Outbox) Webhooks(ctx context.Context, userID string, p database.Page) ([]tournament.Webhook, string, error) {
	rows, next, err := database.List(o.db.SQL(ctx).Where("user_id = ?", userID), p, "id", func(r webhookRow) string { return r.ID })
	if err != nil {
		return nil, "", err
	}
	out, err := database.TryMap(rows, webhookRow.webhook)
	return out, next, err
}

// ChangeWebhook locks a webhook, changes it and writes it back.
func (o *Outbox) ChangeWebhook(ctx context.Context, id string, change func(*tournament.Webhook) error) (tournament.Webhook, error) {
	return database.Transact(ctx, o.db.InTx, func(tx *database.Tx) (tournament.Webhook, error) { return changeWebhook(tx, id, change) })
}

func changeWebhook(tx *database.Tx, id string, change func(*tournament.Webhook) error) (tournament.Webhook, error) {
	w, err := takeWebhook(tx.Locked(tx.SQL, database.Webhooks, id), id)
	if err != nil {
		return w, err
	}
	if err := change(&w); err != nil {
		return w, err
	}
	row, err := newWebhookRow(w)
	if err != nil {
		return w, err
	}
	return w, database.Save(tx.SQL, &row, "secret", "old_secret", "old_until", "kinds", "enabled", "reason", "failing_since")
}

// DisableWebhooks disables the webhooks of a user that are enabled, for a reason.
func DisableWebhooks(tx *database.Tx, userID, reason string) error {
	return tx.SQL.Where("user_id = ? AND enabled", userID).Select("enabled", "reason").Updates(&tournament.Webhook{Reason: reason}).Error
}

// DeleteWebhook removes a webhook with its deliveries; what is on its way is not sent again.
func (o *Outbox) DeleteWebhook(ctx context.Context, id string) error {
	return database.Changed(o.db.SQL(ctx).Where("id = ?", id).Delete(&webhookRow{}), fmt.Errorf("%w: there is no webhook %q", tournament.ErrNotFound, id))
}
