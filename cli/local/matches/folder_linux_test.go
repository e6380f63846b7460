package matches_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
)

func TestAFullDiskLeavesAFileAsItWas(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "card.json")
	must.OK(t, matches.Replace(name, []byte("old")))
	clitest.OnAFullDisk(t, func() {
		if err := matches.Replace(name, []byte("newer")); err == nil {
			t.Error("half a file is written, and nobody is told")
		}
	})
	kept, err := os.ReadFile(name)
	if left, _ := os.ReadDir(dir); string(kept) != "old" || err != nil || len(left) != 1 {
		t.Errorf("%q (%v) is kept among %v, want the old file alone", kept, err, left)
	}
}
