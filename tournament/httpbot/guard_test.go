package httpbot_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
)

func networkOf(address string) string {
	if strings.HasPrefix(address, "[") {
		return "tcp6"
	}
	return "tcp4"
}

func TestTheGuardLetsOnlyPublicAddressesThrough(t *testing.T) {
	refused := []string{
		"127.0.0.1:80", "127.0.0.1:443", "127.1.2.3:80", "127.255.255.254:80", "0.0.0.0:80", "0.1.2.3:80", "10.0.0.1:80", "10.255.255.255:443",
		"100.64.0.1:80", "100.127.255.255:80", "169.254.169.254:80", "169.254.0.1:80", "172.16.0.1:80", "172.31.255.255:80", "192.0.0.1:80",
		"192.0.0.170:80", "192.0.2.1:80", "192.88.99.1:80", "192.168.0.1:80", "192.168.255.255:80", "198.18.0.1:80", "198.19.255.255:80",
		"198.51.100.1:80", "203.0.113.1:80", "224.0.0.1:80", "239.255.255.255:80", "240.0.0.1:80", "255.255.255.255:80",
		"[::1]:80", "[::]:80", "[::ffff:127.0.0.1]:80", "[::ffff:7f00:1]:80", "[::ffff:10.0.0.1]:80", "[::ffff:169.254.169.254]:80", "[::ffff:8.8.8.8]:80",
		"[::127.0.0.1]:80", "[::7f00:1]:80", "[64:ff9b::7f00:1]:80", "[64:ff9b::a9fe:a9fe]:80", "[64:ff9b:1::7f00:1]:80", "[100::1]:80",
		"[2001::1]:80", "[2001:0:7f00:1::]:80", "[2001:db8::1]:80", "[2001:2::1]:80", "[2001:10::1]:80", "[2002:7f00:1::]:80", "[2002:a9fe:a9fe::]:80",
		"[3fff::1]:80", "[5f00::1]:80", "[fc00::1]:80", "[fd00:ec2::254]:80", "[fdff::1]:443", "[fe80::1]:80", "[fe80::1%eth0]:80", "[fec0::1]:80",
		"[ff02::1]:80", "[ff0e::1]:80", "[ffff::1]:80",
		"93.184.215.14:22", "93.184.215.14:25", "93.184.215.14:5432", "93.184.215.14:8080", "93.184.215.14:0", "[2606:4700::1111]:22",
		"", "93.184.215.14", "bot.example.org:80", "[::1]", "93.184.215.14:99999", "127.1:80", "2130706433:80", "0x7f000001:80", "0177.0.0.1:80", "/run/bot.sock",
	}
	if len(refused) < 60 {
		t.Fatalf("only %d forms", len(refused))
	}
	control := httpbot.Guard{}.Control()
	for _, address := range refused {
		if control(networkOf(address), address, nil) == nil {
			t.Errorf("%q may be called, want it refused", address)
		}
	}
	for _, address := range []string{"93.184.215.14:80", "93.184.215.14:443", "1.1.1.1:443", "172.32.0.1:80", "100.128.0.1:80", "[2606:4700::1111]:443"} {
		if err := control(networkOf(address), address, nil); err != nil {
			t.Errorf("%q is refused (%v), want it allowed", address, err)
		}
	}
	for _, network := range []string{"udp4", "tcp", "unix", "ip4"} {
		if control(network, "93.184.215.14:80", nil) == nil {
			t.Errorf("the network %s may be used", network)
		}
	}
}

