package clitest

import (
	"syscall"
	"testing"

	"github.com/molerun/molerun/internal/must"
)

// OnAFullDisk does something while no file of this process can have more than two bytes. No other test may run beside it.
func OnAFullDisk(t testing.TB, do func()) {
	t.Helper()
	var limit syscall.Rlimit
	must.OK(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	small := limit
	small.Cur = 2
	must.OK(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small))
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			t.Error(err)
		}
	}()
	do()
}
