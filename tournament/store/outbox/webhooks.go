package outbox

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

type webhookRow struct {
	ID, UserID, URL, Secret string
	OldSecret               string // "" without one
	OldUntil                *time.Time
	Kinds                   string
	Enabled                 bool
	Reason                  string
	FailingSince            *time.Time
	CreatedAt               time.Time
}

func (webhookRow) TableName() string { return "webhooks" }

func newWebhookRow(w tournament.Webhook) (webhookRow, error) {
	kinds, err := json.Marshal(w.Kinds)
	r := webhookRow{
		ID: w.ID, UserID: w.UserID, URL: w.URL, Secret: w.Secret, Kinds: string(kinds), Enabled: w.Enabled, Reason: w.Reason,
		FailingSince: database.UTCPtr(w.FailingSince), CreatedAt: database.UTC(w.CreatedAt),
	}
	if w.OldSecret != "" {
		r.OldSecret, r.OldUntil = w.OldSecret, database.UTCPtr(&w.OldUntil)
	}
	return r, err
}

func (r webhookRow) webhook() (tournament.Webhook, error) {
	w := tournament.Webhook{
		ID: r.ID, UserID: r.UserID, URL: r.URL, Secret: r.Secret, OldSecret: r.OldSecret, Enabled: r.Enabled, Reason: r.Reason,
		FailingSince: database.UTCPtr(r.FailingSince), CreatedAt: database.UTC(r.CreatedAt),
	}
	if r.OldUntil != nil {
		w.OldUntil = database.UTC(*r.OldUntil)
	}
	if strings.Contains(r.Secret, " ") { // before migration 12 a rotation stood here whole, and a process of that release may still write so
		var until int64
		if _, err := fmt.Sscanf(r.Secret, "%s %s %d", &w.Secret, &w.OldSecret, &until); err != nil {
			return w, fmt.Errorf("webhook %s: secret is malformed", r.ID)
		}
		w.OldUntil = time.UnixMilli(until).UTC()
	}
	if err := json.Unmarshal([]byte(r.Kinds), &w.Kinds); err != nil {
		return w, fmt.Errorf("webhook %s: kinds: %w", r.ID, err)
	}
	return w, nil
}

// CreateWebhook adds a webhook, enabled. An empty id and time are filled in; a user who has quota of them gets
// [tournament.ErrLimit].
func (o *Outbox) CreateWebhook(ctx context.Context, w tournament.Webhook, quota int) (tournament.Webhook, error) {
	if err := o.db.Fill(&w.ID); err != nil {
		return w, err
	}
	o.db.FillTime(&w.CreatedAt)
	w.Enabled, w.Reason, w.FailingSince = true, "", nil
	err := o.db.InTx(ctx, func(tx *database.Tx) error {
		if err := tx.Locked(tx.SQL, database.Users, w.UserID).Table("users").Where("id = ? AND deleted_at IS NULL", w.UserID).Take(&map[string]any{}).Error; err != nil { // two at once cannot both be the last
			return database.NotFound(err, "user", w.UserID)
		}
		var has int64
		if err := tx.SQL.Model(&webhookRow{}).Where("user_id = ?", w.UserID).Count(&has).Error; err != nil {
			return err
		}
		if has >= int64(quota) {
			return fmt.Errorf("%w: %d webhooks of %d; delete one first", tournament.ErrLimit, has, quota)
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
	var r webhookRow
	if err := o.db.SQL(ctx).Where("id = ?", id).Take(&r).Error; err != nil {
		return tournament.Webhook{}, database.NotFound(err, "webhook", id)
	}
	return r.webhook()
}

// Webhooks returns a page of a user's webhooks and the cursor of the next, "" after the last.
func (o *Outbox) Webhooks(ctx context.Context, userID string, p database.Page) ([]tournament.Webhook, string, error) {
	db, limit, err := p.ByID(o.db.SQL(ctx).Where("user_id = ?", userID), "id")
	if err != nil {
		return nil, "", err
	}
	rows, next, err := database.Fetch(db, limit, func(r webhookRow) string { return database.Cursor(r.ID) })
	if err != nil {
		return nil, "", err
	}
	out, err := database.TryMap(rows, webhookRow.webhook)
	return out, next, err
}

// ChangeWebhook locks a webhook, changes it and writes it back.
func (o *Outbox) ChangeWebhook(ctx context.Context, id string, change func(*tournament.Webhook) error) (tournament.Webhook, error) {
	var w tournament.Webhook
	err := o.db.InTx(ctx, func(tx *database.Tx) error {
		var err error
		w, err = changeWebhook(tx, id, change)
		return err
	})
	return w, err
}

func changeWebhook(tx *database.Tx, id string, change func(*tournament.Webhook) error) (tournament.Webhook, error) {
	var w tournament.Webhook
	var r webhookRow
	if err := tx.Locked(tx.SQL, database.Webhooks, id).Where("id = ?", id).Take(&r).Error; err != nil {
		return w, database.NotFound(err, "webhook", id)
	}
	var err error
	if w, err = r.webhook(); err != nil {
		return w, err
	}
	if err := change(&w); err != nil {
		return w, err
	}
	row, err := newWebhookRow(w)
	if err != nil {
		return w, err
	}
	return w, tx.SQL.Model(&webhookRow{}).Where("id = ?", id).Select("secret", "old_secret", "old_until", "kinds", "enabled", "reason", "failing_since").Updates(&row).Error
}

// DisableWebhooks disables the webhooks of a user that are enabled, for a reason.
func DisableWebhooks(tx *database.Tx, userID, reason string) error {
	return tx.SQL.Model(&webhookRow{}).Where("user_id = ? AND enabled", userID).Updates(map[string]any{"enabled": false, "reason": reason}).Error
}

// DeleteWebhook removes a webhook with its deliveries; what is on its way is not sent again.
func (o *Outbox) DeleteWebhook(ctx context.Context, id string) error {
	gone := o.db.SQL(ctx).Where("id = ?", id).Delete(&webhookRow{})
	if gone.Error == nil && gone.RowsAffected == 0 {
		return fmt.Errorf("%w: webhook %q", tournament.ErrNotFound, id)
	}
	return gone.Error
}
