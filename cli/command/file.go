package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Who may read a file that a command writes.
const (
	ForAll   fs.FileMode = 0o644 // records and what is public
	ForOwner fs.FileMode = 0o600 // what holds secrets
)

// Save writes a new file, which has another name until it is whole. One that is there is left as it is.
func Save(name string, mode fs.FileMode, write func(io.Writer) error) error {
	if name == "" {
		return fmt.Errorf("%w: the name of the file is empty", ErrUsage)
	}
	if _, err := os.Lstat(name); err == nil {
		return fmt.Errorf("%w: %s is there already, and was not changed; choose another file", ErrUsage, name)
	}
	part := name + ".part"
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: %s is half a file of another command: if that was killed, remove it", ErrUsage, part)
	}
	if err != nil {
		return err
	}
	if err = write(f); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(part, name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return nil
}

// SaveOr writes to stdout where the name is "-", else a new file by [Save].
func SaveOr(stdout io.Writer, name string, mode fs.FileMode, write func(io.Writer) error) error {
	if name == "-" {
		return write(stdout)
	}
	return Save(name, mode, write)
}

// WriteNew writes a file for everybody. One of that name with anything else in it stays as it is, unless force is set; sources, which
// the body was made from, stay in any case.
func WriteNew(name string, body []byte, force bool, sources ...string) error {
	there, err := os.Stat(name)
	for _, source := range sources {
		if from, no := os.Stat(source); err == nil && no == nil && os.SameFile(there, from) {
			return fmt.Errorf("%w: %s is what was read, and was not changed; choose another file", ErrUsage, name)
		}
	}
	if kept, err := os.ReadFile(name); err == nil && bytes.Equal(kept, body) {
		return nil
	}
	how := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if force {
		how = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(name, how, ForAll)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already, and was not changed; move it away, or overwrite it with --force", name)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	if err = errors.Join(err, f.Close()); err != nil && !force { // half a file would stand in the way of the next try
		err = errors.Join(err, os.Remove(name))
	}
	return err
}
