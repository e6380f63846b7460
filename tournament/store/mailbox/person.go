package mailbox

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/notify"
	"github.com/molerun/molerun/tournament/store/database"
)

// The mailbox of a person or an agent has no relay that calls again and again: it is attended for a time, and whoever serves the
// person's page or the agent's tools looks into it.

// person stands where the id of a relay does, in messages that a person has seen.
const person = "person"

// Attend makes a mailbox take messages for some time from now on, without a relay.
func (b *Boxes) Attend(ctx context.Context, box string, long time.Duration) error {
	return b.db.SQL(ctx).Exec("INSERT INTO relays (box, seen_ms) VALUES (?, "+b.db.NowMS()+" + ?) ON CONFLICT (box) DO UPDATE SET seen_ms = excluded.seen_ms",
		box, long.Milliseconds()).Error
}

// StayAt makes a mailbox that is attended take messages for some time from now on. One that was left takes none.
func (b *Boxes) StayAt(ctx context.Context, box string, long time.Duration) error {
	return b.db.SQL(ctx).Exec("UPDATE relays SET seen_ms = "+b.db.NowMS()+" + ? WHERE box = ?", long.Milliseconds(), box).Error
}

// Unread returns the messages of such a mailbox that wait for an answer, the oldest first. They count as fetched from now on.
func (b *Boxes) Unread(ctx context.Context, box string) ([]tournament.Message, error) {
	var rows []messageRow
	err := b.db.Again(ctx, func() error {
		return b.db.SQL(ctx).Raw("UPDATE letters SET relay = ? WHERE box = ? AND status = 0 AND ends_ms > "+b.db.NowMS()+
			" RETURNING id, head, body, ends_ms - "+b.db.NowMS()+" AS left_ms", person, box).Scan(&rows).Error
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b messageRow) int { return cmp.Compare(a.ID, b.ID) })
	return database.TryMap(rows, messageRow.message)
}

// Rings returns a channel that gets a value when a message has come into a mailbox, until the function that comes with it is called. A
// ring can be lost.
func (b *Boxes) Rings(box string) (<-chan struct{}, func()) { return b.db.Bus().Wait(notify.Box(box)) }

// Leave makes a mailbox take no more messages, and refuses those that lie in it.
func (b *Boxes) Leave(ctx context.Context, box string) error {
	if err := b.db.SQL(ctx).Where("box = ?", box).Delete(&relayRow{}).Error; err != nil {
		return err
	}
	list, err := b.Unread(ctx, box)
	for _, l := range list {
		if err == nil {
			err = b.Answer(ctx, box, l.ID, tournament.MessageAnswer{Status: 410})
		}
	}
	return err
}
