package coins

import (
	"math"
	"testing"

	"github.com/molerun/molerun/internal/must"
)

// scene returns an empty table with these discs; those in the air open their segments.
func scene(discs ...Disc) *Sim {
	s := &Sim{Scene: Scene{W: 1000, H: 1000, Decel: 2452.5, CoinBounce: .75, WallBounce: .6}, N: len(discs), Trace: new(Trace)}
	for i, d := range discs {
		d.R, d.Mass, d.Thick = 10.15, 3.56, 1.52
		s.Discs[i] = d
		s.begin(i)
	}
	return s
}

// TestOfSeveralAtOneInstantTheFirstNamedGoesFirst (P5); of one kind the first found.
func TestOfSeveralAtOneInstantTheFirstNamedGoesFirst(t *testing.T) {
	for name, row := range map[string]struct {
		then event
		want int
	}{
		"sooner":               {event{kind: stops, in: .5, disc: 1}, 1},
		"later":                {event{kind: leaves, in: 1.5, disc: 1}, 0},
		"at once, named first": {event{kind: leaves, in: 1, disc: 1}, 1},
		"at once, named later": {event{kind: stops, in: 1, disc: 1}, 0},
		"at once, one kind":    {event{kind: contacts, in: 1, disc: 1}, 0},
	} {
		best := event{kind: contacts, in: 1}
		if best.sooner(row.then); best.disc != row.want {
			t.Errorf("%s: goes first: %d, want %d", name, best.disc, row.want)
		}
	}
}

// TestAContactIsOnlyAtOneHeight (F2): a coin struck in the plane pushes neither the coin that flies above it nor the one that
// lies upon it, wherever they stand in the list; a wall stops no coin that flies over it.
func TestAContactIsOnlyAtOneHeight(t *testing.T) {
	struck := Disc{At: Vec{500, 500}}
	striker := Disc{At: Vec{500 - 20.3, 500}, Dir: Vec{1, 0}, Speed: 500}
	for name, above := range map[string]Disc{
		"flying": {At: Vec{510, 500}, Mode: Flying, Dir: Vec{-1, 0}, Speed: 100, Z: 5, passed: noHeight},
		"raised": {At: Vec{510, 500}, Mode: Raised, Rank: 1},
	} {
		for i, list := range [][3]Disc{{above, struck, striker}, {struck, striker, above}, {struck, above, striker}} {
			s := scene(list[:]...)
			before := s.Discs
			s.collide()
			if len(s.Trace.Marks) != 1 || math.Abs(s.Trace.Marks[0].Speed-500) > 1e-9 {
				t.Errorf("%s, order %d: want the one contact at 500 mm/s, got %+v", name, i, s.Trace.Marks)
			}
			for k := range list {
				if list[k].Mode != Sliding && s.Discs[k] != before[k] {
					t.Errorf("%s, order %d: the coin above became %+v", name, i, s.Discs[k])
				}
			}
		}
	}
	over := scene(Disc{At: Vec{495, 500}, Mode: Flying, Dir: Vec{1, 0}, Speed: 100, Z: 11, passed: noHeight})
	over.Walls[0], over.NWalls = NewWall(Vec{500, 0}, Vec{500, 1000}), 1
	if over.collide(); over.Discs[0].Speed != 100 || len(over.Trace.Marks) > 0 {
		t.Errorf("over a wall: got %+v", over.Discs[0])
	}
}

// TestAContactNamesItsBodies: two coins, or a coin and a wall or post; what there is none of is −1.
func TestAContactNamesItsBodies(t *testing.T) {
	moving := Disc{At: Vec{500, 500}, Dir: Vec{1, 0}, Speed: 500}
	s := scene(Disc{At: Vec{100, 100}}, moving, Disc{At: Vec{520.3, 500}})
	s.collide()
	w := scene(Disc{At: Vec{100, 100}}, moving)
	w.Walls[0], w.Walls[1], w.NWalls = NewWall(Vec{0, 900}, Vec{100, 900}), NewWall(Vec{510.15, 0}, Vec{510.15, 1000}), 2
	w.collide()
	p := scene(Disc{At: Vec{100, 100}}, moving)
	p.Posts[0], p.Posts[1], p.NPosts = Post{Vec{300, 300}, 1}, Post{Vec{515.15, 500}, 5}, 2
	p.collide()
	for name, row := range map[string]struct {
		s    *Sim
		want Mark
	}{
		"coin": {s, Mark{A: 1, B: 2, Wall: -1, Post: -1, Speed: 500}},
		"wall": {w, Mark{A: 1, B: -1, Wall: 1, Post: -1, Speed: 500}},
		"post": {p, Mark{A: 1, B: -1, Wall: -1, Post: 1, Speed: 500}},
	} {
		got := row.s.Trace.Marks
		if len(got) == 1 && math.Abs(got[0].Speed-500) < 1e-9 {
			got[0].Speed = 500
		}
		if len(got) != 1 || got[0] != row.want {
			t.Errorf("%s: got %+v, want %+v", name, got, row.want)
		}
	}
}

