package export

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/molerun/molerun/cli/command"
)

// save lets write fill stdout or a new file, and prints what it wrote. A file has another name until it is whole.
func (o *options) save(write func(io.Writer) (wrote string, err error)) error {
	if o.out == "-" {
		wrote, err := write(o.Out)
		if err != nil {
			return fmt.Errorf("%w\nthe export is not whole: it ends after %s", err, wrote)
		}
		fmt.Fprintf(o.Err, "exported %s\n", wrote)
		return nil
	}
	if _, err := os.Lstat(o.out); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: --out: %s is there already", command.ErrUsage, o.out)
	}
	part := o.out + ".part"
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) // what is exported is for everybody
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: --out: %s is of another export: if that was killed, remove it", command.ErrUsage, part)
	}
	if err != nil {
		return err
	}
	wrote, err := write(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(part, o.out)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("%w\nno file is left: the export was not whole after %s", err, wrote), os.Remove(part))
	}
	fmt.Fprintf(o.Err, "exported %s to %s\n", wrote, o.out)
	return nil
}
