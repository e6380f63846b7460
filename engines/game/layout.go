package game

import (
	"encoding/binary"
	"reflect"
	"unsafe"
)

// layout is where the numbers of a state lie in memory, in the order of its binary form, where they lie there as that has them: what
// encoding/binary would find out again for every hash. Every step of every match that is played or looked at is hashed.
type layout []run

// run is bytes that lie side by side.
type run struct {
	at   uintptr // from the beginning of the state
	size uintptr
}

// littleEndian reports whether numbers lie in memory as the binary form has them.
func littleEndian() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) == 1 }

// layoutOf returns the layout of a type of which encoding/binary knows the size.
func layoutOf(t reflect.Type) layout { return layout(nil).add(t, 0) }

func (l layout) add(t reflect.Type, at uintptr) layout {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			l = l.add(f.Type, at+f.Offset)
		}
		return l
	case reflect.Array:
		for i := range t.Len() {
			l = l.add(t.Elem(), at+uintptr(i)*t.Elem().Size())
		}
		return l
	default: // a number or a bool
	}
	if last := len(l) - 1; last >= 0 && l[last].at+l[last].size == at {
		l[last].size += t.Size()
		return l
	}
	return append(l, run{at, t.Size()})
}

// append appends the binary form of the state at s: the bytes of binary.Append. A true is a 1 in memory as it is there.
func (l layout) append(b []byte, s unsafe.Pointer) []byte {
	for _, r := range l {
		b = append(b, unsafe.Slice((*byte)(unsafe.Add(s, r.at)), r.size)...)
	}
	return b
}
