package httpbot

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"code.dny.dev/ssrf"

	"github.com/molerun/molerun/tournament"
)

// maxURLBytes is the longest URL of a bot.
const maxURLBytes = 2048

// firstFreePort is the lowest port allowed at a private address without being listed: below live system services.
const firstFreePort = 1024

// Guard says which addresses may be called. The zero Guard allows public addresses on ports 80 and 443.
type Guard struct {
	// Ports are allowed besides 80 and 443.
	Ports []uint16
	// AllowPrivate are prefixes outside the public internet that may be called all the same, on the ports above and on
	// every port from 1024: loopback for local play, or what --allow-private-bots names.
	AllowPrivate []netip.Prefix
	// OnlyPrivate shuts the public internet: nothing but AllowPrivate may be called.
	OnlyPrivate bool
	// Deny is refused whatever else is allowed: our own listeners and our database. An entry on the unspecified address
	// (0.0.0.0 or ::) means its port on every private address.
	Deny []netip.AddrPort
	// Own are denied likewise; they may become known after the guard was made. nil: none.
	Own *Own
}

// Own are addresses of ours: what we listen on, and where our database is. It is safe for concurrent use.
type Own struct {
	mu   sync.Mutex
	list []netip.AddrPort
}

// Add denies an address from now on.
func (o *Own) Add(at netip.AddrPort) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !slices.Contains(o.list, at) {
		o.list = append(o.list, at)
	}
}

// all returns the addresses so far.
func (o *Own) all() []netip.AddrPort {
	if o == nil {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.list)
}

// Loopback returns the Guard of local play: this machine besides the public internet.
func Loopback() Guard {
	return Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}}
}

// errGuarded refuses an address. Its cause is for our own log; the owner of the bot never sees it.
var errGuarded = errors.New("address not allowed")

// ports lists what a public address may be called on.
func (g Guard) ports() []uint16 { return append([]uint16{80, 443}, g.Ports...) }

// Control refuses a connection that the guard does not allow. It is meant for [net.Dialer]: there the address is the
// resolved one, so a name cannot lead elsewhere between the check and the call.
func (g Guard) Control() func(network, address string, c syscall.RawConn) error {
	public := ssrf.New(ssrf.WithPorts(g.ports()...))
	return func(network, address string, c syscall.RawConn) error {
		if ap, err := netip.ParseAddrPort(address); err == nil {
			ap = netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port())
			private := g.private(ap)
			if g.denied(ap, private) {
				return fmt.Errorf("%w: our own listener, or our database", errGuarded)
			}
			if private && (network == "tcp4" || network == "tcp6") {
				return nil
			}
		}
		if g.OnlyPrivate {
			return fmt.Errorf("%w: not one of %s", errGuarded, tournament.Listed(g.AllowPrivate))
		}
		if err := public.Safe(network, address, c); err != nil {
			return fmt.Errorf("%w: %w", errGuarded, err)
		}
		return nil
	}
}

// private reports whether AllowPrivate opens the address. The unspecified, broadcast and multicast addresses stay shut: the
// first leads to this machine by a way around Deny.
func (g Guard) private(ap netip.AddrPort) bool {
	a := ap.Addr()
	if a.IsUnspecified() || a.IsMulticast() || a.Zone() != "" || a == netip.AddrFrom4([4]byte{255, 255, 255, 255}) {
		return false
	}
	return (ap.Port() >= firstFreePort || slices.Contains(g.ports(), ap.Port())) &&
		slices.ContainsFunc(g.AllowPrivate, func(p netip.Prefix) bool { return p.Contains(a) })
}

func (g Guard) denied(ap netip.AddrPort, private bool) bool {
	return slices.ContainsFunc(append(g.Own.all(), g.Deny...), func(d netip.AddrPort) bool {
		return d.Port() == ap.Port() && (d.Addr().Unmap() == ap.Addr() || private && d.Addr().IsUnspecified())
	})
}

// CheckURL returns why a bot's URL is refused ([tournament.ErrBot]). It looks at the text alone; where the host's name leads
// is checked at every connection.
func CheckURL(raw string, g Guard) error {
	_, err := parseURL(raw, g)
	return err
}

func parseURL(raw string, g Guard) (*url.URL, error) {
	refuse := func(format string, args ...any) (*url.URL, error) {
		return nil, fmt.Errorf("%w: the URL "+format, append([]any{tournament.ErrBot}, args...)...)
	}
	if len(raw) > maxURLBytes {
		return refuse("is %d bytes long, at most %d are allowed", len(raw), maxURLBytes)
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return refuse("is not a URL in plain ASCII, like https://bot.example.org/molehill")
	case u.Scheme != "http" && u.Scheme != "https":
		return refuse("must begin with http:// or https://")
	case u.Opaque != "" || u.Host == "" || u.Hostname() == "":
		return refuse("names no host: write %s://HOST/", u.Scheme)
	case u.User != nil:
		return refuse("holds a user name; requests are signed instead")
	case u.Fragment != "" || strings.Contains(raw, "#"):
		return refuse("has a fragment (#…), which is never sent")
	}
	if err := g.checkHost(u); err != nil {
		return nil, err
	}
	return u, nil
}

func (g Guard) checkHost(u *url.URL) error {
	host, port := u.Hostname(), map[string]uint16{"http": 80, "https": 443}[u.Scheme]
	if addr, err := netip.ParseAddr(host); err == nil && addr.Unmap().IsUnspecified() {
		return fmt.Errorf("%w: %s is where a server listens; write the address at which others reach it", tournament.ErrBot, addr)
	}
	if strings.HasSuffix(u.Host, ":") {
		return fmt.Errorf("%w: the URL ends its host with a colon but names no port", tournament.ErrBot)
	}
	if text := u.Port(); text != "" {
		n, err := strconv.ParseUint(text, 10, 16)
		if err != nil || n == 0 || text[0] == '0' {
			return fmt.Errorf("%w: the URL's port %s is not 1 to 65535", tournament.ErrBot, text)
		}
		port = uint16(n)
	}
	if !slices.Contains(g.ports(), port) && (len(g.AllowPrivate) == 0 || port < firstFreePort) {
		more := ""
		if len(g.AllowPrivate) > 0 {
			more = fmt.Sprintf(", or one from %d at a private address", firstFreePort)
		}
		return fmt.Errorf("%w: the URL's port %d is not allowed, use one of %s%s", tournament.ErrBot, port, tournament.Listed(g.ports()), more)
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		if g.Control()(network(addr), netip.AddrPortFrom(addr, port).String(), nil) != nil {
			return fmt.Errorf("%w: the URL's address may not be called", tournament.ErrBot)
		}
		return nil
	}
	return g.checkName(host)
}

func network(a netip.Addr) string {
	if a.Is4() {
		return "tcp4"
	}
	return "tcp6"
}

// checkName refuses what is neither a proper name nor an address, above all the old ways to write 127.0.0.1 as a number.
func (g Guard) checkName(host string) error {
	name := strings.TrimSuffix(strings.ToLower(host), ".")
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return fmt.Errorf("%w: the URL's host is not a host name (write other letters in punycode)", tournament.ErrBot)
		}
	}
	if last := labels[len(labels)-1]; len(name) > 253 || strings.HasPrefix(last, "0x") || strings.Trim(last, "0123456789") == "" {
		return fmt.Errorf("%w: the URL's host is neither a host name nor an address in its usual form", tournament.ErrBot)
	}
	if len(labels) == 1 && len(g.AllowPrivate) == 0 {
		return fmt.Errorf("%w: the URL's host %s has no domain, it cannot be a public name", tournament.ErrBot, name)
	}
	return nil
}
