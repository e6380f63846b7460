package coins

import "math"

// touches reports whether two round bodies whose centres lie q from each other touch (P2); r is the sum of their radii.
func touches(q Vec, r float64) bool { return dot(q, q) <= square(r+touchGap) }

// rate returns how fast two bodies part that lie q from each other and move by v against each other; below 0 they approach.
func rate(q, v Vec) float64 {
	if q == (Vec{}) {
		return 0 // one centre upon the other: no direction is towards
	}
	return dot(q, v) / math.Sqrt(dot(q, q))
}

// wayIn returns the way along dir until the circle of radius r is entered whose centre the start is q away from.
func wayIn(q, dir Vec, r float64) float64 {
	b := dot(q, dir)
	if b >= 0 {
		return never
	}
	miss := cross(q, dir)
	in := float64((r - miss) * (r + miss))
	if in <= 0 {
		return never
	}
	return max(-b-math.Sqrt(in), 0)
}

// nearest returns the point of the wall nearest to p.
func (w *Wall) nearest(p Vec) Vec {
	k := dot(p.minus(w.A), w.dir)
	switch {
	case k <= 0:
		return w.A
	case k >= w.long:
		return w.B
	}
	return w.A.along(w.dir, k)
}

// normal points from the wall to p; on the wall itself there is none.
func (w *Wall) normal(p Vec) Vec {
	k := dot(p.minus(w.A), w.dir)
	if k > 0 && k < w.long {
		side := cross(w.dir, p.minus(w.A))
		switch {
		case side > 0:
			return Vec{-w.dir.Y, w.dir.X}
		case side < 0:
			return Vec{w.dir.Y, -w.dir.X}
		}
		return Vec{}
	}
	q := p.minus(w.nearest(p))
	if q == (Vec{}) {
		return q
	}
	return q.over(math.Sqrt(dot(q, q)))
}

// approach returns how fast a disc at p moving by v parts from the wall; below 0 it approaches.
func (w *Wall) approach(p, v Vec) float64 { return dot(w.normal(p), v) }

// way returns the way along dir until a disc of radius r at p, which does not touch the wall, touches it: its side or an end,
// whichever comes first.
func (w *Wall) way(p, dir Vec, r float64) float64 {
	const slack = 1e-9 // mm: so that no disc slips through between the side and the round end
	rel := p.minus(w.A)
	best := min(wayIn(rel, dir, r), wayIn(p.minus(w.B), dir, r))
	side, rises := cross(w.dir, rel), cross(w.dir, dir)
	if side < 0 {
		side, rises = -side, -rises
	}
	if rises < 0 && side >= r {
		d := (side - r) / -rises
		if k := dot(rel, w.dir) + float64(dot(dir, w.dir)*d); k >= -slack && k <= w.long+slack {
			best = min(best, d)
		}
	}
	return best
}

// meet returns the time until discs i and j come into contact, never if they do not within the horizon.
func (s *Sim) meet(i, j int, horizon float64) float64 {
	a, b := &s.Discs[i], &s.Discs[j]
	if !a.moves() && !b.moves() || a.Mode >= Raised || b.Mode >= Raised || a.Mode == Flying && b.Mode == Flying {
		return never
	}
	q, r := a.At.minus(b.At), a.R+b.R
	var t float64
	switch {
	case touches(q, r) && rate(q, a.velocity().minus(b.velocity())) < -roundingRate:
		t = 0
	case !b.moves():
		t = s.strike(a, q, r)
	case !a.moves():
		t = s.strike(b, b.At.minus(a.At), r)
	case a.Mode == Sliding && b.Mode == Sliding && dot(q, q) > square(r+s.reach(a)+s.reach(b)):
		return never
	default:
		t = s.cross(a, b, q, r, horizon)
	}
	if t > horizon || a.Mode == Flying && !a.below(b.Thick, t) || b.Mode == Flying && !b.below(a.Thick, t) {
		return never
	}
	return t
}

// strike returns the time until d, the only one that moves, comes within r of a disc q away.
func (s *Sim) strike(d *Disc, q Vec, r float64) float64 {
	if touches(q, r) {
		return never // it does not approach
	}
	if w := wayIn(q, d.Dir, r); w < s.reach(d) {
		return s.after(d, w)
	}
	return never
}

