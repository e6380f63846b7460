package httpbot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
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
	made    *Message // in l.out, with its own time and signature; nil: they are made here
	in      []byte
	any2xx  bool          // every 2xx answer is taken, not 200 alone
	restart time.Duration // how long a bot that is away may take to come back, within the deadline

	patience, again time.Duration // how long a want of ours is waited out, and the time between two tries
}

// outcome is what became of one message: the body of an answer with status 200, or whose fault it is that there is none.
type outcome struct {
	body     []byte // valid until the next request on the line; with a status that is refused, too
	fault    tournament.Fault
	reason   string
	away     bool          // before the first byte of an answer, as while a bot restarts: the message may go out again
	stale    bool          // away, and over a connection that had rested: it goes out again at once
	unsent   bool          // for want of something of ours, a processor among it: nothing has reached the bot
	unserved bool          // a relay could not reach the platform: the bot has all its time again, and pays for none of this try
	free     time.Duration // of this try, what its bot does not pay for: the platform was away
	status   int           // of the answer; 0 without one
	ledger   runner.Ledger
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

		patience: c.patience,
		again:    c.again,
	}, nil
}

// send posts the message in l.out under a stable id and waits for the answer until ctx ends, whose deadline was set at since and
// covers everything: names, connections, handshakes, repeats and bodies. Time that is lost to a want of ours, or because this process
// stood still, is not in the ledger, and puts the deadline off by as much: the bot has all of its own, and no more.
func (l *line) send(ctx context.Context, id string, since time.Time) outcome {
	h, leave, waited, err := l.client.enter(ctx, since, l.name, l.places, l.now)
	if err != nil {
		return l.unasked(ctx, waited, err)
	}
	defer leave()
	o := l.try(ctx, h, id, since, runner.Ledger{Elapsed: waited.host, Stalled: waited.stood})
	if !o.unsent && !o.unserved {
		return o
	}
	patient, stop := withOwnTimeout(ctx, l.patience)
	defer stop()
	for (o.unsent || o.unserved) && patient.Err() == nil {
		pause(patient, l.again)
		o = l.try(ctx, h, id, since, o.ledger)
	}
	return o
}

// tryAgain is how long a message waits until it looks again for what was wanting.
const tryAgain = 20 * time.Millisecond

func pause(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// try posts the message once. Of what has passed since the deadline was set, the bot spent what the ledger says; the deadline is put
// off by the rest. On a busy machine even the way here takes milliseconds: the bot is not charged for it.
func (l *line) try(ctx context.Context, h *host, id string, since time.Time, before runner.Ledger) outcome {
	tried := l.now()
	limit, limited := ctx.Deadline()
	ctx, stop := postponed(ctx, tried.Sub(since)-before.Elapsed)
	defer stop()
	begin := l.now()
	t := &trace{now: l.now, before: before, tried: tried, begin: begin, ready: begin}
	o := l.persist(ctx, h, id, t)
	end := t.ended()
	o.ledger = t.ledger(end, l.client.watch.of(t, end))
	free := min(o.free, o.ledger.Elapsed-before.Elapsed)
	o.ledger.Elapsed -= free
	o.ledger.Stalled += free
	switch {
	case o.fault == "" && limited && o.ledger.Elapsed >= limit.Sub(since):
		o = outcome{fault: tournament.FaultTimeout, reason: "the answer was complete only after the deadline", ledger: o.ledger}
	case o.fault == "":
		o.ledger.RoundTrip = t.roundTrip
	case o.unserved:
		o.ledger = before
		o.ledger.Stalled += end.Sub(tried)
	case l.mailbox == nil && t.sent.writtenAt.IsZero() && expired(ctx):
		o.unsent = o.unsent || l.client.watch.between(tried, end) > 0
	}
	return o
}

// unasked returns what becomes of a message for which there was no place: at the host until ctx ended, or of ours for too long.
func (l *line) unasked(ctx context.Context, w waiting, err error) outcome {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return outcome{fault: tournament.FaultPlatform, reason: "the platform is shutting down"}
	case errors.Is(err, errHostBusy):
		reason := fmt.Sprintf("the bot's host had %d requests under way until the deadline: it answers too slowly for so many", l.client.perHost)
		return outcome{fault: tournament.FaultTimeout, reason: reason, ledger: runner.Ledger{Elapsed: w.host, Stalled: w.stood}}
	}
	return outcome{fault: tournament.FaultPlatform, reason: fmt.Sprintf("waited %s for a place to ask", w.ours.Round(time.Millisecond))}
}

