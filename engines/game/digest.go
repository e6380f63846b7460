package game

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"hash"
)

// digest is SHA-256 of one text after the other, most of which begin alike, as the states of a match do with its configuration: the
// blocks that all have begun with are hashed once.
type digest struct {
	begin []byte    // whole blocks
	hash  hash.Hash // nil before the first text
	after []byte    // its own form of where it is behind them
	sum   [sha256.Size]byte
}

// of returns the hash of a text.
func (d *digest) of(text []byte) [32]byte {
	switch {
	case d.hash == nil:
		d.hash, d.begin = sha256.New(), bytes.Clone(text)
		return sha256.Sum256(text)
	case d.after == nil || !bytes.HasPrefix(text, d.begin):
		n := 0
		for n < min(len(text), len(d.begin)) && text[n] == d.begin[n] {
			n++
		}
		d.begin = d.begin[:n/sha256.BlockSize*sha256.BlockSize]
		d.hash.Reset()
		d.hash.Write(d.begin)
		d.after = must(d.hash.(encoding.BinaryAppender).AppendBinary(d.after[:0]))
	}
	if err := d.hash.(encoding.BinaryUnmarshaler).UnmarshalBinary(d.after); err != nil {
		panic("game: a hash does not know its own form: " + err.Error())
	}
	d.hash.Write(text[len(d.begin):])
	d.hash.Sum(d.sum[:0])
	return d.sum
}