func TestTheGuardOpensWhatItIsToldAndNeverOurOwnListeners(t *testing.T) {
	loop := httpbot.Loopback().AllowPrivate
	for _, row := range []struct {
		name    string
		guard   httpbot.Guard
		address string
		allowed bool
	}{
		{"loopback, high port", httpbot.Guard{AllowPrivate: loop}, "127.0.0.1:8000", true},
		{"loopback, IPv6", httpbot.Guard{AllowPrivate: loop}, "[::1]:8000", true},
		{"loopback, web port", httpbot.Guard{AllowPrivate: loop}, "127.0.0.1:80", true},
		{"nothing but loopback: loopback", httpbot.Guard{AllowPrivate: loop, OnlyPrivate: true}, "127.0.0.1:8000", true},
		{"nothing but loopback: public", httpbot.Guard{AllowPrivate: loop, OnlyPrivate: true}, "93.184.215.14:443", false},
		{"nothing but loopback: private", httpbot.Guard{AllowPrivate: loop, OnlyPrivate: true}, "10.0.0.1:8000", false},
		{"loopback, system port", httpbot.Guard{AllowPrivate: loop}, "127.0.0.1:22", false},
		{"mapped loopback is loopback", httpbot.Guard{AllowPrivate: loop}, "[::ffff:127.0.0.1]:8000", true},
		{"private, not named", httpbot.Guard{AllowPrivate: loop}, "10.0.0.1:8000", false},
		{"unspecified", httpbot.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}}, "0.0.0.0:8000", false},
		{"unspecified, IPv6", httpbot.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("::/0")}}, "[::]:8000", false},
		{"multicast", httpbot.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}}, "224.0.0.1:8000", false},
		{"broadcast", httpbot.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}}, "255.255.255.255:8000", false},
		{"zone", httpbot.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("fe80::/10")}}, "[fe80::1%eth0]:8000", false},
		{"public stays on its ports", httpbot.Guard{AllowPrivate: loop}, "93.184.215.14:8000", false},
		{"one more port", httpbot.Guard{Ports: []uint16{8443}}, "93.184.215.14:8443", true},
		{"one more port opens no private address", httpbot.Guard{Ports: []uint16{8443}}, "127.0.0.1:8443", false},
		{"own listener", httpbot.Guard{AllowPrivate: loop, Deny: []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:5432")}}, "127.0.0.1:5432", false},
		{"beside our own listener", httpbot.Guard{AllowPrivate: loop, Deny: []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:5432")}}, "127.0.0.1:5433", true},
		{"own listener on every address", httpbot.Guard{AllowPrivate: loop, Deny: []netip.AddrPort{netip.MustParseAddrPort("[::]:9090")}}, "127.8.8.8:9090", false},
		{"own listener by its mapped form", httpbot.Guard{AllowPrivate: loop, Deny: []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:5432")}}, "[::ffff:127.0.0.1]:5432", false},
		{"own public address", httpbot.Guard{Deny: []netip.AddrPort{netip.MustParseAddrPort("93.184.215.14:443")}}, "93.184.215.14:443", false},
		{"own port elsewhere", httpbot.Guard{Deny: []netip.AddrPort{netip.MustParseAddrPort("0.0.0.0:443")}}, "93.184.215.14:443", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			if err := row.guard.Control()(networkOf(row.address), row.address, nil); (err == nil) != row.allowed {
				t.Fatalf("%s: %v, want allowed %t", row.address, err, row.allowed)
			}
		})
	}
}

func TestURLsAreRefusedWithTheReason(t *testing.T) {
	for _, row := range []struct{ url, refused string }{
		{"https://bot.example.org/molehill?x=1", ""},
		{"http://bot.example.org", ""},
		{"https://bot.example.org.:443/", ""},
		{"https://xn--bcher-kva.example/", ""},
		{"https://93.184.215.14/", ""},
		{"https://[2606:4700::1111]/", ""},
		{"http://good.com@127.0.0.1/", "user name"},
		{"http://user:pass@bot.example.org/", "user name"},
		{"http://@bot.example.org/", "user name"},
		{"http://bot.example.org/#part", "fragment"},
		{"http://bot.example.org/#", "fragment"},
		{"http:bot.example.org", "names no host"},
		{"http:///x", "names no host"},
		{"//bot.example.org/", "http://"},
		{"bot.example.org", "http://"},
		{"", "http://"},
		{"ftp://bot.example.org/", "http://"},
		{"file:///etc/hosts", "http://"},
		{"gopher://bot.example.org/", "http://"},
		{"http://bot.example.org:22/", "port 22"},
		{"http://bot.example.org:99999/", "port 99999"},
		{"http://bot.example.org:0/", "port 0"},
		{"http://bot.example.org:/", "colon"},
		{"http://:80/", "names no host"},
		{"http://bot.example.org:080/", "port 080"},
		{"http://[fe80::1%25en0]/", "may not be called"},
		{"http://[fe80::1%25en0%5d.good.com]/", ""}, // whatever the parser makes of it, see below
		{"http://127.0.0.1/", "may not be called"},
		{"http://0.0.0.0:8000/", "0.0.0.0 is where a server listens; write the address at which others reach it"},
		{"https://[::]/", ":: is where a server listens"},
		{"http://[::1]/", "may not be called"},
		{"http://169.254.169.254/latest/", "may not be called"},
		{"http://127.1/", "usual form"},
		{"http://2130706433/", "usual form"},
		{"http://0x7f000001/", "usual form"},
		{"http://0x7f.1/", "usual form"},
		{"http://0177.0.0.1/", "usual form"},
		{"http://localhost/", "no domain"},
		{"http://db/", "no domain"},
		{"http://bot..example.org/", "not a host name"},
		{"http://bot.example.org../", "not a host name"},
		{"http://" + strings.Repeat("a", 64) + ".org/", "not a host name"},
		{"http://" + strings.Repeat("a.", 127) + "org/", "usual form"},
		{"http://127。0。0。1/", "plain ASCII"},
		{"http://①②⑦.⓪.⓪.①/", "plain ASCII"},
		{"http://bücher.example/", "plain ASCII"},
		{"http://bot.example.org/a b", "plain ASCII"},
		{"http://bot.example.org/\r\nHost: x", "plain ASCII"},
		{"http://bot.example.org/\x00", "plain ASCII"},
		{"http://bot%2eexample.org/", ""},
		{"http://%31%32%37.0.0.1/", ""},
		{"http://bot.example.org/" + strings.Repeat("x", 2048), "at most 2048"},
	} {
		err := httpbot.CheckURL(row.url, httpbot.Guard{})
		switch {
		case strings.Contains(row.url, "%25en0%5d"), strings.HasPrefix(row.url, "http://bot%2e"), strings.HasPrefix(row.url, "http://%31"):
			if !errors.Is(err, tournament.ErrBot) { // the parser, the host check or the guard: any of them
				t.Errorf("%q: %v, want it refused", row.url, err)
			}
		case row.refused == "":
			if err != nil {
				t.Errorf("%q: %v, want it allowed", row.url, err)
			}
		case !errors.Is(err, tournament.ErrBot) || !strings.Contains(err.Error(), row.refused):
			t.Errorf("%q: %v, want %v with %q", row.url, err, tournament.ErrBot, row.refused)
		}
	}
	for _, local := range []string{"http://127.0.0.1:8000/", "http://localhost:8000", "http://[::1]:8000"} {
		if err := httpbot.CheckURL(local, httpbot.Loopback()); err != nil {
			t.Errorf("%q: %v, want it allowed in local play", local, err)
		}
	}
}

// canary counts the connections to a port of this machine.
func canary(t *testing.T) (port uint16, count *atomic.Int32) {
	t.Helper()
	count = new(atomic.Int32)
	url := raw(t, func(net.Conn, int) { count.Add(1) })
	return netip.MustParseAddrPort(strings.TrimPrefix(url, "http://")).Port(), count
}

// resolver answers every question for an IPv4 address by reply.
func resolver(t *testing.T, reply func() [4]byte) *net.Resolver {
	t.Helper()
	return dnsOf(func(m *dnsmessage.Message) { addAddress(m, reply()) })
}

// dnsOf makes its answers of the questions, over in-memory connections.
func dnsOf(answer func(*dnsmessage.Message)) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			answerDNS(theirs, answer)
		}()
		return ours, nil
	}}
}

