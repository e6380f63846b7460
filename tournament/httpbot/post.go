package httpbot

import (
	"context"
	"time"

	"github.com/molerun/molerun/tournament"
)

// Message is one that belongs to no match, as its sender wants it: genuine, or not.
type Message struct {
	ID, Signature string // no Signature: the message goes out unsigned
	At            time.Time
	Body          []byte
}

// Answer is what became of a [Message].
type Answer struct {
	Status int              // 0: no whole answer came
	Fault  tournament.Fault // "": the body counts
	Reason string           // of the fault
	Body   []byte           // also with [tournament.FaultStatus], as far as it was read
}

// Post sends a message once and waits for the answer until ctx ends. The error is [tournament.ErrBot] for a refused URL.
func Post(ctx context.Context, c Config, m Message) (Answer, error) {
	l, err := c.line()
	if err != nil {
		return Answer{}, err
	}
	l.made, l.out = &m, m.Body
	o := l.send(ctx, m.ID, l.now())
	return Answer{o.status, o.fault, o.reason, o.body}, nil
}
