package command_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/internal/clitest"
)

func TestAFileThatCannotBeWrittenWholeIsNotLeft(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.html")
	clitest.OnAFullDisk(t, func() {
		if err := command.WriteNew(name, []byte("one"), false); err == nil {
			t.Error("half a file is written, and nobody is told")
		}
	})
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want no file", err)
	}
}
