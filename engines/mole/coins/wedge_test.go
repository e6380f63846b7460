package coins

import (
	"math"
	"testing"
)

// wedges returns a coin before two fixed bodies that stand to either side of its way, so that it touches both at once, half an
// angle each from that way: as walls that meet ahead of it, and as posts.
func wedges(half float64) map[string]*Sim {
	sin, cos := math.Sincos(half)
	wall, post := scene(Disc{At: Vec{100, 500}}), scene(Disc{At: Vec{100, 500}})
	const stop, long = 150.0, 40.0 // where it touches; how far the walls reach from there
	r := wall.Discs[0].R
	for k, side := range [2]float64{1, -1} {
		at := Vec{stop + r*sin, 500 + side*r*cos}
		wall.Walls[k] = NewWall(at.along(Vec{cos, -side * sin}, -long), at.along(Vec{cos, -side * sin}, long*math.Min(1, sin)))
		post.Posts[k] = Post{Vec{stop + (r+8)*sin, 500 + side*(r+8)*cos}, 8}
	}
	wall.NWalls, post.NPosts = 2, 2
	return map[string]*Sim{"walls": wall, "posts": post}
}

// TestAWedgeGivesNoSpeed (P1): from no wedge of fixed bodies, however narrow, and from no contact in it, a coin comes faster
// than it went in; straight in and touching both at once, it comes out at the restitution.
func TestAWedgeGivesNoSpeed(t *testing.T) {
	contact, straight := 0, 0
	for half := 1e-5; half < 1.4; half *= 1.25 {
		for _, into := range []float64{.01, .5, 1, 1.5, 3, 40, 900} {
			for aside := range 4 {
				for name, s := range wedges(half) {
					s.Discs[0].Dir, s.Discs[0].Speed = Vec{1, 0}, math.Sqrt(into*into+2*s.Decel*50)
					s.Discs[0].At.Y += []float64{0, 1e-7, 1e-4, .01}[aside]
					for s.Events = 0; s.Events < maxEvents; s.Events++ {
						e := s.next()
						if e.kind == nothing {
							break
						}
						s.advance(e.in)
						before := s.Discs[0].Speed
						s.handle(e)
						after := s.Discs[0].Speed
						if e.kind != contacts {
							continue
						}
						contact++
						if after > before*(1+1e-9) {
							t.Fatalf("%s, half an angle of %g, %g mm/s: a contact makes %g mm/s of %g", name, half, into, after, before)
						}
						if aside == 0 && len(s.Trace.Marks) == 2 && half > 1e-3 {
							if straight++; math.Abs(after-.6*before) > 1e-6*before {
								t.Fatalf("%s, half an angle of %g: straight in at %g mm/s, out at %g", name, half, before, after)
							}
						}
					}
				}
			}
		}
	}
	if contact < 3000 || straight < 300 {
		t.Errorf("only %d contacts, %d straight", contact, straight)
	}
}

// TestASlowContactOnlyTurnsTheSpeedOfTheTwo (P1): energy and momentum stay, and they part at 1 mm/s, or at all they have.
func TestASlowContactOnlyTurnsTheSpeedOfTheTwo(t *testing.T) {
	for _, bounce := range []float64{0, .75, 1} {
		for _, v := range []struct{ near, past, want float64 }{
			{.9, 200, 1}, {.2, -3, 1}, {1e-6, 1.001, 1}, {.3, .4, .5}, {.3, -.4, .5}, {.7, 0, .7}, {0.002, 0.001, math.Sqrt(5) / 1000},
		} {
			s := scene(Disc{At: Vec{500, 500}}, Disc{At: Vec{520.3, 500}})
			s.CoinBounce, s.Discs[1].Mass = bounce, 7.12
			lead := Vec{3, 40} // of both
			for i, u := range []Vec{{lead.X + v.near, lead.Y + v.past}, lead} {
				s.Discs[i].Speed = math.Sqrt(dot(u, u))
				s.Discs[i].Dir = u.over(s.Discs[i].Speed)
			}
			energy, p := s.energy(), s.momentum()
			s.collide()
			away := s.Discs[1].velocity().minus(s.Discs[0].velocity())
			if q := s.momentum(); math.Hypot(p.X-q.X, p.Y-q.Y) > 1e-10 || math.Abs(s.energy()-energy) > 1e-13*energy {
				t.Errorf("%+v: energy %.15g becomes %.15g, momentum %v becomes %v", v, energy, s.energy(), p, q)
			}
			if math.Abs(away.X-v.want) > 1e-9 {
				t.Errorf("%+v: they part at %g mm/s", v, away.X)
			}
			if len(s.Trace.Marks) != 1 {
				t.Errorf("%+v: want one contact, got %v", v, s.Trace.Marks)
			}
		}
	}
}

// TestAfterAContactSlowerThanAMicrometreASecondIsAtRest (P1).
func TestAfterAContactSlowerThanAMicrometreASecondIsAtRest(t *testing.T) {
	for speed, moves := range map[float64]bool{.0009: false, .0011: true} {
		s := scene(Disc{At: Vec{500, 500}, Dir: Vec{1, 0}, Speed: speed}, Disc{At: Vec{520.3, 500}})
		s.collide()
		if got := s.Discs[1].Speed > 0; got != moves || s.Discs[0].Speed > 0 {
			t.Errorf("struck at %g mm/s: speeds %g and %g", speed, s.Discs[0].Speed, s.Discs[1].Speed)
		}
	}
}

// TestAJamStopsWhatStruckIt (P3): the coin that drives another into a jam stops with it, in one instant.
func TestAJamStopsWhatStruckIt(t *testing.T) {
	const r, aside = 10.15, 14.354 // of the driver's centre, so that it touches
	s := scene(Disc{At: Vec{500 - aside, 500 - aside}}, Disc{At: Vec{500, 500}}, Disc{At: Vec{500, 500 + 2*r}})
	s.Posts[0], s.NPosts = Post{Vec{500, 500 - r - 1}, 1}, 1
	s.Walls[0], s.NWalls = NewWall(Vec{400, 500 + 3*r}, Vec{600, 500 + 3*r}), 1
	s.Flick(0, 45_000, 1000, 0)
	if err := s.Run(); err != nil || s.Events > 1 || s.Time > 0 {
		t.Errorf("%v, %d events, at %v, %v, %v", err, s.Events, s.Discs[0].At, s.Discs[1].At, s.Discs[2].At)
	}
}
