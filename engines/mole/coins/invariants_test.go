package coins

import (
	"math"
	"os"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// flicks returns how many random flicks the invariants are checked over.
func flicks() int {
	if os.Getenv("MOLERUN_NIGHTLY") == "1" {
		return 1_000_000
	}
	return 20_000
}

// crowd returns a random small board with everything on it and four coins that do not overlap, most of them close together.
func crowd(r *game.Rand) *Sim {
	unit := func() float64 { return float64(r.IntN(1<<20)) / (1 << 20) }
	s := &Sim{Scene: Scene{W: 100 + 200*unit(), H: 100 + 200*unit(), Decel: 490 + 4000*unit(), CoinBounce: unit(), WallBounce: .6}, N: 4}
	for s.NPosts = 0; s.NPosts < r.IntN(3); s.NPosts++ {
		s.Posts[s.NPosts] = Post{Vec{s.W * unit(), s.H * unit()}, 1 + 8*unit()}
	}
	for s.NWalls = 0; s.NWalls < r.IntN(4); s.NWalls++ {
		a := Vec{s.W * unit(), s.H * unit()}
		s.Walls[s.NWalls] = NewWall(a, Vec{a.X + 80*unit() - 40, a.Y + 80*unit() - 40.01})
	}
	if r.IntN(2) == 0 {
		s.Ramp = Ramp{On: true, Quarter: r.IntN(4), Lip: 60, From: 20, To: 90}
		s.Ramp.Sin, s.Ramp.Cos = SinCos(1 + r.IntN(45_000))
	}
	for i := range s.N {
		d := Disc{R: 10.15, Mass: 3.56, Thick: 1.52}
		if i == 0 {
			d = Disc{R: 12.95, Mass: 7.12, Thick: 1.85}
		}
		for tries := 0; ; tries++ {
			d.At = Vec{s.W * unit(), s.H * unit()}
			if i > 0 && tries < 50 && r.IntN(3) > 0 { // against the one before, touching
				o := &s.Discs[i-1]
				sin, cos := SinCos(r.IntN(FullTurn))
				d.At = o.At.along(Vec{cos, sin}, o.R+d.R+float64(r.IntN(2))*1e-6*float64(r.IntN(3)))
			}
			s.Discs[i] = d
			if tries > 3000 {
				return crowd(r)
			}
			if s.N = i + 1; d.At.X >= 0 && d.At.X <= s.W && d.At.Y >= 0 && d.At.Y <= s.H && s.deepest() < 1e-9 {
				break
			}
		}
		s.N = 4
	}
	return s
}

// deepest returns the greatest overlap in the plane, in mm: of sliding discs with each other and with walls and posts.
func (s *Sim) deepest() (deep float64) {
	for i := range s.N {
		a := &s.Discs[i]
		if a.Mode != Sliding || a.R == 0 {
			continue
		}
		for j := range i {
			if b := &s.Discs[j]; b.Mode == Sliding {
				deep = math.Max(deep, a.R+b.R-math.Hypot(a.At.X-b.At.X, a.At.Y-b.At.Y))
			}
		}
		for k := range s.NPosts {
			if q := a.At.minus(s.Posts[k].At); !a.Flew {
				deep = math.Max(deep, a.R+s.Posts[k].R-math.Hypot(q.X, q.Y))
			}
		}
		for k := range s.NWalls {
			if q := a.At.minus(s.Walls[k].nearest(a.At)); !a.Flew { // what has flown may have come down over a wall
				deep = math.Max(deep, a.R-math.Hypot(q.X, q.Y))
			}
		}
	}
	return deep
}

func (s *Sim) energy() (sum float64) {
	for i := range s.N {
		sum += s.Discs[i].energy()
	}
	return sum
}

// momentum of the discs.
func (s *Sim) momentum() (p Vec) {
	for i := range s.N {
		p = p.along(s.Discs[i].velocity(), s.Discs[i].Mass)
	}
	return p
}

func (s *Sim) randomFlick(r *game.Rand) {
	lift := 0
	if r.IntN(4) == 0 {
		lift = 1 + r.IntN(45_000)
	}
	s.Flick(r.IntN(4), r.IntN(FullTurn), float64(1+r.IntN(5000)), lift)
}

// TestEveryEventKeepsTheLaws follows random flicks event by event: energy never rises (P1), friction takes exactly what the
// way costs, momentum is kept between coins, nothing overlaps, nothing is left approaching.
func TestEveryEventKeepsTheLaws(t *testing.T) {
	r := game.Stream(game.Seed{3}, 0, "laws")
	most, events := 0, 0
	for n := range flicks() {
		s := crowd(r)
		s.Trace = new(Trace)
		s.randomFlick(r)
		fail := func(what string, args ...any) {
			t.Helper()
			t.Fatalf("flick %d, event %d: "+what, append([]any{n, s.Events}, args...)...)
		}
		for ; ; s.Events++ {
			e := s.next()
			if e.kind == nothing {
				break
			}
			if !(e.in >= 0) || s.Events > maxEvents {
				fail("next in %g s", e.in)
			}
			before := s.energy()
			cost := 0.0
			var from [maxDiscs]Vec
			for i := range s.N {
				from[i] = s.Discs[i].At
			}
			s.advance(e.in)
			for i := range s.N {
				if d := &s.Discs[i]; d.Mode == Sliding {
					cost += d.Mass * s.Decel * math.Hypot(d.At.X-from[i].X, d.At.Y-from[i].Y)
				}
			}
			moved := s.energy()
			if scale := math.Max(before, 1); math.Abs(before-cost-moved) > 1e-11*scale+1e-8 { // 1e-8 nJ: what rounding a place costs
				fail("motion takes %.17g − %.17g to %.17g", before, cost, moved)
			}
			if deep := s.deepest(); deep > 1e-6 {
				fail("an overlap of %g mm after %d", deep, e.kind)
			}
			marks, p := len(s.Trace.Marks), s.momentum()
			s.handle(e)
			if !(s.energy() <= moved+1e-11*moved) {
				fail("event %d raises the energy from %.17g to %.17g", e.kind, moved, s.energy())
			}
			if e.kind == contacts && onlyCoins(s.Trace.Marks[marks:]) {
				if q := s.momentum(); math.Hypot(p.X-q.X, p.Y-q.Y) > 1e-9*math.Max(1, math.Hypot(p.X, p.Y))+4*restSpeed*8 {
					fail("contacts change the momentum from %v to %v", p, q)
				}
			}
			events++
		}
		most = max(most, s.Events)
		for i := range s.N {
			if d := &s.Discs[i]; d.Speed != 0 || d.Mode == Flying || math.IsNaN(d.At.X+d.At.Y) {
				fail("disc %d is not at rest: %+v", i, d)
			}
		}
	}
	t.Logf("%d flicks, %d events, at most %d in one", flicks(), events, most)
}

func onlyCoins(marks []Mark) bool {
	for _, m := range marks {
		if m.B < 0 {
			return false
		}
	}
	return true
}

// TestElasticContactsWithoutFrictionKeepMomentumAndEnergy: restitution 1, nearly no friction, coins only.
func TestElasticContactsWithoutFrictionKeepMomentumAndEnergy(t *testing.T) {
	r := game.Stream(game.Seed{4}, 0, "elastic")
	struck := 0
	for range flicks() / 10 {
		s := crowd(r)
		s.NWalls, s.NPosts, s.Ramp.On, s.CoinBounce, s.Decel = 0, 0, false, 1, 1e-6
		s.Trace = new(Trace)
		s.Flick(r.IntN(4), r.IntN(FullTurn), float64(100+r.IntN(4000)), 0)
		for s.Events = 0; s.Events < 1000; s.Events++ {
			e := s.next()
			if e.kind != contacts {
				break // a coin leaves
			}
			s.advance(e.in)
			energy, p := s.energy(), s.momentum()
			s.handle(e)
			if q := s.momentum(); math.Hypot(p.X-q.X, p.Y-q.Y) > 1e-11*math.Hypot(p.X, p.Y) {
				t.Fatalf("momentum: %v becomes %v", p, q)
			}
			if got := s.energy(); math.Abs(got-energy) > 1e-11*energy {
				t.Fatalf("energy: %.17g becomes %.17g", energy, got)
			}
			struck++
		}
	}
	if struck < flicks()/20 {
		t.Errorf("only %d contacts", struck)
	}
}

// TestNothingTunnels: whatever its speed, a sliding coin never gets across a wall, nor through a coin.
func TestNothingTunnels(t *testing.T) {
	r := game.Stream(game.Seed{5}, 0, "tunnel")
	for n := range flicks() {
		s := &Sim{Scene: Scene{W: 20_000, H: 400, Decel: 490.5, CoinBounce: .75, WallBounce: .6}, N: 2}
		s.Walls[0], s.NWalls = NewWall(Vec{1000, 400}, Vec{1000 + float64(r.IntN(3)), 0}), 1
		s.Discs[0] = Disc{At: Vec{900 + float64(r.IntN(80)), 200}, R: 10.15, Mass: 3.56, Thick: 1.52}
		s.Discs[1] = Disc{At: Vec{100, 195 + float64(r.IntN(10))}, R: 12.95, Mass: 7.12, Thick: 1.85}
		s.Trace = new(Trace)
		s.Flick(1, 359_700+r.IntN(600), float64(4000+r.IntN(200_000)), 0) // up to 40 times the legal speed
		must.OK(t, s.Run())
		for _, x := range s.Trace.Segments {
			if math.Max(x.From.X, x.To.X) > 1003 {
				t.Fatalf("flick %d: disc %d got across the wall: %+v", n, x.Disc, x)
			}
		}
		if a, b := &s.Discs[0], &s.Discs[1]; a.Mode == Sliding && b.Mode == Sliding && s.deepest() > 1e-6 {
			t.Fatalf("flick %d: overlap %g", n, s.deepest())
		}
	}
}

// TestSegmentsTellTheWholeMotion draws random flicks from their segments alone, in small steps, and looks for overlaps: an
// account of the motion that shares nothing with the search for contacts.
func TestSegmentsTellTheWholeMotion(t *testing.T) {
	r := game.Stream(game.Seed{6}, 0, "segments")
	for n := range flicks() / 10 {
		s := crowd(r)
		s.Ramp.On = false
		start := s.Discs
		s.Trace = new(Trace)
		s.Flick(r.IntN(4), r.IntN(FullTurn), float64(1+r.IntN(5000)), 0)
		must.OK(t, s.Run())
		end := s.Discs
		for step := range 200 {
			now := s.Time * float64(step) / 200
			for i := range s.N {
				s.Discs[i] = end[i]
				s.Discs[i].Mode, s.Discs[i].At = Sliding, at(s.Trace.Segments, i, now, start[i].At)
				if end[i].Mode == Gone && left(s.Trace.Marks, i) <= now {
					s.Discs[i].Mode = Gone
				}
			}
			if deep := s.deepest(); deep > 1e-6 {
				t.Fatalf("flick %d at %g s of %g: an overlap of %g mm", n, now, s.Time, deep)
			}
		}
		for i := range s.N {
			if got := at(s.Trace.Segments, i, s.Time, start[i].At); math.Hypot(got.X-end[i].At.X, got.Y-end[i].At.Y) > 1e-9 {
				t.Fatalf("flick %d: by its segments disc %d ends at %v, by the positions at %v", n, i, got, end[i].At)
			}
		}
	}
}

func left(marks []Mark, i int) float64 {
	for _, m := range marks {
		if m.Kind == MarkLeft && m.A == i {
			return m.T
		}
	}
	return never
}

// at returns where disc i is at a time, by its segments; start is where it lay first.
func at(list []Segment, i int, now float64, start Vec) Vec {
	for _, x := range list {
		if x.Disc != i || x.T0 > now {
			continue
		}
		if start = x.To; now < x.T1 {
			t, whole := now-x.T0, x.T1-x.T0
			share := (x.V0*t - (x.V0-x.V1)/(2*whole)*t*t) / ((x.V0 + x.V1) / 2 * whole)
			return Vec{x.From.X + (x.To.X-x.From.X)*share, x.From.Y + (x.To.Y-x.From.Y)*share}
		}
	}
	return start
}

// TestMirrorImagesGiveMirrorImages (P8), results next to a double contact or a graze aside.
func TestMirrorImagesGiveMirrorImages(t *testing.T) {
	r := game.Stream(game.Seed{8}, 0, "mirror")
	same, odd := 0, 0
	for range flicks() {
		s := crowd(r)
		s.Ramp.On = false
		m := *s
		m.mirror()
		i, mdeg, speed := r.IntN(4), r.IntN(FullTurn), float64(1+r.IntN(2000))
		s.Flick(i, mdeg, speed, 0)
		m.Flick(i, (FullTurn/2-mdeg+FullTurn)%FullTurn, speed, 0)
		must.OK(t, s.Run())
		must.OK(t, m.Run())
		apart := 0.0
		for i := range s.N {
			a, b := &s.Discs[i], &m.Discs[i]
			if a.Mode != b.Mode {
				apart = never
			} else if a.Mode != Gone {
				apart = math.Max(apart, math.Hypot(a.At.X-(m.W-b.At.X), a.At.Y-b.At.Y))
			}
		}
		if same++; apart > 2e-3 {
			odd++
		}
	}
	if odd > same/500 {
		t.Errorf("%d of %d mirror images differ by more than 2 µm", odd, same)
	}
	t.Logf("%d of %d differ", odd, same)
}

func (s *Sim) mirror() {
	flip := func(v Vec) Vec { return Vec{s.W - v.X, v.Y} }
	for i := range s.N {
		s.Discs[i].At = flip(s.Discs[i].At)
	}
	for k := range s.NWalls {
		s.Walls[k] = NewWall(flip(s.Walls[k].A), flip(s.Walls[k].B))
	}
	for k := range s.NPosts {
		s.Posts[k].At = flip(s.Posts[k].At)
	}
}

// energy returns the kinetic and potential energy in nJ.
func (d *Disc) energy() float64 {
	return float64(d.Mass/2*(square(d.Speed)+square(d.ZSpeed))) + float64(d.Mass*float64(Gravity*d.Z))
}
