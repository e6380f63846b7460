package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/must"
)

// pip gives people without Go the command and the package, and the package finds its own program.
func TestTheWheelInstallsTheProgramAndThePackage(t *testing.T) {
	t.Parallel()
	program := molerun(t)
	run := func(env []string, name string, args ...string) string {
		t.Helper()
		c := exec.CommandContext(t.Context(), name, args...)
		c.Env = append(os.Environ(), env...)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		return strings.TrimSpace(string(out))
	}
	build := func(program string) string {
		dir := t.TempDir()
		return filepath.Join(dir, run(nil, "python3", filepath.Join("..", "bots", "python", "backend.py"), "--version", "v9.8.7",
			"--platform", runtime.GOOS+"/"+runtime.GOARCH, "--program", program, dir))
	}
	small := filepath.Join(t.TempDir(), "program")                                                       // packing the true one takes eight seconds
	must.OK(t, os.WriteFile(small, []byte("#!/bin/sh\nexec '"+program+"' \"$@\"\n\x00\xff\r\n"), 0o700)) //nolint:gosec // a program is executed
	first := contents(t, build(small))
	time.Sleep(2100 * time.Millisecond) // a zip file has times of two seconds
	wheel := build(small)
	if !bytes.Equal(first, contents(t, wheel)) {
		t.Error("built again, the wheel has other bytes")
	}
	dir := t.TempDir()
	run(nil, "python3", "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--disable-pip-version-check", "--target", dir, wheel)
	installed := filepath.Join(dir, "bin", "molerun")
	if got, want := run(nil, installed, "version"), run(nil, program, "version"); got != want || !bytes.Equal(contents(t, installed), contents(t, small)) {
		t.Errorf("the installed program is %q, want %q and the same bytes", got, want)
	}
	python := run(nil, "python3", "-c", "import sys; print(sys.executable)") // the PATH is empty
	got := run([]string{"PYTHONPATH=" + dir, "PATH=", "MOLERUN="}, python, "-c",
		"import importlib.metadata, molerun; print(importlib.metadata.version('molerun'), molerun.Rules('cia').info['id'])")
	if got != "9.8.7 cia" {
		t.Errorf("got %q, want the version and the game from the package's own program", got)
	}
}
