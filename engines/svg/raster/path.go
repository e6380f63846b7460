package raster

import (
	"fmt"
	"math"
	"strings"
	"unicode"
)

// point is a place in the units of an element, or in pixels.
type point struct{ x, y float64 }

func (p point) plus(q point) point        { return point{p.x + q.x, p.y + q.y} }
func (p point) minus(q point) point       { return point{p.x - q.x, p.y - q.y} }
func (p point) times(f float64) point     { return point{p.x * f, p.y * f} }
func (p point) length() float64           { return math.Hypot(p.x, p.y) }
func (p point) left() point               { return point{-p.y, p.x} }
func (p point) dot(q point) float64       { return p.x*q.x + p.y*q.y }
func (p point) cross(q point) float64     { return p.x*q.y - p.y*q.x }
func between(p, q point, t float64) point { return p.plus(q.minus(p).times(t)) }

// line is a way of straight stretches.
type line struct {
	at     []point
	closed bool
}

// pen draws ways. Curves become stretches of about half a pixel to two pixels.
type pen struct {
	lines []line
	scale float64 // pixels in a unit
	bent  point   // the last control point: what a smooth curve goes on from
}

func (p *pen) to(q ...point) {
	last := &p.lines[len(p.lines)-1]
	last.at = append(last.at, q...)
}

func (p *pen) here() point {
	last := p.lines[len(p.lines)-1]
	return last.at[len(last.at)-1]
}

// bits returns how many stretches a curve of about some length is made of.
func (p *pen) bits(length float64) int { return min(max(int(length*p.scale/2), 8), 128) }

func (p *pen) quad(c, to point) {
	from := p.here()
	n := p.bits(c.minus(from).length() + to.minus(c).length())
	for i := 1; i <= n; i++ {
		t := float64(i) / float64(n)
		p.to(between(between(from, c, t), between(c, to, t), t))
	}
}

func (p *pen) cubic(a, b, to point) {
	from := p.here()
	n := p.bits(a.minus(from).length() + b.minus(a).length() + to.minus(b).length())
	for i := 1; i <= n; i++ {
		t := float64(i) / float64(n)
		l, m, r := between(from, a, t), between(a, b, t), between(b, to, t)
		p.to(between(between(l, m, t), between(m, r, t), t))
	}
}

// turn goes round a middle, from one angle by another.
func (p *pen) turn(middle point, rx, ry, from, by float64) {
	n := p.bits(math.Abs(by) * max(rx, ry))
	for i := 1; i <= n; i++ {
		sin, cos := math.Sincos(from + by*float64(i)/float64(n))
		p.to(point{middle.x + rx*cos, middle.y + ry*sin})
	}
}

// arc is the arc of SVG, of an ellipse that is not turned.
func (p *pen) arc(rx, ry float64, large, sweep bool, to point) {
	from := p.here()
	half := from.minus(to).times(.5)
	x, y := half.x/rx, half.y/ry
	if far := math.Hypot(x, y); far > 1 {
		rx, ry, x, y = rx*far, ry*far, x/far, y/far
	}
	f := 0.0
	if d := x*x + y*y; d > 0 {
		f = math.Sqrt(max(0, 1/d-1))
	}
	if large == sweep {
		f = -f
	}
	cx, cy := f*y, -f*x
	begin, end := math.Atan2(y-cy, x-cx), math.Atan2(-y-cy, -x-cx)
	by := end - begin
	switch {
	case sweep && by < 0:
		by += 2 * math.Pi
	case !sweep && by > 0:
		by -= 2 * math.Pi
	}
	mid := from.plus(to).times(.5)
	p.turn(point{mid.x + cx*rx, mid.y + cy*ry}, rx, ry, begin, by)
}

// ellipse is a whole one.
func (p *pen) ellipse(middle point, rx, ry float64) {
	p.lines = append(p.lines, line{at: []point{{middle.x + rx, middle.y}}, closed: true})
	p.turn(middle, rx, ry, 0, 2*math.Pi)
}

// rect is one with corners of a radius.
func (p *pen) rect(x, y, w, h, r float64) {
	r = min(r, w/2, h/2)
	p.lines = append(p.lines, line{at: []point{{x + r, y}}, closed: true})
	for i, c := range []point{{x + w - r, y + r}, {x + w - r, y + h - r}, {x + r, y + h - r}, {x + r, y + r}} {
		from := float64(i-1) * math.Pi / 2
		sin, cos := math.Sincos(from)
		if p.to(point{c.x + r*cos, c.y + r*sin}); r > 0 {
			p.turn(c, r, r, from, math.Pi/2)
		}
	}
}

// follow draws the data of a path.
func (p *pen) follow(data string) error {
	for data = strings.TrimSpace(data); data != ""; {
		end := strings.IndexFunc(data[1:], unicode.IsLetter) + 1
		if end == 0 {
			end = len(data)
		}
		args, err := numbers(strings.ReplaceAll(data[1:end], "-", " -"))
		if err != nil {
			return err
		}
		if err := p.command(data[0], args); err != nil {
			return err
		}
		data = data[end:]
	}
	return nil
}

// takes is how many numbers a command takes.
var takes = map[byte]int{'M': 2, 'L': 2, 'H': 1, 'V': 1, 'Q': 4, 'T': 2, 'C': 6, 'S': 4, 'A': 7, 'Z': 0}

// command carries out one letter of a path with its numbers.
func (p *pen) command(letter byte, args []float64) error {
	upper := letter &^ 0x20
	n, known := takes[upper]
	whole := n == 0 && len(args) == 0 || n > 0 && len(args) > 0 && len(args)%n == 0
	if !known || !whole || upper != 'M' && len(p.lines) == 0 {
		return fmt.Errorf("raster: path command %c with %d numbers", letter, len(args))
	}
	if upper == 'Z' {
		p.lines[len(p.lines)-1].closed = true
		return nil
	}
	for k := 0; k < len(args); k += n {
		p.stretch(upper, letter != upper, args[k:k+n])
		if upper == 'M' { // what follows a move are lines
			upper, letter = 'L', letter-1
		}
	}
	return nil
}

// stretch goes on by one command, from where the pen is if it is relative.
func (p *pen) stretch(upper byte, relative bool, a []float64) {
	if last := len(p.lines) - 1; last >= 0 && p.lines[last].closed {
		p.lines = append(p.lines, line{at: []point{p.lines[last].at[0]}})
	}
	here, base := point{}, point{}
	if len(p.lines) > 0 {
		here = p.here()
	}
	if relative {
		base = here
	}
	at := func(i int) point { return base.plus(point{a[i], a[i+1]}) }
	bent := point{}
	curved := true
	switch upper {
	case 'Q':
		bent = at(0)
		p.quad(bent, at(2))
	case 'T':
		bent = here.plus(here.minus(p.bent))
		p.quad(bent, at(0))
	case 'C':
		bent = at(2)
		p.cubic(at(0), bent, at(4))
	case 'S':
		bent = at(0)
		p.cubic(here.plus(here.minus(p.bent)), bent, at(2))
	default:
		curved = false
	}
	switch upper {
	case 'M':
		p.lines = append(p.lines, line{at: []point{at(0)}})
	case 'L':
		p.to(at(0))
	case 'H':
		p.to(point{base.x + a[0], here.y})
	case 'V':
		p.to(point{here.x, base.y + a[0]})
	case 'A':
		p.arc(a[0], a[1], a[3] != 0, a[4] != 0, at(5))
	}
	if p.bent = bent; !curved {
		p.bent = p.here()
	}
}
