package game

import (
	"bytes"
	"crypto/sha256"
	"testing"
)

func TestADigestIsTheHashWhateverTheTextsBeginWith(t *testing.T) {
	long := bytes.Repeat([]byte("molerun "), 40) // five blocks
	changed := func(at int) []byte {
		out := bytes.Clone(long)
		out[at]++
		return out
	}
	var d digest
	for i, text := range [][]byte{long, long, changed(319), changed(200), long, changed(130), changed(128), long, long[:100], long, changed(3), nil, long} {
		if got, want := d.of(text), sha256.Sum256(text); got != want {
			t.Errorf("text %d: got %x, want %x", i, got, want)
		}
	}
}
