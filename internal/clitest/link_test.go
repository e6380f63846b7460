package clitest_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
)

// echo is a server that answers every line with itself, and notes what it heard.
func echo(t *testing.T) (address string, heard chan string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must.OK(t, err)
	t.Cleanup(func() { _ = l.Close() })
	heard = make(chan string, 100)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				for in := bufio.NewReader(c); ; {
					line, err := in.ReadString('\n')
					if line != "" {
						heard <- line
					}
					if err != nil {
						return
					}
					_, _ = io.WriteString(c, line)
				}
			}()
		}
	}()
	return l.Addr().String(), heard
}

func TestALinkCutsWhereItIsTold(t *testing.T) {
	address, heard := echo(t)
	line := func() func(*bufio.Reader) (clitest.Unit, error) {
		return func(in *bufio.Reader) (clitest.Unit, error) {
			b, err := in.ReadBytes('\n')
			return clitest.Unit{Bytes: b, Commit: string(b) == "commit\n"}, err
		}
	}
	link := clitest.NewLink(t, "127.0.0.1:0", func() (net.Conn, error) { return net.Dial("tcp", address) }, line)
	for _, row := range []struct {
		name  string
		cut   clitest.Cut
		there string // what the far side hears of the commit
	}{{"before", clitest.Before, ""}, {"within", clitest.Within, "com"}, {"after", clitest.After, "commit\n"}} {
		c, err := net.Dial("tcp", link.Address())
		must.OK(t, err)
		in := bufio.NewReader(c)
		say := func(text string) (string, error) {
			if _, err := io.WriteString(c, text); err != nil {
				return "", err
			}
			return in.ReadString('\n')
		}
		link.Arm(row.cut, func(u clitest.Unit) bool { return u.Commit })
		if got, err := say("begin\n"); got != "begin\n" || err != nil {
			t.Errorf("%s: a message that is not the one to cut: %q %v", row.name, got, err)
		}
		if got := <-heard; got != "begin\n" {
			t.Errorf("%s: the far side hears %q", row.name, got)
		}
		if got, err := say("commit\n"); err == nil || errors.Is(err, net.ErrClosed) {
			t.Errorf("%s: the near side hears %q (%v), want that the connection broke", row.name, got, err)
		}
		_ = c.Close()
		if row.there == "" {
			continue // what comes next shows that nothing came
		}
		select {
		case got := <-heard:
			if got != row.there {
				t.Errorf("%s: the far side hears %q, want %q", row.name, got, row.there)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s: the far side hears nothing, want %q", row.name, row.there)
		}
	}
	if n := link.Cuts(); n != 3 {
		t.Errorf("%d cuts, want 3", n)
	}
}
