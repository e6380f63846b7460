package httpbot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/molerun/molerun/tournament"
)

func dialError(ip string, errno syscall.Errno) error {
	return &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.ParseIP(ip), Port: 80}, Err: os.NewSyscallError("connect", errno)}
}

// The platform's fault is what no bot, user or stranger can cause; it alone makes a match void. Each way a message can end
// without an answer is judged here, and says who can bring it about.
func TestWhoIsToBlame(t *testing.T) {
	const v4, v6 = "93.184.215.14", "2606:4700::1111"
	lookup := func(text string) error {
		return &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: text, Name: "x"}}
	}
	for _, row := range []struct {
		name string
		err  error
		want tournament.Fault
	}{
		// The machine lacks it, whoever is called. Strangers cannot use it up: the API's connections are bounded apart from asks.
		{"no descriptors for us", dialError(v4, syscall.EMFILE), tournament.FaultPlatform},
		{"no descriptors in the system", dialError(v4, syscall.ENFILE), tournament.FaultPlatform},
		{"no memory", dialError(v4, syscall.ENOMEM), tournament.FaultPlatform},
		{"no buffers", dialError(v4, syscall.ENOBUFS), tournament.FaultPlatform},
		{"no sockets within our bound", &net.OpError{Op: "dial", Err: errSockets}, tournament.FaultPlatform},
		{"the mailbox's database", fmt.Errorf("%w: x", errMailbox), tournament.FaultPlatform},
		// Our name server: its address is ours, so no bot's.
		{"our name server is down", lookup("read udp 127.0.0.1:1->127.0.0.1:53: read: connection refused"), tournament.FaultPlatform},
		{"no way to our name server", lookup("dial udp 10.0.0.2:53: connect: network is unreachable"), tournament.FaultPlatform},
		{"a firewall before our name server", lookup("dial udp 10.0.0.2:53: connect: operation not permitted"), tournament.FaultPlatform},
		{"no descriptors to resolve with", lookup("dial udp: socket: too many open files"), tournament.FaultPlatform},
		// Records too long for UDP send us over TCP, where a name server need not listen: the name's owner chooses them.
		{"a long answer, and a name server without TCP", lookup("dial tcp 127.0.0.1:53: connect: connection refused"), tournament.FaultConnect},
		{"no such name", &net.DNSError{Err: "no such host", Name: "x", IsNotFound: true}, tournament.FaultConnect},
		{"the bot's name servers fail", &net.DNSError{Err: "server misbehaving", Name: "x", IsTemporary: true}, tournament.FaultConnect},
		{"the bot's name servers hang", &net.DNSError{Err: "i/o timeout", Name: "x", IsTimeout: true}, tournament.FaultConnect},
		// What an address brings with it is up to who named it.
		{"no local ports for the host", dialError(v4, syscall.EADDRNOTAVAIL), tournament.FaultConnect},
		{"we have no IPv6, the bot has nothing else", dialError(v6, syscall.EADDRNOTAVAIL), tournament.FaultConnect},
		{"a firewall of ours before the address", dialError(v4, syscall.EPERM), tournament.FaultConnect},
		{"a route of ours that forbids the address", dialError(v4, syscall.EACCES), tournament.FaultConnect},
		{"the way says forbidden, by ICMPv6", dialError(v6, syscall.EACCES), tournament.FaultConnect},
		{"no route to the bot", dialError(v6, syscall.ENETUNREACH), tournament.FaultConnect},
		{"the bot's machine is off", dialError(v4, syscall.EHOSTUNREACH), tournament.FaultConnect},
		{"the host is down", dialError(v4, syscall.EHOSTDOWN), tournament.FaultConnect},
		{"nothing answers", dialError(v4, syscall.ETIMEDOUT), tournament.FaultConnect},
		{"the way says no such protocol", dialError(v4, syscall.ENOPROTOOPT), tournament.FaultConnect},
		{"the way says too large", dialError(v4, syscall.EMSGSIZE), tournament.FaultConnect},
		{"the way says broken", dialError(v6, syscall.EPROTO), tournament.FaultConnect},
		{"refused", dialError(v4, syscall.ECONNREFUSED), tournament.FaultConnect},
		{"reset", &net.OpError{Op: "read", Err: os.NewSyscallError("read", syscall.ECONNRESET)}, tournament.FaultConnect},
		{"closed while we wrote", &net.OpError{Op: "write", Err: os.NewSyscallError("write", syscall.EPIPE)}, tournament.FaultConnect},
		{"guarded", &net.OpError{Op: "dial", Err: fmt.Errorf("%w: x", errGuarded)}, tournament.FaultConnect},
		{"no relay", fmt.Errorf("%w: x", tournament.ErrNoRelay), tournament.FaultConnect},
		{"ended early", io.ErrUnexpectedEOF, tournament.FaultConnect},
		{"anything else", errors.New("surprise"), tournament.FaultConnect},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got, reason := new(trace).judge(context.Background(), row.err); got != row.want || reason == "" {
				t.Errorf("got %s (%s), want %s", got, reason, row.want)
			}
		})
	}
}

// A deadline that is over is the bot's, whatever ended with it; a shutdown never is.
func TestADeadlineIsTheBotsAndAShutdownOurs(t *testing.T) {
	late, stop := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer stop()
	if got, reason := new(trace).judge(late, dialError("93.184.215.14", syscall.EMFILE)); got != tournament.FaultTimeout {
		t.Errorf("at the deadline: got %s (%s), want %s", got, reason, tournament.FaultTimeout)
	}
	gone, leave := context.WithCancel(context.Background())
	leave()
	if got, reason := new(trace).judge(gone, errors.New("x")); got != tournament.FaultPlatform {
		t.Errorf("at a shutdown: got %s (%s), want %s", got, reason, tournament.FaultPlatform)
	}
}
