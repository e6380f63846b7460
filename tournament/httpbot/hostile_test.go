package httpbot_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
)

// swallow reads one request and returns its body; nil when the peer is gone.
func swallow(r *bufio.Reader) []byte {
	request, err := http.ReadRequest(r)
	if err != nil {
		return nil
	}
	b, err := io.ReadAll(request.Body)
	if err != nil {
		return nil
	}
	return b
}

// answering reads a request on each connection and then sends these bytes.
func answering(text string) func(net.Conn, int) {
	return func(c net.Conn, _ int) {
		if swallow(bufio.NewReader(c)) != nil {
			_, _ = io.WriteString(c, text)
		}
	}
}

func zipped(n int) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.CopyN(z, zeroes{}, int64(n))
	_ = z.Close()
	return b.Bytes()
}

type zeroes struct{}

func (zeroes) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func forever(c net.Conn, text string) {
	for {
		if _, err := io.WriteString(c, text); err != nil {
			return
		}
	}
}

// reset makes closing c send RST.
func reset(c net.Conn) { _ = c.(*net.TCPConn).SetLinger(0) }

const okHeader = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

func TestHostileAnswersAreTheBotsFault(t *testing.T) {
	bomb := zipped(50 << 20)
	for _, row := range []struct {
		name   string
		serve  func(c net.Conn, number int)
		fault  tournament.Fault
		reason string
	}{
		{"hangs", func(c net.Conn, _ int) { _, _ = io.Copy(io.Discard, c) }, tournament.FaultTimeout, "no answer had begun"},
		{"hangs after the headers", func(c net.Conn, _ int) {
			answering(okHeader+"Content-Length: 50\r\n\r\n")(c, 0)
			_, _ = io.Copy(io.Discard, c)
		}, tournament.FaultTimeout, "had begun"},
		{"drips its body", func(c net.Conn, _ int) {
			answering(okHeader+"Transfer-Encoding: chunked\r\n\r\n")(c, 0)
			for {
				if _, err := io.WriteString(c, "1\r\n{\r\n"); err != nil {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
		}, tournament.FaultTimeout, "had begun"},
		{"drips its headers", func(c net.Conn, _ int) {
			answering("HTTP/1.1 200 OK\r\n")(c, 0)
			for {
				if _, err := io.WriteString(c, "x"); err != nil {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
		}, tournament.FaultTimeout, "had begun"},
		{"half a body", answering(okHeader + "Content-Length: 50\r\n\r\n{\"choose\":"), tournament.FaultConnect, "closed before the answer was complete"},
		{"half a chunk", answering(okHeader + "Transfer-Encoding: chunked\r\n\r\n20\r\n{\"cho"), tournament.FaultConnect, "closed before the answer was complete"},
		{"half a header", answering("HTTP/1.1 200 OK\r\nContent-"), tournament.FaultConnect, "not HTTP"},
		{"closes at once", func(net.Conn, int) {}, tournament.FaultConnect, "before an answer began; tried "},
		{"closes after the request", answering(""), tournament.FaultConnect, "before an answer began; tried "},
		{"resets", func(c net.Conn, _ int) { reset(c); answering("")(c, 0) }, tournament.FaultConnect, "before an answer began; tried "},
		{"resets within the body", func(c net.Conn, _ int) {
			reset(c)
			answering(okHeader+"Content-Length: 50\r\n\r\n{")(c, 0)
			time.Sleep(50 * time.Millisecond)
		}, tournament.FaultConnect, "reset"},
		{"gzip bomb", answering(okHeader + "Content-Encoding: gzip\r\n\r\n" + string(bomb)), tournament.FaultBadJSON, "compressed"},
		{"gzip bomb under a plain name", answering(okHeader + "\r\n" + string(bomb)), tournament.FaultBadJSON, ""},
		{"endless headers", func(c net.Conn, _ int) {
			answering("HTTP/1.1 200 OK\r\n")(c, 0)
			forever(c, "x: "+strings.Repeat("y", 1000)+"\r\n")
		}, tournament.FaultTooLarge, "headers"},
		{"one endless header", func(c net.Conn, _ int) {
			answering("HTTP/1.1 200 OK\r\nx: ")(c, 0)
			forever(c, strings.Repeat("y", 1000))
		}, tournament.FaultTooLarge, "headers"},
		{"endless early hints", func(c net.Conn, _ int) {
			answering("")(c, 0)
			forever(c, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
		}, tournament.FaultTooLarge, "headers"},
		{"oversized body", answering(okHeader + "\r\n{\"choose\":1}" + strings.Repeat(" ", 70_000)), tournament.FaultTooLarge, "65536"},
		{"oversized by its own word", answering(okHeader + "Content-Length: 65537\r\n\r\n{"), tournament.FaultTooLarge, "65536"},
		{"endless body", func(c net.Conn, _ int) { answering(okHeader+"\r\n")(c, 0); forever(c, "          ") }, tournament.FaultTooLarge, "65536"},
		{"endless trailers", func(c net.Conn, _ int) {
			answering(okHeader+"Transfer-Encoding: chunked\r\n\r\nc\r\n{\"choose\":1}\r\n0\r\n")(c, 0)
			forever(c, "x: y\r\n")
		}, tournament.FaultConnect, "broke"},
		{"endless chunk extension", func(c net.Conn, _ int) {
			answering(okHeader+"Transfer-Encoding: chunked\r\n\r\nc;x=")(c, 0)
			forever(c, "yyyyyyyyyyyyyyyy")
		}, tournament.FaultConnect, "broke"},
		{"redirect", answering("HTTP/1.1 302 Found\r\nLocation: https://bot.example.org/there/\r\nContent-Length: 0\r\n\r\n"), tournament.FaultStatus,
			`302 to "https://bot.example.org/there/"; redirects are not followed`},
		{"redirect to nowhere", answering("HTTP/1.1 308 Permanent Redirect\r\nContent-Length: 0\r\n\r\n"), tournament.FaultStatus, "308; redirects are not followed"},
		{"redirect to what no terminal should show", answering("HTTP/1.1 307 Temporary Redirect\r\nLocation: /\u202e\r\nContent-Length: 0\r\n\r\n"), tournament.FaultStatus,
			`307 to "/\u202e"`},
		{"a proxy before a bot that never comes back", answering("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"), tournament.FaultStatus, "502, want 200; tried "},
		{"UTF-16", answering(okHeader + "\r\n\xff\xfe{\x00}\x00"), tournament.FaultBadJSON, "is UTF-16: send UTF-8"},
		{"error", answering("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n"), tournament.FaultStatus, "500"},
		{"no content", answering("HTTP/1.1 204 No Content\r\n\r\n"), tournament.FaultStatus, "204"},
		{"another protocol", answering("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"), tournament.FaultStatus, "101"},
		{"no HTTP", answering("SSH-2.0-OpenSSH_9.7\r\n"), tournament.FaultConnect, "not HTTP"},
		{"two lengths", answering(okHeader + "Content-Length: 12\r\nContent-Length: 13\r\n\r\n{\"choose\":1}"), tournament.FaultConnect, ""},
		{"web page", answering(okHeader + "Content-Length: 6\r\n\r\n<html>"), tournament.FaultBadJSON, "not a JSON object"},
		{"empty body", answering(okHeader + "Content-Length: 0\r\n\r\n"), tournament.FaultBadJSON, "not a JSON object"},
		{"unknown key", answering(okHeader + "Content-Length: 13\r\n\r\n{\"choice\": 1}"), tournament.FaultBadJSON, "choice"},
		{"another decision", answering(okHeader + "Content-Length: 31\r\n\r\n{\"decision\":\"dec_1\",\"choose\":1}"), tournament.FaultWrongDecision, "\"dec_1\""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			bot := player(t, shared(t, httpbot.Options{}), raw(t, row.serve))
			limit := 5 * time.Second
			if row.fault == tournament.FaultTimeout || strings.HasSuffix(row.reason, "; tried ") { // as if it restarted
				limit = 200 * time.Millisecond
			}
			r := within(t, bot, limit)
			for more := 5; more > 0 && r.Fault == tournament.FaultTimeout && row.fault != r.Fault; more-- {
				r = within(t, bot, limit) // on a busy machine the deadline may cut the last try off
			}
			if r.Fault != row.fault || !strings.Contains(r.Reason, row.reason) {
				t.Errorf("got %s (%s), want %s with %q", r.Fault, r.Reason, row.fault, row.reason)
			}
			if r.Action != nil || r.Choose != nil {
				t.Errorf("a failed answer carries a move: %+v", r)
			}
			if strings.Contains(r.Reason, "127.0.0.1") {
				t.Errorf("the reason shows an address: %s", r.Reason)
			}
		})
	}
}

func TestHostileAnswersCostLittleMemory(t *testing.T) {
	bomb := zipped(50 << 20)
	for name, serve := range map[string]func(net.Conn, int){
		"gzip bomb":       answering(okHeader + "Content-Encoding: gzip\r\n\r\n" + string(bomb)),
		"endless body":    func(c net.Conn, _ int) { answering(okHeader+"\r\n")(c, 0); forever(c, "          ") },
		"endless headers": func(c net.Conn, _ int) { answering("HTTP/1.1 200 OK\r\n")(c, 0); forever(c, "x: y\r\n") },
		"endless hints":   func(c net.Conn, _ int) { answering("")(c, 0); forever(c, "HTTP/1.1 103 Early Hints\r\n\r\n") },
	} {
		bot := player(t, shared(t, httpbot.Options{}), raw(t, serve))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		within(t, bot, 5*time.Second)
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
			t.Errorf("%s: %d bytes were allocated, want at most 4 MiB", name, grown)
		}
	}
}

func TestOddButHarmlessAnswersCount(t *testing.T) {
	for _, row := range []struct{ name, text string }{
		{"one hint", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + okHeader + "Content-Length: 12\r\n\r\n{\"choose\":1}"},
		{"no length, closed at the end", okHeader + "\r\n{\"choose\":1}"},
		{"chunked, in one-byte chunks", okHeader + "Transfer-Encoding: chunked\r\n\r\n" + oneByOne(`{"choose":1}`) + "0\r\n\r\n"},
		{"HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\n{\"choose\":1}"},
		{"another content type", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 12\r\n\r\n{\"choose\":1}"},
		{"a byte order mark", okHeader + "Content-Length: 15\r\n\r\n\ufeff{\"choose\":1}"},
		{"Identity, in another case", okHeader + "Content-Encoding: Identity\r\nContent-Length: 12\r\n\r\n{\"choose\":1}"},
		{"identity coding", okHeader + "Content-Encoding: identity\r\nContent-Length: 12\r\n\r\n{\"choose\":1}"},
		{"exactly at the limit", okHeader + "\r\n{\"choose\":1}" + strings.Repeat(" ", protocol.MaxAnswerBytes-12)},
	} {
		t.Run(row.name, func(t *testing.T) {
			bot := player(t, shared(t, httpbot.Options{}), raw(t, answering(row.text)))
			for range 3 {
				r := within(t, bot, 5*time.Second)
				if r.Fault != "" || r.Choose == nil || *r.Choose != 1 {
					t.Fatalf("got %s (%s), %v, want choose 1", r.Fault, r.Reason, r.Choose)
				}
			}
		})
	}
}

// What comes unasked is neither taken for the answer to the next ask nor written to a log: its connection is closed.
func TestASecondAnswerNobodyAskedForCountsForNothing(t *testing.T) {
	const one, nine = okHeader + "Content-Length: 12\r\n\r\n{\"choose\":1}", okHeader + "Content-Length: 12\r\n\r\n{\"choose\":9}"
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	for name, serve := range map[string]func(c net.Conn, sent chan<- struct{}){
		"in the same packet": func(c net.Conn, sent chan<- struct{}) {
			_, _ = io.WriteString(c, one+nine)
			sent <- struct{}{}
		},
		"while the connection rests": func(c net.Conn, sent chan<- struct{}) {
			_, _ = io.WriteString(c, one)
			time.Sleep(20 * time.Millisecond)
			_, _ = io.WriteString(c, nine)
			sent <- struct{}{}
		},
	} {
		sent := make(chan struct{}, 1)
		url := raw(t, func(c net.Conn, _ int) {
			for r := bufio.NewReader(c); swallow(r) != nil; {
				serve(c, sent)
			}
		})
		bot := player(t, shared(t, httpbot.Options{}), url)
		for i := range 3 {
			r := within(t, bot, 5*time.Second)
			if r.Fault != "" || r.Choose == nil || *r.Choose != 1 {
				t.Fatalf("%s: ask %d: got %s (%s), choose %v, want 1", name, i, r.Fault, r.Reason, r.Choose)
			}
			<-sent
		}
	}
	if logged.Len() > 0 {
		t.Errorf("the log has %q", logged.String())
	}
}

func oneByOne(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&b, "1\r\n%c\r\n", c)
	}
	return b.String()
}

func TestNobodyListening(t *testing.T) {
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	_ = l.Close()
	r := within(t, player(t, shared(t, httpbot.Options{}), "http://"+l.Addr().String()), 200*time.Millisecond)
	if r.Fault != tournament.FaultConnect || !strings.Contains(r.Reason, "refused") {
		t.Errorf("got %s (%s), want %s", r.Fault, r.Reason, tournament.FaultConnect)
	}
}

func TestEncryptedConnectionsMustBeTrusted(t *testing.T) {
	secure := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"choose":1}`) }))
	secure.Config.ErrorLog = quiet()
	secure.StartTLS()
	defer secure.Close()
	if r := within(t, player(t, shared(t, httpbot.Options{}), secure.URL), 5*time.Second); r.Fault != tournament.FaultTLS || !strings.Contains(r.Reason, "unknown authority") {
		t.Errorf("unknown authority: got %s (%s)", r.Fault, r.Reason)
	}
	trusting := shared(t, httpbot.Options{Roots: secure.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs})
	r := within(t, player(t, trusting, secure.URL), 5*time.Second)
	if r.Fault != "" || r.Ledger.TLS <= 0 {
		t.Errorf("trusted: got %s (%s), handshake %s", r.Fault, r.Reason, r.Ledger.TLS)
	}
	if runtime.GOOS == "linux" && r.Ledger.RoundTrip <= 0 {
		t.Error("the round trip under TLS is unknown")
	}
	old := httptest.NewUnstartedServer(secure.Config.Handler)
	old.Config.ErrorLog = quiet()
	old.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}
	old.StartTLS()
	defer old.Close()
	if r := within(t, player(t, trusting, old.URL), 5*time.Second); r.Fault != tournament.FaultTLS {
		t.Errorf("TLS 1.1: got %s (%s)", r.Fault, r.Reason)
	}
	other := strings.Replace(secure.URL, "127.0.0.1", "localhost", 1)
	if r := within(t, player(t, trusting, other), 5*time.Second); r.Fault != tournament.FaultTLS || !strings.Contains(r.Reason, "another host") {
		t.Errorf("another name: got %s (%s)", r.Fault, r.Reason)
	}
	plain := strings.Replace(web(t, func(http.ResponseWriter, *http.Request) {}), "http:", "https:", 1)
	if r := within(t, player(t, trusting, plain), 5*time.Second); r.Fault != tournament.FaultTLS {
		t.Errorf("plain HTTP: got %s (%s)", r.Fault, r.Reason)
	}
	hanging := strings.Replace(raw(t, func(c net.Conn, _ int) { _, _ = io.Copy(io.Discard, c) }), "http:", "https:", 1)
	if r := within(t, player(t, trusting, hanging), 200*time.Millisecond); r.Fault != tournament.FaultTimeout {
		t.Errorf("hanging handshake: got %s (%s), want %s", r.Fault, r.Reason, tournament.FaultTimeout)
	}
}
