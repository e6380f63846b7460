package archive

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
)

// A backup is packed five to twenty times; a file that grows more than maxGrowth times beyond its first freely unpacked bytes was
// made to fill a disk.
const (
	maxGrowth = 200
	free      = 64 << 20
)

// unpacked reads a gzip file, as long as it does not grow too much.
type unpacked struct {
	z      *gzip.Reader
	packed counted
	plain  int64
}

// counted counts what is read.
type counted struct {
	io.Reader
	n int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n += int64(n)
	return n, err
}

func newUnpacked(r io.Reader) (*unpacked, error) {
	u := &unpacked{packed: counted{Reader: r}}
	var err error
	u.z, err = gzip.NewReader(&u.packed)
	return u, err
}

// Read makes an [io.Reader].
func (u *unpacked) Read(b []byte) (int, error) {
	n, err := u.z.Read(b)
	if u.plain += int64(n); u.plain > free+maxGrowth*u.packed.n {
		return 0, fmt.Errorf("%d bytes grew to %d: no backup is packed so much", u.packed.n, u.plain)
	}
	return n, err
}

// cellsOf returns the cells of a row with so many columns; a row with more is refused before they are kept.
func cellsOf(line []byte, columns int) ([]json.RawMessage, error) {
	in, cells := json.NewDecoder(bytes.NewReader(line)), make([]json.RawMessage, 0, columns)
	if _, err := in.Token(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBackup, err)
	}
	for in.More() {
		var cell json.RawMessage
		if err := in.Decode(&cell); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrBackup, err)
		}
		if len(cells) == columns {
			return nil, fmt.Errorf("%w: more than %d cells", ErrBackup, columns)
		}
		cells = append(cells, cell)
	}
	if _, err := in.Token(); err != nil || in.InputOffset() != int64(len(line)) {
		return nil, fmt.Errorf("%w: a row of %d cells that does not end", ErrBackup, len(cells))
	}
	if len(cells) != columns || columns == 0 {
		return nil, fmt.Errorf("%w: %d cells, want %d", ErrBackup, len(cells), columns)
	}
	return cells, nil
}