// addAddress answers a question for an IPv4 address.
func addAddress(m *dnsmessage.Message, address [4]byte) {
	if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
		m.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 0},
			Body:   &dnsmessage.AResource{A: address},
		}}
	}
}

// answerDNS reads one question with its length in front, as over TCP, and answers it.
func answerDNS(c net.Conn, answer func(*dnsmessage.Message)) {
	_ = c.SetDeadline(time.Now().Add(5 * time.Second))
	b := make([]byte, 2048)
	n, err := c.Read(b)
	if err == nil && n == 2 {
		n, err = c.Read(b)
	} else if n > 2 {
		b, n = b[2:], n-2
	}
	var m dnsmessage.Message
	if err != nil || m.Unpack(b[:n]) != nil {
		return
	}
	m.Response, m.Additionals = true, nil
	answer(&m)
	out, err := m.AppendPack(make([]byte, 2))
	if err != nil {
		return
	}
	out[0], out[1] = byte((len(out)-2)>>8), byte(len(out)-2)
	_, _ = c.Write(out)
}

// The name is public when it is registered and leads to this machine when it is called. The public answer is only ever
// given to the guard's Control function; nothing but the loopback answer is dialled, and refused.
func TestANameThatTurnsToLoopbackIsNotCalled(t *testing.T) {
	port, count := canary(t)
	var called atomic.Bool // the client gets loopback answers only, whatever the guard does
	r := resolver(t, func() [4]byte {
		if !called.Load() {
			return [4]byte{93, 184, 215, 14}
		}
		return [4]byte{127, 0, 0, 1}
	})
	guard := httpbot.Guard{Ports: []uint16{port}}
	url := "http://rebind.example:" + netip.AddrPortFrom(netip.IPv4Unspecified(), port).String()[len("0.0.0.0:"):]
	must.OK(t, httpbot.CheckURL(url, guard))
	first, err := r.LookupNetIP(context.Background(), "ip4", "rebind.example")
	if err != nil || len(first) != 1 {
		t.Fatalf("the stub resolver says %v, %v", first, err)
	}
	if err := guard.Control()("tcp4", netip.AddrPortFrom(first[0].Unmap(), port).String(), nil); err != nil {
		t.Fatalf("the first answer is refused: %v", err)
	}
	called.Store(true)
	client := httpbot.NewClient(httpbot.Options{Guard: guard, Resolver: r})
	defer client.Close()
	bot := must.Get(httpbot.New(httpbot.Config{URL: url, Client: client}))(t)
	reply := within(t, bot, 5*time.Second)
	if reply.Fault != tournament.FaultConnect || strings.Contains(reply.Reason, "127.0.0.1") {
		t.Errorf("got %s (%s), want %s without an address", reply.Fault, reply.Reason, tournament.FaultConnect)
	}
	if n := count.Load(); n != 0 {
		t.Errorf("the canary was called %d times", n)
	}
}

