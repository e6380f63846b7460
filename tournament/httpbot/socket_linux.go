package httpbot

import (
	"encoding/binary"
	"io"
	"net"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// lateHand is how long handing bytes to the kernel may take before the kernel is asked when it sent them: whoever answers may
// have got the processor before we could look at the clock.
const lateHand = time.Millisecond

// socket is a TCP connection that notes when bytes left and when they came. The kernel says when they came (software receive
// timestamps): its word does not hang on when this process got to run.
type socket struct {
	*net.TCPConn
	raw   syscall.RawConn
	times // of the message under way

	nowait bool // a read that would wait fails with errNothing
	b      []byte
	n      int
	err    error
	oob    [128]byte
	read   func(fd uintptr) bool
	write  func(fd uintptr) bool
	look   func(fd uintptr)
}

// newSocket takes c over. Without the kernel's stamps the times are those at which this process saw the bytes.
func newSocket(c *net.TCPConn, stamps bool) (*socket, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return nil, err
	}
	s := &socket{TCPConn: c, raw: raw}
	s.read, s.write = s.receive, s.send
	s.look = func(fd uintptr) { s.receive(fd) }
	if !stamps {
		return s, nil
	}
	err = raw.Control(func(fd uintptr) {
		const what = unix.SOF_TIMESTAMPING_RX_SOFTWARE | unix.SOF_TIMESTAMPING_SOFTWARE
		_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_TIMESTAMPING_NEW, what) // kernels before 5.1 have none
	})
	return s, err
}

// Read reads what has come, or waits for it.
func (s *socket) Read(p []byte) (int, error) {
	s.b, s.err = p, nil
	var err error
	if s.nowait {
		err = s.raw.Control(s.look) // looks whatever the deadline
	} else {
		err = s.raw.Read(s.read)
	}
	s.b = nil
	switch {
	case err != nil:
		return 0, err
	case s.err != nil:
		return 0, s.err
	case s.n == 0 && len(p) > 0:
		return 0, io.EOF
	}
	return s.n, nil
}

// receive reports whether there is no need to wait.
func (s *socket) receive(fd uintptr) bool {
	for {
		n, oobn, _, _, err := unix.Recvmsg(int(fd), s.b, s.oob[:], 0)
		switch {
		case err == unix.EINTR:
			continue
		case err == unix.EAGAIN && s.nowait:
			s.err = errNothing
			return true
		case err == unix.EAGAIN:
			return false
		case err != nil:
			s.err = &net.OpError{Op: "read", Net: "tcp", Err: err}
			return true
		}
		ordered(fd)
		s.n = n
		s.came(stamp(s.oob[:oobn]))
		return true
	}
}

// stamp returns the kernel's time of the last byte received, in ns since 1970; 0 if it has none.
func stamp(oob []byte) int64 {
	for len(oob) >= unix.SizeofCmsghdr {
		h, data, rest, err := unix.ParseOneSocketControlMessage(oob)
		if err != nil {
			return 0
		}
		if h.Level == unix.SOL_SOCKET && h.Type == unix.SO_TIMESTAMPING_NEW && len(data) >= 16 {
			return int64(binary.NativeEndian.Uint64(data))*1e9 + int64(binary.NativeEndian.Uint64(data[8:]))
		}
		oob = rest
	}
	return 0
}

// Write hands all of p to the kernel, in one call unless the peer does not take it.
func (s *socket) Write(p []byte) (int, error) {
	s.b, s.err = p, nil
	err := s.raw.Write(s.write)
	n := len(p) - len(s.b)
	s.b = nil
	if err == nil {
		err = s.err
	}
	return n, err
}

// send reports whether there is no need to wait.
func (s *socket) send(fd uintptr) bool {
	for len(s.b) > 0 {
		before := s.now()
		n, err := syscall.Write(int(fd), s.b) // the race detector knows it
		switch {
		case err == unix.EINTR:
			continue
		case err == unix.EAGAIN:
			return false
		case err != nil:
			s.err = &net.OpError{Op: "write", Net: "tcp", Err: err}
			return true
		}
		after := s.now()
		if after.Sub(before) > lateHand {
			after = sent(fd, before, s.now)
		}
		s.left(before, after)
		s.b = s.b[n:]
	}
	return true
}

// sent returns when the kernel last sent bytes, in its ticks of some milliseconds, but not before the earliest. It tells how long ago
// that was: who lost the processor between its word and the clock asks again.
func sent(fd uintptr, earliest time.Time, now func() time.Time) time.Time {
	for range 100 {
		asked := now()
		info, err := unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO)
		if err != nil {
			break
		}
		answered := now()
		if answered.Sub(asked) > lateHand {
			continue
		}
		if at := answered.Add(-time.Duration(info.Last_data_sent) * time.Millisecond); at.After(earliest) {
			return at
		}
		return earliest
	}
	return now() // what we lost is not the bot's
}

// roundTrip returns the kernel's smoothed estimate for the connection (TCP_INFO, tcpi_rtt); 0 when the connection is gone.
func (s *socket) roundTrip() time.Duration {
	rtt := time.Duration(0)
	_ = s.raw.Control(func(fd uintptr) { // a connection closed meanwhile has no round trip
		if info, err := unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO); err == nil {
			rtt = time.Duration(info.Rtt) * time.Microsecond
		}
	})
	return rtt
}
