package process

import (
	"math"
	"runtime/debug"
)

// ballastBytes is how much a process may have allocated since the last collection, at least, before the next begins.
const ballastBytes = 64 << 20

// Ballast returns memory for a process to hold and never to read: the garbage collector counts it as in use, and the system never has to
// give it. Without it a platform, which keeps a few megabytes, would collect many times a second under load. It is nil where somebody has set a
// limit to the memory (GOMEMLIMIT), which would count it.
func Ballast() []byte {
	if debug.SetMemoryLimit(-1) < math.MaxInt64 {
		return nil
	}
	return make([]byte, ballastBytes)
}
