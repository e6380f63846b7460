package httpbot

import (
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// smoothedRoundTrip is the kernel's estimate for a connection (TCP_INFO, tcpi_rtt); 0 when the connection is gone.
func smoothedRoundTrip(c *net.TCPConn) (rtt time.Duration) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0
	}
	_ = raw.Control(func(fd uintptr) { // a connection closed meanwhile has no round trip
		if info, err := unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO); err == nil {
			rtt = time.Duration(info.Rtt) * time.Microsecond
		}
	})
	return rtt
}
