//go:build linux || darwin

package database

import "syscall"

// FreeBytes returns the room left for us on the disk of a folder, where that is known.
func FreeBytes(folder string) (uint64, bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}
