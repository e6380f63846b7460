package mole

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole/coins"
	"github.com/molerun/molerun/internal/must"
)

// mostEvents is far above what any flick has taken, about a thousand, and a fortieth of the cap.
const mostEvents = 5000

// shot is a flick on a table: what the physics is asked.
type shot struct {
	s                        State
	coin, angle, speed, lift int
}

// run plays the flick, which must end by itself, and returns how many events it took.
func (x *shot) run(t *testing.T) int {
	t.Helper()
	var sim coins.Sim
	x.s.lay(&sim)
	sim.Flick(x.coin, x.angle, float64(x.speed), x.lift)
	if err := sim.Run(); err != nil || sim.Events > mostEvents {
		t.Errorf("%v, %d events: %d flicked to %d mdeg at %d mm/s, lift %d, friction %d, restitution %d\ncoins %v\nboard %s",
			err, sim.Events, x.coin, x.angle, x.speed, x.lift, x.s.Friction, x.s.Restitution, x.s.Coins, written(x.s.Board.MarshalJSON()))
	}
	for i := range sim.N {
		if d := &sim.Discs[i]; d.Speed != 0 || d.Mode == coins.Flying || math.IsNaN(d.At.X+d.At.Y) {
			t.Errorf("disc %d is not at rest: %+v", i, d)
		}
	}
	return sim.Events
}

