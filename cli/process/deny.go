package process

import (
	"context"
	"net"
	"net/netip"
)

// denyDatabase denies bots and webhooks the addresses of the database. A name leads elsewhere after a failover, so that its port is denied
// on every private address, whatever the name resolves to; on public ones no such port is open to bots anyway.
func (p *Process) denyDatabase(ctx context.Context) error {
	for _, address := range p.Store.Addresses() {
		host, port, err := net.SplitHostPort(address)
		if err != nil {
			return err
		}
		if _, err := netip.ParseAddr(host); err != nil {
			host = ""
		}
		if err := p.Deny(ctx, net.JoinHostPort(host, port)); err != nil {
			return err
		}
	}
	return nil
}

// Deny denies bots and webhooks an address, given as host:port. No host is every address of this machine.
func (p *Process) Deny(ctx context.Context, address string) error {
	host, service, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	port, err := net.DefaultResolver.LookupPort(ctx, "tcp", service)
	if err != nil {
		return err
	}
	if port == 0 { // whichever is free: that is known once it is bound
		return nil
	}
	found := []netip.Addr{netip.IPv6Unspecified()}
	if host != "" {
		if found, err = net.DefaultResolver.LookupNetIP(ctx, "ip", host); err != nil {
			return err
		}
	}
	for _, a := range found {
		p.guard.Own.Add(netip.AddrPortFrom(a.Unmap().WithZone(""), uint16(port))) // a port of TCP
	}
	return nil
}
