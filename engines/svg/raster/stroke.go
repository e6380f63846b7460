package raster

import "math"

// miterLimit is how far a corner may stand out, in halves of the width.
const miterLimit = 4

// stroker turns ways into the outline of their strokes: closed pieces that all turn the same way, so that their union is painted.
type stroker struct {
	out   []line
	half  float64
	style style
	scale float64
}

// strokeOf returns the outline of the stroke of some ways.
func strokeOf(lines []line, s style, scale float64) []line {
	k := stroker{half: s.width / 2, style: s, scale: scale}
	for _, l := range lines {
		if len(l.at) < 2 { // a move alone is no stroke
			continue
		}
		distinct := l.at[:1:1]
		for _, p := range l.at[1:] {
			if p.minus(distinct[len(distinct)-1]).length() > 1e-6 {
				distinct = append(distinct, p)
			}
		}
		if n := len(distinct); l.closed && n > 1 && distinct[0].minus(distinct[n-1]).length() <= 1e-6 {
			distinct = distinct[:n-1]
		}
		whole := line{distinct, l.closed}
		if len(s.dashes) == 0 {
			k.line(whole)
			continue
		}
		for _, dash := range dashed(whole, s.dashes) {
			k.line(dash)
		}
	}
	return k.out
}

// dashed cuts a way into dashes.
func dashed(l line, dashes []float64) []line {
	if len(dashes)%2 == 1 {
		dashes = append(dashes[:len(dashes):len(dashes)], dashes...)
	}
	at := l.at
	if l.closed {
		at = append(at[:len(at):len(at)], at[0])
	}
	out, k, left := []line{{at: at[:1:1]}}, 0, dashes[0]
	for i := 1; i < len(at); i++ {
		from, long := at[i-1], at[i].minus(at[i-1]).length()
		for gone := 0.0; gone < long; {
			step := min(left, long-gone)
			gone, left = gone+step, left-step
			here := between(from, at[i], gone/long)
			if last := &out[len(out)-1]; k%2 == 0 {
				last.at = append(last.at, here)
			}
			if left > 0 {
				continue
			}
			if k = (k + 1) % len(dashes); k%2 == 0 {
				out = append(out, line{at: []point{here}})
			}
			left = dashes[k]
		}
	}
	return out
}

func (k *stroker) line(l line) {
	n := len(l.at)
	if n == 1 {
		if k.style.roundCap {
			k.disc(l.at[0])
		}
		return
	}
	ends := n - 1
	if l.closed {
		ends = n
	}
	for i := range ends {
		a, b := l.at[i], l.at[(i+1)%n]
		side := b.minus(a).left().times(k.half / b.minus(a).length())
		k.piece(a.plus(side), b.plus(side), b.minus(side), a.minus(side))
		if i+1 < ends || l.closed {
			k.corner(a, b, l.at[(i+2)%n])
		}
	}
	if k.style.roundCap && !l.closed {
		k.disc(l.at[0])
		k.disc(l.at[n-1])
	}
}

// corner fills the gap where the way turns.
func (k *stroker) corner(a, b, c point) {
	in, out := b.minus(a).times(1/b.minus(a).length()), c.minus(b).times(1/c.minus(b).length())
	turn := in.cross(out)
	if math.Abs(turn) < 1e-9 && in.dot(out) > 0 {
		return
	}
	if k.style.roundJoin && in.dot(out) < .95 { // a bend of a curve needs none
		k.disc(b)
		return
	}
	side := -k.half
	if turn < 0 {
		side = k.half
	}
	from, to := in.left().times(side), out.left().times(side)
	tip := from.plus(to).times(1 / (1 + in.dot(out)))
	if in.dot(out) < -.999 || tip.length() > miterLimit*k.half {
		k.piece(b, b.plus(from), b.plus(to))
		return
	}
	k.piece(b, b.plus(from), b.plus(tip), b.plus(to))
}

func (k *stroker) disc(at point) {
	p := pen{scale: k.scale}
	p.ellipse(at, k.half, k.half)
	k.piece(p.lines[0].at...)
}

// piece takes down a closed piece.
func (k *stroker) piece(at ...point) {
	area := 0.0
	for i, p := range at {
		area += p.cross(at[(i+1)%len(at)])
	}
	if area < 0 {
		for i, j := 0, len(at)-1; i < j; i, j = i+1, j-1 {
			at[i], at[j] = at[j], at[i]
		}
	}
	k.out = append(k.out, line{at: at, closed: true})
}
