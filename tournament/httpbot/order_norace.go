//go:build !race && linux

package httpbot

// ordered does nothing without the race detector.
func ordered(uintptr) {}
