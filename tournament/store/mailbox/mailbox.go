package mailbox

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/notify"
	"github.com/molerun/molerun/tournament/store/database"
)

// Boxes are the mailboxes of the bots behind relays. They are safe for concurrent use.
type Boxes struct{ db *database.DB }

// New returns the mailboxes of a database.
func New(db *database.DB) *Boxes { return &Boxes{db: db} }

type relayRow struct {
	Box    string
	SeenMS int64 `gorm:"column:seen_ms"`
}

type messageRow struct {
	ID, Box, Head, Body string
	EndsMS              int64 `gorm:"column:ends_ms"`
	Relay               string
	AgainMS             int64 `gorm:"column:again_ms"`
	Status              int
	Encoding, Answer    string
	LeftMS              int64 `gorm:"->;column:left_ms"`
}

func (messageRow) TableName() string { return "letters" }

func (r messageRow) message() (tournament.Message, error) {
	l := tournament.Message{ID: r.ID, Left: time.Duration(r.LeftMS) * time.Millisecond}
	err := json.Unmarshal([]byte(r.Head), &l.Head)
	if err == nil {
		l.Body, err = base64.StdEncoding.DecodeString(r.Body)
	}
	if err != nil {
		err = fmt.Errorf("message %s: %w", r.ID, err)
	}
	return l, err
}

// lookAgain is how often a mailbox is looked at by its waiter without a wake-up: a wake-up can be lost. On SQLite,
// where nobody wakes across processes, it is all there is between two of them.
const lookAgain = time.Second

// Exchange puts a message into a mailbox and waits for its answer until ctx, which has a deadline, ends. The message's id and
// time left are filled in. When nobody fetched it, the error is [tournament.ErrNoRelay], at once if no relay is there; when
// somebody did but brought no answer, not even as ctx ended, it is that of ctx; [tournament.ErrUnserved] takes the place of both where the
// API was away meanwhile. Any other error is the database's, also of one that was away meanwhile: nobody could fetch or answer then.
func (b *Boxes) Exchange(ctx context.Context, box string, l tournament.Message) (tournament.MessageAnswer, error) {
	began := time.Now()
	a, err := b.exchange(ctx, box, l)
	switch {
	case err == nil:
		a.Free = b.free(ctx, time.Since(began))
	case !errors.Is(ctx.Err(), context.Canceled) && b.unserved(ctx, box, began):
		err = fmt.Errorf("%w: no process serves the API, or none did a moment ago", tournament.ErrUnserved)
	}
	return a, err
}

func (b *Boxes) exchange(ctx context.Context, box string, l tournament.Message) (tournament.MessageAnswer, error) {
	if _, is := tournament.AgentName(box); is {
		if body, done := tournament.AgentAnswer(l.Body); done {
			b.db.Bus().PublishNow(ctx, notify.Box(box)) // a match may be over
			return tournament.MessageAnswer{Status: 200, Body: body}, b.attended(ctx, box)
		}
	}
	rung, leave, err := b.postMessage(ctx, box, &l)
	if err != nil {
		return tournament.MessageAnswer{}, err
	}
	defer leave()
	tick := time.NewTicker(lookAgain)
	defer tick.Stop()
	var away error
	for {
		r, err := b.takeMessage(ctx, l.ID, 1)
		if err == nil && r.ID != "" {
			return r.answer()
		}
		if err != nil && ctx.Err() == nil {
			away = err
		}
		select {
		case <-rung:
			continue
		case <-tick.C:
			continue
		case <-ctx.Done():
		}
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastLook)
		r, err = b.takeMessage(last, l.ID, 0)
		cancel()
		if err == nil && r.Status > 0 { // it came before we looked: whoever asked knows when
			return r.answer()
		}
		switch err = cmp.Or(err, away); {
		case err != nil:
			return tournament.MessageAnswer{}, errors.New("the mailbox: " + err.Error()) // not wrapped: a database out of time is not ctx at its end
		case r.ID != "" && r.Relay == "" && !errors.Is(ctx.Err(), context.Canceled):
			return tournament.MessageAnswer{}, fmt.Errorf("%w: no relay fetched the message in time", tournament.ErrNoRelay)
		}
		return tournament.MessageAnswer{}, ctx.Err()
	}
}

