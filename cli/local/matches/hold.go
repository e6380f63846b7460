package matches

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/molerun/molerun/cli/command"
)

// Hold makes a folder and keeps other commands from it, until release.
func Hold(path string) (release func(), err error) {
	if err := os.MkdirAll(path, 0o755); err != nil { // records are for everybody
		return nil, err
	}
	return hold(filepath.Join(path, ".lock"), path)
}

// HoldFile keeps other commands from a file, which need not be there, until release.
func HoldFile(path string) (release func(), err error) { return hold(path+".lock", path) }

// hold keeps all other commands from what a file locks, until release, which removes it: the system lets go of what a command that was killed
// held. what names the thing in the error of a second command.
func hold(file, what string) (release func(), err error) {
	lock := flock.New(file, flock.SetPermissions(command.ForAll))
	held, err := lock.TryLock()
	if err != nil { // the file system has no locks, or nothing can be written there, which the first write says
		return func() {}, nil //nolint:nilerr // as it says
	}
	if held {
		mine, err := lock.Stat()
		there, gone := os.Stat(file)
		if held = err == nil && gone == nil && os.SameFile(mine, there); !held { // another has just removed it
			_ = lock.Unlock()
		}
	}
	if !held {
		return nil, fmt.Errorf("another command is at work on %s: wait for its end, or choose another place", what)
	}
	return func() {
		_ = os.Remove(file) // one that stays holds nobody up
		_ = lock.Unlock()
	}, nil
}
