package door

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// errAmbiguous is a request whose length is said in two ways, or in one that its version does not know. net/http keeps one of
// them and drops the other, and whoever stands before us may have gone by that: what one reads as a body the other reads as
// a request.
var errAmbiguous = errors.New("door: Transfer-Encoding beside Content-Length, or not in HTTP/1.1")

// maxHead is the longest header that is kept to be looked at; the server refuses shorter ones already.
const maxHead = 64 << 10

// heads looks at the header of every request of a connection, up to the first with a Transfer-Encoding: that one must be its
// last.
type heads struct {
	head []byte // of the request under way, as far as it has come
	skip int64  // what is left of the body before it
	done bool
}

// see looks at what was read.
func (h *heads) see(b []byte) error {
	for len(b) > 0 && !h.done {
		if n := min(h.skip, int64(len(b))); n > 0 {
			h.skip -= n
			b = b[n:]
			continue
		}
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			i = len(b) - 1
		}
		h.head, b = append(h.head, b[:i+1]...), b[i+1:]
		switch {
		case len(h.head) > maxHead:
			h.done, h.head = true, nil
		case ends(h.head):
			if err := h.judge(); err != nil {
				return err
			}
			h.head = h.head[:0]
		}
	}
	return nil
}

// ends reports whether a header is whole.
func ends(head []byte) bool {
	return bytes.HasSuffix(head, []byte("\n\r\n")) || bytes.HasSuffix(head, []byte("\n\n"))
}

// judge reads a whole header. What else is wrong with it the server says.
func (h *heads) judge() error {
	text := string(h.head)
	first, _, _ := strings.Cut(text, "\n")
	length, chunked := "", false
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, ":")
		switch name = strings.TrimSpace(name); {
		case strings.EqualFold(name, "Content-Length"):
			length = strings.TrimSpace(value) + " "
		case strings.EqualFold(name, "Transfer-Encoding"):
			chunked = true
		}
	}
	if chunked && (length != "" || !strings.HasSuffix(strings.TrimSuffix(first, "\r"), " HTTP/1.1")) {
		return errAmbiguous
	}
	n, err := strconv.ParseUint(strings.TrimSpace(length), 10, 62)
	h.done = chunked || length != "" && err != nil // of a length that is none the server says so, and hangs up
	h.skip = int64(n)                              // of 62 bits
	return nil
}
