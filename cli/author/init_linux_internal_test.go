package author

import (
	"os"
	"testing"

	"github.com/molerun/molerun/bots/starters"
	"github.com/molerun/molerun/internal/clitest"
)

func TestAStarterThatCannotBeWrittenLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	clitest.OnAFullDisk(t, func() {
		files := []starters.File{{Name: "go.mod", Body: []byte("m\n")}, {Name: "bot.go", Body: []byte("package main\n")}}
		if _, err := write(files, dir, false); err == nil {
			t.Error("half a file is written, and nobody is told")
		}
	})
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v (%v) are left, want nothing", left, err)
	}
}
