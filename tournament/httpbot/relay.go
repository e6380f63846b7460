package httpbot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"

	"github.com/molerun/molerun/tournament"
)

// Mailbox carries messages to bots that cannot be called. Exchange waits for the answer until ctx ends; a message that
// nobody fetched is [tournament.ErrNoRelay], and any error that is neither that nor of ctx is the platform's.
type Mailbox interface {
	Exchange(ctx context.Context, address string, l tournament.Letter) (tournament.LetterAnswer, error)
}

// noRelay is told to the owner of a bot whose messages nobody fetched.
const noRelay = "no relay fetched the message: is molerun connect running for this bot?"

var errMailbox = errors.New("the mailbox failed")

// find is the address of a bot and the way to it.
func (c *Client) find(raw string) (*url.URL, http.RoundTripper, error) {
	if _, ok := tournament.RelayName(raw); ok && c.relay != nil {
		u, err := url.Parse(raw)
		if err != nil {
			err = fmt.Errorf("%w: the address of a relay is not one: %w", tournament.ErrBot, err)
		}
		return u, c.relay, err
	}
	u, err := parseURL(raw, c.guard)
	return u, c.transport, err
}

// relay is the way through a mailbox. What it carries is signed, and what it brings is judged, as on the way by a connection.
type relay struct{ box Mailbox }

// RoundTrip puts the request into the mailbox that its URL names and waits for the answer.
func (r relay) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	head := map[string]string{}
	for name, values := range request.Header {
		if len(values) > 0 {
			head[name] = values[0]
		}
	}
	ctx := request.Context()
	a, err := r.box.Exchange(ctx, request.URL.String(), tournament.Letter{Head: head, Body: body})
	switch {
	case err == nil:
	case errors.Is(err, ctx.Err()): // it was fetched: the ledger and the blame take that for a connection
		if t := httptrace.ContextClientTrace(ctx); t != nil {
			t.GotConn(httptrace.GotConnInfo{})
		}
		return nil, err
	case errors.Is(err, tournament.ErrNoRelay):
		return nil, err
	default:
		return nil, fmt.Errorf("%w: %w", errMailbox, err)
	}
	return &http.Response{
		StatusCode: a.Status, Header: http.Header{"Content-Encoding": {a.Encoding}}, ContentLength: int64(len(a.Body)),
		Body: io.NopCloser(bytes.NewReader(a.Body)),
	}, nil
}
