//go:build !linux && !darwin

package settings

// openFiles is not known here.
func openFiles() (uint64, bool) { return 0, false }
