package mole

import (
	"math/bits"
	"slices"

	"github.com/molerun/molerun/engines/mole/coins"
)

// All geometry of the rules is in whole µm (row 2).

func square(x int64) int64 { return x * x }

// apart2 returns the square of the distance of two points.
func apart2(a, b Point) int64 { return square(int64(a.X)-int64(b.X)) + square(int64(a.Y)-int64(b.Y)) }

// overlaps: any part in common; touching is not enough.
func (c Circle) overlaps(o Circle) bool { return apart2(c.At, o.At) < square(int64(c.R)+int64(o.R)) }

// within: the whole of c inside o; touching from inside is enough.
func (c Circle) within(o Circle) bool {
	return o.R >= c.R && apart2(c.At, o.At) <= square(int64(o.R)-int64(c.R))
}

// nearest returns the point of r nearest to p.
func (r Rect) nearest(p Point) Point {
	return Point{min(max(p.X, r.From.X), r.To.X), min(max(p.Y, r.From.Y), r.To.Y)}
}

// overlapsRect: any part in common.
func (c Circle) overlapsRect(r Rect) bool { return apart2(c.At, r.nearest(c.At)) < square(int64(c.R)) }

// withinRect: the whole of c inside r.
func (c Circle) withinRect(r Rect) bool {
	return c.At.X-c.R >= r.From.X && c.At.X+c.R <= r.To.X && c.At.Y-c.R >= r.From.Y && c.At.Y+c.R <= r.To.Y
}

// overlapsWall: the wall comes nearer than the radius. Exact: the distance is side ÷ length, so side² is compared with
// radius² × length², in 128 bits.
func (c Circle) overlapsWall(w Wall) bool {
	dx, dy := int64(w.B.X)-int64(w.A.X), int64(w.B.Y)-int64(w.A.Y)
	px, py := int64(c.At.X)-int64(w.A.X), int64(c.At.Y)-int64(w.A.Y)
	long2, along := dx*dx+dy*dy, px*dx+py*dy
	switch {
	case along <= 0:
		return apart2(c.At, w.A) < square(int64(c.R))
	case along >= long2:
		return apart2(c.At, w.B) < square(int64(c.R))
	}
	side := uint64(max(dx*py-dy*px, dy*px-dx*py))
	hi, lo := bits.Mul64(side, side)
	limitHi, limitLo := bits.Mul64(uint64(square(int64(c.R))), uint64(long2))
	return hi < limitHi || hi == limitHi && lo < limitLo
}

// clear reports whether a coin overlaps no wall and no post.
func (b *Board) clear(c Circle) bool {
	return !slices.ContainsFunc(b.walls(), c.overlapsWall) && !slices.ContainsFunc(b.posts(), c.overlaps)
}

// inZone: wholly inside the mole circle or a rectangle of Rosserie (row 2).
func (b *Board) inZone(c Circle) bool {
	return c.within(b.Circle) || slices.ContainsFunc(b.rosseries(), c.withinRect)
}

// onZone: partly or wholly inside one of them.
func (b *Board) onZone(c Circle) bool {
	return c.overlaps(b.Circle) || slices.ContainsFunc(b.rosseries(), c.overlapsRect)
}

// overhangs: the centre is closer to an edge than the radius (F5).
func (b *Board) overhangs(c Circle) bool {
	return c.At.X < c.R || b.W-c.At.X < c.R || c.At.Y < c.R || b.H-c.At.Y < c.R
}

// The places offered to a mignette: at most so many columns and rows, evenly spread over the nichee.
const (
	maxColumns = 12
	maxRows    = 4
	maxPlaces  = maxColumns * maxRows
)

// places fills in centres in the nichee, any three of which are a legal placing.
func (b *Board) places(out *[maxPlaces]Point) int {
	n := 0
	w, h := b.Nichee.To.X-b.Nichee.From.X-2*mignetteRadius, b.Nichee.To.Y-b.Nichee.From.Y-2*mignetteRadius
	if w < 0 || h < 0 {
		return 0
	}
	columns, rows := min(w/(2*mignetteRadius)+1, maxColumns), min(h/(2*mignetteRadius)+1, maxRows)
	mole := Circle{b.Circle.At, moleRadius}
	for row := range rows {
		for column := range columns {
			at := Point{b.Nichee.From.X + mignetteRadius, b.Nichee.From.Y + mignetteRadius}
			if columns > 1 {
				at.X += w / (columns - 1) * column
			}
			if rows > 1 {
				at.Y += h / (rows - 1) * row
			}
			if c := (Circle{at, mignetteRadius}); b.clear(c) && !c.overlaps(mole) {
				out[n] = at
				n++
			}
		}
	}
	return n
}

// centres returns the rectangle [x0, y0, x1, y1] in which the centre of a mignette may be placed: the disc lies wholly in the nichee.
func (b *Board) centres() *[4]int32 {
	from, to := b.Nichee.From, b.Nichee.To
	return &[4]int32{from.X + mignetteRadius, from.Y + mignetteRadius, to.X - mignetteRadius, to.Y - mignetteRadius}
}

// freePlace returns the centre nearest to at where c overlaps no coin, wall or post: at itself, else on rings of 0.1 mm, in whole
// degrees from 0 counter-clockwise (F4). On a board that is full it is at.
func (s *State) freePlace(id Coin, at Point) Point {
	if s.free(id, at) {
		return at
	}
	for ring := int32(1); ring*ringStep <= s.Board.W+s.Board.H; ring++ {
		for degree := range 360 {
			sin, cos := coins.SinCos(degree * 1000)
			r := float64(ring * ringStep)
			p := Point{at.X + round(float64(r*cos)), at.Y + round(float64(r*sin))}
			if s.Board.has(p) && s.free(id, p) {
				return p
			}
		}
	}
	return at
}

// ringStep is the distance of two rings in µm.
const ringStep = 100

func (s *State) free(id Coin, at Point) bool {
	c := Circle{at, id.radius()}
	if !s.Board.clear(c) {
		return false
	}
	for k := range s.Coins {
		if o := Coin(k); o != id && s.Coins[k].Alive && c.overlaps(s.circle(o)) {
			return false
		}
	}
	return true
}

// round returns the whole number nearest to x, halves upwards (P4).
func round(x float64) int32 { return int32(floor(x + 0.5)) }

func floor(x float64) int64 {
	n := int64(x)
	if float64(n) > x {
		n--
	}
	return n
}
