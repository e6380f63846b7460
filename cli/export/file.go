package export

import (
	"fmt"
	"io"

	"github.com/molerun/molerun/cli/command"
)

// save lets write fill stdout or a new file, and prints what it wrote.
func (o *options) save(write func(io.Writer) (wrote string, err error)) error {
	wrote := ""
	fill := func(w io.Writer) (err error) {
		if wrote, err = write(w); err != nil {
			return fmt.Errorf("%w\nthe export is not whole: it ends after %s", err, wrote)
		}
		return nil
	}
	if o.out == "-" {
		if err := fill(o.Out); err != nil {
			return err
		}
		fmt.Fprintf(o.Err, "exported %s\n", wrote)
		return nil
	}
	if err := command.Save(o.out, command.ForAll, fill); err != nil {
		return err
	}
	fmt.Fprintf(o.Err, "exported %s to %s\n", wrote, o.out)
	return nil
}
