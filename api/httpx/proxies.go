package httpx

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// TrustedProxies lists the networks of reverse proxies whose X-Forwarded headers are believed.
type TrustedProxies []netip.Prefix

// The headers in which proxies name the caller.
const (
	forwardedFor   = "X-Forwarded-For"
	forwardedProto = "X-Forwarded-Proto"
	forwardedHost  = "X-Forwarded-Host"
	realIP         = "X-Real-IP"
)

// Resolve returns the request as the caller sent it to the outermost proxy: RemoteAddr is the caller's, Host the name that they
// asked for, and X-Forwarded-Proto is https or http. It drops such headers from anyone but a trusted proxy.
func (t TrustedProxies) Resolve(r *http.Request) *http.Request {
	out := *r
	out.Header = r.Header.Clone()
	for _, name := range []string{forwardedFor, forwardedProto, forwardedHost, realIP} {
		out.Header.Del(name)
	}
	proto := "http"
	if r.TLS != nil {
		proto = "https"
	}
	if at, ok := addressOf(r.RemoteAddr); ok && t.trusts(at) {
		out.RemoteAddr = net.JoinHostPort(t.caller(at, r.Header).String(), "0")
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

// HTTPS reports whether the caller used TLS; r comes from [TrustedProxies.Resolve].
func HTTPS(r *http.Request) bool { return r.Header.Get(forwardedProto) == "https" }

// BaseOf returns the address of this platform: its public one, if that is known, or else the one by which the caller reached it.
func BaseOf(public string, r *http.Request) string {
	switch {
	case public != "":
		return public
	case HTTPS(r):
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

func (t TrustedProxies) trusts(a netip.Addr) bool {
	return slices.ContainsFunc(t, func(p netip.Prefix) bool { return p.Contains(a) })
}

// caller returns the last address of X-Forwarded-For that is not a trusted proxy's; at, if there is none. Each proxy appends the
// address that connected to it, with or without a port. An entry that is not an address ends the chain: nothing before it can be
// believed.
func (t TrustedProxies) caller(at netip.Addr, h http.Header) netip.Addr {
	chain := strings.Split(strings.Join(h.Values(forwardedFor), ","), ",")
	if len(h.Values(forwardedFor)) == 0 {
		chain = h.Values(realIP)
	}
	for i := len(chain) - 1; i >= 0; i-- {
		a, ok := addressOf(strings.TrimSpace(chain[i]))
		if !ok {
			return at
		}
		if at = a; !t.trusts(a) {
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

// first returns the first value of a header to which proxies append: the outermost proxy's.
func first(h http.Header, name string) string {
	value, _, _ := strings.Cut(h.Get(name), ",")
	return strings.TrimSpace(value)
}
