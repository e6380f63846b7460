package settings

import (
	"errors"
	"strings"
	"testing"

	"github.com/molerun/molerun/cli/command"
)

// Whatever the limit and the number of workers: either all fits, asks before all, or the process is refused.
func TestFilesAreSharedOut(t *testing.T) {
	for _, limit := range []int{64, 256, 700, 1024, 4096, 20_000, 1 << 20} {
		for _, workers := range []int{0, 1, 4, 16, 64, 512} {
			s := Settings{Workers: workers, Connections: 8192, PerAddress: 128}
			f, err := s.share(limit, 4)
			if err != nil {
				if !errors.Is(err, command.ErrUsage) || !strings.Contains(err.Error(), "ulimit -n ") {
					t.Errorf("%d files, %d workers: %v, want to be told what to do", limit, workers, err)
				}
				if limit >= 20_000 && workers <= 64 {
					t.Errorf("%d files, %d workers: %v", limit, workers, err)
				}
				continue
			}
			if all := f.API + f.Sockets + ownFiles + Scrapes + 2*16; all > limit {
				t.Errorf("%d files, %d workers: %+v are %d", limit, workers, f, all)
			}
			if f.Asks < 10*workers || f.Sockets < 3*(f.Asks+f.Calls) {
				t.Errorf("%d files, %d workers: %+v, want 3 sockets for each of at least %d asks", limit, workers, f, 10*workers)
			}
			if f.API < leastFiles/2 || f.API > s.Connections || f.Each < 1 || f.Each > f.API/addresses {
				t.Errorf("%d files, %d workers: %+v, want at least %d for the API, and some of them for each address", limit, workers, f, leastFiles/2)
			}
		}
	}
}
