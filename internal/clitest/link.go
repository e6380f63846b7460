package clitest

import (
	"bufio"
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// Cut is when a link breaks a connection: the far side gets none of a message, half of it, or all of it, and then the near
// side hears no answer.
type Cut int

// When to cut.
const (
	Before Cut = iota
	Within
	After
	All // as Before, and every other connection breaks too
)

// Unit is one message of the side that dialled.
type Unit struct {
	Bytes  []byte
	Commit bool // ends a transaction
}

// Link passes connections on over loopback, and breaks them on demand. It is safe for concurrent use.
type Link struct {
	listener net.Listener
	dial     func() (net.Conn, error)
	next     Messages

	mu      sync.Mutex
	open    map[net.Conn]bool
	delay   time.Duration // of every message, each way
	stalled time.Time     // nothing moves until then
	at      func(Unit) (Cut, bool)
	cuts    int
	wg      sync.WaitGroup
}

// Messages returns what reads the messages of a new connection.
type Messages func() func(*bufio.Reader) (Unit, error)

// Pieces takes what arrives together for a message.
func Pieces() func(*bufio.Reader) (Unit, error) {
	return func(in *bufio.Reader) (Unit, error) {
		if _, err := in.Peek(1); err != nil {
			return Unit{}, err
		}
		b := make([]byte, in.Buffered())
		_, err := io.ReadFull(in, b)
		return Unit{Bytes: b}, err
	}
}

// NewLink listens at an address, whose port may be 0, and passes on to where dial leads until the test ends.
func NewLink(t testing.TB, address string, dial func() (net.Conn, error), next Messages) *Link {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	x := &Link{listener: l, dial: dial, next: next, open: map[net.Conn]bool{}}
	x.wg.Go(x.accept)
	t.Cleanup(x.Close)
	return x
}

// Address returns where it listens.
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
	x.cutAll()
}

func (x *Link) cutAll() {
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

// Choose has at choose which messages break their connections from now on, and how; it is called for one message at a time.
func (x *Link) Choose(at func(Unit) (Cut, bool)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.at = at
}

// Arm breaks the connection of the next message that at chooses, and no other.
func (x *Link) Arm(how Cut, at func(Unit) bool) {
	done := at == nil
	x.Choose(func(u Unit) (Cut, bool) {
		if done || !at(u) {
			return 0, false
		}
		done = true
		return how, true
	})
}

// Cuts returns how often a message was cut.
func (x *Link) Cuts() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.cuts
}

// struck reports whether a message is one to cut, and how.
func (x *Link) struck(u Unit) (how Cut, yes bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.at == nil {
		return 0, false
	}
	if how, yes = x.at(u); yes {
		x.cuts++
		if how == All {
			x.cutAll()
		}
	}
	return how, yes
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
			case Before, All:
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
