package outbox

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament/notify"
	"github.com/molerun/molerun/tournament/store/database"
	"github.com/molerun/molerun/tournament/store/queue"
)

// Outbox is the events of a database and their deliveries. It is safe for concurrent use.
type Outbox struct {
	db    *database.DB
	queue *queue.Queue
}

// New returns the outbox of a database, whose deliveries are jobs of a queue.
func New(db *database.DB, q *queue.Queue) *Outbox { return &Outbox{db: db, queue: q} }

// InTx is [database.DB.InTx], and writes the events that f tells of as its last act. Waiters are woken after the
// commit.
func (o *Outbox) InTx(ctx context.Context, f func(*database.Tx, *Pending) error) error {
	return o.publish(ctx, o.db.InTx, f)
}

// Once is [database.DB.Once] in the same way.
func (o *Outbox) Once(ctx context.Context, f func(*database.Tx, *Pending) error) error {
	return o.publish(ctx, o.db.Once, f)
}

// publish runs f in a transaction of a kind, and writes and publishes what it tells of: of the run that was committed.
func (o *Outbox) publish(ctx context.Context, in func(context.Context, func(*database.Tx) error) error, f func(*database.Tx, *Pending) error) error {
	var topics []string
	err := in(ctx, func(tx *database.Tx) error {
		var p Pending
		if err := f(tx, &p); err != nil {
			return err
		}
		err := o.write(ctx, tx, &p)
		topics = p.topics
		return err
	})
	if err != nil {
		return err
	}
	o.db.Bus().Publish(topics...)
	return nil
}

// write saves the pending events, and what of them is to be delivered.
func (o *Outbox) write(ctx context.Context, tx *database.Tx, p *Pending) error {
	for i := range p.events {
		var err error
		if p.events[i].ID, err = database.FreeID(); err != nil {
			return err
		}
	}
	deliveries, err := o.wanted(tx, p.events)
	if err != nil {
		return err
	}
	rows := make([][]any, 0, len(p.events))
	for _, e := range p.events {
		if e.private { // no stream has it: only its deliveries tell its owner, who may delete the account with them
			continue
		}
		p.topics = append(p.topics, notify.Feed)
		if e.TournamentID != "" {
			p.topics = append(p.topics, notify.Tournament(e.TournamentID))
		}
		body, err := dataOf(e.Event)
		if err != nil {
			return fmt.Errorf("event %s: %w", e.Kind, err)
		}
		var of *string
		if e.TournamentID != "" {
			of = &e.TournamentID
		}
		rows = append(rows, []any{e.ID, e.Kind, of, string(body)})
	}
	if len(rows) > 0 {
		tx.Enqueue(func(db *gorm.DB) *gorm.DB {
			return db.Exec("INSERT INTO events (id, kind, is_public, tournament_id, data, happened_ms) SELECT given.value ->> 0, given.value ->> 1,"+
				" NOT EXISTS (SELECT 1 FROM tournaments t WHERE t.id = given.value ->> 2 AND t.is_unlisted), given.value ->> 2, given.value ->> 3, "+o.db.NowMS()+" FROM "+o.db.Given(), database.Listed(rows))
		})
	}
	return o.post(ctx, tx, deliveries)
}
