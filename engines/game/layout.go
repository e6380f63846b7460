package game

import (
	"encoding/binary"
	"reflect"
	"slices"
	"unsafe"
)

// layout is where the numbers of a state lie in memory, in the order of its binary form: what encoding/binary would find out
// again for every hash. Every step of every match that is played or looked at is hashed.
type layout []run

// run is numbers of one size that lie side by side.
type run struct {
	at   uintptr // bytes from the beginning of the state
	size uintptr // 1, 2, 4 or 8
	n    int
}

// littleEndian reports whether numbers lie in memory as the binary form has them.
func littleEndian() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) == 1 }

// layoutOf returns the layout of a type of which encoding/binary knows the size. asBytes, where numbers are [littleEndian], takes
// them byte by byte: what lies side by side is then copied at once.
func layoutOf(t reflect.Type, asBytes bool) layout { return layout(nil).add(t, 0, asBytes) }

func (l layout) add(t reflect.Type, at uintptr, asBytes bool) layout {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			l = l.add(f.Type, at+f.Offset, asBytes)
		}
		return l
	case reflect.Array:
		for i := range t.Len() {
			l = l.add(t.Elem(), at+uintptr(i)*t.Elem().Size(), asBytes)
		}
		return l
	default: // a number or a bool
	}
	next := run{at: at, size: t.Size(), n: 1}
	if asBytes {
		next.size, next.n = 1, int(t.Size())
	}
	if last := len(l) - 1; last >= 0 && l[last].size == next.size && l[last].at+l[last].size*uintptr(l[last].n) == at {
		l[last].n += next.n
		return l
	}
	return append(l, next)
}

// size returns the length of the binary form in bytes.
func (l layout) size() int {
	n := 0
	for _, r := range l {
		n += int(r.size) * r.n
	}
	return n
}

// append appends the numbers of the state at s in little-endian order: the bytes of binary.Append. A true is a 1 in memory
// as it is there.
func (l layout) append(b []byte, s unsafe.Pointer) []byte {
	b = slices.Grow(b, l.size())
	for _, r := range l {
		from := unsafe.Add(s, r.at)
		switch r.size {
		case 1:
			b = append(b, unsafe.Slice((*byte)(from), r.n)...)
		case 2:
			for _, x := range unsafe.Slice((*uint16)(from), r.n) {
				b = binary.LittleEndian.AppendUint16(b, x)
			}
		case 4:
			for _, x := range unsafe.Slice((*uint32)(from), r.n) {
				b = binary.LittleEndian.AppendUint32(b, x)
			}
		case 8:
			for _, x := range unsafe.Slice((*uint64)(from), r.n) {
				b = binary.LittleEndian.AppendUint64(b, x)
			}
		}
	}
	return b
}
