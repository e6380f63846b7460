package cli_test

import (
	"os"
	"sync"
	"testing"

	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
)

// built is the folder of what all tests of this package share, the binary and the starters, made when the first of them asks for it.
var built struct {
	sync.Mutex
	dir, binary string
}

func TestMain(m *testing.M) {
	_ = os.Unsetenv("MOLERUN_SECRET") // of whoever runs the tests
	storetest.Main(m, func() error { return os.RemoveAll(built.dir) })
}

// molerun returns the path of the program, built once.
func molerun(t testing.TB) string {
	t.Helper()
	built.Lock()
	defer built.Unlock()
	if built.binary == "" {
		built.binary = clitest.Build(t, builds(t))
	}
	return built.binary
}

// builds returns the folder of what is built once for all tests; it wants built locked.
func builds(t testing.TB) string {
	t.Helper()
	if built.dir == "" {
		var err error
		built.dir, err = os.MkdirTemp("", "molerun")
		must.OK(t, err)
	}
	return built.dir
}

func nightly() bool { return os.Getenv("MOLERUN_NIGHTLY") != "" }
