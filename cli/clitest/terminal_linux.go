package clitest

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// Terminal opens a terminal of its own: screen is what a program gets as one of its streams, keys is where the test types. What the
// program draws is collected in the returned log.
func Terminal(t testing.TB) (screen, keys *os.File, drawn *Log) {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	fd := int(keys.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	drawn = &Log{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		buffer := make([]byte, 4096)
		for {
			n, err := keys.Read(buffer)
			_, _ = drawn.Write(buffer[:n])
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = screen.Close() // what keys reads ends with it
		<-done
		_ = keys.Close()
	})
	return screen, keys, drawn
}
