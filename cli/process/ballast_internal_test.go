package process

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// A platform keeps little: without the ballast, half as much as it has of it would be collected many times.
func TestAProcessDoesNotCollectAllTheTime(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // as a process has it, whatever the tests have
	const each = 32 << 10
	collections := func() uint32 {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		for range ballastBytes / 2 / each {
			litter = make([]byte, each)
		}
		runtime.ReadMemStats(&after)
		return after.NumGC - before.NumGC
	}
	often := uint32(0)
	for round := 0; often < 2 && round < 50; round++ { // on a busy machine one collection may take as long as a round
		often += collections()
	}
	if often < 2 {
		t.Fatalf("%d collections without ballast, want some: else this test says nothing", often)
	}
	ballast := Ballast()
	if n := collections(); n > 1 { // the system's own, every two minutes
		t.Errorf("%d collections with ballast, want none", n)
	}
	runtime.KeepAlive(ballast)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 30))
	if b := Ballast(); b != nil {
		t.Errorf("a process with a limit to its memory has %d bytes of ballast, want none", len(b))
	}
}

var litter []byte // the compiler must not see that nobody reads it
