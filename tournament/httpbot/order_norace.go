//go:build !race && linux

package httpbot

// ordered is for the race detector.
func ordered(uintptr) {}
