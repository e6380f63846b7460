package httpbot

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"

	"github.com/molerun/molerun/tournament"
)

// unreachable is the one text for a name that leads nowhere and an address that may not be called: an owner must not learn
// from us which names and addresses exist in our own network.
const unreachable = "the URL's host cannot be called: its name does not resolve, or not to a public address"

// exhausted returns the errors of the system that no bot can cause: out of descriptors, memory or buffers. What says that an address
// cannot be reached is not among them, whoever says it: a bot names the address, and what lies on the way to it may answer
// EACCES (an ICMPv6 message), EPERM (a firewall of ours) or EADDRNOTAVAIL (no local port is left for that address, or none
// of its family).
func exhausted() []syscall.Errno {
	return []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.ENOBUFS}
}

// blame says whose fault it is that there is no answer. The reasons name no address and quote no error of the system.
func (t *trace) blame(ctx context.Context, err error) outcome {
	fault, reason := t.judge(ctx, err)
	var op *net.OpError
	unsent := fault == tournament.FaultPlatform && errors.As(err, &op) && op.Op == "dial"
	return outcome{fault: fault, reason: reason, unsent: unsent}
}

func (t *trace) judge(ctx context.Context, err error) (tournament.Fault, string) {
	var dns *net.DNSError
	_ = errors.As(err, &dns)
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return tournament.FaultPlatform, "the platform is shutting down"
	case errors.Is(err, errMailbox):
		return tournament.FaultPlatform, "the platform's mailbox for relays failed"
	case errors.Is(err, tournament.ErrNoRelay):
		return tournament.FaultConnect, noRelay
	case ctx.Err() != nil, isLate(err) && expired(ctx):
		return tournament.FaultTimeout, late(t.connected, t.answering)
	case isExhausted(err):
		return tournament.FaultPlatform, "the platform ran out of a resource of its system"
	case dns != nil && resolverDown(dns):
		return tournament.FaultPlatform, "the platform's name server cannot be reached"
	case errors.Is(err, errGuarded), dns != nil:
		return tournament.FaultConnect, unreachable
	case t.tlsOpen:
		return tournament.FaultTLS, "no trusted encrypted connection: " + certificate(err)
	case errors.Is(err, errHeaders):
		return tournament.FaultTooLarge, "the headers are larger than 16384 bytes"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return tournament.FaultConnect, "no local port is left for the host, or it has no address of a kind that the platform has"
	case errors.Is(err, syscall.ECONNREFUSED):
		return tournament.FaultConnect, "the connection was refused: nothing listens there"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return tournament.FaultConnect, "the connection was reset before " + t.broke()
	case !t.connected:
		return tournament.FaultConnect, "no connection could be made"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return tournament.FaultConnect, "the connection was closed before " + t.broke()
	case strings.Contains(err.Error(), "malformed"), strings.Contains(err.Error(), "invalid"), strings.Contains(err.Error(), "unsupported"):
		return tournament.FaultConnect, "the answer is not HTTP/1.1"
	}
	return tournament.FaultConnect, "the connection broke before " + t.broke()
}

// broke says what a connection broke before.
func (t *trace) broke() string {
	if t.answering {
		return "the answer was complete"
	}
	return "an answer began"
}

// expired reports whether the deadline has passed. After a stall a connection may know it before the context does.
func expired(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ok && !systemNow().Before(deadline)
}

func late(connected, begun bool) string {
	switch {
	case begun:
		return "the answer had begun but was not complete at the deadline"
	case connected:
		return "no answer had begun at the deadline"
	}
	return "there was no connection at the deadline"
}

func isExhausted(err error) bool {
	var errno syscall.Errno
	return errors.Is(err, errSockets) || errors.As(err, &errno) && slices.Contains(exhausted(), errno)
}

// resolverDown tells a name server of ours that is not there, or a lack of resources of ours, from a name that does not resolve. The
// resolver passes on only the text of the error. Refused over TCP does not count: a name whose records are too long for UDP
// leads there.
func resolverDown(err *net.DNSError) bool {
	if strings.HasSuffix(err.Err, syscall.ECONNREFUSED.Error()) {
		return strings.Contains(err.Err, "udp ")
	}
	none := append(exhausted(), syscall.EACCES, syscall.EPERM, syscall.ENETUNREACH)
	return slices.ContainsFunc(none, func(errno syscall.Errno) bool { return strings.HasSuffix(err.Err, errno.Error()) })
}

func certificate(err error) string {
	var name x509.HostnameError
	var issuer x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &name):
		return "the certificate is for another host"
	case errors.As(err, &issuer):
		return "the certificate is signed by an unknown authority"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the certificate has expired or is not yet valid"
	case errors.As(err, &invalid):
		return "the certificate is not valid"
	}
	return "the handshake failed"
}
