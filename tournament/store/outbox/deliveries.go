package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/riverqueue/river"
	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// A delivery is pending until it got through or was given up. Each try is a job of the queue; the number of attempts is to
// deliveries what the epoch is to matches: an old job can do nothing. When it is tried next is by the database's clock: a worker's may
// be wrong.

// DeliverEvent is the job of sending one delivery once.
type DeliverEvent struct {
	DeliveryID string `json:"delivery_id"`
	Attempts   int    `json:"attempts"` // made before
}

// Kind names the job in the queue.
func (DeliverEvent) Kind() string { return "deliver_event" }

// payload is what an owner is sent.
type payload struct {
	Type      tournament.EventKind `json:"type"`
	Timestamp time.Time            `json:"timestamp"`
	Data      payloadData          `json:"data"`
}

type payloadData struct {
	Bots []string `json:"bots"` // the receiver's that it is about, by id
	tournament.Event
}

// wanted returns a delivery of each event for each webhook that wants it.
func (o *Outbox) wanted(tx *database.Tx, list []event) ([]tournament.Delivery, error) {
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
		concerned, err := e.owners(tx.SQL)
		if err != nil {
			return nil, err
		}
		w := wanted{Event: e.Event, bots: map[string][]string{}}
		for _, o := range concerned {
			bots := w.bots[o.OwnerID]
			if o.BotID != "" {
				bots = append(bots, o.BotID)
			}
			owners[o.OwnerID], w.bots[o.OwnerID] = true, bots
		}
		open = append(open, w)
	}
	hooks, now, err := o.enabledHooks(tx, slices.Sorted(maps.Keys(owners)))
	if err != nil {
		return nil, err
	}
	var rows []tournament.Delivery
	for _, e := range open {
		for _, h := range hooks {
			bots, concerned := e.bots[h.UserID]
			if !concerned || !h.Wants(e.Kind) {
				continue
			}
			row, err := o.delivery(tx.SQL, h, e.Event, bots, now)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// post saves deliveries, with their jobs.
func (o *Outbox) post(ctx context.Context, tx *database.Tx, rows []tournament.Delivery) error {
	if len(rows) == 0 {
		return nil
	}
	if err := tx.SQL.CreateInBatches(rows, database.BatchSize).Error; err != nil {
		return err
	}
	return o.deliver(ctx, tx, time.Time{}, rows...)
}

// enabledHooks returns the webhooks of users that want anything, and the time by the database's clock.
func (o *Outbox) enabledHooks(tx *database.Tx, users []string) ([]tournament.Webhook, time.Time, error) {
	if len(users) == 0 {
		return nil, time.Time{}, nil
	}
	var rows []webhookRow
	var ms int64
	err := tx.Batch(
		func(db *gorm.DB) *gorm.DB {
			return db.Where("enabled AND "+o.db.AnyOf("user_id"), database.Array(users)).Order("id").Find(&rows)
		},
		func(db *gorm.DB) *gorm.DB { return db.Raw("SELECT " + o.db.NowMS()).Find(&ms) },
	)
	if err != nil {
		return nil, time.Time{}, err
	}
	var hooks []tournament.Webhook
	for _, r := range rows {
		h, err := r.webhook()
		if err != nil { // it must not keep a match from ending
			o.db.Options().Logger.Error("a webhook cannot be read and is sent nothing", "webhook", r.ID, "error", err)
			continue
		}
		hooks = append(hooks, h)
	}
	return hooks, database.UTC(time.UnixMilli(ms)), nil
}

// delivery returns a new delivery of an event.
func (o *Outbox) delivery(db *gorm.DB, h tournament.Webhook, e tournament.Event, bots []string, now time.Time) (tournament.Delivery, error) {
	e.At = time.Time{} // the message has its own
	body, err := o.body(db, h.Format, payloadData{Bots: append([]string{}, bots...), Event: e}, now)
	if err != nil {
		return tournament.Delivery{}, fmt.Errorf("event %s: %w", e.Kind, err)
	}
	r := tournament.Delivery{
		WebhookID: h.ID, EventID: e.ID, Kind: e.Kind, Payload: body, Status: tournament.DeliveryPending, CreatedAt: now, NextAt: &now,
	}
	r.ID, err = database.FreeID()
	return r, err
}

// deliver makes a job for each delivery, not to be done before a time; the zero time is now.
func (o *Outbox) deliver(ctx context.Context, tx *database.Tx, at time.Time, rows ...tournament.Delivery) error {
	return o.queue.AddDeliveries(ctx, tx, at, database.Map(rows, func(r tournament.Delivery) river.JobArgs {
		return DeliverEvent{DeliveryID: r.ID, Attempts: r.Attempts}
	})...)
}

// StartDelivery returns what a job is to send, and where. [tournament.ErrState] is a job with nothing to do: another has done
// it, or the webhook was disabled, which ends the delivery; [tournament.ErrNotFound] one whose webhook was deleted.
func (o *Outbox) StartDelivery(ctx context.Context, job DeliverEvent) (tournament.Webhook, tournament.Delivery, error) {
	var w tournament.Webhook
	var d tournament.Delivery
	err := o.db.InTx(ctx, func(tx *database.Tx) error {
		var err error
		if d, err = database.ByID[tournament.Delivery](tx.Locked(tx.SQL, database.Deliveries, job.DeliveryID), "delivery", job.DeliveryID); err != nil {
			return err
		}
		if w, err = takeWebhook(tx.SQL, d.WebhookID); err == nil && d.Status == tournament.DeliveryPending && !w.Enabled {
			d.Status, d.NextAt, d.Reason = tournament.DeliveryFailed, nil, "the webhook is disabled: "+w.Reason
			return saveDelivery(tx.SQL, d)
		}
		return err
	})
	if err == nil && (d.Status != tournament.DeliveryPending || d.Attempts != job.Attempts) {
		err = fmt.Errorf("%w: delivery %s is %s after %d attempts, not %s after %d", tournament.ErrState, d.ID, d.Status, d.Attempts, tournament.DeliveryPending, job.Attempts)
	}
	return w, d, err
}

// RestDelivery notes that a delivery is tried no sooner than after a while, so that nobody takes it for lost.
func (o *Outbox) RestDelivery(ctx context.Context, d tournament.Delivery, wait time.Duration) error {
	return o.db.InTx(ctx, func(tx *database.Tx) error {
		now, err := o.db.Clock(tx.SQL)
		if err != nil {
			return err
		}
		return tx.SQL.Model(&tournament.Delivery{}).Where("id = ? AND status = ? AND attempts = ?", d.ID, tournament.DeliveryPending, d.Attempts).Update("next_at", now.Add(wait)).Error
	})
}

// Attempted records what became of a try to send a delivery, in one transaction with what follows from it: another try later, the
// end of the delivery, or of the webhook; and with also (the completion of the job; nil for none). It is
// [tournament.ErrFenced] if another try was recorded meanwhile.
func (o *Outbox) Attempted(ctx context.Context, sent tournament.Delivery, a tournament.Attempt, also func(*database.Tx) error) (tournament.Delivery, error) {
	var d tournament.Delivery
	err := o.db.InTx(ctx, func(tx *database.Tx) error {
		now, err := o.db.Clock(tx.SQL)
		if err != nil {
			return err
		}
		w, err := changeWebhook(tx, sent.WebhookID, func(w *tournament.Webhook) error {
			if a.Reason == "" {
				w.FailingSince = nil
				return nil
			}
			last, err := lastTry(tx.SQL, w.ID)
			if last != nil {
				*w = w.Untried(now.Sub(*last))
			}
			*w = w.Failed(now, a.Reason, a.Gone())
			return err
		})
		if err != nil {
			return err
		}
		if d, err = database.ByID[tournament.Delivery](tx.Locked(tx.SQL, database.Deliveries, sent.ID), "delivery", sent.ID); err != nil {
			return err
		}
		if d.Attempts != sent.Attempts || d.Status != tournament.DeliveryPending {
			return fmt.Errorf("%w: delivery %s is %s after %d attempts", tournament.ErrFenced, sent.ID, d.Status, d.Attempts)
		}
		d.Attempts, d.Tries, d.AttemptedAt = d.Attempts+1, d.Tries+1, &now
		d.HTTPStatus, d.Reason, d.TookMS, d.NextAt, d.Status = a.HTTPStatus, a.Reason, a.Took.Milliseconds(), nil, tournament.DeliveryDelivered
		if a.Reason != "" {
			d.Status = tournament.DeliveryFailed
			if wait, more := tournament.RetryAfter(d.Tries); more && w.Enabled {
				d.Status, d.NextAt = tournament.DeliveryPending, new(now.Add(wait))
				if err := o.deliver(ctx, tx, *d.NextAt, d); err != nil {
					return err
				}
			}
		}
		if err := saveDelivery(tx.SQL, d); err != nil || also == nil {
			return err
		}
		return also(tx)
	})
	return d, err
}

// lastTry returns when the last of the newest deliveries to a webhook was tried; nil if none was.
func lastTry(db *gorm.DB, webhookID string) (last *time.Time, err error) {
	tried, err := database.All[tournament.Delivery](db.Where("webhook_id = ? AND attempted_at IS NOT NULL", webhookID).Select("id", "attempted_at").Order("id DESC").Limit(database.BatchSize))
	for _, d := range tried {
		if last == nil || d.AttemptedAt.After(*last) {
			last = d.AttemptedAt
		}
	}
	return last, err
}

func saveDelivery(db *gorm.DB, d tournament.Delivery) error {
	return database.Save(db, &d, "status", "attempts", "tries", "http_status", "reason", "took_ms", "attempted_at", "next_at")
}

// Deliveries returns a page of a webhook's deliveries and the cursor of the next, "" after the last.
func (o *Outbox) Deliveries(ctx context.Context, webhookID string, p database.Page) ([]tournament.Delivery, string, error) {
	return database.List(o.db.SQL(ctx).Where("webhook_id = ?", webhookID), p, "id", func(d tournament.Delivery) string { return d.ID })
}

// Redeliver sends a delivery of a webhook again, the same bytes under the same id, with as many tries as a new one. One that
// is under way, or whose webhook is disabled, is [tournament.ErrState].
func (o *Outbox) Redeliver(ctx context.Context, webhookID, id string) (tournament.Delivery, error) {
	var d tournament.Delivery
	err := o.db.InTx(ctx, func(tx *database.Tx) error {
		h, err := takeWebhook(tx.SQL, webhookID)
		if err != nil {
			return err
		}
		locked := tx.Locked(tx.SQL, database.Deliveries, id).Where("webhook_id = ?", webhookID)
		if d, err = database.ByID[tournament.Delivery](locked, "delivery", id); err != nil {
			return err
		}
		switch {
		case d.Status == tournament.DeliveryPending:
			return fmt.Errorf("%w: the delivery is under way; the next try is at %s", tournament.ErrState, d.NextAt.Format(time.RFC3339))
		case !h.Enabled:
			return fmt.Errorf("%w: the webhook is disabled (%s); enable it first", tournament.ErrState, h.Reason)
		}
		now, err := o.db.Clock(tx.SQL)
		if err != nil {
			return err
		}
		d.Status, d.Tries, d.NextAt = tournament.DeliveryPending, 0, &now
		if err := saveDelivery(tx.SQL, d); err != nil {
			return err
		}
		return o.deliver(ctx, tx, time.Time{}, d)
	})
	return d, err
}

// SweepDeliveries makes new jobs for deliveries whose job a worker has had for patience or longer, which no try lasts, and for those
// that should have been tried so long ago. It returns how many. A job whose arguments cannot be read is cancelled and named by the error;
// it holds up no other, and its delivery is found by when it should have been tried.
func (o *Outbox) SweepDeliveries(ctx context.Context, patience time.Duration) (int, error) {
	n := 0
	var unreadable error
	err := o.db.InTx(ctx, func(tx *database.Tx) error {
		n, unreadable = 0, nil
		now, err := o.db.Clock(tx.SQL)
		if err != nil {
			return err
		}
		dead, err := o.queue.CancelJobs(tx, DeliverEvent{}.Kind(), patience, "TRUE")
		if err != nil {
			return err
		}
		var ids []string
		for _, args := range dead {
			var job DeliverEvent
			if err := json.Unmarshal([]byte(args), &job); err != nil {
				unreadable = errors.Join(unreadable, fmt.Errorf("arguments %.200q of a dead job: %w", args, err))
				continue
			}
			ids = append(ids, job.DeliveryID)
		}
		rows, err := database.All[tournament.Delivery](tx.SkipLocked(tx.SQL, database.Deliveries).
			Where("status = ? AND (next_at < ? OR id IN ?)", tournament.DeliveryPending, now.Add(-patience), ids).
			Order("next_at").Limit(database.BatchSize))
		if n = len(rows); err != nil || n == 0 {
			return err
		}
		ids = database.Map(rows, func(r tournament.Delivery) string { return r.ID })
		if err := tx.SQL.Model(&tournament.Delivery{}).Where("id IN ?", ids).Update("next_at", now).Error; err != nil {
			return err
		}
		return o.deliver(ctx, tx, time.Time{}, rows...)
	})
	if err != nil {
		return 0, err
	}
	return n, unreadable
}
