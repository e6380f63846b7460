package strict

import "reflect"

// sound reports whether b, which is a valid JSON value that fits t, also has what only this package asks for: every key that
// is not optional, null only where it may be, no deeper nesting than [maxDepth]. It may say no to what has it all, such as an
// object with an escaped key: it only spares the valid, which is nearly everything, the slow way.
func sound(b []byte, t reflect.Type) bool {
	s := scan{b: b}
	return s.value(t, 0)
}

// scan walks over a valid JSON value.
type scan struct {
	b []byte
	i int
}

// next returns the next byte that is no space.
func (s *scan) next() byte {
	for s.b[s.i] <= ' ' {
		s.i++
	}
	return s.b[s.i]
}

func (s *scan) value(t reflect.Type, depth int) bool {
	t, nullable := filled(t)
	switch s.next() {
	case '{':
		return depth < maxDepth && s.object(t, depth+1)
	case '[':
		return depth < maxDepth && s.list(t, depth+1)
	case '"':
		s.text()
		return true
	case 'n':
		s.i += len("null")
		return nullable
	default:
		s.scalar()
		return true
	}
}

// text passes a string and returns what stands between its quotes; false if it has escapes.
func (s *scan) text() ([]byte, bool) {
	s.i++
	from, plain := s.i, true
	for s.b[s.i] != '"' {
		if s.b[s.i] == '\\' {
			plain = false
			s.i++
		}
		s.i++
	}
	s.i++
	return s.b[from : s.i-1], plain
}

// scalar passes a number, true or false.
func (s *scan) scalar() {
	for s.i < len(s.b) && s.b[s.i] > ' ' && s.b[s.i] != ',' && s.b[s.i] != ']' && s.b[s.i] != '}' {
		s.i++
	}
}

func (s *scan) list(t reflect.Type, depth int) bool {
	var elem reflect.Type
	if t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) {
		elem = t.Elem()
	}
	s.i++
	for s.next() != ']' {
		if s.b[s.i] == ',' {
			s.i++
		}
		if !s.value(elem, depth) {
			return false
		}
	}
	s.i++
	return true
}

func (s *scan) object(t reflect.Type, depth int) bool {
	var buffer [16]field
	known := buffer[:0]
	var elem reflect.Type
	isStruct := t != nil && t.Kind() == reflect.Struct
	if isStruct {
		known = fields(t, known)
	} else if t != nil && t.Kind() == reflect.Map {
		elem = t.Elem()
	}
	s.i++
	for s.next() != '}' {
		if s.b[s.i] == ',' {
			s.i++
			s.next()
		}
		name, plain := s.text()
		s.next()
		s.i++ // the colon
		want := elem
		if isStruct {
			f := find(known, string(name))
			if f == nil || !plain {
				return false
			}
			f.seen, want = true, f.t
		}
		if !s.value(want, depth) {
			return false
		}
	}
	s.i++
	for i := range known {
		if !known[i].seen && !known[i].optional {
			return false
		}
	}
	return true
}
