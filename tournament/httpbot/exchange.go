package httpbot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"syscall"
	"time"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// line is the way to one bot: its URL, its secrets, and the buffers of one request at a time.
type line struct {
	client  *Client
	places  chan struct{} // the client's for asks or for calls
	mailbox Mailbox       // what carries messages to a bot behind a relay; nil: connections do
	url     *url.URL
	address string // host and port
	name    string // of the host, among those of the client
	keys    protocol.Keys
	now     func() time.Time
	out     []byte
	in      []byte
	any2xx  bool // every 2xx answer is taken, not 200 alone
}

// outcome is what became of one message: the body of an answer with status 200, or whose fault it is that there is none.
type outcome struct {
	body   []byte // valid until the next request on the line
	fault  tournament.Fault
	reason string
	unsent bool          // for want of something of ours: nothing has reached the bot
	status int           // of the answer; 0 without one
	stood  time.Duration // still, before anything had reached the bot, and so that nothing could
	ledger runner.Ledger
}

func newLine(c *Client, rawURL string, secrets []string, now func() time.Time) (*line, error) {
	u, box, err := c.find(rawURL)
	if err != nil {
		return nil, err
	}
	keys, err := protocol.ParseKeys(secrets...)
	if err != nil {
		return nil, err
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return &line{
		client:  c,
		places:  c.calls,
		mailbox: box,
		url:     u,
		address: net.JoinHostPort(u.Hostname(), port),
		name:    u.Scheme + "://" + u.Host,
		keys:    keys,
		now:     now,
	}, nil
}

// send posts the message in l.out under a stable id and waits for the answer until ctx ends, whose deadline covers
// everything: names, connections, handshakes, repeats and bodies. Time that is lost to a want of ours, or because this process
// stood still, is not in the ledger, and puts the deadline off by as much: the bot has all of its own, and no more. The limit, if
// there is one, is what the deadline was when ctx was made: what has passed of it since is our time too.
func (l *line) send(ctx context.Context, id string, limit time.Duration) outcome {
	arrived := l.now()
	h, leave, waited, err := l.client.enter(ctx, l.name, l.places, l.now)
	if err != nil {
		return l.unasked(ctx, arrived, waited, err)
	}
	defer leave()
	begin, spent, lost := l.now(), waited.host, waited.ours+passed(ctx, arrived, limit)
	o := l.try(ctx, h, id, spent, lost)
	if !o.unsent && o.stood == 0 {
		return o
	}
	var stood time.Duration
	patient, stop := apart(ctx, l.client.patience)
	defer stop()
	for (o.unsent || o.stood > stood) && patient.Err() == nil {
		ended := l.now()
		spent += ended.Sub(begin)
		pause(patient, l.client.again)
		begin = l.now()
		lost += begin.Sub(ended) + max(0, o.stood-stood)
		stood = max(stood, o.stood)
		o = l.try(ctx, h, id, spent, lost)
	}
	return o
}

// passed is how much of a limit had gone when the message got here: whoever set it may have had to wait for a processor.
func passed(ctx context.Context, arrived time.Time, limit time.Duration) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok || limit == 0 {
		return 0
	}
	return max(0, limit-deadline.Sub(arrived))
}

// tryAgain is how long a message waits until it looks again for what was wanting.
const tryAgain = 20 * time.Millisecond