// attended is [tournament.ErrNoRelay] if nobody is there to fetch the messages of a mailbox.
func (b *Boxes) attended(ctx context.Context, box string) error {
	n, err := database.Count(b.db.SQL(ctx).Model(&relayRow{}).Where("box = ? AND seen_ms > "+b.db.NowMS()+" - ?", box, tournament.RelayGone.Milliseconds()))
	if err == nil && n == 0 {
		err = fmt.Errorf("%w: nobody is there", tournament.ErrNoRelay)
	}
	return err
}

// lastLook bounds what is done with a message after its deadline.
const lastLook = 5 * time.Second

func (r messageRow) answer() (tournament.MessageAnswer, error) {
	body, err := base64.StdEncoding.DecodeString(r.Answer)
	return tournament.MessageAnswer{Status: r.Status, Encoding: r.Encoding, Body: body}, err
}

// postMessage puts a message where a relay will find it. It returns what rings when the answer is there, and what ends the
// waiting for it.
func (b *Boxes) postMessage(ctx context.Context, box string, l *tournament.Message) (<-chan struct{}, func(), error) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return nil, nil, errors.New("a message needs a deadline")
	}
	head, err := json.Marshal(l.Head)
	if err == nil {
		err = b.db.Fill(&l.ID)
	}
	if err != nil {
		return nil, nil, err
	}
	rung, leave := b.db.Bus().Wait(notify.Answer(l.ID))
	change := b.db.SQL(ctx).Exec("INSERT INTO letters (id, box, head, body, ends_ms, relay, again_ms, status, encoding, answer)"+
		" SELECT CAST(@id AS TEXT), CAST(@box AS TEXT), CAST(@head AS TEXT), CAST(@body AS TEXT), "+b.db.NowMS()+" + CAST(@left AS BIGINT), '', 0, 0, '', ''"+
		" WHERE EXISTS (SELECT 1 FROM relays WHERE box = @box AND seen_ms > "+b.db.NowMS()+" - CAST(@gone AS BIGINT))"+
		" AND (SELECT COUNT(*) FROM letters WHERE box = @box AND ends_ms > "+b.db.NowMS()+") < CAST(@most AS BIGINT)",
		map[string]any{
			"id": l.ID, "box": box, "head": string(head), "body": base64.StdEncoding.EncodeToString(l.Body), "left": time.Until(deadline).Milliseconds(),
			"gone": tournament.RelayGone.Milliseconds(), "most": tournament.MaxMessages,
		})
	switch {
	case change.Error != nil:
		err = change.Error
	case change.RowsAffected == 0:
		err = fmt.Errorf("%w: no relay is connected, or the relays have left %d messages unfetched", tournament.ErrNoRelay, tournament.MaxMessages)
	default:
		b.db.Bus().PublishNow(ctx, notify.Box(box))
		return rung, leave, nil
	}
	leave()
	return nil, nil, err
}

// takeMessage takes a message of a status, or a higher one, out of its mailbox; the row has no id if there is none.
func (b *Boxes) takeMessage(ctx context.Context, id string, status int) (messageRow, error) {
	taken := b.db.SQL(ctx).Raw("DELETE FROM letters WHERE id = ? AND status >= ? RETURNING id, relay, status, encoding, answer", id, status)
	return database.FirstOr(taken, messageRow{})
}

// Holder is a relay that fetches messages.
type Holder struct {
	Relay string          // which one; a random text of its own
	Holds []string        // messages it has fetched and not brought back yet
	Room  int             // for so many more
	Wait  time.Duration   // at most, for messages to come
	Stop  <-chan struct{} // closed when waiting is to end early; may be nil
}

