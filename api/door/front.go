package door

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Front is what stands before the platform: proxies that are trusted to say for whom they ask.
type Front struct{ proxies []netip.Prefix }

// NewFront trusts proxies in these networks (CIDR) or at these addresses.
func NewFront(networks []string) (*Front, error) {
	f := &Front{}
	for _, text := range networks {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			a, err := netip.ParseAddr(text)
			if err != nil {
				return nil, err
			}
			p = netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen())
		}
		f.proxies = append(f.proxies, p.Masked())
	}
	return f, nil
}

// The headers by which proxies say for whom they ask.
const (
	forwardedFor   = "X-Forwarded-For"
	forwardedProto = "X-Forwarded-Proto"
	forwardedHost  = "X-Forwarded-Host"
	realIP         = "X-Real-IP"
)

// Seen is the request as the caller sent it to the outermost proxy: RemoteAddr is the caller's, Host the name that they asked for,
// and X-Forwarded-Proto is https or http. What anybody else than a trusted proxy says of that is dropped.
func (f *Front) Seen(r *http.Request) *http.Request {
	out := *r
	out.Header = r.Header.Clone()
	for _, name := range []string{forwardedFor, forwardedProto, forwardedHost, realIP} {
		out.Header.Del(name)
	}
	proto := "http"
	if r.TLS != nil {
		proto = "https"
	}
	if at, ok := addressOf(r.RemoteAddr); ok && f.trusts(at) {
		out.RemoteAddr = net.JoinHostPort(f.caller(at, r.Header).String(), "0")
		if said := strings.ToLower(first(r.Header, forwardedProto)); said == "https" || said == "http" {
			proto = said
		}
		if host := first(r.Header, forwardedHost); host != "" {
			out.Host = host
		}
	}
	out.Header.Set(forwardedProto, proto)
	return &out
}

// HTTPS reports whether the caller of a request that was [Front.Seen] came by TLS.
func HTTPS(r *http.Request) bool { return r.Header.Get(forwardedProto) == "https" }

func (f *Front) trusts(a netip.Addr) bool {
	return slices.ContainsFunc(f.proxies, func(p netip.Prefix) bool { return p.Contains(a) })
}

// caller is the last address of X-Forwarded-For that no trusted proxy has, or at says so: each proxy adds whom it was asked by, with
// or without a port. What is no address ends the chain: nothing before it can be believed.
func (f *Front) caller(at netip.Addr, h http.Header) netip.Addr {
	chain := strings.Split(strings.Join(h.Values(forwardedFor), ","), ",")
	if len(h.Values(forwardedFor)) == 0 {
		chain = h.Values(realIP)
	}
	for i := len(chain) - 1; i >= 0; i-- {
		a, ok := addressOf(strings.TrimSpace(chain[i]))
		if !ok {
			return at
		}
		if at = a; !f.trusts(a) {
			return at
		}
	}
	return at
}

// addressOf reads an address with or without a port, an IPv6 one with or without brackets.
func addressOf(text string) (netip.Addr, bool) {
	if ap, err := netip.ParseAddrPort(text); err == nil {
		return ap.Addr().Unmap().WithZone(""), true
	}
	a, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	return a.Unmap().WithZone(""), err == nil
}

// first is the first value of a header that proxies add to: what the outermost said.
func first(h http.Header, name string) string {
	value, _, _ := strings.Cut(h.Get(name), ",")
	return strings.TrimSpace(value)
}