// TestSlidingAlongIsNoContact: along a wall, round a post and past a coin that it touches a coin slides as if alone.
func TestSlidingAlongIsNoContact(t *testing.T) {
	alone := func() *Sim { return scene(Disc{At: Vec{500, 500}}) }
	wall, post, coin := alone(), alone(), scene(Disc{At: Vec{500, 500}}, Disc{At: Vec{500, 520.3}})
	wall.Walls[0], wall.NWalls = NewWall(Vec{0, 510.15}, Vec{1000, 510.15}), 1
	post.Posts[0], post.NPosts = Post{Vec{500, 515.15}, 5}, 1
	for name, s := range map[string]*Sim{"wall": wall, "post": post, "coin": coin} {
		s.Flick(0, 0, 500, 0)
		if err := s.Run(); err != nil || s.Events != 1 {
			t.Errorf("%s: %v, %d events, want 1", name, err, s.Events)
		}
		if len(s.Trace.Marks) > 0 {
			t.Errorf("%s: contacts %v, want none", name, s.Trace.Marks)
		}
		if at := s.Discs[0].At; at.Y != 500 {
			t.Errorf("%s: rests at %v, want it at 500", name, at)
		}
	}
}

// TestACoinUponTheMiddleOfAWallIsLetGo: there no direction is away from it.
func TestACoinUponTheMiddleOfAWallIsLetGo(t *testing.T) {
	for _, way := range []float64{1, -1} {
		s := scene(Disc{At: Vec{500, 500}})
		s.Walls[0], s.NWalls = NewWall(Vec{500, 0}, Vec{500, 1000}), 1
		s.Discs[0].Dir, s.Discs[0].Speed = Vec{way, 0}, 300
		if err := s.Run(); err != nil || (s.Discs[0].At.X-500)*way <= 0 || len(s.Trace.Marks) > 0 {
			t.Errorf("heading %g: %v, rests at %v, contacts %v", way, err, s.Discs[0].At, s.Trace.Marks)
		}
	}
}

func TestEnergyIsThatOfMotionAndOfHeight(t *testing.T) {
	d := Disc{Mass: 2, Speed: 3, ZSpeed: 4, Z: 5}
	if got, want := d.energy(), 9.0+16+2*5*Gravity; got != want {
		t.Errorf("got %g nJ, want %g", got, want)
	}
}

// TestPathHoldsTheFirstSegments, as many as it has room for; the trace holds them all.
func TestPathHoldsTheFirstSegments(t *testing.T) {
	s := scene(Disc{At: Vec{515, 500}})
	s.Walls[0], s.Walls[1], s.NWalls = NewWall(Vec{500, 0}, Vec{500, 1000}), NewWall(Vec{530, 0}, Vec{530, 1000}), 2
	s.WallBounce, s.Decel = .99, 100
	s.Flick(0, 0, 1000, 0)
	must.OK(t, s.Run())
	if s.NPath != maxPath || len(s.Trace.Segments) <= maxPath {
		t.Fatalf("%d segments in the path, %d in the trace", s.NPath, len(s.Trace.Segments))
	}
	for i, x := range s.Path {
		if x != s.Trace.Segments[i] {
			t.Fatalf("segment %d: got %+v, want %+v", i, x, s.Trace.Segments[i])
		}
	}
}

// TestACoinThatIsStoppedInTheAirFallsWhereItIs: of two alike, without loss, the one that strikes stops; its fall is an event.
func TestACoinThatIsStoppedInTheAirFallsWhereItIs(t *testing.T) {
	s := scene(Disc{At: Vec{500, 500}, Mode: Flying, Dir: Vec{1, 0}, Speed: 400, Z: .5, passed: 1.52}, Disc{At: Vec{520.3, 500}})
	s.CoinBounce = 1
	must.OK(t, s.Run())
	if d := s.Discs[0]; d.Mode != Sliding || d.At != (Vec{500, 500}) || s.Discs[1].At.X <= 520.3 {
		t.Errorf("got %+v, the other at %v", d, s.Discs[1].At)
	}
	for _, x := range s.Trace.Segments {
		if x.Disc == 0 && x.Air && x.Z0 == .5 && x.T1 > x.T0 && x.V0 == 0 {
			return
		}
	}
	t.Errorf("no segment tells the fall: %+v", s.Trace.Segments)
}
