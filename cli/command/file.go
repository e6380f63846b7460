package command

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// WriteNew writes a file for everybody. One of that name with anything else in it stays as it is, unless force is set.
func WriteNew(name string, body []byte, force bool) error {
	if kept, err := os.ReadFile(name); err == nil && bytes.Equal(kept, body) {
		return nil
	}
	f, err := Create(name, force)
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	return errors.Join(err, f.Close())
}

// Create opens a new file for everybody. One that is there is overwritten only if force is set.
func Create(name string, force bool) (*os.File, error) {
	how := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if force {
		how = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(name, how, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%s is there already, and was not changed; move it away, or overwrite it with --force", name)
	}
	return f, err
}
