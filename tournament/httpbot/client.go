package httpbot

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/molerun/molerun/bots/protocol"
)

// Limits of every connection, whatever the clock of the match allows.
const (
	connectLimit   = 10 * time.Second
	handshakeLimit = 10 * time.Second
	idleLimit      = time.Minute // how long a kept connection may rest
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
	// and webhooks, apart from them; 0 means 64. Waiting for either is the platform's time, which is not charged and puts the
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

// Client is the one way out to bots: it holds the guarded transport, its connections and the places for requests. All
// bots of a process share it. It is safe for concurrent use.
type Client struct {
	guard       Guard
	transport   *http.Transport
	dialer      *dialer
	relay       http.RoundTripper // nil without a mailbox
	perHost     int
	asks, calls chan struct{}
	patience    time.Duration
	again       time.Duration // between two looks for what was wanting

	mu    sync.Mutex
	hosts map[string]*places
}

// places are the requests that may be under way to one host.
type places struct {
	taken chan struct{}
	users int // holding or waiting; the entry goes when nobody is left
}

// NewClient makes a client. Close it when all bots are done.
func NewClient(o Options) *Client {
	o = o.filled()
	only1 := new(http.Protocols)
	only1.SetHTTP1(true)
	d := newDialer(o)
	c := &Client{
		guard: o.Guard, dialer: d, perHost: o.PerHost, patience: o.Patience, again: tryAgain, hosts: map[string]*places{},
		asks: make(chan struct{}, o.Asks), calls: make(chan struct{}, o.Calls),
		transport: &http.Transport{
			Proxy:                  nil,
			DialContext:            d.dial,
			TLSClientConfig:        &tls.Config{RootCAs: o.Roots, MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout:    handshakeLimit,
			Protocols:              only1,
			DisableCompression:     true,
			MaxConnsPerHost:        o.PerHost,
			MaxIdleConns:           o.Asks + o.Calls,
			MaxIdleConnsPerHost:    o.PerHost,
			IdleConnTimeout:        idleLimit,
			MaxResponseHeaderBytes: maxHeaderBytes,
			ReadBufferSize:         4 << 10,
			WriteBufferSize:        4 << 10,
		},
	}
	d.spare = c.transport.CloseIdleConnections
	if o.Mailbox != nil {
		c.relay = relay{o.Mailbox}
	}
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

// Close ends the connections that rest. Requests under way are ended by their contexts.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// enter takes a place for a request to host, and one of ours; leave gives both back.
func (c *Client) enter(ctx context.Context, host string, ours chan struct{}, now func() time.Time) (leave func(), w waiting, err error) {
	c.mu.Lock()
	p := c.hosts[host]
	if p == nil {
		p = &places{taken: make(chan struct{}, c.perHost)}
		c.hosts[host] = p
	}
	p.users++
	c.mu.Unlock()
	if w.host, err = take(ctx, p.taken, now); err != nil {
		c.forget(host, p)
		return nil, w, errHostBusy
	}
	patient, stop := apart(ctx, c.patience)
	defer stop()
	if w.ours, err = take(patient, ours, now); err != nil {
		<-p.taken
		c.forget(host, p)
		return nil, w, err
	}
	return func() { <-ours; <-p.taken; c.forget(host, p) }, w, nil
}

// apart is a context that ends at a time of its own, or when ctx is cancelled; the deadline of ctx does not end it.
func apart(ctx context.Context, wait time.Duration) (context.Context, context.CancelFunc) {
	out, cancel := context.WithTimeout(context.WithoutCancel(ctx), wait)
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			cancel()
		}
	})
	return out, func() { stop(); cancel() }
}

// later is ctx with its deadline put off.
func later(ctx context.Context, by time.Duration) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok || by <= 0 {
		return ctx, func() {}
	}
	return apart(ctx, time.Until(deadline)+by)
}

// waiting is how long a request had to wait for a place at its host, and then for one of ours.
type waiting struct{ host, ours time.Duration }

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

func (c *Client) forget(host string, p *places) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.users--; p.users == 0 {
		delete(c.hosts, host)
	}
}

// RouteStdLog sends what net/http writes to the standard logger to l instead, shortened, and returns how to undo that. A
// bot can make net/http write a line for every answer (bytes nobody asked for): those go out at debug level.
func RouteStdLog(l *slog.Logger) func() {
	out, flags, prefix := log.Writer(), log.Flags(), log.Prefix()
	log.SetOutput(stdLog{l})
	log.SetFlags(0)
	log.SetPrefix("")
	return func() {
		log.SetOutput(out)
		log.SetFlags(flags)
		log.SetPrefix(prefix)
	}
}

type stdLog struct{ l *slog.Logger }

// Write logs one line.
func (w stdLog) Write(line []byte) (int, error) {
	level := slog.LevelWarn
	if strings.HasPrefix(string(line), "Unsolicited response") {
		level = slog.LevelDebug
	}
	w.l.Log(context.Background(), level, "net/http", "line", protocol.Quote(strings.TrimSpace(string(line))))
	return len(line), nil
}
