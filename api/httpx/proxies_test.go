package httpx_test

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/molerun/molerun/api/httpx"
)

func TestOnlyTrustedProxiesNameTheCaller(t *testing.T) {
	proxies := httpx.TrustedProxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.0.2.7/32"), netip.MustParsePrefix("fd00::/8")}
	for _, x := range []struct {
		name, from       string
		headers          map[string]string
		tls              bool
		at, host, scheme string
	}{
		{name: "nobody between", from: "198.51.100.1:5", at: "198.51.100.1:5", host: "play.example", scheme: "http"},
		{name: "TLS of our own", from: "198.51.100.1:5", tls: true, at: "198.51.100.1:5", host: "play.example", scheme: "https"},
		{
			name: "anybody", from: "198.51.100.1:5", at: "198.51.100.1:5", host: "play.example", scheme: "http",
			headers: map[string]string{"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example", "X-Real-IP": "203.0.113.9"},
		},
		{
			name: "a proxy", from: "10.1.1.1:5", at: "203.0.113.9:0", host: "cup.example", scheme: "https",
			headers: map[string]string{"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "cup.example"},
		},
		{name: "a port", from: "10.1.1.1:5", at: "203.0.113.9:0", host: "play.example", scheme: "http", headers: map[string]string{"X-Forwarded-For": "203.0.113.9:4711"}},
		{name: "brackets and a port", from: "10.1.1.1:5", at: "[2001:db8::1]:0", host: "play.example", scheme: "http", headers: map[string]string{"X-Forwarded-For": "[2001:db8::1]:4711"}},
		{name: "brackets", from: "10.1.1.1:5", at: "[2001:db8::1]:0", host: "play.example", scheme: "http", headers: map[string]string{"X-Forwarded-For": "[2001:db8::1]"}},
		{name: "neither", from: "10.1.1.1:5", at: "[2001:db8::1]:0", host: "play.example", scheme: "http", headers: map[string]string{"X-Forwarded-For": "2001:db8::1"}},
		{name: "mapped", from: "[::ffff:10.1.1.1]:5", at: "203.0.113.9:0", host: "play.example", scheme: "http", headers: map[string]string{"X-Forwarded-For": "::ffff:203.0.113.9"}},
		{name: "two proxies", from: "10.1.1.1:5", at: "203.0.113.9:0", host: "play.example", scheme: "https", headers: map[string]string{"X-Forwarded-For": "203.0.113.9, 192.0.2.7:80", "X-Forwarded-Proto": "https,http"}},
		{name: "a lie before the truth", from: "10.1.1.1:5", at: "203.0.113.9:0", host: "play.example", scheme: "http", headers: map[string]string{"X-Forwarded-For": "1.1.1.1, 203.0.113.9"}},
		{name: "nonsense before a proxy", from: "10.1.1.1:5", at: "192.0.2.7:0", host: "play.example", scheme: "http", headers: map[string]string{"X-Forwarded-For": "unknown, 192.0.2.7"}},
		{name: "nonsense", from: "10.1.1.1:5", at: "10.1.1.1:0", host: "play.example", scheme: "http", headers: map[string]string{"X-Forwarded-For": "unknown", "X-Forwarded-Proto": "gopher"}},
		{name: "the other header", from: "10.1.1.1:5", at: "203.0.113.9:0", host: "play.example", scheme: "http", headers: map[string]string{"X-Real-IP": "203.0.113.9:1"}},
		{name: "nothing said", from: "10.1.1.1:5", at: "10.1.1.1:0", host: "play.example", scheme: "http"},
	} {
		r := httptest.NewRequest(http.MethodGet, "http://play.example/", nil)
		if r.RemoteAddr = x.from; x.tls {
			r.TLS = &tls.ConnectionState{}
		}
		for name, value := range x.headers {
			r.Header.Set(name, value)
		}
		got := proxies.Resolve(r)
		if got.RemoteAddr != x.at || got.Host != x.host || got.Header.Get("X-Forwarded-Proto") != x.scheme || httpx.HTTPS(got) != (x.scheme == "https") {
			t.Errorf("%s: got %s %s %s, want %s %s %s", x.name, got.RemoteAddr, got.Host, got.Header.Get("X-Forwarded-Proto"), x.at, x.host, x.scheme)
		}
		for _, name := range []string{"X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP"} {
			if got.Header.Get(name) != "" {
				t.Errorf("%s: %s is passed on", x.name, name)
			}
		}
	}
}
