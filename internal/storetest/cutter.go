package storetest

import (
	"bufio"
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
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/store"
)

// Cut is when a connection to the database breaks: just before the server would get a message, or when it has answered it
// and before the client hears so. The client cannot distinguish the two.
type Cut = clitest.Cut

// When to break.
const (
	OnTheWayThere = clitest.Before // the server does not get it
	OnTheWayBack  = clitest.After  // the client does not hear of it
)

// Cutter stands between a store and Postgres and breaks a connection at one message.
type Cutter struct{ link *clitest.Link }

// Messages reads the messages of a client of Postgres: the first without a kind, then a byte for the kind and four for the
// length.
func Messages() func(*bufio.Reader) (clitest.Unit, error) {
	first := true
	return func(in *bufio.Reader) (clitest.Unit, error) {
		n := 5
		if first {
			n = 4
		}
		first = false
		head := make([]byte, n)
		if _, err := io.ReadFull(in, head); err != nil {
			return clitest.Unit{}, err
		}
		size := int(binary.BigEndian.Uint32(head[n-4:])) - 4
		if size < 0 || size > 64<<20 {
			return clitest.Unit{}, errors.New("no message of Postgres")
		}
		body := make([]byte, size)
		if _, err := io.ReadFull(in, body); err != nil {
			return clitest.Unit{}, err
		}
		return clitest.Unit{Bytes: append(head, body...), Commit: n == 5 && IsCommit(head[0], body)}, nil
	}
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
	network, address := pgconn.NetworkAddress(config.Host, config.Port)
	c := &Cutter{clitest.NewLink(t, "127.0.0.1:0", func() (net.Conn, error) { return net.Dial(network, address) }, Messages)}
	u, err := url.Parse(direct)
	must.OK(t, err)
	u.Host = c.link.Address()
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
func (c *Cutter) Cuts() int { return c.link.Cuts() }

// Ways counts how often a client waits for the server from now on, until it is armed: for statements on their way together once. What
// only prepares statements does not count, nor do notifications, nor what the pool asks of a connection that is new or was idle for a
// second: a busy machine decides how often it asks.
func (c *Cutter) Ways() *atomic.Int32 {
	var ways, asked atomic.Int32
	c.Arm(OnTheWayThere, func(kind byte, body []byte) bool {
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
func (c *Cutter) Arm(how Cut, at func(kind byte, body []byte) bool) {
	c.link.Arm(how, func(u clitest.Unit) bool { return u.Bytes[0] != 0 && at(u.Bytes[0], u.Bytes[5:]) }) // 0 begins the first, which has no kind
}

// Close breaks all connections and ends.
func (c *Cutter) Close() { c.link.Close() }
