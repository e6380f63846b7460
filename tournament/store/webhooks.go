package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
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
		FailingSince: utcPtr(w.FailingSince), CreatedAt: utc(w.CreatedAt),
	}
	if w.OldSecret != "" {
		r.OldSecret, r.OldUntil = w.OldSecret, utcPtr(&w.OldUntil)
	}
	return r, err
}

func (r webhookRow) webhook() (tournament.Webhook, error) {
	w := tournament.Webhook{
		ID: r.ID, UserID: r.UserID, URL: r.URL, Secret: r.Secret, OldSecret: r.OldSecret, Enabled: r.Enabled, Reason: r.Reason,
		FailingSince: utcPtr(r.FailingSince), CreatedAt: utc(r.CreatedAt),
	}
	if r.OldUntil != nil {
		w.OldUntil = utc(*r.OldUntil)
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
func (s *Store) CreateWebhook(ctx context.Context, w tournament.Webhook, quota int) (tournament.Webhook, error) {
	if err := s.fill(&w.ID); err != nil {
		return w, err
	}
	s.fillTime(&w.CreatedAt)
	w.Enabled, w.Reason, w.FailingSince = true, "", nil
	err := s.InTx(ctx, func(tx *Tx) error {
		if err := locked(tx.db).Where("id = ?", w.UserID).Take(&userRow{}).Error; err != nil { // two at once cannot both be the last
			return found(err, "user", w.UserID)
		}
		var has int64
		if err := tx.db.Model(&webhookRow{}).Where("user_id = ?", w.UserID).Count(&has).Error; err != nil {
			return err
		}
		if has >= int64(quota) {
			return fmt.Errorf("%w: %d webhooks of %d; delete one first", tournament.ErrLimit, has, quota)
		}
		row, err := newWebhookRow(w)
		if err != nil {
			return err
		}
		return taken(tx.db.Create(&row).Error, "webhook", w.ID)
	})
	return w, err
}

// Webhook is a webhook by id.
func (s *Store) Webhook(ctx context.Context, id string) (tournament.Webhook, error) {
	var r webhookRow
	if err := s.with(ctx).Where("id = ?", id).Take(&r).Error; err != nil {
		return tournament.Webhook{}, found(err, "webhook", id)
	}
	return r.webhook()
}

// Webhooks is a page of a user's webhooks and the cursor of the next, "" after the last.
func (s *Store) Webhooks(ctx context.Context, userID string, p Page) ([]tournament.Webhook, string, error) {
	db, limit, err := p.byID(s.with(ctx).Where("user_id = ?", userID), "id")
	if err != nil {
		return nil, "", err
	}
	rows, next, err := fetch(db, limit, func(r webhookRow) string { return cursor(r.ID) })
	if err != nil {
		return nil, "", err
	}
	out, err := tryEach(rows, webhookRow.webhook)
	return out, next, err
}

// ChangeWebhook locks a webhook, changes it and writes it back.
func (s *Store) ChangeWebhook(ctx context.Context, id string, change func(*tournament.Webhook) error) (w tournament.Webhook, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		w, err = tx.changeWebhook(id, change)
		return err
	})
	return w, err
}

func (tx *Tx) changeWebhook(id string, change func(*tournament.Webhook) error) (w tournament.Webhook, err error) {
	var r webhookRow
	// Not a full lock: that would make writers of deliveries wait, who refer to the row.
	if err := tx.db.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Where("id = ?", id).Take(&r).Error; err != nil {
		return w, found(err, "webhook", id)
	}
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
	return w, tx.db.Model(&webhookRow{}).Where("id = ?", id).Select("secret", "old_secret", "old_until", "kinds", "enabled", "reason", "failing_since").Updates(&row).Error
}

// DeleteWebhook removes a webhook with its deliveries; what is on its way is not sent again.
func (s *Store) DeleteWebhook(ctx context.Context, id string) error {
	gone := s.with(ctx).Where("id = ?", id).Delete(&webhookRow{})
	if gone.Error == nil && gone.RowsAffected == 0 {
		return fmt.Errorf("%w: webhook %q", tournament.ErrNotFound, id)
	}
	return gone.Error
}
