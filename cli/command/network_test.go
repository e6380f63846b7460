package command_test

import (
	"errors"
	"net"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"github.com/molerun/molerun/cli/command"
)

var written = regexp.MustCompile(`; write (\S+)$`)

// Whoever does what a refusal of an address says must get on: to an address that is called, in three steps at most.
func TestTheAdviceOnAnAddressWorksWhenFollowed(t *testing.T) {
	for typed, want := range map[string]string{
		"http://127.0.0.1:8000":        "http://127.0.0.1:8000",
		" http://127.0.0.1:8000 \n":    "http://127.0.0.1:8000",
		"HTTP://LOCALHOST:8000/x":      "HTTP://LOCALHOST:8000/x",
		"http://0.0.0.0:8000":          "http://127.0.0.1:8000",
		"http://0.0.0.0:8000/path?q=1": "http://127.0.0.1:8000/path?q=1",
		"https://0.0.0.0":              "https://127.0.0.1",
		"0.0.0.0:8000":                 "http://127.0.0.1:8000",
		"http://[::]:8000":             "http://[::1]:8000",
		"[::]:8000":                    "http://[::1]:8000",
		"http://[::ffff:0.0.0.0]:8000": "http://127.0.0.1:8000",
		"http://[0:0:0:0:0:0:0:0]":     "http://[::1]",
		"http://:8000":                 "http://127.0.0.1:8000",
		"http://:8000/bot":             "http://127.0.0.1:8000/bot",
		":8000":                        "http://127.0.0.1:8000",
		"localhost:8000":               "http://localhost:8000",
		"localhost":                    "http://localhost",
		"127.0.0.1:8000/bot":           "http://127.0.0.1:8000/bot",
		"[::1]:8000":                   "http://[::1]:8000",
		"//127.0.0.1:8000":             "http://127.0.0.1:8000",
		"http:127.0.0.1:8000":          "http://127.0.0.1:8000",
		"http:/127.0.0.1:8000":         "http://127.0.0.1:8000",
		"bot.example.org":              "https://bot.example.org",
		"bot.example.org/molehill":     "https://bot.example.org/molehill",
		"https://bot.example.org/":     "https://bot.example.org/",
		"http://10.0.0.1:8000":         "http://127.0.0.1:8000", // on the bot's machine
		"10.0.0.1:8000":                "http://127.0.0.1:8000",
		"http://192.168.1.20:8000":     "http://127.0.0.1:8000",
		"http://169.254.169.254/":      "http://127.0.0.1:8000",
		"http://[fe80::1]:8000":        "http://127.0.0.1:8000",
		"http://bot.example.org:8000":  "http://127.0.0.1:8000",
		"http://box:8000":              "http://127.0.0.1:8000",
	} {
		address, public := typed, false
		var said []string
		for step := 0; ; step++ {
			called, err := command.BotAddress(address, public)
			if err == nil {
				if called != want {
					t.Errorf("%q: ends at %s, want %s; on the way %q", typed, called, want, said)
				}
				break
			}
			said = append(said, err.Error())
			advice := written.FindStringSubmatch(err.Error())
			switch {
			case !errors.Is(err, command.ErrUsage), step == 3:
				t.Errorf("%q: %q leads nowhere", typed, said)
			case advice != nil:
				address = advice[1]
				continue
			case strings.Contains(err.Error(), "--allow-public") && !public:
				public = true
				continue
			case strings.Contains(err.Error(), "on the machine of the bot, and write http://127.0.0.1 and its port"):
				address = "http://127.0.0.1:8000"
				continue
			default:
				t.Errorf("%q: %q has no advice", typed, said)
			}
			break
		}
	}
	for typed, part := range map[string]string{
		"":                       "like http://127.0.0.1:8000",
		"http://127.0.0.1:0":     "that the server prints",
		"http://local host:8000": "like http://127.0.0.1:8000",
		"ftp://127.0.0.1/":       "like http://127.0.0.1:8000",
		"http://127.0.0.1:":      "names no port",
		"http://127.0.0.1:22":    "or one from 1024",
		"http://127.0.0.1:99999": "not 1 to 65535",
		"http://127.1":           "usual form",
		"http://0":               "usual form",
	} {
		if got, err := command.BotAddress(typed, false); !errors.Is(err, command.ErrUsage) || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: got %q, %v; want a refusal with %q", typed, got, err, part)
		}
	}
}

func TestAServerThatListensEverywhereIsCalledAtLoopback(t *testing.T) {
	for listens, want := range map[string]string{
		"127.0.0.1:8001": "http://127.0.0.1:8001", "0.0.0.0:8001": "http://127.0.0.1:8001", "[::]:8001": "http://127.0.0.1:8001", "[::1]:8001": "http://[::1]:8001",
	} {
		got := command.URL(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(listens)))
		if called, err := command.BotAddress(got, false); got != want || err != nil || called != want {
			t.Errorf("%s: got %s (%v), want %s, which can be called", listens, got, err, want)
		}
	}
}

// The address of a bot in a command that was printed is one that this command may call.
func TestACommandThatIsPrintedMayCallItsBot(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:8000": "http://127.0.0.1:8000", "http://localhost:8000/?a=1": "'http://localhost:8000/?a=1'", "http://[::1]:8000/": "'http://[::1]:8000/'",
		"https://bot.example.org/": "https://bot.example.org/ --allow-public",
	} {
		if got := command.QuotedBot(address); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if _, err := command.BotAddress(address, strings.HasSuffix(command.QuotedBot(address), " --allow-public")); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}
