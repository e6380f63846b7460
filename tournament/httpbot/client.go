package httpbot

import (
	"container/list"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"sync"
	"time"
)

// Limits of every connection, whatever the clock of the match allows.
const (
	connectLimit   = 10 * time.Second
	handshakeLimit = 10 * time.Second
	keepAlive      = 30 * time.Second
	maxHeaderBytes = 16 << 10 // of an answer, informational responses included
	messageLimit   = 10 * time.Second
)

// Options of a [Client]. The zero Options are those of a public platform.
type Options struct {
	Guard Guard
	// PerHost bounds the requests under way to one host and port, and the connections to it in whatever state; 0 means 64.
	// Waiting for such a place is the bot's own time, for it is its host that holds them: else a host that answers nobody
	// could make its matches void.
	PerHost int
	// Asks bounds the messages of matches under way over all hosts; 0 means 1024. Calls bounds what is not of a match, hello
	// and webhooks, by itself; 0 means 64. Waiting for either is the platform's time, which is not charged and puts the
	// deadline off. Choose Asks so that it does not bind: as many as all matches of the process can send at once.
	Asks, Calls int
	// Sockets bounds the files that connections and name look-ups have open; 0 means 4 for each of Asks and Calls. From 3 on
	// none of those ever waits for another's.
	Sockets int
	// Patience is how long a message waits for what only the platform can lack, before that is the platform's fault; 0 means
	// 5 s.
	Patience time.Duration
	// Resolver looks up names; nil is the system's.
	Resolver *net.Resolver
	// Roots are the authorities trusted for https; nil are the system's.
	Roots *x509.CertPool
	// Mailbox carries messages to the bots at the addresses of [tournament.RelayAddress]; nil: there are none.
	Mailbox Mailbox
}

// Client is the one way out to bots: it holds the guard, the connections and the places for requests. All bots of a process
// share it. It is safe for concurrent use.
type Client struct {
	guard       Guard
	dialer      *dialer
	watch       *watch
	tls         *tls.Config
	mailbox     Mailbox // nil without
	perHost     int
	asks, calls chan struct{}
	patience    time.Duration
	again       time.Duration // between two looks for what was wanting
	maxRest     int           // connections

	mu      sync.Mutex
	hosts   map[string]*host
	resting *list.List  // of connections, the longest first
	sweeper *time.Timer // nil when nothing rests
	closed  bool
}

// NewClient makes a client. Close it when all bots are done.
func NewClient(o Options) *Client {
	o = o.filled()
	c := &Client{
		guard:    o.Guard,
		dialer:   newDialer(o),
		watch:    newWatch(systemNow),
		tls:      &tls.Config{RootCAs: o.Roots, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}, DynamicRecordSizingDisabled: true},
		mailbox:  o.Mailbox,
		perHost:  o.PerHost,
		asks:     make(chan struct{}, o.Asks),
		calls:    make(chan struct{}, o.Calls),
		patience: o.Patience,
		again:    tryAgain,
		maxRest:  o.Asks + o.Calls,
		hosts:    map[string]*host{},
		resting:  list.New(),
	}
	c.dialer.spare = func() { c.closeResting(every) }
	return c
}

// filled puts what zeros mean.
func (o Options) filled() Options {
	if o.PerHost <= 0 {
		o.PerHost = 64
	}
	if o.Asks <= 0 {
		o.Asks = 1024
	}
	if o.Calls <= 0 {
		o.Calls = 64
	}
	if o.Sockets <= 0 {
		o.Sockets = 4 * (o.Asks + o.Calls)
	}
	if o.Patience <= 0 {
		o.Patience = 5 * time.Second
	}
	return o
}

// Close ends the connections that rest, and those in use once they would. Requests under way are ended by their contexts.
func (c *Client) Close() {
	c.mu.Lock()
	if !c.closed {
		defer c.watch.end()
	}
	c.closed = true
	if c.sweeper != nil {
		c.sweeper.Stop()
	}
	c.mu.Unlock()
	c.closeResting(every)
}

// enter takes a place for a request to the host of that name, and one of ours; leave gives both back. The deadline of ctx was set at
// since.
func (c *Client) enter(ctx context.Context, since time.Time, name string, ours chan struct{}, now func() time.Time) (h *host, leave func(), w waiting, err error) {
	c.mu.Lock()
	if h = c.hosts[name]; h == nil {
		h = &host{name: name, taken: make(chan struct{}, c.perHost)}
		c.hosts[name] = h
	}
	h.users++
	c.mu.Unlock()
	if w, err = c.queue(ctx, since, h, now); err != nil {
		c.forget(h)
		return nil, nil, w, errHostBusy
	}
	leave = func() { <-ours; <-h.taken; c.forget(h) }
	select {
	case ours <- struct{}{}:
		return h, leave, w, nil
	default:
	}
	patient, stop := withOwnTimeout(ctx, c.patience)
	defer stop()
	if w.ours, err = take(patient, ours, now); err != nil {
		<-h.taken
		c.forget(h)
		return nil, nil, w, err
	}
	return h, leave, w, nil
}

// withOwnTimeout returns a context that ends at a time of its own, or when ctx is cancelled; the deadline of ctx does not end it.
func withOwnTimeout(ctx context.Context, wait time.Duration) (context.Context, context.CancelFunc) {
	out, cancel := context.WithTimeout(context.WithoutCancel(ctx), wait)
	end := func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			cancel()
		}
	}
	stop := context.AfterFunc(ctx, end)
	end() // what is cancelled already ends this one now, not once a goroutine gets to run
	return out, func() { stop(); cancel() }
}

// postponed returns ctx with a later deadline.
func postponed(ctx context.Context, by time.Duration) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok || by <= 0 {
		return ctx, func() {}
	}
	return withOwnTimeout(ctx, time.Until(deadline)+by)
}

// waiting is how long a request had to wait for a place at its host, without what this process stood still meanwhile, and then for
// one of ours.
type waiting struct{ host, stood, ours time.Duration }

// queue waits for a place at h until the deadline, which is put off by what had gone of it before and by what this process stands
// still meanwhile.
func (c *Client) queue(ctx context.Context, since time.Time, h *host, now func() time.Time) (waiting, error) {
	select {
	case h.taken <- struct{}{}:
		return waiting{}, nil
	default:
	}
	begin := now()
	for by := begin.Sub(since); ; {
		patient, stop := postponed(ctx, by)
		_, err := take(patient, h.taken, now)
		stop()
		end := now()
		w := waiting{stood: c.watch.between(begin, end)}
		w.host = end.Sub(begin) - w.stood
		later := begin.Sub(since) + min(w.stood, c.patience)
		if err == nil || later <= by || errors.Is(ctx.Err(), context.Canceled) {
			return w, err
		}
		by = later
	}
}

var errHostBusy = errors.New("the host has as many requests under way as one host may have")

func take(ctx context.Context, places chan struct{}, now func() time.Time) (time.Duration, error) {
	select {
	case places <- struct{}{}:
		return 0, nil
	default:
	}
	begin := now()
	select {
	case places <- struct{}{}:
		return now().Sub(begin), nil
	case <-ctx.Done():
		return now().Sub(begin), ctx.Err()
	}
}

func (c *Client) forget(h *host) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h.users--
	c.drop(h)
}
