package store

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/riverqueue/river"
	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
)

// A delivery is pending until it got through or was given up. Each try is a job of the queue; the number of attempts is to
// deliveries what the epoch is to matches: an old job can do nothing.

// QueueEvents is the queue of deliveries: slow receivers take no place from matches.
const QueueEvents = "events"

// DeliverEvent is the job of sending one delivery once.
type DeliverEvent struct {
	DeliveryID string `json:"delivery_id"`
	Attempts   int    `json:"attempts"` // made before
}

// Kind names the job in the queue.
func (DeliverEvent) Kind() string { return "deliver_event" }

type deliveryRow struct {
	ID, WebhookID, EventID, Kind, Payload, Status string
	Attempts, Tries                               int
	HTTPStatus                                    int `gorm:"column:http_status"`
	Reason                                        string
	TookMS                                        int64 `gorm:"column:took_ms"`
	CreatedAt                                     time.Time
	AttemptedAt, NextAt                           *time.Time
}

func (deliveryRow) TableName() string { return "deliveries" }

func (r deliveryRow) delivery() tournament.Delivery {
	return tournament.Delivery{
		ID: r.ID, WebhookID: r.WebhookID, EventID: r.EventID, Kind: tournament.EventKind(r.Kind), Payload: []byte(r.Payload),
		Status: tournament.DeliveryStatus(r.Status), Attempts: r.Attempts, Tries: r.Tries, HTTPStatus: r.HTTPStatus, Reason: r.Reason,
		TookMS: r.TookMS, CreatedAt: utc(r.CreatedAt), AttemptedAt: utcPtr(r.AttemptedAt), NextAt: utcPtr(r.NextAt),
	}
}

// payload is what an owner is sent.
type payload struct {
	Type      tournament.EventKind `json:"type"`
	Timestamp time.Time            `json:"timestamp"`
	Data      payloadData          `json:"data"`
}

type payloadData struct {
	TournamentID string   `json:"tournament_id,omitempty"`
	Bots         []string `json:"bots"` // the receiver's that it is about, by id
	eventData
}

