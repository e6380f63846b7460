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
	"strconv"
	"time"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// line is the way to one bot: its URL, its secrets, and the buffers of one request at a time.
type line struct {
	client *Client
	places chan struct{} // the client's for asks or for calls
	way    http.RoundTripper
	url    *url.URL
	keys   protocol.Keys
	now    func() time.Time
	proto  *http.Request
	out    []byte
	in     []byte
	any2xx bool // every 2xx answer is taken, not 200 alone
}

// outcome is what became of one message: the body of an answer with status 200, or whose fault it is that there is none.
type outcome struct {
	body   []byte // valid until the next request on the line
	fault  tournament.Fault
	reason string
	unsent bool // for want of something of ours: nothing has reached the bot
	status int  // of the answer; 0 without one
	ledger runner.Ledger
}

func newLine(c *Client, rawURL string, secrets []string, now func() time.Time) (*line, error) {
	u, way, err := c.find(rawURL)
	if err != nil {
		return nil, err
	}
	keys, err := protocol.ParseKeys(secrets...)
	if err != nil {
		return nil, err
	}
	proto := &http.Request{Method: http.MethodPost, URL: u, Host: u.Host, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
	return &line{client: c, places: c.calls, way: way, url: u, keys: keys, now: now, proto: proto}, nil
}

// send posts the message in l.out under a stable id and waits for the answer until ctx ends, whose deadline covers
// everything: names, connections, handshakes, repeats and bodies. Time that is lost to a want of ours is not in the ledger,
// and puts the deadline off by as much: the bot has all of its own, and no more.
func (l *line) send(ctx context.Context, id string) outcome {
	arrived := l.now()
	leave, waited, err := l.client.enter(ctx, l.url.Host, l.places, l.now)
	if err != nil {
		return l.unasked(ctx, arrived, waited, err)
	}
	defer leave()
	begin, lost := l.now().Add(-waited.host), waited.ours
	o := l.try(ctx, id, begin, lost)
	if !o.unsent {
		return o
	}
	patient, stop := apart(ctx, l.client.patience)
	defer stop()
	for o.unsent && patient.Err() == nil {
		ended := l.now()
		pause(patient, l.client.again)
		paused := l.now().Sub(ended)
		begin, lost = begin.Add(paused), lost+paused
		o = l.try(ctx, id, begin, lost)
	}
	return o
}

// tryAgain is how long a message waits until it looks again for what was wanting.
const tryAgain = 20 * time.Millisecond

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// try posts the message once. The ledger runs from begin; the deadline is put off by what was lost.
func (l *line) try(ctx context.Context, id string, begin time.Time, lost time.Duration) outcome {
	ctx, stop := later(ctx, lost)
	defer stop()
	t := &trace{now: l.now, begin: begin}
	o := l.exchange(httptrace.WithClientTrace(ctx, t.hooks()), id, t)
	end := l.now()
	if deadline, ok := ctx.Deadline(); ok && o.fault == "" && !end.Before(deadline) {
		o = outcome{fault: tournament.FaultTimeout, reason: "the answer was complete only after the deadline"}
	}
	var written bool
	o.ledger, written = t.finish(end)
	if o.fault == "" {
		o.ledger.RoundTrip = t.roundTrip()
	}
	if !written && !o.unsent { // the transport may still read the old buffer
		l.out = nil
	}
	return o
}

// unasked is what becomes of a message for which there was no place: at the host until ctx ended, or of ours for too long.
func (l *line) unasked(ctx context.Context, arrived time.Time, w waiting, err error) outcome {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return outcome{fault: tournament.FaultPlatform, reason: "the platform is shutting down"}
	case errors.Is(err, errHostBusy):
		reason := fmt.Sprintf("the bot's host had %d requests under way until the deadline: it answers too slowly for so many", l.client.perHost)
		return outcome{fault: tournament.FaultTimeout, reason: reason, ledger: runner.Ledger{Elapsed: l.now().Sub(arrived)}}
	}
	return outcome{fault: tournament.FaultPlatform, reason: fmt.Sprintf("waited %s for a place to ask", w.ours.Round(time.Millisecond))}
}

func (l *line) exchange(ctx context.Context, id string, t *trace) outcome {
	// RoundTrip, not Client.Do: it follows no redirect and keeps no cookie.
	response, err := l.way.RoundTrip(l.request(ctx, id))
	if err != nil {
		return t.blame(ctx, err)
	}
	defer response.Body.Close()
	status := response.StatusCode
	if l.any2xx && status/100 == 2 {
		return outcome{status: status} // what it says is not read
	}
	if fault, reason := refuse(response); fault != "" {
		return outcome{fault: fault, reason: reason, status: status}
	}
	body, err := l.read(response.Body)
	if err != nil {
		return t.blame(ctx, err)
	}
	if len(body) > protocol.MaxAnswerBytes {
		return outcome{fault: tournament.FaultTooLarge, reason: tooLarge, status: status}
	}
	return outcome{body: body, status: status}
}

var tooLarge = fmt.Sprintf("the body is larger than %d bytes", protocol.MaxAnswerBytes)

// request makes the message. The empty X-Idempotency-Key is not sent: it tells net/http that it may repeat the message
// on another connection when a kept one turns out to be closed before the first byte of an answer.
func (l *line) request(ctx context.Context, id string) *http.Request {
	body, at := l.out, l.now()
	r := l.proto.WithContext(ctx)
	r.Header = http.Header{
		"Accept-Encoding":        {"identity"},
		"Content-Type":           {"application/json"},
		"User-Agent":             {"molerun/" + strconv.Itoa(protocol.Version)},
		"X-Idempotency-Key":      nil,
		protocol.HeaderID:        {id},
		protocol.HeaderTimestamp: {strconv.FormatInt(at.Unix(), 10)},
	}
	if signature := l.keys.Sign(id, at, body); signature != "" {
		r.Header[protocol.HeaderSignature] = []string{signature}
	}
	r.ContentLength = int64(len(body))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	r.Body = io.NopCloser(bytes.NewReader(body))
	return r
}

// refuse looks at an answer before its body is read.
func refuse(r *http.Response) (tournament.Fault, string) {
	switch coding := r.Header.Get("Content-Encoding"); {
	case r.StatusCode >= 300 && r.StatusCode < 400:
		return tournament.FaultStatus, fmt.Sprintf("answered with status %d; redirects are not followed", r.StatusCode)
	case r.StatusCode != http.StatusOK:
		return tournament.FaultStatus, fmt.Sprintf("answered with status %d, want 200", r.StatusCode)
	case r.ContentLength > protocol.MaxAnswerBytes:
		return tournament.FaultTooLarge, tooLarge
	case coding != "" && coding != "identity":
		return tournament.FaultBadJSON, "the body is compressed (Content-Encoding " + protocol.Quote(coding) + "): send it plain"
	}
	return "", ""
}

// read takes at most one byte more than an answer may have.
func (l *line) read(from io.Reader) ([]byte, error) {
	b := l.in[:0]
	if cap(b) == 0 {
		b = make([]byte, 0, 1024)
	}
	for len(b) <= protocol.MaxAnswerBytes {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := from.Read(b[len(b):min(cap(b), protocol.MaxAnswerBytes+1)])
		b = b[:len(b)+n]
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	l.in = b
	return b, nil
}