// Fetch gives a relay messages of a mailbox, the oldest first: those that no other has, and those given to it before that it
// does not hold, since they were lost on the way. While there are none it waits as long as the holder says. What the relay
// holds it keeps for another [tournament.RelayLease].
func (b *Boxes) Fetch(ctx context.Context, box string, h Holder) ([]tournament.Message, error) {
	rung, leave := b.db.Bus().Wait(notify.Box(box))
	defer leave()
	err := b.Attend(ctx, box, 0)
	if err == nil && len(h.Holds) > 0 {
		err = b.db.Again(ctx, func() error {
			return b.db.SQL(ctx).Exec("UPDATE letters SET again_ms = "+b.db.NowMS()+" + ? WHERE box = ? AND relay = ? AND id IN ?", tournament.RelayLease.Milliseconds(), box, h.Relay, h.Holds).Error
		})
	}
	if err != nil {
		return nil, err
	}
	end, tick := time.NewTimer(h.Wait), time.NewTicker(lookAgain)
	defer end.Stop()
	defer tick.Stop()
	for {
		list, err := b.take(ctx, box, h)
		if err != nil || len(list) > 0 {
			return list, err
		}
		select {
		case <-rung:
		case <-tick.C:
		case <-end.C:
			return nil, nil
		case <-h.Stop:
			return nil, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (b *Boxes) take(ctx context.Context, box string, h Holder) ([]tournament.Message, error) {
	var out []tournament.Message
	if h.Room == 0 {
		return nil, nil
	}
	err := b.db.InTx(ctx, func(tx *database.Tx) error {
		out = nil
		db := tx.SkipLocked(tx.SQL, database.Messages).Select("id, head, body, ends_ms - "+b.db.NowMS()+" AS left_ms").
			Where("box = ? AND status = 0 AND ends_ms > "+b.db.NowMS(), box)
		freeQuery := tx.SQL.Where("again_ms <= " + b.db.NowMS())
		if len(h.Holds) > 0 {
			freeQuery = freeQuery.Or("relay = ? AND id NOT IN ?", h.Relay, h.Holds)
		} else {
			freeQuery = freeQuery.Or("relay = ?", h.Relay)
		}
		rows, err := database.All[messageRow](db.Where(freeQuery).Order("id").Limit(h.Room))
		if err != nil || len(rows) == 0 {
			return err
		}
		if out, err = database.TryMap(rows, messageRow.message); err != nil {
			return err
		}
		ids := database.Map(rows, func(r messageRow) string { return r.ID })
		return tx.SQL.Exec("UPDATE letters SET relay = ?, again_ms = "+b.db.NowMS()+" + ? WHERE id IN ?", h.Relay, tournament.RelayLease.Milliseconds(), ids).Error
	})
	if err != nil { // a run that was rolled back has given nothing away
		return nil, err
	}
	if len(out) > 0 { // to a call whose link has broken, perhaps: the next call of the same relay looks again
		b.db.Bus().PublishNow(ctx, notify.Box(box))
	}
	return out, nil
}

// Answer brings the answer to a message back. The first one counts; one that is late, a second one and one for a message of
// another mailbox are [tournament.ErrState].
func (b *Boxes) Answer(ctx context.Context, box, id string, a tournament.MessageAnswer) error {
	change := b.db.SQL(ctx).Exec("UPDATE letters SET status = ?, encoding = ?, answer = ? WHERE id = ? AND box = ? AND status = 0 AND relay <> '' AND ends_ms > "+b.db.NowMS(),
		a.Status, a.Encoding, base64.StdEncoding.EncodeToString(a.Body), id, box)
	late := fmt.Errorf("%w: the message is answered already, or the answer is late, or no such message was fetched here", tournament.ErrState)
	if err := database.Changed(change, late); err != nil {
		return err
	}
	b.db.Bus().PublishNow(ctx, notify.Answer(id))
	return nil
}

// Tidy deletes messages that nobody waits for, and mailboxes that no relay has asked for in an hour, unless the API is away or came back a
// moment ago: their relays may come back. What fails is done the next time: nothing depends on it.
func (b *Boxes) Tidy(ctx context.Context) {
	db := b.db.SQL(ctx)
	db.Where("ends_ms < " + b.db.NowMS()).Delete(&messageRow{})
	db.Where("seen_ms < "+b.db.NowMS()+" - ? AND box NOT IN ? AND NOT EXISTS (SELECT 1 FROM relays WHERE "+b.marks()+" AND seen_ms <= "+b.db.NowMS()+" - ?"+
		" OR box = ? AND seen_ms > "+b.db.NowMS()+" - ?)",
		time.Hour.Milliseconds(), []string{apiSeen, apiSince}, gap.Milliseconds(), apiSince, comeBack.Milliseconds()).Delete(&relayRow{})
}
