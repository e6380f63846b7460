package storetest

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/store"
)

// Cut is when a connection to the database breaks: just before the server would get a message, or when it has answered it
// and before the client hears so. The client cannot distinguish the two.
type Cut int32

// When to break.
const (
	never         Cut = iota
	OnTheWayThere     // the server does not get it
	OnTheWayBack      // the client does not hear of it
)

// Cutter stands between a store and Postgres and breaks a connection at one message.
type Cutter struct {
	upstream [2]string // network and address
	armed    atomic.Int32
	at       atomic.Pointer[func(kind byte, body []byte) bool] // the message to break at
	cuts     atomic.Int32
	listener net.Listener
	mu       sync.Mutex
	open     []net.Conn
	wg       sync.WaitGroup
}

// IsCommit reports whether a message ends a transaction: as a statement by itself, or bound under the name that pgx gives to it among
// others.
func IsCommit(kind byte, body []byte) bool {
	switch kind {
	case 'Q':
		return strings.EqualFold(strings.TrimRight(string(body), "\x00"), "commit")
	case 'B':
		digest := sha256.Sum256([]byte("commit"))
		return bytes.Contains(body, []byte("stmtcache_"+hex.EncodeToString(digest[:24])))
	}
	return false
}

// IsExecute reports whether a message carries a statement out that is a transaction by itself.
func IsExecute(kind byte, _ []byte) bool { return kind == 'E' }

// Through opens a store on a migrated database of the test's own, by way of a cutter on loopback.
func Through(t *testing.T) (*Cutter, Open) {
	t.Helper()
	direct := PostgresURL(t)
	config, err := pgconn.ParseConfig(direct)
	must.OK(t, err)
	c := &Cutter{}
	c.upstream[0], c.upstream[1] = pgconn.NetworkAddress(config.Host, config.Port)
	c.listener, err = new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must.OK(t, err)
	c.wg.Go(c.accept)
	t.Cleanup(c.Close)
	u, err := url.Parse(direct)
	must.OK(t, err)
	u.Host = c.listener.Addr().String()
	q := u.Query()
	q.Del("host")
	q.Set("sslmode", "disable") // the cutter reads along
	u.RawQuery = q.Encode()
	return c, func(o store.Options) *store.Store {
		t.Helper()
		o.Rand, o.Program, o.MaxConns, o.CheckLocks = rand.Reader, "molerun test", 4, true
		s, err := store.Open(t.Context(), u.String(), o)
		must.OK(t, err)
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
}

// Cuts returns how often a connection was broken.
func (c *Cutter) Cuts() int { return int(c.cuts.Load()) }

// Ways counts how often a client waits for the server from now on, until it is armed: for statements on their way together once. What
// only prepares statements does not count, nor do notifications, nor what the pool asks of a connection that is new or was idle for a
// second: a busy machine decides how often it asks.
func (c *Cutter) Ways() *atomic.Int32 {
	var ways, asked atomic.Int32
	c.Arm(never, func(kind byte, body []byte) bool {
		switch kind {
		case 'E':
			asked.Store(1)
		case 'S':
			ways.Add(asked.Swap(0))
		case 'Q':
			if !slices.ContainsFunc(uncounted, func(q string) bool { return bytes.Contains(body, []byte(q)) }) {
				ways.Add(1)
			}
		}
		return false
	})
	return &ways
}

// uncounted are parts of the queries that [Cutter.Ways] leaves out.
var uncounted = []string{"pg_notify", "-- ping", "pg_backend_pid"}

// Arm breaks the connection that carries the next message of a kind.
func (c *Cutter) Arm(how Cut, at func(byte, []byte) bool) {
	c.at.Store(&at)
	c.armed.Store(int32(how))
}

func (c *Cutter) accept() {
	for {
		client, err := c.listener.Accept()
		if err != nil {
			return
		}
		server, err := new(net.Dialer).Dial(c.upstream[0], c.upstream[1])
		if err != nil {
			_ = client.Close()
			continue
		}
		c.mu.Lock()
		c.open = append(c.open, client, server)
		c.mu.Unlock()
		both := func() { _, _ = client.Close(), server.Close() }
		var mute atomic.Bool
		c.wg.Go(func() { defer both(); _ = c.forth(client, server, &mute) })
		c.wg.Go(func() { defer both(); back(server, client, &mute) })
	}
}

var errCut = errors.New("cut")

// forth passes on the messages of a client: the first without a kind, then a byte for the kind and four for the length.
func (c *Cutter) forth(client io.Reader, server io.Writer, mute *atomic.Bool) error {
	head := make([]byte, 4, 5)
	for {
		if _, err := io.ReadFull(client, head); err != nil {
			return err
		}
		body := make([]byte, binary.BigEndian.Uint32(head[len(head)-4:])-4)
		if _, err := io.ReadFull(client, body); err != nil {
			return err
		}
		if at := c.at.Load(); len(head) == 5 && at != nil && (*at)(head[0], body) {
			switch Cut(c.armed.Swap(int32(never))) {
			case OnTheWayThere:
				c.cuts.Add(1)
				return errCut
			case OnTheWayBack:
				c.cuts.Add(1)
				mute.Store(true)
			case never:
			}
		}
		if _, err := server.Write(append(head, body...)); err != nil {
			return err
		}
		head = head[:5]
	}
}

// back passes on what the server says, until it is muted: then the first that it says, which is the outcome, is the end.
func back(server io.Reader, client io.Writer, mute *atomic.Bool) {
	buf := make([]byte, 64<<10)
	for {
		n, err := server.Read(buf)
		if err != nil || mute.Load() {
			return
		}
		if _, err := client.Write(buf[:n]); err != nil {
			return
		}
	}
}

// Close breaks all connections and ends.
func (c *Cutter) Close() {
	_ = c.listener.Close()
	c.mu.Lock()
	for _, conn := range c.open {
		_ = conn.Close()
	}
	c.mu.Unlock()
	c.wg.Wait()
}
