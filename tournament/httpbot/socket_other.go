//go:build !linux

package httpbot

import (
	"net"
	"time"
)

// socket is a TCP connection that notes when bytes left and when they came, as this process sees it.
type socket struct {
	*net.TCPConn
	times

	nowait bool // a read fails with errNothing
}

func newSocket(c *net.TCPConn, _ bool) (*socket, error) { return &socket{TCPConn: c}, nil }

// Read reads what has come, or waits for it.
func (s *socket) Read(p []byte) (int, error) {
	if s.nowait { // there is no way to look that all systems have
		return 0, errNothing
	}
	n, err := s.TCPConn.Read(p)
	if err == nil {
		s.came(0)
	}
	return n, err
}

// Write hands p to the kernel.
func (s *socket) Write(p []byte) (int, error) {
	begin := s.now()
	s.left(begin, begin) // a peer that does not take all of it has begun to read all the same
	return s.TCPConn.Write(p)
}

// roundTrip returns 0: outside Linux no allowance is made for the network.
func (s *socket) roundTrip() time.Duration { return 0 }
