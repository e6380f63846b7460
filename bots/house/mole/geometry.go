package mole

import (
	"math"

	"github.com/molerun/molerun/engines/mole"
	"github.com/molerun/molerun/engines/mole/coins"
)

// vector is a place, or a direction of length 1, in mm.
type vector struct{ x, y float64 }

func inMM(p mole.Point) vector {
	return vector{float64(p.X) / 1000, float64(p.Y) / 1000}
}

func inUM(p vector) mole.Point {
	return mole.Point{X: int32(math.Round(1000 * p.x)), Y: int32(math.Round(1000 * p.y))}
}

func (a vector) to(b vector) vector               { return vector{b.x - a.x, b.y - a.y} }
func (a vector) ahead(u vector, d float64) vector { return vector{a.x + u.x*d, a.y + u.y*d} }
func (a vector) dot(b vector) float64             { return a.x*b.x + a.y*b.y }
func (a vector) long() float64                    { return math.Sqrt(a.dot(a)) }
func (a vector) far(b vector) float64             { return a.to(b).long() }

// unit returns the direction of a.
func (a vector) unit() vector {
	d := max(a.long(), 1e-9)
	return vector{a.x / d, a.y / d}
}

// turn returns a turned by the angle of a direction.
func (a vector) turn(by vector) vector {
	return vector{a.x*by.x - a.y*by.y, a.x*by.y + a.y*by.x}
}

// heading returns the direction of an angle.
func heading(degrees float64) vector {
	sin, cos := coins.SinCos(int(1000 * degrees))
	return vector{cos, sin}
}

func within(p, from, to vector, r float64) bool {
	return p.x-r >= from.x && p.x+r <= to.x && p.y-r >= from.y && p.y+r <= to.y
}

type (
	box  struct{ from, to vector }
	disc struct {
		at vector
		r  float64
	}
)

// wall is a straight wall from a to b.
type wall struct {
	a, b      vector
	direction vector
	normal    vector
	long      float64
}

func newWall(a, b vector) wall {
	u := a.to(b).unit()
	return wall{a: a, b: b, direction: u, normal: vector{-u.y, u.x}, long: a.far(b)}
}

// sweep returns how far a point goes along u until it is r from a centre; never is infinity. What lies behind is not met.
func sweep(from, u, centre vector, r float64) float64 {
	rel := from.to(centre)
	along := rel.dot(u)
	if along <= 0 {
		return math.Inf(1)
	}
	off := rel.dot(rel) - along*along
	if off >= r*r {
		return math.Inf(1)
	}
	return max(along-math.Sqrt(r*r-off), 0)
}

// sweep returns the same for a wall: its two ends, and the line between them.
func (w *wall) sweep(from, u vector, r float64) float64 {
	d := min(sweep(from, u, w.a, r), sweep(from, u, w.b, r))
	side, rate := w.a.to(from).dot(w.normal), u.dot(w.normal)
	if side*rate >= 0 {
		return d
	}
	t := max((math.Abs(side)-r)/math.Abs(rate), 0)
	if on := w.a.to(from.ahead(u, t)).dot(w.direction); on >= 0 && on <= w.long {
		d = min(d, t)
	}
	return d
}