func written(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// bareShot returns a flick on a board on which only these things stand, in JSON, with these coins, in µm.
func bareShot(t *testing.T, friction int32, things string, at map[Coin]Point, x shot) shot {
	t.Helper()
	c := Rules{}.Defaults()
	c.FrictionPermille = int(friction)
	if err := json.Unmarshal([]byte(`{"w_um":300000,"h_um":450000,"circle":{"at_um":[150000,90000],"r_um":30000},"nichee":[20000,150000,290000,400000],
		"rosserie":[],"loup_um":null,"ramp":null,`+things+`}`), &c.Board); err != nil {
		t.Fatal(err)
	}
	must.OK(t, (Rules{}).Validate(c, 2))
	Rules{}.Deal(&x.s, c, 2, game.Stream(game.Seed{1}, 0, "bare"), nil)
	for id, p := range at {
		x.s.Coins[id] = Piece{At: p, Alive: true}
	}
	return x
}

// TestACoinBetweenTwoWallsComesToRest: the play is 1 µm or less, so that a coin kept at a least speed would go to and fro for ever.
func TestACoinBetweenTwoWallsComesToRest(t *testing.T) {
	for name, row := range map[string]struct {
		friction int32
		walls    string
		at       Point
	}{
		"1 µm of play, little friction":     {50, `[[40000,189850],[280000,189850]],[[40000,210151],[280000,210151]]`, Point{100_000, 200_000}},
		"walls that are not quite parallel": {250, `[[40000,189850],[240000,189852]],[[125000,210151],[225000,210152]]`, Point{132_500, 200_001}},
	} {
		for angle := 0; angle < coins.FullTurn; angle += 7500 {
			x := bareShot(t, row.friction, `"posts":[],"walls_um":[`+row.walls+`]`, map[Coin]Point{M1: row.at}, shot{coin: int(M1), angle: angle, speed: 1000})
			if n := x.run(t); n > 100 {
				t.Errorf("%s, to %d mdeg: %d events", name, angle, n)
			}
		}
	}
}

// tight is a bench for tables on which coins have hardly any play: everything is laid in a frame of its own, turned on the
// board, and rounded to whole µm.
type tight struct {
	r        *game.Rand
	b        Board
	at       Point // origin of the frame
	sin, cos float64
}

// few returns a small number of µm, most often 0.
func (x *tight) few() float64 {
	if x.r.IntN(2) == 0 {
		return 0
	}
	return float64(x.r.IntN(9) - 4)
}

// spread is from lo to hi, each order of magnitude alike.
func (x *tight) spread(lo, hi float64) float64 {
	return lo * math.Pow(hi/lo, float64(x.r.IntN(1<<20))/(1<<20))
}

// point returns a place of the frame, in µm, on the board.
func (x *tight) point(along, across float64) Point {
	p := Point{x.at.X + round(along*x.cos-across*x.sin), x.at.Y + round(along*x.sin+across*x.cos)}
	return Point{min(max(p.X, 0), x.b.W), min(max(p.Y, 0), x.b.H)}
}

func (x *tight) wall(x0, y0, x1, y1 float64) {
	w := Wall{x.point(x0, y0), x.point(x1, y1)}
	if w.A != w.B && int(x.b.NWalls+x.b.NPosts) < MaxThings-2 {
		x.b.Walls[x.b.NWalls] = w
		x.b.NWalls++
	}
}

func (x *tight) post(along, across, r float64) {
	if int(x.b.NWalls+x.b.NPosts) < MaxThings-2 {
		x.b.Posts[x.b.NPosts] = Circle{x.point(along, across), max(round(r), 1)}
		x.b.NPosts++
	}
}

// thing is a wall or a post whose rim is at across, facing up or, below 0, down.
func (x *tight) thing(along, across, facing float64) {
	if x.r.IntN(3) > 0 {
		long := x.spread(1000, 150_000)
		x.wall(along-long, across+x.few(), along+x.spread(1000, 150_000), across+x.few())
		return
	}
	r := x.spread(100, 50_000)
	x.post(along, across-facing*r, r)
}

// slot is two things, or two walls that meet, with room for the coins of a row abreast between them; row is their width.
func (x *tight) slot(row float64) {
	switch x.r.IntN(4) {
	case 0: // a wedge, which a coin enters from the left until it is stuck
		half := x.spread(1e-6, .8)
		back := x.spread(1000, 150_000)
		reach := back + x.spread(10, 50_000)
		x.wall(-back, row/2-row/2*math.Cos(half)-back*math.Tan(half)+row/2*(1-math.Cos(half)), reach-back, row/2-row/2*math.Cos(half)+(reach-back)*math.Tan(half))
		x.wall(-back, row/2+row/2*math.Cos(half)+back*math.Tan(half), reach-back, row/2+row/2*math.Cos(half)-(reach-back)*math.Tan(half))
	default:
		x.thing(0, x.few(), 1)
		x.thing(x.few()*100, row+x.few(), -1)
	}
	if x.r.IntN(3) == 0 { // closed at an end
		x.thing(x.spread(10, 100_000), row/2, 1)
		x.wall(x.spread(10, 60_000), -row, x.spread(10, 60_000), 2*row)
	}
	for x.r.IntN(3) == 0 { // and something else about
		x.post(x.spread(10_000, 60_000), row*float64(x.r.IntN(5)-2), x.spread(1, 20_000))
	}
}

// ramp has its lip near a point of the frame.
func (x *tight) ramp() {
	p, q := x.point(x.few(), x.few()+float64(x.r.IntN(20_000))), int32(x.r.IntN(4))
	x.b.Ramp = Ramp{On: true, Rect: Rect{Point{max(p.X-60_000, 0), max(p.Y-60_000, 0)}, Point{min(p.X+60_000, x.b.W), min(p.Y+60_000, x.b.H)}},
		Direction: 90_000 * q, Lip: p.X, Angle: int32(x.spread(1, maxLift))}
	if q&1 == 1 {
		x.b.Ramp.Lip = p.Y
	}
}

// heap lays the coins upon each other, as only a guessed table can be.
func (x *tight) heap(s *State) {
	far := []int{2, 200, 20_000}[x.r.IntN(3)]
	for id := range s.Coins {
		o := s.Coins[x.r.IntN(len(s.Coins))].At
		s.Coins[id].At = Point{o.X + int32(x.r.IntN(2*far+1)-far), o.Y + int32(x.r.IntN(2*far+1)-far)}
	}
}

// tightShot returns a random flick on a board that Validate accepts, with coins abreast in a slot, along it and near it.
func tightShot(r *game.Rand) shot {
	for {
		x := &tight{r: r, at: Point{200_000 + int32(r.IntN(200_000)), 120_000 + int32(r.IntN(150_000))}}
		x.b = Board{W: 600_000, H: 600_000, Circle: Circle{Point{550_000, 550_000}, 20_000}, Nichee: Rect{Point{20_000, 420_000}, Point{500_000, 590_000}}}
		turn := []int{0, 90_000, 180_000, 270_000, 45_000, r.IntN(coins.FullTurn), r.IntN(coins.FullTurn)}[r.IntN(7)]
		x.sin, x.cos = coins.SinCos(turn)
		abreast := 1 + r.IntN(3)
		order := r.Perm(1 + Mignettes)
		row := 0.0
		for _, k := range order[:abreast] {
			row += 2 * float64(Coin(k).radius())
		}
		x.slot(row)
		if r.IntN(4) == 0 {
			x.ramp()
		}
		c := Rules{}.Defaults()
		c.Board.Board = x.b
		c.FrictionPermille = []int{50, 250, 1000, 50 + r.IntN(951)}[r.IntN(4)]
		c.RestitutionPermille = []int{0, 750, 1000, r.IntN(1001)}[r.IntN(4)]
		c.MoleMaxMMS, c.MignetteMaxMMS = 5000, 5000
		if (Rules{}).Validate(c, 2) != nil {
			continue
		}
		var out shot
		Rules{}.Deal(&out.s, c, 2, r, nil)
		across, along := 0.0, 0.0
		for n, k := range order {
			rad := float64(Coin(k).radius())
			if n == abreast { // the others follow
				across, along = row/2-rad, -2*rad
			}
			if n >= abreast {
				along -= 2*rad + float64(r.IntN(2))*x.spread(1, 30_000)
			}
			out.s.Coins[k] = Piece{At: x.point(along+x.few(), across+rad+x.few()/4), Alive: r.IntN(5) > 0 || n == 0}
			if n < abreast {
				across += 2 * rad
			}
		}
		if r.IntN(5) == 0 {
			x.heap(&out.s)
		}
		for out.coin = r.IntN(4); !out.s.Coins[out.coin].Alive; out.coin = r.IntN(4) {
		}
		off := []int{0, 90_000, 180_000, 270_000, r.IntN(coins.FullTurn), int(x.spread(1, 1000)), -int(x.spread(1, 1000))}[r.IntN(7)]
		out.angle = (turn + off + coins.FullTurn) % coins.FullTurn
		out.speed = int(x.spread(1, 6500))
		if r.IntN(10) == 0 {
			out.lift = int(x.spread(1, maxLift))
		}
		return out
	}
}

// TestEveryFlickEnds plays random flicks on tight tables, as fast as noise can make them: each ends by itself, long before the cap
// on events.
func TestEveryFlickEnds(t *testing.T) {
	flicks := 5000
	if os.Getenv("MOLERUN_NIGHTLY") == "1" {
		flicks = 100_000
	}
	r := game.Stream(game.Seed{31}, 0, "tight")
	most, events := 0, 0
	for range flicks {
		x := tightShot(r)
		n := x.run(t)
		events += n
		most = max(most, n)
	}
	t.Logf("%d flicks, %d events, at most %d in one", flicks, events, most)
}

// FuzzFlick: a flick ends on any board that Validate accepts, from wherever its coins lie. A table is whole numbers of four bytes each:
// friction, restitution, the flick, the coins, the ramp, and then walls and posts in turn.
func FuzzFlick(f *testing.F) {
	r := game.Stream(game.Seed{32}, 0, "fuzz")
	for range 30 {
		x := tightShot(r)
		f.Add(x.bytes())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if x, ok := shotOf(b); ok {
			x.run(t)
		}
	})
}

