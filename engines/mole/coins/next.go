package coins

import "math"

// kind is what happens next; of several at one instant the first named goes first (P5).
type kind uint8

const (
	leaves kind = iota
	contacts
	crossesLip
	sinks
	stops
	nothing
)

// event is the next thing to happen, in so many seconds.
type event struct {
	kind   kind
	in     float64
	disc   int
	edge   Edge
	height float64
}

const (
	never    = 1e300
	noHeight = 1e300
)

// sooner puts e into best if it comes before it.
func (best *event) sooner(e event) {
	if e.in < best.in || e.in == best.in && e.kind < best.kind {
		*best = e
	}
}

// next finds what happens next.
func (s *Sim) next() event {
	best := event{kind: nothing, in: never}
	for i := range s.N {
		d := &s.Discs[i]
		switch {
		case d.Mode == Flying:
			s.nextSink(i, &best)
		case d.Mode == Sliding && d.Speed > 0:
			best.sooner(event{kind: stops, in: d.Speed / s.Decel, disc: i})
		default:
			continue
		}
		if d.Speed > 0 {
			s.nextAlone(i, &best)
		}
	}
	for i := range s.N {
		for j := i + 1; j < s.N; j++ {
			if t := s.meet(i, j, best.in); t < never {
				best.sooner(event{kind: contacts, in: t, disc: i})
			}
		}
	}
	return best
}

// moves reports whether d may be struck or strike, and moves.
func (d *Disc) moves() bool { return d.Speed > 0 && d.Mode <= Flying }

// reach returns how far d goes if nothing hinders it; a flying disc has no friction.
func (s *Sim) reach(d *Disc) float64 {
	if d.Mode == Flying {
		return never
	}
	return float64(square(d.Speed) / s.Decel / 2)
}

// after returns the time in which d goes the way w, which is less than its reach.
func (s *Sim) after(d *Disc, w float64) float64 {
	if d.Mode == Flying {
		return w / d.Speed
	}
	return float64(2*w) / (d.Speed + math.Sqrt(max(square(d.Speed)-float64(2*s.Decel*w), 0)))
}

// nextAlone looks for what disc i, which moves, meets by itself: an edge, the lip, a wall, a post.
func (s *Sim) nextAlone(i int, best *event) {
	d := &s.Discs[i]
	reach := s.reach(d)
	w, edge := s.toEdge(d)
	if w < reach {
		best.sooner(event{kind: leaves, in: s.after(d, w), disc: i, edge: edge})
	}
	if s.Ramp.On && d.Mode == Sliding {
		if w := s.toLip(d); w < reach {
			best.sooner(event{kind: crossesLip, in: s.after(d, w), disc: i})
		}
	}
	v := d.velocity()
	strike := func(w float64) {
		if w < reach {
			if t := s.after(d, w); d.below(thingHeight, t) {
				best.sooner(event{kind: contacts, in: t, disc: i})
			}
		}
	}
	for k := range s.NWalls {
		wall := &s.Walls[k]
		if q := d.At.minus(wall.nearest(d.At)); touches(q, d.R) {
			if wall.approach(d.At, v) < -roundingRate {
				strike(0)
			}
			continue
		}
		strike(wall.way(d.At, d.Dir, d.R))
	}
	for k := range s.NPosts {
		post := &s.Posts[k]
		q := d.At.minus(post.At)
		if !touches(q, d.R+post.R) {
			strike(wayIn(q, d.Dir, d.R+post.R))
		} else if rate(q, v) < -roundingRate {
			strike(0)
		}
	}
}

// toEdge returns the way until the centre of d, which moves, passes an edge, and which; of two at once the end of the board.
func (s *Sim) toEdge(d *Disc) (float64, Edge) {
	const atOnce = 1e-9 // mm
	way := never
	var edge Edge
	try := func(w float64, e Edge) {
		if w = max(w, 0); w < way-atOnce {
			way, edge = w, e
		}
	}
	if d.Dir.Y > 0 {
		try((s.H-d.At.Y)/d.Dir.Y, Winning)
	} else if d.Dir.Y < 0 {
		try(d.At.Y/-d.Dir.Y, Back)
	}
	if d.Dir.X < 0 {
		try(d.At.X/-d.Dir.X, Left)
	} else if d.Dir.X > 0 {
		try((s.W-d.At.X)/d.Dir.X, Right)
	}
	return way, edge
}

// toLip returns the way until the centre of d crosses the lip in the ramp's direction. Where it comes to the lip so aslant that a
// flight might not get it across, it crosses without one (F1).
func (s *Sim) toLip(d *Disc) float64 {
	r := &s.Ramp
	ahead, aside, goes, drifts := d.At.X, d.At.Y, d.Dir.X, d.Dir.Y
	if r.Quarter&1 == 1 {
		ahead, aside, goes, drifts = aside, ahead, drifts, goes
	}
	gap := r.Lip - ahead
	if r.Quarter >= 2 {
		gap, goes = -gap, -goes
	}
	if goes <= 0 || gap < 0 {
		return never
	}
	w := gap / goes
	if at := aside + float64(drifts*w); at < r.From || at > r.To {
		return never
	}
	const least = leastTakeOff * leastTakeOff
	if left := square(d.Speed) - float64(2*s.Decel*w); left >= least && float64(left*square(goes)) < least {
		return never
	}
	return w
}

// nextSink finds the next height that flying disc i sinks through: that of a thing, the top of another disc, the plane.
func (s *Sim) nextSink(i int, best *event) {
	d := &s.Discs[i]
	next, in := -1.0, 0.0
	try := func(h float64) {
		left := square(d.ZSpeed) + float64(2*Gravity*(d.Z-h))
		if h < d.passed && h > next && left >= 0 {
			next, in = h, max(float64((d.ZSpeed+math.Sqrt(left))/Gravity), 0)
		}
	}
	if s.NWalls+s.NPosts > 0 {
		try(thingHeight)
	}
	for j := range s.N {
		if j != i {
			try(s.Discs[j].Thick)
		}
	}
	if try(0); next < 0 { // height 0 is always reached: only rounding can say otherwise
		next, in = 0, 0
	}
	best.sooner(event{kind: sinks, in: in, disc: i, height: next})
}

// below reports whether d, in t seconds, is below a height and so meets sideways what is that high.
func (d *Disc) below(height, t float64) bool {
	return d.Mode != Flying || d.passed <= height || d.Z+float64(t*(d.ZSpeed-float64(Gravity/2*t))) < height
}