func pause(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// try posts the message once. The ledger begins with what was spent; the deadline is put off by what was lost. On a busy machine
// even the way here takes milliseconds: the bot is not charged for it.
func (l *line) try(ctx context.Context, h *host, id string, spent, lost time.Duration) outcome {
	ctx, stop := later(ctx, lost)
	defer stop()
	tried := l.now()
	t := &trace{now: l.now, begin: tried.Add(-spent), tried: tried, ready: tried}
	var o outcome
	if l.mailbox != nil {
		o = l.mail(ctx, id, t)
	} else {
		o = l.exchange(ctx, h, id, t)
	}
	end := t.ended()
	stood := l.client.watch.of(t, end)
	handing := l.client.watch.between(t.ready, t.sent.handed) // our own time, but the deadline does not know it
	if deadline, ok := ctx.Deadline(); ok && o.fault == "" && !end.Add(-stood-handing).Before(deadline) {
		o = outcome{fault: tournament.FaultTimeout, reason: "the answer was complete only after the deadline"}
	}
	if o.fault == tournament.FaultTimeout && l.mailbox == nil && t.sent.handed.IsZero() {
		o.stood = stood
	}
	o.ledger = t.ledger(end, stood)
	if o.fault == "" {
		o.ledger.RoundTrip = t.roundTrip
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

// exchange sends the message and reads the answer, over a kept connection where one rests. That the bot closed such a one
// before the first byte of an answer is nobody's fault: then the message goes out once more, over a new one.
func (l *line) exchange(ctx context.Context, h *host, id string, t *trace) outcome {
	if ctx.Err() != nil {
		return t.blame(ctx, ctx.Err())
	}
	if k := l.client.kept(h); k != nil {
		o, stale := l.over(ctx, h, k, id, t)
		if !stale {
			return o
		}
		l.client.closeResting(func(k *connection) bool { return k.home == h })
	}
	t.connected = false
	k, err := l.client.connect(ctx, l, t)
	if err != nil {
		return t.blame(ctx, err)
	}
	t.ready = l.now()
	o, _ := l.over(ctx, h, k, id, t)
	return o
}

// over sends the message over k and reads the answer, then keeps k or ends it. It reports whether k was stale: it had rested,
// and was closed before an answer began.
func (l *line) over(ctx context.Context, h *host, k *connection, id string, t *trace) (outcome, bool) {
	rested, stale := k.used, false
	k.used = true
	k.more = l.more(ctx, t)
	interrupted := context.AfterFunc(ctx, k.interrupt)
	o, whole, err := l.talk(k, id, t)
	if !interrupted() {
		k.resume() // after a stall of ours all bots would need new connections at once, and pay for making them
	}
	if err != nil {
		o = t.blame(ctx, err)
		stale = rested && !t.answering && ctx.Err() == nil && o.fault == tournament.FaultConnect
	} else {
		t.roundTrip = k.socket.roundTrip()
	}
	if whole {
		l.client.keep(h, k)
	} else {
		k.abort()
	}
	return o, stale
}

// more is how much longer an answer is waited for when the deadline is over: as long as we stood still since t was begun, before the
// bot had the turn, or with it, for the machine may have stood still with us; but not for ever, since it is not heard any more
// when ctx is cancelled.
func (l *line) more(ctx context.Context, t *trace) func() time.Duration {
	var given time.Duration
	return func() time.Duration {
		if errors.Is(ctx.Err(), context.Canceled) {
			return 0
		}
		stood := min(l.client.watch.between(t.tried, l.now()), l.client.patience)
		more := stood - given
		given = stood
		return more
	}
}

// talk writes the message to k, reads the answer, and reports whether k can carry another message after it. A bot may answer
// before it has read everything, and close: what it said counts.
func (l *line) talk(k *connection, id string, t *trace) (outcome, bool, error) {
	t.carried(k)
	k.wire = l.write(k.wire[:0], id)
	_, unsent := k.stream.Write(k.wire)
	t.wrote(k.socket.times)
	if unsent != nil && !errors.Is(unsent, syscall.EPIPE) && !errors.Is(unsent, syscall.ECONNRESET) {
		return outcome{}, false, unsent
	}
	response, err := k.respond(t)
	if err != nil {
		return outcome{}, false, err
	}
	o, drained, err := l.judge(response)
	t.came(k.socket.times)
	whole := err == nil && unsent == nil && drained && !response.Close && response.StatusCode >= 200 && k.answer.Buffered() == 0
	return o, whole, err
}

// judge reads what an answer says, if that counts, and reports whether its body was read to the end.
func (l *line) judge(r *http.Response) (outcome, bool, error) {
	o, counts := l.refuse(r.StatusCode, r.ContentLength, r.Header.Get("Content-Encoding"))
	if !counts {
		return o, r.Body == http.NoBody, nil
	}
	body, err := l.read(r.Body)
	if err != nil {
		return outcome{}, false, err
	}
	if len(body) > protocol.MaxAnswerBytes {
		return outcome{fault: tournament.FaultTooLarge, reason: tooLarge, status: r.StatusCode}, false, nil
	}
	o.body = body
	return o, true, nil
}

var tooLarge = fmt.Sprintf("the body is larger than %d bytes", protocol.MaxAnswerBytes)

// header is one line of a message's head.
type header struct{ name, value string }

// headers are those of the message in l.out, apart from what the way by HTTP needs.
func (l *line) headers(id string) []header {
	at := l.now()
	all := append(make([]header, 0, 6),
		header{"User-Agent", "molerun/" + strconv.Itoa(protocol.Version)},
		header{"Content-Type", "application/json"},
		header{"Accept-Encoding", "identity"},
		header{protocol.HeaderID, id},
		header{protocol.HeaderTimestamp, strconv.FormatInt(at.Unix(), 10)},
	)
	if signature := l.keys.Sign(id, at, l.out); signature != "" {
		all = append(all, header{protocol.HeaderSignature, signature})
	}
	return all
}

// write appends the message in l.out as a request to b. Nothing in its head is a stranger's but the URL, which parseURL has
// cleaned.
func (l *line) write(b []byte, id string) []byte {
	b = append(b, "POST "...)
	b = append(b, l.url.RequestURI()...)
	b = append(b, " HTTP/1.1\r\nHost: "...)
	b = append(b, l.url.Host...)
	for _, h := range l.headers(id) {
		b = append(b, "\r\n"...)
		b = append(b, h.name...)
		b = append(b, ": "...)
		b = append(b, h.value...)
	}
	b = append(b, "\r\nContent-Length: "...)
	b = strconv.AppendInt(b, int64(len(l.out)), 10)
	b = append(b, "\r\n\r\n"...)
	return append(b, l.out...)
}

// respond reads status and headers of an answer, past informational responses.
func (c *connection) respond(t *trace) (*http.Response, error) {
	c.headers()
	if _, err := c.answer.Peek(1); err != nil {
		return nil, err
	}
	t.began(c.socket.times)
	for {
		r, err := http.ReadResponse(c.answer, nil)
		if err != nil {
			return nil, err
		}
		if r.StatusCode >= 200 || r.StatusCode == http.StatusSwitchingProtocols {
			c.body()
			return r, nil
		}
	}
}

// refuse looks at an answer before its body is read. It returns the outcome without that, and whether the body counts.
func (l *line) refuse(status int, length int64, coding string) (outcome, bool) {
	o := outcome{status: status}
	switch {
	case l.any2xx && status/100 == 2:
		return o, false // what it says is not read
	case status >= 300 && status < 400:
		o.fault, o.reason = tournament.FaultStatus, fmt.Sprintf("answered with status %d; redirects are not followed", status)
	case status != http.StatusOK:
		o.fault, o.reason = tournament.FaultStatus, fmt.Sprintf("answered with status %d, want 200", status)
	case length > protocol.MaxAnswerBytes:
		o.fault, o.reason = tournament.FaultTooLarge, tooLarge
	case coding != "" && coding != "identity":
		o.fault, o.reason = tournament.FaultBadJSON, "the body is compressed (Content-Encoding "+protocol.Quote(coding)+"): send it plain"
	default:
		return o, true
	}
	return o, false
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
