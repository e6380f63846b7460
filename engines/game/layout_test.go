package game

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"reflect"
	"testing"
)

// Numbers of every size, with gaps between them in memory.
type crooked struct {
	A int8
	B uint64
	C bool
	D [3]struct {
		E int16
		F bool
		G uint32
	}
	H [2][5]int8
	I float64
	J Seats
	K [0]int32
	L int32
}

// The hashes of all records hang on these bytes.
func TestTheBinaryFormIsThatOfEncodingBinary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	x := table[struct{}, crooked, struct{}, struct{}, struct{}]{layout: layoutOf(reflect.TypeFor[crooked]())}
	for range 100 {
		text := make([]byte, binary.Size(x.s))
		for i := range text {
			text[i] = byte(r.Uint32())
		}
		if _, err := binary.Decode(text, binary.LittleEndian, &x.s); err != nil {
			t.Fatal(err)
		}
		want, err := binary.Append([]byte("before"), binary.LittleEndian, &x.s)
		if err != nil {
			t.Fatal(err)
		}
		if got := x.binary([]byte("before")); !bytes.Equal(got, want) {
			t.Fatalf("%+v by %v: got %x, want %x", x.s, x.layout, got, want)
		}
	}
}
