//go:build linux || darwin

package settings

import "syscall"

// openFiles returns how many files this process may have open.
func openFiles() (uint64, bool) {
	var l syscall.Rlimit
	err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l)
	return l.Cur, err == nil
}
