package faults_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/molerun/molerun/internal/storetest"
)

// Cut is when a link breaks a connection: the far side gets none of a message, half of it, or all of it, and then the near
// side hears no answer.
type Cut int

// When to cut.
const (
	Before Cut = iota
	Within
	After
)

// Unit is one message of the side that dialled.
type Unit struct {
	Bytes  []byte
	Commit bool // ends a transaction
}

// Link passes connections on over loopback, and breaks them when told. It is safe for concurrent use.
type Link struct {
	listener net.Listener
	dial     func() (net.Conn, error)
	next     func() func(*bufio.Reader) (Unit, error) // reads the messages of a new connection

	mu      sync.Mutex
	open    map[net.Conn]bool
	delay   time.Duration // of every message, each way
	stalled time.Time     // nothing moves until then
	armed   func(Unit) bool
	cut     Cut
	cuts    int
	wg      sync.WaitGroup
}

// NewLink listens at an address of this machine and passes on to where dial leads.
func NewLink(dial func() (net.Conn, error), next func() func(*bufio.Reader) (Unit, error)) (*Link, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	x := &Link{listener: l, dial: dial, next: next, open: map[net.Conn]bool{}}
	x.wg.Go(x.accept)
	return x, nil
}

// Address is where it listens.
func (x *Link) Address() string { return x.listener.Addr().String() }

// Close breaks all connections and ends.
func (x *Link) Close() {
	_ = x.listener.Close()
	x.CutAll()
	x.wg.Wait()
}

// CutAll breaks all connections that are open.
func (x *Link) CutAll() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for c := range x.open {
		_ = c.Close()
	}
}

// Slow delays every message, each way; 0 is no longer.
func (x *Link) Slow(d time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.delay = d
}

// Stall holds everything back for a time.
func (x *Link) Stall(d time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.stalled = time.Now().Add(d)
}

// Arm breaks the connection of the next message that at chooses.
func (x *Link) Arm(how Cut, at func(Unit) bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.armed, x.cut = at, how
}

// Cuts is how often a message was cut.
func (x *Link) Cuts() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.cuts
}

// struck reports whether a message is the one to cut, and how.
func (x *Link) struck(u Unit) (Cut, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.armed == nil || !x.armed(u) {
		return 0, false
	}
	x.armed = nil
	x.cuts++
	return x.cut, true
}

// hold waits as long as the link is slow or stalled.
func (x *Link) hold() {
	x.mu.Lock()
	wait := max(x.delay, time.Until(x.stalled))
	x.mu.Unlock()
	if wait > 0 {
		time.Sleep(wait)
	}
}

func (x *Link) accept() {
	for {
		near, err := x.listener.Accept()
		if err != nil {
			return
		}
		x.wg.Go(func() { x.join(near) })
	}
}

// join passes on between a connection and the far side until either ends.
func (x *Link) join(near net.Conn) {
	defer x.forget(near)
	x.remember(near)
	far, err := x.dial()
	if err != nil {
		return
	}
	defer x.forget(far)
	x.remember(far)
	mute := make(chan struct{})
	var back sync.WaitGroup
	back.Go(func() {
		defer near.Close()
		x.back(far, near, mute)
	})
	_ = x.forth(near, far, mute)
	_ = far.Close()
	back.Wait()
}

func (x *Link) remember(c net.Conn) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.open[c] = true
}

func (x *Link) forget(c net.Conn) {
	_ = c.Close()
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.open, c)
}

var errCut = errors.New("cut")

// forth passes on message by message.
func (x *Link) forth(near, far net.Conn, mute chan struct{}) error {
	in, next := bufio.NewReader(near), x.next()
	for {
		u, err := next(in)
		if err != nil {
			return err
		}
		x.hold()
		if how, yes := x.struck(u); yes {
			switch how {
			case Before:
				return errCut
			case Within:
				_, _ = far.Write(u.Bytes[:len(u.Bytes)/2])
				return errCut
			case After:
				close(mute) // the answer ends the connection
			}
		}
		if _, err := far.Write(u.Bytes); err != nil {
			return err
		}
	}
}

// back passes on what the far side says, until it is muted: then the first that it says is the end.
func (x *Link) back(far, near net.Conn, mute chan struct{}) {
	buf := make([]byte, 32<<10)
	for {
		n, err := far.Read(buf)
		if err != nil {
			return
		}
		select {
		case <-mute:
			return
		default:
		}
		x.hold()
		if _, err := near.Write(buf[:n]); err != nil {
			return
		}
	}
}

// Postgres reads the messages of a client of Postgres: the first without a kind, then a byte for the kind and four for the
// length.
func Postgres() func(*bufio.Reader) (Unit, error) {
	first := true
	return func(in *bufio.Reader) (Unit, error) {
		n := 5
		if first {
			n = 4
		}
		first = false
		head := make([]byte, n)
		if _, err := io.ReadFull(in, head); err != nil {
			return Unit{}, err
		}
		size := int(binary.BigEndian.Uint32(head[n-4:])) - 4
		if size < 0 || size > 64<<20 {
			return Unit{}, errors.New("no message of Postgres")
		}
		body := make([]byte, size)
		if _, err := io.ReadFull(in, body); err != nil {
			return Unit{}, err
		}
		return Unit{Bytes: append(head, body...), Commit: n == 5 && storetest.IsCommit(head[0], body)}, nil
	}
}

// Bots reads requests to bots, and tells of each that asks for a decision.
func Bots(asked func(Ask)) func() func(*bufio.Reader) (Unit, error) {
	return func() func(*bufio.Reader) (Unit, error) {
		return func(in *bufio.Reader) (Unit, error) {
			if _, err := in.Peek(1); err != nil {
				return Unit{}, err
			}
			var raw bytes.Buffer
			r, err := http.ReadRequest(bufio.NewReader(io.TeeReader(one{in}, &raw)))
			if err != nil {
				return Unit{}, err
			}
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return Unit{}, err
			}
			at := time.Now()
			var turn struct{ Type, Decision string }
			if json.Unmarshal(body, &turn) == nil && turn.Type == "turn" {
				asked(Ask{Decision: turn.Decision, Body: sha256.Sum256(body), At: at})
			}
			return Unit{Bytes: raw.Bytes()}, nil
		}
	}
}

// one reads no further than what has arrived: clients do not send a request before the answer to the last.
type one struct{ in *bufio.Reader }

func (o one) Read(b []byte) (int, error) {
	if o.in.Buffered() == 0 {
		if _, err := o.in.Peek(1); err != nil {
			return 0, err
		}
	}
	return o.in.Read(b[:min(len(b), o.in.Buffered())])
}