// post makes a delivery of each event for each webhook that wants it, with its job.
func (tx *Tx) post(ctx context.Context, list []told) error {
	type wanted struct {
		tournament.Event
		bots map[string][]string // by owner
	}
	var open []wanted
	owners := map[string]bool{}
	for _, e := range list {
		if e.owners == nil || !slices.Contains(tournament.WebhookKinds(), e.Kind) {
			continue
		}
		concerned, err := e.owners(tx.db)
		if err != nil {
			return err
		}
		w := wanted{e.Event, map[string][]string{}}
		for _, o := range concerned {
			bots := w.bots[o.OwnerID]
			if o.BotID != "" {
				bots = append(bots, o.BotID)
			}
			owners[o.OwnerID], w.bots[o.OwnerID] = true, bots
		}
		open = append(open, w)
	}
	hooks, err := tx.enabledHooks(slices.Sorted(maps.Keys(owners)))
	if err != nil {
		return err
	}
	var rows []deliveryRow
	for _, e := range open {
		for _, h := range hooks {
			bots, concerned := e.bots[h.UserID]
			if !concerned || !h.Wants(e.Kind) {
				continue
			}
			row, err := tx.s.delivery(h, e.Event, bots)
			if err != nil {
				return err
			}
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	if err := tx.db.CreateInBatches(rows, batch).Error; err != nil {
		return err
	}
	return tx.deliver(ctx, tx.s.now(), rows...)
}

// enabledHooks are the webhooks of users that want anything.
func (tx *Tx) enabledHooks(users []string) (out []tournament.Webhook, err error) {
	for part := range slices.Chunk(users, batch) {
		var rows []webhookRow
		if err := tx.db.Where("enabled AND user_id IN ?", part).Order("id").Find(&rows).Error; err != nil {
			return nil, err
		}
		some, err := tryEach(rows, webhookRow.webhook)
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	return out, nil
}

// delivery is a new delivery of an event.
func (s *Store) delivery(h tournament.Webhook, e tournament.Event, bots []string) (r deliveryRow, err error) {
	now := s.now()
	body, err := json.Marshal(payload{e.Kind, now, payloadData{
		e.TournamentID, append([]string{}, bots...), eventData{e.Game, e.MatchID, e.LadderID, e.BotID, e.VersionID, e.Round, e.Block, e.Number, e.Reason},
	}})
	if err != nil {
		return r, fmt.Errorf("event %s: %w", e.Kind, err)
	}
	r = deliveryRow{
		WebhookID: h.ID, EventID: e.ID, Kind: string(e.Kind), Payload: string(body), Status: string(tournament.DeliveryPending), CreatedAt: now, NextAt: &now,
	}
	r.ID, err = freeID()
	return r, err
}

// deliver makes a job for each delivery, not to be done before a time.
func (tx *Tx) deliver(ctx context.Context, at time.Time, rows ...deliveryRow) error {
	params := each(rows, func(r deliveryRow) river.InsertManyParams {
		o := &river.InsertOpts{MaxAttempts: maxAttempts, Queue: QueueEvents}
		if at.After(tx.s.now()) {
			o.ScheduledAt = at
		}
		return river.InsertManyParams{Args: DeliverEvent{r.ID, r.Attempts}, InsertOpts: o}
	})
	_, err := tx.insert(ctx, params)
	return err
}

// StartDelivery is what a job is to send, and where. [tournament.ErrState] is a job with nothing to do: another has done
// it, or the webhook was disabled, which ends the delivery; [tournament.ErrNotFound] one whose webhook was deleted.
func (s *Store) StartDelivery(ctx context.Context, job DeliverEvent) (w tournament.Webhook, d tournament.Delivery, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		var r deliveryRow
		if err := locked(tx.db).Where("id = ?", job.DeliveryID).Take(&r).Error; err != nil {
			return found(err, "delivery", job.DeliveryID)
		}
		var h webhookRow
		if err := tx.db.Where("id = ?", r.WebhookID).Take(&h).Error; err != nil {
			return found(err, "webhook", r.WebhookID)
		}
		if d = r.delivery(); d.Status == tournament.DeliveryPending && !h.Enabled {
			d.Status, d.NextAt, d.Reason = tournament.DeliveryFailed, nil, "the webhook is disabled: "+h.Reason
			return tx.saveDelivery(d)
		}
		w, err = h.webhook()
		return err
	})
	if err == nil && (d.Status != tournament.DeliveryPending || d.Attempts != job.Attempts) {
		err = fmt.Errorf("%w: delivery %s is %s after %d attempts, not %s after %d", tournament.ErrState, d.ID, d.Status, d.Attempts, tournament.DeliveryPending, job.Attempts)
	}
	return w, d, err
}

// Attempted records what became of a try to send d, in one transaction with what follows from it: another try later, the
// end of the delivery, or of the webhook; and with also (the completion of the job; nil for none). It is
// [tournament.ErrFenced] if another try was recorded meanwhile.
func (s *Store) Attempted(ctx context.Context, d tournament.Delivery, a tournament.Attempt, also func(*Tx) error) (tournament.Delivery, error) {
	err := s.InTx(ctx, func(tx *Tx) error {
		w, err := tx.changeWebhook(d.WebhookID, func(w *tournament.Webhook) error {
			if a.Reason == "" {
				w.FailingSince = nil
			} else {
				*w = w.Failed(s.now(), a.Reason, a.Gone())
			}
			return nil
		})
		if err != nil {
			return err
		}
		var r deliveryRow
		if err := locked(tx.db).Where("id = ?", d.ID).Take(&r).Error; err != nil {
			return found(err, "delivery", d.ID)
		}
		if r.Attempts != d.Attempts || r.Status != string(tournament.DeliveryPending) {
			return fmt.Errorf("%w: delivery %s is %s after %d attempts", tournament.ErrFenced, d.ID, r.Status, r.Attempts)
		}
		d = r.delivery()
		now := s.now()
		d.Attempts, d.Tries, d.AttemptedAt = d.Attempts+1, d.Tries+1, &now
		d.HTTPStatus, d.Reason, d.TookMS, d.NextAt, d.Status = a.HTTPStatus, a.Reason, a.Took.Milliseconds(), nil, tournament.DeliveryDelivered
		if a.Reason != "" {
			d.Status = tournament.DeliveryFailed
			if wait, more := tournament.RetryAfter(d.Tries); more && w.Enabled {
				d.Status, d.NextAt = tournament.DeliveryPending, new(now.Add(wait))
				if err := tx.deliver(ctx, *d.NextAt, deliveryRow{ID: d.ID, Attempts: d.Attempts}); err != nil {
					return err
				}
			}
		}
		if err := tx.saveDelivery(d); err != nil || also == nil {
			return err
		}
		return also(tx)
	})
	return d, err
}

func (tx *Tx) saveDelivery(d tournament.Delivery) error {
	return tx.db.Model(&deliveryRow{}).Where("id = ?", d.ID).Updates(map[string]any{
		"status": d.Status, "attempts": d.Attempts, "tries": d.Tries, "http_status": d.HTTPStatus, "reason": d.Reason, "took_ms": d.TookMS,
		"attempted_at": utcPtr(d.AttemptedAt), "next_at": utcPtr(d.NextAt),
	}).Error
}

// Deliveries is a page of a webhook's deliveries and the cursor of the next, "" after the last.
func (s *Store) Deliveries(ctx context.Context, webhookID string, p Page) ([]tournament.Delivery, string, error) {
	db, limit, err := p.byID(s.with(ctx).Where("webhook_id = ?", webhookID), "id")
	if err != nil {
		return nil, "", err
	}
	rows, next, err := fetch(db, limit, func(r deliveryRow) string { return cursor(r.ID) })
	return each(rows, deliveryRow.delivery), next, err
}

// Redeliver sends a delivery of a webhook again, the same bytes under the same id, with as many tries as a new one. One that
// is under way, or whose webhook is disabled, is [tournament.ErrState].
func (s *Store) Redeliver(ctx context.Context, webhookID, id string) (d tournament.Delivery, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		var h webhookRow
		if err := tx.db.Where("id = ?", webhookID).Take(&h).Error; err != nil {
			return found(err, "webhook", webhookID)
		}
		var r deliveryRow
		if err := locked(tx.db).Where("id = ? AND webhook_id = ?", id, webhookID).Take(&r).Error; err != nil {
			return found(err, "delivery", id)
		}
		switch d = r.delivery(); {
		case d.Status == tournament.DeliveryPending:
			return fmt.Errorf("%w: the delivery is under way; the next try is at %s", tournament.ErrState, d.NextAt.Format(time.RFC3339))
		case !h.Enabled:
			return fmt.Errorf("%w: the webhook is disabled (%s); enable it first", tournament.ErrState, h.Reason)
		}
		d.Status, d.Tries, d.NextAt = tournament.DeliveryPending, 0, new(s.now())
		if err := tx.saveDelivery(d); err != nil {
			return err
		}
		return tx.deliver(ctx, *d.NextAt, r)
	})
	return d, err
}

// SweepDeliveries makes new jobs for deliveries that should have been tried patience ago: their job was lost with a
// worker. It returns how many.
func (s *Store) SweepDeliveries(ctx context.Context, patience time.Duration) (n int, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		var rows []deliveryRow
		if err := tx.db.Clauses(clause.Locking{Strength: "UPDATE", Options: "SKIP LOCKED"}).
			Where("status = ? AND next_at < ?", tournament.DeliveryPending, s.now().Add(-patience)).Order("next_at").Limit(sweepBatch).Find(&rows).Error; err != nil {
			return err
		}
		if n = len(rows); n == 0 {
			return nil
		}
		ids := each(rows, func(r deliveryRow) string { return r.ID })
		if err := tx.db.Model(&deliveryRow{}).Where("id IN ?", ids).Update("next_at", s.now()).Error; err != nil {
			return err
		}
		return tx.deliver(ctx, s.now(), rows...)
	})
	return n, err
}