// bytes returns what [shotOf] reads.
func (x *shot) bytes() (out []byte) {
	put := func(list ...int32) {
		for _, n := range list {
			out = binary.LittleEndian.AppendUint32(out, uint32(n))
		}
	}
	b := &x.s.Board
	put(int32(x.s.Friction), int32(x.s.Restitution), int32(x.coin), int32(x.angle), int32(x.speed), int32(x.lift))
	for _, c := range x.s.Coins {
		put(c.At.X, c.At.Y)
	}
	put(b.Ramp.Direction/90_000, b.Ramp.Lip, b.Ramp.Angle, b.Ramp.Rect.From.X, b.Ramp.Rect.From.Y, b.Ramp.Rect.To.X, b.Ramp.Rect.To.Y)
	for k := range max(b.NWalls, b.NPosts) {
		w, p := b.Walls[k], b.Posts[k]
		put(w.A.X, w.A.Y, w.B.X, w.B.Y, p.At.X, p.At.Y, p.R)
	}
	return out
}

// shotOf reads a flick, every number brought into its bounds; not ok if Validate refuses the board.
func shotOf(in []byte) (x shot, ok bool) {
	next := func(lo, hi int32) int32 {
		if len(in) < 4 {
			in = nil
			return lo
		}
		n := int32(binary.LittleEndian.Uint32(in))
		in = in[4:]
		if n < lo || n > hi {
			n = lo + int32(uint32(n)%uint32(hi-lo+1))
		}
		return n
	}
	const side = 600_000
	point := func() Point { return Point{next(0, side), next(0, side)} }
	c := Rules{}.Defaults()
	c.FrictionPermille, c.RestitutionPermille = int(next(50, 1000)), int(next(0, 1000))
	x.coin, x.angle, x.speed, x.lift = int(next(0, 3)), int(next(0, coins.FullTurn-1)), int(next(1, 6500)), int(next(0, maxLift))
	var at [1 + Mignettes]Point
	for id := range at {
		at[id] = point()
	}
	b := Board{W: side, H: side, Circle: Circle{Point{550_000, 550_000}, 20_000}, Nichee: Rect{Point{20_000, 420_000}, Point{500_000, 590_000}}}
	b.Ramp = Ramp{Direction: 90_000 * next(0, 3), Lip: next(0, side), Angle: next(0, maxLift), Rect: Rect{point(), point()}}
	b.Ramp.On = b.Ramp.Angle > 0
	for len(in) > 0 && b.NWalls+b.NPosts < MaxThings-2 {
		if w := (Wall{point(), point()}); w.A != w.B {
			b.Walls[b.NWalls] = w
			b.NWalls++
		}
		if p := (Circle{point(), next(0, side)}); p.R > 0 {
			b.Posts[b.NPosts] = p
			b.NPosts++
		}
	}
	c.Board.Board = b
	if (Rules{}).Validate(c, 2) != nil {
		return x, false
	}
	Rules{}.Deal(&x.s, c, 2, game.Stream(game.Seed{}, 0, "fuzz"), nil)
	for id, p := range at {
		x.s.Coins[id] = Piece{At: p, Alive: true}
	}
	return x, true
}
