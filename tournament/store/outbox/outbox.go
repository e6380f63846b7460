package outbox

import (
	"context"

	"github.com/molerun/molerun/tournament/store/database"
	"github.com/molerun/molerun/tournament/store/queue"
)

// Outbox is the events of a database and their deliveries. It is safe for concurrent use.
type Outbox struct {
	db    *database.DB
	queue *queue.Queue
}

// New is the outbox of a database, whose deliveries are jobs of a queue.
func New(db *database.DB, q *queue.Queue) *Outbox { return &Outbox{db: db, queue: q} }

// InTx is [database.DB.InTx], and writes the events that f tells of as its last act. Who waits for them is woken after the
// commit.
func (o *Outbox) InTx(ctx context.Context, f func(*database.Tx, *Pending) error) error {
	var p Pending
	err := o.db.InTx(ctx, func(tx *database.Tx) error {
		if err := f(tx, &p); err != nil {
			return err
		}
		return o.write(ctx, tx, &p)
	})
	if err != nil {
		return err
	}
	o.db.Bus().Publish(p.topics...)
	return nil
}
