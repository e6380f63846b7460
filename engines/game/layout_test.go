package game

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"reflect"
	"testing"
	"unsafe"
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
	each, asBytes := layoutOf(reflect.TypeFor[crooked](), false), layoutOf(reflect.TypeFor[crooked](), littleEndian())
	for range 100 {
		var x crooked
		text := make([]byte, binary.Size(x))
		for i := range text {
			text[i] = byte(r.Uint32())
		}
		if _, err := binary.Decode(text, binary.LittleEndian, &x); err != nil {
			t.Fatal(err)
		}
		want, err := binary.Append([]byte("before"), binary.LittleEndian, &x)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range []layout{each, asBytes} {
			if got := l.append([]byte("before"), unsafe.Pointer(&x)); !bytes.Equal(got, want) {
				t.Fatalf("%+v by %v: got %x, want %x", x, l, got, want)
			}
		}
	}
	for _, l := range []layout{each, asBytes} {
		if got, want := l.size(), binary.Size(crooked{}); got != want {
			t.Errorf("%v: got a size of %d, want %d", l, got, want)
		}
	}
}
