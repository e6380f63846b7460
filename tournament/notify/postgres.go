package notify

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	channel    = "molerun"              // of LISTEN and NOTIFY
	maxPayload = 7900                   // bytes; Postgres takes less than 8000
	everything = "*"                    // a payload that would be longer
	relisten   = 500 * time.Millisecond // before another try to listen
)

// LookPause is between two looks of a process that cannot listen.
const LookPause = 250 * time.Millisecond

// ErrPooled means that a connection has no session of its own, so that it would listen for whoever comes next.
var ErrPooled = errors.New("a pooler gives the session to others between transactions")

// Session makes a connection to listen on; [ErrPooled] says that there is none to be had.
type Session func(context.Context) (*pgx.Conn, error)

// others are the processes that use the same database, this one among them.
type others struct {
	pool    *pgxpool.Pool // to tell
	session Session       // to hear
	log     *slog.Logger
}

// send tells topics. Nothing is lost with it in a crash that a commit would keep.
func (o *others) send(ctx context.Context, topics []string) error {
	payload := strings.Join(topics, ",")
	if len(payload) > maxPayload {
		payload = everything
	}
	// One message of two statements is one transaction.
	_, err := o.pool.Exec(ctx, "SET LOCAL synchronous_commit TO off; SELECT pg_notify($1, $2)", pgx.QueryExecModeSimpleProtocol, channel, payload)
	return err
}

// hear calls heard with each notification, until ctx ends or it finds that nothing can be heard. It holds one connection and makes a new one
// when that is lost.
func (o *others) hear(ctx context.Context, heard func(topic string), lost func()) {
	for ctx.Err() == nil {
		err := o.listen(ctx, heard)
		switch {
		case errors.Is(err, ErrPooled):
			return
		case err != nil && ctx.Err() == nil:
			o.log.Warn("listening for changes failed; will try again", "error", err)
		}
		lost()
		select {
		case <-ctx.Done():
		case <-time.After(relisten):
		}
	}
}

func (o *others) listen(ctx context.Context, heard func(topic string)) error {
	c, err := o.session(ctx)
	if err != nil {
		return err
	}
	defer c.Close(context.WithoutCancel(ctx))
	if _, err := c.Exec(ctx, "LISTEN "+channel); err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	heard(Everything) // nobody notifies again of what changed before
	for {
		n, err := c.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		if n.Payload == everything {
			heard(Everything)
			continue
		}
		for topic := range strings.SplitSeq(n.Payload, ",") {
			heard(topic)
		}
	}
}
