package raster

import (
	"fmt"
	"math"
	"strings"
)

// matrix brings the units of an element into pixels: x to a·x + c·y + e, y to b·x + d·y + f.
type matrix struct{ a, b, c, d, e, f float64 }

func (m matrix) of(p point) point {
	return point{m.a*p.x + m.c*p.y + m.e, m.b*p.x + m.d*p.y + m.f}
}

// then returns what inner does first, and m after it.
func (m matrix) then(inner matrix) matrix {
	o, x, y := m.of(point{inner.e, inner.f}), point{inner.a, inner.b}, point{inner.c, inner.d}
	turn := matrix{a: m.a, b: m.b, c: m.c, d: m.d}
	x, y = turn.of(x), turn.of(y)
	return matrix{a: x.x, b: x.y, c: y.x, d: y.y, e: o.x, f: o.y}
}

// back returns the way from pixels to units.
func (m matrix) back() matrix {
	det := m.a*m.d - m.b*m.c
	out := matrix{a: m.d / det, b: -m.b / det, c: -m.c / det, d: m.a / det}
	o := out.of(point{m.e, m.f})
	out.e, out.f = -o.x, -o.y
	return out
}

// scale returns how many pixels a unit is long.
func (m matrix) scale() float64 { return math.Sqrt(math.Abs(m.a*m.d - m.b*m.c)) }

// transformed returns m after the transforms of an attribute.
func (m matrix) transformed(list string) (matrix, error) {
	for part := range strings.SplitSeq(list, ")") {
		name, args, ok := strings.Cut(strings.Trim(part, " ,"), "(")
		if !ok {
			continue
		}
		a, err := numbers(args)
		if err != nil {
			return m, err
		}
		switch {
		case name == "translate" && len(a) == 2:
			m = m.then(matrix{a: 1, d: 1, e: a[0], f: a[1]})
		case name == "scale" && len(a) == 1:
			m = m.then(matrix{a: a[0], d: a[0]})
		case name == "rotate" && len(a) == 1:
			sin, cos := math.Sincos(a[0] * math.Pi / 180)
			m = m.then(matrix{a: cos, b: sin, c: -sin, d: cos})
		case name == "matrix" && len(a) == 6:
			m = m.then(matrix{a: a[0], b: a[1], c: a[2], d: a[3], e: a[4], f: a[5]})
		default:
			return m, fmt.Errorf("raster: transform %q", part)
		}
	}
	return m, nil
}
