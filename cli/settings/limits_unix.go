//go:build linux || darwin

package settings

import "syscall"

// openFiles is how many files this process may have open.
func openFiles() (uint64, bool) {
	var l syscall.Rlimit
	err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l)
	return l.Cur, err == nil
}

// FreeBytes is the room left for us on the disk of a folder.
func FreeBytes(folder string) (uint64, bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}
