package clitest

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Log is what a process has written so far; the zero Log is empty. It is safe for concurrent use.
type Log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write keeps b.
func (l *Log) Write(b []byte) (int, error) { l.mu.Lock(); defer l.mu.Unlock(); return l.b.Write(b) }

// String returns all that was written.
func (l *Log) String() string { l.mu.Lock(); defer l.mu.Unlock(); return l.b.String() }

// Process is a program that a test has started.
type Process struct {
	*exec.Cmd
	Out *bufio.Reader // its stdout
	Log *Log          // its stderr
}

// Build builds molerun into a folder, without the race detector and without what only a debugger reads, and returns the path of the
// binary.
func Build(t testing.TB, dir string, flags ...string) string {
	t.Helper()
	binary := filepath.Join(dir, "molerun")
	build := append([]string{"build", "-ldflags=-s -w", "-o", binary}, flags...)
	if out, err := exec.Command("go", append(build, "github.com/molerun/molerun")...).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return binary
}

// Start starts a command, whose environment is the test's own if it has none. It does not end by itself: see [Process.Kill].
func Start(t testing.TB, c *exec.Cmd) *Process {
	t.Helper()
	p := &Process{Cmd: c, Log: new(Log)}
	c.Stderr = p.Log
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatalf("%s: %v (make setup installs what is missing)", c.Path, err)
	}
	p.Out = bufio.NewReader(out)
	return p
}

// Line returns the next line of its stdout, without the newline.
func (p *Process) Line(t testing.TB) string {
	t.Helper()
	line, err := p.Out.ReadString('\n')
	if err != nil {
		t.Fatalf("%s printed no line: %v\n%s", p.Path, err, p.Log)
	}
	return strings.TrimSpace(line)
}

// Kill ends the process as a power cut would, and waits for its end.
func (p *Process) Kill() {
	_ = p.Process.Kill()
	_ = p.Wait()
}

// Listening waits until somebody accepts connections at address.
func Listening(address string, patience time.Duration) error {
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		c, err := net.Dial("tcp", address)
		if err == nil {
			return c.Close()
		}
		if time.Now().After(end) {
			return fmt.Errorf("nobody listens at %s: %w", address, err)
		}
	}
}

// FreeAddress returns an address of this machine where nobody listens. Its port is below those that the system hands out, so that
// nothing else of this machine is given it before it is used.
func FreeAddress(t testing.TB) string {
	t.Helper()
	for range 1000 {
		var b [2]byte
		_, _ = rand.Read(b[:])
		l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", 16384+binary.BigEndian.Uint16(b[:])&(1<<14-1)))
		if err == nil {
			defer l.Close()
			return l.Addr().String()
		}
	}
	t.Fatal("no free address")
	return ""
}
