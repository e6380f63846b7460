//go:build !linux && !darwin

package cli

// openFiles is not known here.
func openFiles() (uint64, bool) { return 0, false }

// freeBytes is not known here.
func freeBytes(string) (uint64, bool) { return 0, false }
