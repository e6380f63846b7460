package httpbot

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"testing"

	"github.com/molerun/molerun/tournament"
)

func dialError(ip string, errno syscall.Errno) error {
	return &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.ParseIP(ip), Port: 80}, Err: os.NewSyscallError("connect", errno)}
}

func TestWhoIsToBlame(t *testing.T) {
	const v4, v6 = "93.184.215.14", "2606:4700::1111"
	for _, row := range []struct {
		name string
		err  error
		want tournament.Fault
	}{
		{"no descriptors for us", dialError(v4, syscall.EMFILE), tournament.FaultPlatform},
		{"no descriptors in the system", dialError(v4, syscall.ENFILE), tournament.FaultPlatform},
		{"no memory", dialError(v4, syscall.ENOMEM), tournament.FaultPlatform},
		{"no buffers", dialError(v4, syscall.ENOBUFS), tournament.FaultPlatform},
		{"our firewall", dialError(v4, syscall.EPERM), tournament.FaultPlatform},
		{"no local ports", dialError(v4, syscall.EADDRNOTAVAIL), tournament.FaultPlatform},
		{"we have no IPv6, the bot has nothing else", dialError(v6, syscall.EADDRNOTAVAIL), tournament.FaultConnect},
		{"no route to the bot", dialError(v6, syscall.ENETUNREACH), tournament.FaultConnect},
		{"the bot's machine is off", dialError(v4, syscall.EHOSTUNREACH), tournament.FaultConnect},
		{"refused", dialError(v4, syscall.ECONNREFUSED), tournament.FaultConnect},
		{"guarded", &net.OpError{Op: "dial", Err: fmt.Errorf("%w: x", errGuarded)}, tournament.FaultConnect},
		{"no such name", &net.DNSError{Err: "no such host", Name: "x", IsNotFound: true}, tournament.FaultConnect},
		{"the bot's name servers fail", &net.DNSError{Err: "server misbehaving", Name: "x", IsTemporary: true}, tournament.FaultConnect},
		{"our name server is down", &net.DNSError{Err: "read udp 127.0.0.1:1->127.0.0.1:53: read: connection refused", Name: "x"}, tournament.FaultPlatform},
		{"no descriptors to resolve with", &net.DNSError{Err: "dial udp: socket: too many open files", Name: "x"}, tournament.FaultPlatform},
		{"anything else", errors.New("surprise"), tournament.FaultConnect},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got, reason := new(trace).judge(context.Background(), row.err); got != row.want || reason == "" {
				t.Errorf("got %s (%s), want %s", got, reason, row.want)
			}
		})
	}
}
