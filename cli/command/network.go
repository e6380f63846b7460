package command

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// Listen opens a TCP listener; port 0 takes a free one.
func Listen(ctx context.Context, addr string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%w; choose another address with --listen or --metrics", err)
	}
	return l, nil
}

// Here reports whether a URL names this machine. Nobody is asked where other names lead. It is true of what is no URL: the guard of
// calls refuses that in better words.
func Here(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil {
		return true
	}
	name := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	addr, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && addr.Unmap().IsLoopback()
}
