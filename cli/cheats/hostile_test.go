package cheats_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/molerun/molerun/bots/protocol"
)

// odd answers legally, with text in each of the places where a bot may leave some, that makes trouble where it is kept.
func odd(turn *protocol.Turn) http.HandlerFunc {
	places := []string{`"memo"`, `"debug"`, `"build"`, `"say"`}
	texts := []string{`\ud800`, `a\u0000b`, `\u202e\u0007`, `\uffff`}
	n := int(hash(turn.Decision) % 997)
	extra := fmt.Sprintf(`%s:"\u0000",%s:"%s"`, places[n%4], places[(n+1)%4], texts[n/4%4])
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, `{"choose":0,%s}`, extra) }
}

// hijacked takes the connection over.
func hijacked(f func(c *net.TCPConn, w *bufio.ReadWriter)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		f(c.(*net.TCPConn), rw)
		_ = rw.Flush()
	}
}

func reset(*protocol.Turn) http.HandlerFunc {
	return hijacked(func(c *net.TCPConn, _ *bufio.ReadWriter) { _ = c.SetLinger(0) })
}

func halfClose(*protocol.Turn) http.HandlerFunc {
	return hijacked(func(c *net.TCPConn, w *bufio.ReadWriter) {
		_, _ = w.WriteString("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{\"choo")
		_ = w.Flush()
		_ = c.CloseWrite()
		time.Sleep(time.Second)
	})
}

// bit by bit, for two seconds at most.
func slowly(w *bufio.ReadWriter, head, bit, tail string) {
	_, _ = w.WriteString(head)
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if _, err := w.WriteString(bit); err != nil || w.Flush() != nil {
			return
		}
	}
	_, _ = w.WriteString(tail)
}

func drip(*protocol.Turn) http.HandlerFunc {
	return hijacked(func(_ *net.TCPConn, w *bufio.ReadWriter) {
		slowly(w, "HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n{\"choose\":0", " ", "}")
	})
}

func informational(*protocol.Turn) http.HandlerFunc {
	return hijacked(func(_ *net.TCPConn, w *bufio.ReadWriter) {
		slowly(w, "", "HTTP/1.1 103 Early Hints\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{\"choose\":0}")
	})
}

func trailers(*protocol.Turn) http.HandlerFunc {
	return hijacked(func(_ *net.TCPConn, w *bufio.ReadWriter) {
		slowly(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\nc\r\n{\"choose\":0}\r\n0\r\n", "X: "+strings.Repeat("x", 500)+"\r\n", "\r\n")
	})
}

func hugeHeaders(*protocol.Turn) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Large", strings.Repeat("x", 1<<20))
		_, _ = io.WriteString(w, `{"choose":0}`)
	}
}

func bomb(*protocol.Turn) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(append([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3}, bytes.Repeat([]byte{0xec}, 60<<10)...))
	}
}

func redirect(*protocol.Turn) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "http://127.0.0.1/v1/me")
		w.WriteHeader(http.StatusTemporaryRedirect)
	}
}

func closes(*protocol.Turn) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		_, _ = io.WriteString(w, `{"choose":0}`)
	}
}

func otherDecision(*protocol.Turn) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"choose":0,"decision":"dec_other"}`)
	}
}
