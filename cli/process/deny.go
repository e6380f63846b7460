package process

import (
	"context"
	"net"
	"net/netip"
	"time"
)

// resolveWait bounds the look-up of the names of our database.
const resolveWait = 2 * time.Second

// denyDatabase denies bots and webhooks the addresses of the database, as far as its names are known now.
func (p *Process) denyDatabase(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, resolveWait)
	defer cancel()
	for _, address := range p.Store.Addresses() {
		if err := p.Deny(ctx, address); err != nil {
			p.log.Warn("bots are not kept from the database by its address", "address", address, "err", err)
		}
	}
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