// Between two tries to reach a bot that is away: of a connection, and of a mailbox, where each try asks the database.
const (
	dialAgain = 50 * time.Millisecond
	mailAgain = 250 * time.Millisecond
)

// persist sends the message until an answer begins, as long as the bot is away and may take to come back. All of that is the
// bot's time: a program that restarts is away for some tenths of a second, and no fault is found before the deadline.
func (l *line) persist(ctx context.Context, h *host, id string, t *trace) outcome {
	once := func() outcome { return l.exchange(ctx, h, id, t) }
	again := dialAgain
	if l.mailbox != nil {
		once = func() outcome { return l.mail(ctx, id, t) }
		again = mailAgain
	}
	first, o, tries := t.now(), once(), 1
	for ; o.away && (o.stale || t.now().Sub(first) < l.restart); tries++ {
		begin := t.now()
		if !o.stale {
			pause(ctx, again)
		}
		last := t.now()
		t.ready = last
		t.dial += last.Sub(begin)
		if errors.Is(ctx.Err(), context.Canceled) {
			return t.blame(ctx, ctx.Err())
		}
		if ctx.Err() != nil {
			break
		}
		next := once()
		unfetched := l.mailbox != nil && o.fault == tournament.FaultConnect
		switch {
		case next.fault != tournament.FaultTimeout:
		case !t.connected, !t.answering && !unfetched && t.now().Sub(last) <= last.Sub(first):
			continue // the deadline cut off this try: the longer part of the time tells more
		case !o.stale && !unfetched:
			next.reason += fmt.Sprintf("; this was try %d, and the one before failed: %s", tries+1, o.reason)
		}
		o = next
	}
	if o.away && tries > 1 {
		o.reason += fmt.Sprintf("; tried %d times in %s", tries, t.now().Sub(first).Round(100*time.Millisecond))
	}
	return o
}

// exchange sends the message and reads the answer, over a kept connection where one rests. That the bot closed such a one
// before the first byte of an answer is nobody's fault: no other that rests is taken after it.
func (l *line) exchange(ctx context.Context, h *host, id string, t *trace) outcome {
	if ctx.Err() != nil {
		return t.blame(ctx, ctx.Err())
	}
	t.connected, t.answering = false, false
	k := l.client.kept(h)
	if k == nil {
		var err error
		if k, err = l.client.connect(ctx, l, t); err != nil {
			o := t.blame(ctx, err)
			o.away = l.client.unreached(o.fault, err)
			return o
		}
		t.ready = l.now()
	}
	o := l.over(ctx, h, k, id, t)
	if o.stale {
		l.client.closeResting(func(k *connection) bool { return k.home == h })
	}
	return o
}

// unreached reports whether a connection that failed may be made a moment later. A refusal of ours is final, and so is a name
// that does not exist: how long we ask would tell the two from each other, and an owner what there is in our network. Only where
// bots live in private networks, names come and go with their containers.
func (c *Client) unreached(fault tournament.Fault, err error) bool {
	var dns *net.DNSError
	switch {
	case fault == tournament.FaultTLS:
		return broken(err)
	case fault != tournament.FaultConnect || errors.Is(err, errGuarded):
		return false
	case errors.As(err, &dns) && dns.IsNotFound:
		return len(c.guard.AllowPrivate) > 0
	}
	return true
}

// broken reports whether err is a connection's that its other end has closed or reset.
func broken(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// over sends the message over k and reads the answer, then keeps k or ends it.
func (l *line) over(ctx context.Context, h *host, k *connection, id string, t *trace) outcome {
	rested := k.used
	k.used = true
	k.more = l.more(ctx, t)
	interrupted := context.AfterFunc(ctx, k.interrupt)
	o, whole, err := l.talk(k, id, t)
	if !interrupted() {
		k.resume() // after a stall of ours all bots would need new connections at once, and pay for making them
	}
	if err != nil {
		o = t.blame(ctx, err)
		o.away = !t.answering && o.fault == tournament.FaultConnect
		o.stale = rested && o.away
	} else {
		t.roundTrip = k.socket.roundTrip()
	}
	switch {
	case !whole || k.last && !k.hungUp():
		k.abort()
	case k.last:
		k.close()
	default:
		l.client.keep(h, k)
	}
	return o
}

// more returns how much longer an answer is waited for when the deadline is over: as long as we stood still since t was begun, before the
// bot had the turn, or with it, for the machine may have stood still with us; but not for ever, since it is not heard any more
// when ctx is cancelled.
func (l *line) more(ctx context.Context, t *trace) func() time.Duration {
	var given time.Duration
	return func() time.Duration {
		if errors.Is(ctx.Err(), context.Canceled) {
			return 0
		}
		stalled := min(l.client.watch.between(t.tried, l.now()), l.client.patience)
		more := stalled - given
		given = stalled
		return more
	}
}

// talk writes the message to k, reads the answer, and reports whether that was whole: nothing is left of it to read. A bot may
// answer before it has read everything, and close: what it said counts.
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
	o, drained, err := l.judge(k, response, t)
	k.last = response.Close
	whole := err == nil && unsent == nil && drained && response.StatusCode >= 200 && k.answer.Buffered() == 0
	return o, whole, err
}

