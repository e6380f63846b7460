package command

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strings"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
)

// Listen opens a TCP listener; port 0 takes a free one.
func Listen(ctx context.Context, addr string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%w; choose another address", err)
	}
	return l, nil
}

// URL returns the address at which this machine calls a server of its own. One that listens everywhere is called at loopback.
func URL(listens net.Addr) string {
	at, err := netip.ParseAddrPort(listens.String())
	if err != nil || !at.Addr().IsUnspecified() {
		return "http://" + listens.String()
	}
	return fmt.Sprintf("http://127.0.0.1:%d", at.Port())
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

// Nearby reports whether an address is on this machine or is a literal private one, as in a home network.
func Nearby(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil {
		return false
	}
	addr, err := netip.ParseAddr(u.Hostname())
	return Here(raw) || err == nil && (addr.Unmap().IsPrivate() || addr.Unmap().IsLinkLocalUnicast())
}

// schemed parts an address into its scheme and the rest, with as many slashes between as somebody typed.
var schemed = regexp.MustCompile(`^(?i:(https?):)?/*(.*)$`)

// Address returns the address of a server as somebody typed it, without spaces around it. What a server listens on, or what stands in
// a browser, is not always what can be called: the error, an [ErrUsage], says what to write instead.
func Address(typed string) (string, error) {
	typed = strings.TrimSpace(typed)
	parts := schemed.FindStringSubmatch(typed)
	scheme := cmp.Or(strings.ToLower(parts[1]), "http")
	u, err := url.Parse(scheme + "://" + parts[2])
	if err != nil || typed == "" || strings.Contains(parts[2], "://") || strings.Contains(typed, " ") || u.Port() == "0" {
		return "", fmt.Errorf("%w: %s is not the address of a server, like http://127.0.0.1:8000; write the one that the server prints when it starts", ErrUsage, protocol.Quote(typed))
	}
	at := func(host string) string { return strings.TrimSuffix(net.JoinHostPort(host, u.Port()), ":") }
	why := "an address begins with http:// or https://"
	switch addr, err := netip.ParseAddr(u.Hostname()); {
	case u.Hostname() == "":
		why, u.Host = "it names no host", at("127.0.0.1")
	case err == nil && addr.Is6() && addr.IsUnspecified():
		why, u.Host = addr.String()+" is where a server listens", at("::1")
	case err == nil && addr.Unmap().IsUnspecified():
		why, u.Host = addr.String()+" is where a server listens", at("127.0.0.1")
	case strings.HasPrefix(strings.ToLower(typed), scheme+"://"):
		return typed, nil
	}
	if parts[1] == "" && !Here(u.String()) {
		u.Scheme = "https"
	}
	return "", fmt.Errorf("%w: %s: %s; write %s", ErrUsage, protocol.Quote(typed), why, u)
}

// QuotedBot returns the address of a bot in a command to type, with the flag that lets it be called if it needs one.
func QuotedBot(address string) string {
	if Here(address) {
		return Quoted(address)
	}
	return Quoted(address) + " --allow-public"
}

// BotAddress returns [Address] for a command that calls the bot from here: on this machine alone or, if public is set, on the public internet
// too. It names the flag that sets it only where that helps.
func BotAddress(typed string, public bool) (string, error) {
	raw, err := Address(typed)
	if err != nil {
		return "", err
	}
	if Here(raw) {
		if err := httpbot.CheckURL(raw, httpbot.Loopback()); err != nil {
			return "", fmt.Errorf("%w: %s: %s", ErrUsage, protocol.Quote(raw), tournament.Facts(err, tournament.ErrBot))
		}
		return raw, nil
	}
	if err := httpbot.CheckURL(raw, httpbot.Guard{}); err != nil { // no flag opens it
		return "", fmt.Errorf("%w: %s: %s; start this command on the machine of the bot, and write http://127.0.0.1 and its port", ErrUsage, protocol.Quote(raw), tournament.Facts(err, tournament.ErrBot))
	}
	if !public {
		return "", fmt.Errorf("%w: %s is not on this machine; --allow-public lets it be called", ErrUsage, protocol.Quote(raw))
	}
	return raw, nil
}
