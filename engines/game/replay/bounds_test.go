package replay

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

// repeated is a text many times, without its bytes being kept.
type repeated struct {
	text string
	left int // bytes
}

func (r *repeated) Read(b []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := 0
	for n < len(b) && r.left > 0 {
		k := min(copy(b[n:], r.text), r.left)
		n, r.left = n+k, r.left-k
	}
	return n, nil
}

// chained are lines of one record, each sealed, with what is repeated so often in the middle of each.
func chained(lines int, before, middle string, times int, after string) io.Reader {
	c, head := newChain(Header{Format: Format})
	out := []io.Reader{bytes.NewReader(append(head, '\n'))}
	body := before + strings.TrimSuffix(strings.Repeat(middle+",", times), ",") + after
	for range lines {
		line := c.seal(append(append([]byte(nil), c.prev[:]...), body...))[len(c.prev):]
		out = append(out, bytes.NewReader(append(line, '\n')))
	}
	return io.MultiReader(out...)
}

// A file of some kilobytes, or what it unpacks to, is refused before much of it is kept.
func TestASmallFileTakesLittleMemory(t *testing.T) {
	const much = 200 << 20
	for name, bomb := range map[string]struct {
		content io.Reader
		most    uint64 // bytes
	}{
		"newlines":         {&repeated{"\n", much}, 16 << 20},
		"carriage returns": {&repeated{"\r\n", much}, 16 << 20},
		"empty objects":    {&repeated{"{}\n", much}, 128 << 20},
		"digits":           {&repeated{"1\n", much}, 128 << 20},
		"one line":         {&repeated{"a", much}, 16 << 20},
		"nested":           {&repeated{"[", much}, 16 << 20},
		"long lines":       {&repeated{strings.Repeat(" ", 1<<20) + "\n", much}, 256 << 20},
		"turns":            {chained(40, `{"step":0,"turns":[`, `{}`, 300_000, `],"events":[],"state":""`), 256 << 20},
		"events":           {chained(40, `{"step":0,"events":[`, `0`, 500_000, `],"state":""`), 256 << 20},
	} {
		for _, packed := range []bool{true, false} {
			content := bomb.content
			if packed {
				r, w := io.Pipe()
				z := gzip.NewWriter(w)
				go func(in io.Reader) {
					_, err := io.Copy(z, in)
					_ = w.CloseWithError(errors.Join(err, z.Close()))
				}(content)
				t.Cleanup(func() { _ = r.Close() })
				content = r
			} else if name != "newlines" {
				continue // what is read plain is the same
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Verify(content, func(string) (game.Engine, bool) { return nil, false })
			runtime.ReadMemStats(&after)
			if !errors.Is(err, ErrReplay) {
				t.Errorf("%s: got %v, want it refused", name, err)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > bomb.most {
				t.Errorf("%s (packed %v): %d MB were taken until %v, want %d at most", name, packed, took>>20, err, bomb.most>>20)
			}
		}
	}
}