// judge reads an answer, and reports whether it was read to its end. What a body says that does not count is thrown away: an answer
// that nobody reads would have its connection reset, which looks like a crash in the log of whoever sent it.
func (l *line) judge(k *connection, r *http.Response, t *trace) (outcome, bool, error) {
	o, counts := l.refuse(r.StatusCode, r.ContentLength, r.Header)
	if !counts {
		t.came(k.socket.times) // all that counts of it
		if o.fault == tournament.FaultTooLarge {
			return o, false, nil
		}
	}
	body, err := l.read(r.Body)
	switch {
	case !counts:
		o.body = body
		return o, err == nil && len(body) <= protocol.MaxAnswerBytes, nil
	case err != nil:
		return outcome{}, false, err
	}
	t.came(k.socket.times)
	if len(body) > protocol.MaxAnswerBytes {
		return outcome{fault: tournament.FaultTooLarge, reason: tooLarge, status: r.StatusCode}, false, nil
	}
	o.body = body
	return o, true, nil
}

var tooLarge = fmt.Sprintf("the body is larger than %d bytes", protocol.MaxAnswerBytes)

// header is one line of a message's head.
type header struct{ name, value string }

// headers returns the headers of the message in l.out, without those that HTTP/1.1 itself needs.
func (l *line) headers(id string) []header {
	at := l.now()
	signature := l.keys.Sign(id, at, l.out)
	if l.made != nil {
		at, signature = l.made.At, l.made.Signature
	}
	all := append(make([]header, 0, 6),
		header{"User-Agent", "molerun/" + strconv.Itoa(protocol.Version)},
		header{"Content-Type", "application/json"},
		header{"Accept-Encoding", "identity"},
		header{protocol.HeaderID, id},
		header{protocol.HeaderTimestamp, strconv.FormatInt(at.Unix(), 10)},
	)
	if signature != "" {
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
	c.budget = maxHeaderBytes // until the body
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
			c.budget = math.MaxInt
			return r, nil
		}
	}
}

// refuse looks at an answer before its body is read. It returns the outcome without that, and whether the body counts.
func (l *line) refuse(status int, length int64, head http.Header) (outcome, bool) {
	o := outcome{status: status}
	coding := strings.TrimSpace(head.Get("Content-Encoding"))
	switch {
	case l.any2xx && status/100 == 2:
		return o, false // what it says is not read
	case status >= 300 && status < 400:
		o.fault, o.reason = tournament.FaultStatus, fmt.Sprintf(answered+"%d%s; redirects are not followed", status, leadsTo(head.Get("Location")))
	case status != http.StatusOK:
		o.fault, o.reason = tournament.FaultStatus, fmt.Sprintf(answered+"%d, want 200", status)
		// 408 is what some servers say as they end a connection that rests: they have not seen the message that crossed it.
		o.away = protocol.NobodyThere(status) || status == http.StatusRequestTimeout
	case length > protocol.MaxAnswerBytes:
		o.fault, o.reason = tournament.FaultTooLarge, tooLarge
	case coding != "" && !strings.EqualFold(coding, "identity"): // names of codings have no case
		o.fault, o.reason = tournament.FaultBadJSON, "the body is compressed (Content-Encoding "+protocol.Quote(coding)+"): send it plain"
	default:
		return o, true
	}
	return o, false
}

// leadsTo says where a redirect leads, for the owner, who can register that.
func leadsTo(location string) string {
	if location == "" {
		return ""
	}
	return " to " + protocol.Quote(location)
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
