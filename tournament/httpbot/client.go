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
	// PerHost bounds the requests under way to one host and port, and the connections kept to it; 0 means 64. Waiting for
	// such a place is the bot's own time, for it is its host that holds them: else a host that answers nobody could make
	// its matches void. Total bounds them over all hosts; 0 means 1024. Waiting for that is the platform's time: it is not
	// in the ledger, and a bot that had to wait is not blamed for a timeout. Choose both so that they do not bind.
	PerHost, Total int
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
	guard     Guard
	transport *http.Transport
	relay     http.RoundTripper // nil without a mailbox
	perHost   int
	total     chan struct{}

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
	if o.PerHost <= 0 {
		o.PerHost = 64
	}
	if o.Total <= 0 {
		o.Total = 1024
	}
	only1 := new(http.Protocols)
	only1.SetHTTP1(true)
	c := &Client{
		guard: o.Guard, perHost: o.PerHost, total: make(chan struct{}, o.Total), hosts: map[string]*places{},
		transport: &http.Transport{
			Proxy:                  nil,
			DialContext:            o.Guard.dialer(o.Resolver).DialContext,
			TLSClientConfig:        &tls.Config{RootCAs: o.Roots, MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout:    handshakeLimit,
			Protocols:              only1,
			DisableCompression:     true,
			MaxIdleConnsPerHost:    o.PerHost,
			IdleConnTimeout:        idleLimit,
			MaxResponseHeaderBytes: maxHeaderBytes,
			ReadBufferSize:         4 << 10,
			WriteBufferSize:        4 << 10,
		},
	}
	if o.Mailbox != nil {
		c.relay = relay{o.Mailbox}
	}
	return c
}

// Close ends the connections that rest. Requests under way are ended by their contexts.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// enter takes a place for a request to host; leave gives it back.
func (c *Client) enter(ctx context.Context, host string, now func() time.Time) (leave func(), w waiting, err error) {
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
	if w.ours, err = take(ctx, c.total, now); err != nil {
		<-p.taken
		c.forget(host, p)
		return nil, w, err
	}
	return func() { <-c.total; <-p.taken; c.forget(host, p) }, w, nil
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
func RouteStdLog(l *slog.Logger) (restore func()) {
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