// cross returns the time until two moving discs come within r: the first zero, downwards, of a quartic. It is found between the
// turning points of the quartic, which are the zeros of its derivative, which lie between the zeros of the derivative's own.
func (s *Sim) cross(a, b *Disc, q Vec, r, horizon float64) float64 {
	var slow Vec // half the relative acceleration
	end := horizon
	if a.Mode == Sliding {
		slow = a.Dir.times(float64(-s.Decel / 2))
		end = min(end, a.Speed/s.Decel)
	}
	if b.Mode == Sliding {
		slow = slow.minus(b.Dir.times(float64(-s.Decel / 2)))
		end = min(end, b.Speed/s.Decel)
	}
	v := a.velocity().minus(b.velocity())
	f := quartic{dot(q, q) - square(r), float64(2 * dot(q, v)), dot(v, v) + float64(2*dot(q, slow)), float64(2 * dot(v, slow)), dot(slow, slow)}
	return f.fall(end, float64(r*touchGap))
}

// quartic is c₀ + c₁t + … + c₄t⁴.
type quartic [5]float64

func (c *quartic) at(t float64) float64 {
	return c[0] + float64(t*(c[1]+float64(t*(c[2]+float64(t*(c[3]+float64(t*c[4])))))))
}

func (c *quartic) slope(t float64) float64 {
	return c[1] + float64(t*(float64(2*c[2])+float64(t*(float64(3*c[3])+float64(t*float64(4*c[4]))))))
}

func (c *quartic) bend(t float64) float64 {
	return float64(2*c[2]) + float64(t*(float64(6*c[3])+float64(t*float64(12*c[4]))))
}

// fall returns the first time in [0, end] at which the quartic comes down to 0. Where it begins to fall from near or below 0,
// bodies that touch begin to approach: then it is when it has fallen by a thousandth of near, so that they truly approach.
func (c *quartic) fall(end, near float64) float64 {
	var turns [5]float64
	n := c.turns(&turns, end)
	lo, flo := 0.0, c[0]
	for k := range n {
		hi := turns[k]
		fhi := c.at(hi)
		if level := min(0, flo-float64(near/1000)); fhi <= level && fhi < flo {
			return zero(lo, hi, func(t float64) (float64, float64) { return c.at(t) - level, c.slope(t) })
		}
		lo, flo = hi, fhi
	}
	return never
}

// turns fills in where the quartic turns within (0, end), ascending, and end itself.
func (c *quartic) turns(out *[5]float64, end float64) int {
	n := 0
	var cuts [3]float64
	m := c.bends(&cuts, end)
	lo, slo := 0.0, c[1]
	for k := range m {
		hi := cuts[k]
		shi := c.slope(hi)
		if slo < 0 && shi >= 0 || slo > 0 && shi <= 0 {
			out[n] = zero(lo, hi, func(t float64) (float64, float64) { return c.slope(t), c.bend(t) })
			n++
		}
		lo, slo = hi, shi
	}
	out[n] = end
	return n + 1
}

// bends fills in where the slope turns within (0, end), ascending, and end itself.
func (c *quartic) bends(out *[3]float64, end float64) int {
	n := 0
	// 6c₄t² + 3c₃t + c₂ = 0, in the form that does not cancel
	p, q, r := float64(6*c[4]), float64(3*c[3]), c[2]
	if under := square(q) - float64(4*float64(p*r)); under > 0 {
		root := math.Sqrt(under)
		if q < 0 {
			root = -root
		}
		w := float64(-(q + root) / 2)
		t1, t2 := never, never
		if p != 0 {
			t1 = w / p
		}
		if w != 0 {
			t2 = r / w
		}
		for _, t := range [2]float64{min(t1, t2), max(t1, t2)} {
			if t > 0 && t < end {
				out[n] = t
				n++
			}
		}
	}
	out[n] = end
	return n + 1
}

// zero finds where a function that is monotone from lo to hi and changes sign there is 0: Newton's steps, halving where
// they leave the bracket.
func zero(lo, hi float64, f func(t float64) (value, slope float64)) float64 {
	flo, _ := f(lo)
	rising := flo < 0
	t := lo + float64((hi-lo)/2)
	for range 200 {
		v, slope := f(t)
		if v == 0 {
			return t
		}
		if v < 0 == rising {
			lo = t
		} else {
			hi = t
		}
		next := t - v/slope
		if !(next > lo && next < hi) {
			if next = lo + float64((hi-lo)/2); next <= lo || next >= hi {
				return hi
			}
		}
		if step := next - t; step <= float64(t*1e-15) && step >= float64(t*-1e-15) {
			return next
		}
		t = next
	}
	return t
}
