package httpbot_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/molerun/molerun/tournament/httpbot"
)

// An answer that was read whole ends in peace, whatever it says: its connection carries the next message, or is closed. A reset reads
// like a crash in the log of who sent it. Only what is refused unread is reset.
func TestOnlyWhatIsRefusedIsReset(t *testing.T) {
	const kept, closed, broken = "kept", "closed", "reset"
	body, page := `{"choose":1}`, "<html>"+strings.Repeat("<p>no</p>", 5000)
	chunks := "Transfer-Encoding: chunked\r\n\r\n6\r\n<html>\r\n0\r\n\r\n"
	for _, row := range []struct {
		name, answer string
		webhook      bool
		want         string // what becomes of the connection
	}{
		{name: "an answer", answer: okHeader + "Content-Length: 12\r\n\r\n" + body, want: kept},
		{name: "an error with a body", answer: "HTTP/1.1 500 Oops\r\nContent-Length: 12\r\n\r\n" + body, want: kept},
		{name: "an error with a long page", answer: "HTTP/1.1 500 Oops\r\nContent-Length: 45006\r\n\r\n" + page, want: kept},
		{name: "an error in chunks", answer: "HTTP/1.1 404 Not Found\r\n" + chunks, want: kept},
		{name: "a redirect with a page", answer: "HTTP/1.1 307 There\r\nLocation: /\r\nContent-Length: 6\r\n\r\n<html>", want: kept},
		{name: "an empty error", answer: "HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n", want: kept},
		{name: "a compressed answer", answer: okHeader + "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nxxxx", want: kept},
		{name: "another success", answer: "HTTP/1.1 201 Made\r\nContent-Length: 12\r\n\r\n" + body, want: kept},
		{name: "an answer that ends the connection", answer: okHeader + "Connection: close\r\nContent-Length: 12\r\n\r\n" + body, want: closed},
		{name: "an error that ends the connection", answer: "HTTP/1.1 500 Oops\r\nConnection: close\r\nContent-Length: 6\r\n\r\n<html>", want: closed},
		{name: "HTTP/1.0", answer: "HTTP/1.0 200 OK\r\nContent-Length: 12\r\n\r\n" + body, want: closed},
		{name: "a delivery taken", answer: okHeader + "Content-Length: 2\r\n\r\nok", webhook: true, want: kept},
		{name: "a delivery taken in chunks", answer: "HTTP/1.1 202 Accepted\r\n" + chunks, webhook: true, want: kept},
		{name: "a delivery taken over HTTP/1.0", answer: "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", webhook: true, want: closed},
		{name: "a delivery refused", answer: "HTTP/1.1 500 Oops\r\nContent-Length: 6\r\n\r\n<html>", webhook: true, want: kept},
		{name: "too long by its own word", answer: okHeader + "Content-Length: 70000\r\n\r\n" + strings.Repeat(" ", 70000), want: broken},
		{name: "too long", answer: "HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n11170\r\n" + strings.Repeat(" ", 70000) + "\r\n0\r\n\r\n", want: broken},
		{name: "two answers", answer: okHeader + "Content-Length: 12\r\n\r\n" + body + "HTTP/1.1 200 OK\r\n", want: broken},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := make(chan error, 4)
			url := raw(t, func(c net.Conn, _ int) {
				r := bufio.NewReader(c)
				if swallow(r) == nil {
					return
				}
				_, _ = io.WriteString(c, row.answer)
				if row.want == closed {
					_ = c.(*net.TCPConn).CloseWrite()
				}
				_, err := r.ReadByte()
				got <- err
			})
			client := shared(t, httpbot.Options{})
			ask := func() {
				if !row.webhook {
					within(t, player(t, client, url), time.Second)
				} else if _, err := httpbot.Deliver(t.Context(), httpbot.Config{URL: url, Client: client}, "id", []byte(`{}`)); err != nil {
					t.Error(err)
				}
			}
			ask()
			if row.want == kept {
				ask() // over the same connection, whose other end reads it
			}
			var err error
			select {
			case err = <-got:
			case <-time.After(30 * time.Second):
				t.Fatal("the other end of the connection heard nothing")
			}
			switch {
			case row.want == kept && err != nil, row.want == closed && !errors.Is(err, io.EOF), row.want == broken && !errors.Is(err, syscall.ECONNRESET):
				t.Errorf("the other end reads %v; want the connection %s", err, row.want)
			}
		})
	}
}
