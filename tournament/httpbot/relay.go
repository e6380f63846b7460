package httpbot

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/molerun/molerun/tournament"
)

// Mailbox carries messages to bots that cannot be called. Exchange waits for the answer until ctx ends; a message that
// nobody fetched is [tournament.ErrNoRelay], one for which the API was away [tournament.ErrUnserved], and any error that is neither of these
// nor of ctx is the platform's.
type Mailbox interface {
	Exchange(ctx context.Context, address string, l tournament.Message) (tournament.MessageAnswer, error)
}

// noRelay is the reason that the owner of a bot sees whose messages nobody fetched.
const noRelay = "no relay fetched the message: is molerun connect running for this bot?"

var errMailbox = errors.New("the mailbox failed")

// find returns the address of a bot, and the mailbox if it is behind a relay.
func (c *Client) find(raw string) (*url.URL, Mailbox, error) {
	if _, ok := tournament.RelayName(raw); ok && c.mailbox != nil {
		u, err := url.Parse(raw)
		if err != nil {
			err = fmt.Errorf("%w: the address of a relay is not one: %w", tournament.ErrBot, err)
		}
		return u, c.mailbox, err
	}
	u, err := parseURL(raw, c.guard)
	return u, nil, err
}

// mail puts the message into the bot's mailbox and waits for the answer. What it carries is signed, and what it brings is
// judged, as on the way by a connection.
func (l *line) mail(ctx context.Context, id string, t *trace) outcome {
	head := map[string]string{}
	for _, h := range l.headers(id) {
		head[h.name] = h.value
	}
	t.connected = false
	_, agent := tournament.AgentName(l.url.String())
	a, err := l.mailbox.Exchange(ctx, l.url.String(), tournament.Message{Head: head, Body: l.out})
	if at, ends := ctx.Deadline(); err != nil && ends && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		t.last = at // the mailbox is looked at a while longer, on our time
	}
	switch {
	case err == nil:
	case errors.Is(err, tournament.ErrUnserved):
		return outcome{fault: tournament.FaultPlatform, reason: "the platform's API was away: no relay could fetch the message", unserved: true}
	case errors.Is(err, ctx.Err()):
		t.connected = true // it was fetched: the blame takes that for a connection
		o := t.blame(ctx, err)
		switch {
		case o.fault == tournament.FaultTimeout && agent:
			o.reason = "its agent had asked for its turns, and did not act in time"
		case o.fault == tournament.FaultTimeout:
			o.reason += ": is the bot behind the relay running?"
		}
		return o
	case errors.Is(err, tournament.ErrNoRelay):
		o := t.blame(ctx, err)
		if o.away = true; agent {
			o.reason = "its agent did not ask for its turns: is it still playing?"
		}
		return o
	default:
		return t.blame(ctx, fmt.Errorf("%w: %w", errMailbox, err))
	}
	t.connected = true
	o, counts := l.refuse(a.Status, int64(len(a.Body)), http.Header{"Content-Encoding": {a.Encoding}})
	o.free = a.Free
	if counts {
		o.body = a.Body
	}
	return o
}
