package coins

import (
	"errors"
	"fmt"
)

// errEvents says that a flick took more than [maxEvents] events: a fault of this package or a scene without friction, never a
// result.
var errEvents = errors.New("too_many_events")

// Sim is discs in a scene. Fill Scene, Discs and N, call [Sim.Flick], then [Sim.Run]; Discs then hold the positions at rest.
type Sim struct {
	Scene
	Discs  [maxDiscs]Disc
	N      int
	Time   float64 // s since the flick
	Events int     // handled so far
	Path   [maxPath]Segment
	NPath  int    // used of Path; further segments are only in Trace
	Trace  *Trace // where to report all that happens; may be nil

	landed int
}

// Flick sets disc i, which is at rest, in motion; lift is 0 to 45 000 mdeg. Time and Path begin again.
func (s *Sim) Flick(i, mdeg int, speedMMS float64, liftMdeg int) {
	d := &s.Discs[i]
	s.Time, s.Events, s.NPath, s.landed = 0, 0, 0, 0
	sin, cos := SinCos(mdeg)
	d.Dir, d.Speed = Vec{cos, sin}, speedMMS
	if liftMdeg > 0 {
		up, ahead := SinCos(liftMdeg)
		s.takeOff(d, up, ahead)
	}
	s.begin(i)
}

// Run plays the motion until every disc is at rest, raised or gone. Why it ends:
//
//   - Nothing adds energy: no contact does (P1), and friction and landing take some. So the speeds, the time in the air and the
//     way left in the plane, energy ÷ (mass × Decel), are bounded.
//   - An instant is at most [maxRounds] of contacts. After it no two bodies that touch approach, or all it struck are at rest.
//   - A body that a disc did not touch is more than touchGap away: a contact with it costs as much way.
//   - A wall or post that a disc touched it does not meet again before it has struck something else, as it goes straight and
//     the thing is convex. So there needs no least speed there; in a slot the speed across it dies away by restitution.
//   - A disc that it touched comes back by friction alone, which changes their speed against each other by 2·Decel at most.
//     They have parted at minLeave, and friction takes as much from each before they meet; or, if they had less, at all of
//     it, straight away from each other: then they do not meet before one rests.
//   - One that flies has no friction; it comes down when it hardly moves against a disc that it touches (F2).
//   - A disc that takes off is beyond the lip when it lands, and must be struck to come before it again.
//
// [maxEvents] only asserts this.
func (s *Sim) Run() error {
	for {
		e := s.next()
		if e.kind == nothing {
			return nil
		}
		if s.Events++; s.Events > maxEvents {
			return fmt.Errorf("%w: more than %d in one flick", errEvents, maxEvents)
		}
		s.advance(e.in)
		s.handle(e)
	}
}

// advance moves every disc by t seconds, within which nothing happens.
func (s *Sim) advance(t float64) {
	s.Time += t
	for i := range s.N {
		d := &s.Discs[i]
		switch {
		case d.Mode == Flying:
			d.At = d.At.along(d.Dir, float64(d.Speed*t))
			d.Z += float64(t * (d.ZSpeed - float64(Gravity/2*t)))
			d.ZSpeed -= float64(Gravity * t)
		case d.Mode == Sliding && d.Speed > 0:
			d.At = d.At.along(d.Dir, float64(t*(d.Speed-float64(s.Decel/2*t))))
			d.Speed = max(d.Speed-float64(s.Decel*t), 0)
		}
	}
}

func (s *Sim) handle(e event) {
	d := &s.Discs[e.disc]
	switch e.kind {
	case leaves:
		s.end(e.disc)
		d.Mode, d.Edge, d.Speed = Gone, e.edge, 0
		s.mark(Mark{Kind: MarkLeft, T: s.Time, A: e.disc, Edge: e.edge})
	case contacts:
		s.collide()
	case crossesLip:
		if d.Speed < leastTakeOff {
			d.Speed = 0
		}
		if s.end(e.disc); d.Speed > 0 {
			s.takeOff(d, s.Ramp.Sin, s.Ramp.Cos)
			s.begin(e.disc)
		}
	case sinks:
		s.sink(e.disc, e.height)
	case stops:
		d.Speed = 0
		s.end(e.disc)
	case nothing:
	}
}

// takeOff splits the speed of a disc into its two parts (F1).
func (s *Sim) takeOff(d *Disc, sin, cos float64) {
	d.Mode, d.Flew, d.Z = Flying, true, 0
	d.ZSpeed, d.Speed = float64(d.Speed*sin), float64(d.Speed*cos)
	d.passed = noHeight
}

// sink brings a flying disc down through a height: the plane, the top of another disc, or that of walls and posts. On top of
// a disc it overlaps it stops; in the plane too, should another still fly there below its own top (F2).
func (s *Sim) sink(i int, height float64) {
	d := &s.Discs[i]
	d.Z, d.passed = height, height
	for j := range s.N {
		o := &s.Discs[j]
		deep := touchGap
		switch {
		case j == i || o.Mode == Gone:
			continue
		case height == 0:
			deep = rounding
		case height != o.Thick || o.Mode == Flying:
			continue
		}
		if q := d.At.minus(o.At); dot(q, q) < square(d.R+o.R-deep) {
			s.end(i)
			s.landed++
			d.Mode, d.Rank, d.Speed, d.Z, d.ZSpeed = Raised, s.landed, 0, 0, 0
			return
		}
	}
	if height == 0 {
		s.end(i)
		d.Mode, d.ZSpeed = Sliding, 0
		s.begin(i)
	}
}