// One text for all: no owner learns from us which names and addresses exist in our network. The stub answers loopback
// only, so that even with a broken guard this test calls nobody else.
func TestGuardedAddressesAndMissingNamesReadAlike(t *testing.T) {
	port, count := canary(t)
	texts := map[string]bool{}
	for name, to := range map[string]*net.Resolver{
		"something listens": resolver(t, func() [4]byte { return [4]byte{127, 0, 0, 1} }),
		"nothing listens":   resolver(t, func() [4]byte { return [4]byte{127, 9, 9, 9} }),
	} {
		client := httpbot.NewClient(httpbot.Options{Guard: httpbot.Guard{Ports: []uint16{port}}, Resolver: to})
		bot, err := httpbot.New(httpbot.Config{URL: "http://inside.example:" + netip.AddrPortFrom(netip.IPv4Unspecified(), port).String()[8:], Client: client})
		must.OK(t, err)
		reply := within(t, bot, 5*time.Second)
		if reply.Fault != tournament.FaultConnect {
			t.Errorf("%s: %s (%s)", name, reply.Fault, reply.Reason)
		}
		texts[reply.Reason] = true
		client.Close()
	}
	missing := httpbot.NewClient(httpbot.Options{Resolver: dnsOf(func(m *dnsmessage.Message) { m.RCode = dnsmessage.RCodeNameError })})
	defer missing.Close()
	reply := within(t, player(t, missing, "http://missing.example"), 5*time.Second)
	texts[reply.Reason] = true
	if reply.Fault != tournament.FaultConnect || len(texts) != 1 {
		t.Errorf("%s: the texts are %v, want one", reply.Fault, texts)
	}
	if n := count.Load(); n != 0 {
		t.Errorf("the canary was called %d times", n)
	}
}

// Over TCP a name server may well refuse: a bot's name leads there when its records are too long for UDP.
func TestOurOwnNameServerBeingDownIsOurFault(t *testing.T) {
	for network, want := range map[string]tournament.Fault{"udp": tournament.FaultPlatform, "tcp": tournament.FaultConnect} {
		client := httpbot.NewClient(httpbot.Options{Patience: 50 * time.Millisecond, Resolver: &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, shut(t, network))
		}}})
		if r := within(t, player(t, client, "http://bot.example"), 300*time.Millisecond); r.Fault != want {
			t.Errorf("refused over %s: got %s (%s), want %s", network, r.Fault, r.Reason, want)
		}
		client.Close()
	}
}

// shut returns an address of this machine where nobody listens any more.
func shut(t *testing.T, network string) string {
	t.Helper()
	if network == "udp" {
		c := must.Get(net.ListenPacket(network, "127.0.0.1:0"))(t)
		defer c.Close()
		return c.LocalAddr().String()
	}
	l := must.Get(net.Listen(network, "127.0.0.1:0"))(t)
	defer l.Close()
	return l.Addr().String()
}
