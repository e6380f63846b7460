package clitest

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/molerun/molerun/internal/must"
)

// Terminal opens a terminal of its own: screen is what a program gets as one of its streams, keys is where the test types. drawn closes
// the screen and returns all that was drawn on it.
func Terminal(t testing.TB) (screen, keys *os.File, drawn func() string) {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	must.OK(t, err)
	fd := int(keys.Fd())
	must.OK(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	must.OK(t, err)
	screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	must.OK(t, err)
	var log Log
	done := make(chan struct{})
	go func() {
		defer close(done)
		buffer := make([]byte, 4096)
		for {
			n, err := keys.Read(buffer)
			_, _ = log.Write(buffer[:n])
			if err != nil {
				return
			}
		}
	}()
	drawn = func() string {
		_ = screen.Close() // what keys reads ends with it
		<-done
		return log.String()
	}
	t.Cleanup(func() {
		drawn()
		_ = keys.Close()
	})
	return screen, keys, drawn
}
