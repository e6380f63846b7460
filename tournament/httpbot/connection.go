package httpbot

import (
	"bufio"
	"container/list"
	"errors"
	"io"
	"net"
	"time"
)

// keepBytes is the largest buffer that a connection keeps while it rests.
const keepBytes = 64 << 10

// errHeaders is an answer whose headers, informational responses included, are too large.
var errHeaders = errors.New("the headers are too large")

// errNothing is a read that would have to wait, and may not. TLS goes on after it, as after any that took too long.
var errNothing net.Error = nothing{}

type nothing struct{}

func (nothing) Error() string   { return "nothing has come" }
func (nothing) Timeout() bool   { return true }
func (nothing) Temporary() bool { return true }

// connection is a connection to a bot. It has no goroutine: its caller writes and reads, one at a time.
type connection struct {
	socket *socket
	stream net.Conn // the socket, or TLS over it
	answer *bufio.Reader
	budget int    // bytes that may still be read
	wire   []byte // the message
	free   func()
	more   func() time.Duration // how much longer to wait, once the deadline is over
	ended  chan struct{}        // interrupt is done

	used  bool // it has carried an answer
	last  bool // its answer said that no other comes after it
	home  *host
	place *list.Element // among those that rest; nil while it is in use
	old   bool          // it rested already when connections at rest were last looked through
}

func newConnection(s *socket, free func()) *connection {
	c := &connection{socket: s, stream: s, free: free, ended: make(chan struct{}, 1)}
	c.answer = bufio.NewReaderSize(c, 4<<10)
	return c
}

// Read reads at most what the budget leaves. What came before the deadline counts, whenever we get to read it.
func (c *connection) Read(p []byte) (int, error) {
	if c.budget <= 0 {
		return 0, errHeaders
	}
	p = p[:min(len(p), c.budget)]
	n, err := c.stream.Read(p)
	for n == 0 && isLate(err) {
		if n, err = c.look(p); n > 0 || !errors.Is(err, errNothing) {
			break
		}
		more := c.more()
		if more <= 0 {
			break
		}
		_ = c.socket.SetDeadline(systemNow().Add(more)) // for the rest of the answer, too
		n, err = c.stream.Read(p)
	}
	c.budget -= n
	return n, err
}

func isLate(err error) bool {
	var late net.Error
	return errors.As(err, &late) && late.Timeout()
}

// look reads what is there already, whatever the deadline.
func (c *connection) look(p []byte) (int, error) {
	c.socket.nowait = true
	n, err := c.stream.Read(p)
	c.socket.nowait = false
	return n, err
}

// interrupt ends what waits on the connection.
func (c *connection) interrupt() {
	_ = c.socket.SetDeadline(time.Unix(1, 0))
	c.ended <- struct{}{}
}

// resume undoes an interrupt that it is too late to stop.
func (c *connection) resume() {
	<-c.ended
	_ = c.socket.SetDeadline(time.Time{})
}

// fresh reports whether a connection that rested can carry another message: nobody has closed it, and no byte has come that
// was not asked for.
func (c *connection) fresh() bool {
	var b [1]byte
	n, err := c.look(b[:])
	return n == 0 && errors.Is(err, errNothing)
}

// hangUp is how long a bot that said that it closes the connection may take to do so.
const hangUp = 100 * time.Millisecond

// hungUp reports whether the other end closes the connection after its last answer, as it said. A bot that leaves that to us would have
// us hold a local port for a minute after every decision.
func (c *connection) hungUp() bool {
	_ = c.socket.SetDeadline(systemNow().Add(hangUp))
	var b [1]byte
	n, err := c.stream.Read(b[:])
	return n == 0 && errors.Is(err, io.EOF)
}

// close ends a connection that rests, or that its other end has closed, in the usual way.
func (c *connection) close() {
	defer c.free()
	_ = c.stream.Close()
}

// abort resets a connection that is over because of the bot: its answer was refused, broke off or did not come in time. Whoever
// closes first in the usual way holds a local port for a minute more, and a bot that has us do so for every decision would use
// them up.
func (c *connection) abort() {
	defer c.free()
	_ = c.socket.SetLinger(0)
	_ = c.socket.Close()
}
