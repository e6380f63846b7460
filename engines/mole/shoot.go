package mole

import (
	"fmt"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole/coins"
)

// outcome is what a flick has done.
type outcome struct {
	left [1 + Mignettes]coins.Edge // over which edge each coin has left in this flick
	gad  bool                      // a mignette rests on the mole (row 13)
}

// shoot plays the physics of a flick: afterwards every coin is at rest, those that left are off the board, and stacks are
// resolved.
func (s *State) shoot(a Action, r *game.Rand, log *game.Log[Event]) outcome {
	var o outcome
	shot := s.execute(a, r)
	var sim coins.Sim
	s.lay(&sim)
	if log.Enabled() {
		sim.Trace = new(coins.Trace)
	}
	sim.Flick(int(a.Coin), int(shot.Angle), float64(float64(shot.Speed)/1000), int(shot.Lift))
	if err := sim.Run(); err != nil {
		panic(fmt.Sprintf("mole: %v: %s as %+v on %+v", err, a.AppendJSON(nil), shot, s.Coins)) // see [coins.ErrEvents]
	}
	for id := range s.Coins {
		d, p := &sim.Discs[id], &s.Coins[id]
		switch {
		case d.Mode != coins.Gone:
			p.At = Point{round(float64(d.At.X * 1000)), round(float64(d.At.Y * 1000))}
		case p.Alive:
			o.left[id] = d.Edge
			*p = Piece{}
		}
	}
	s.keepStrokes(&sim)
	s.tellFlick(a, shot, &sim, log)
	if o.gad = s.onMole(&sim); !o.gad {
		s.setDown(&sim, log)
	}
	return o
}

// lay puts the table into the physics: mm, s, g.
func (s *State) lay(sim *coins.Sim) {
	vec := func(p Point) coins.Vec { return coins.Vec{X: mm(p.X), Y: mm(p.Y)} }
	b := &s.Board
	sim.W, sim.H, sim.N = mm(b.W), mm(b.H), len(s.Coins)
	sim.Decel = float64(float64(s.Friction) * coins.Gravity / 1000)
	sim.CoinBounce, sim.WallBounce = float64(float64(s.Restitution)/1000), wallBounce
	for k, w := range b.walls() {
		sim.Walls[k] = coins.NewWall(vec(w.A), vec(w.B))
	}
	for k, p := range b.posts() {
		sim.Posts[k] = coins.Post{At: vec(p.At), R: mm(p.R)}
	}
	sim.NWalls, sim.NPosts = int(b.NWalls), int(b.NPosts)
	if r := &b.Ramp; r.On {
		from, to := r.Rect.From.Y, r.Rect.To.Y
		if r.Direction%180_000 != 0 {
			from, to = r.Rect.From.X, r.Rect.To.X
		}
		sim.Ramp = coins.Ramp{On: true, Quarter: int(r.Direction / 90_000), Lip: mm(r.Lip), From: mm(from), To: mm(to)}
		sim.Ramp.Sin, sim.Ramp.Cos = coins.SinCos(int(r.Angle))
	}
	for k := range s.Coins {
		d := coins.Disc{At: vec(s.Coins[k].At), R: mm(Coin(k).radius()), Mass: mignetteMass, Thick: mignetteThick}
		if Coin(k) == Mole {
			d.Mass, d.Thick = moleMass, moleThick
		}
		if !s.Coins[k].Alive {
			d.Mode = coins.Gone
		}
		sim.Discs[k] = d
	}
}

// wallBounce is the restitution at walls and posts.
const wallBounce = 0.6

// onMole reports whether a mignette rests on the mole, wholly or partly (row 13): it has landed in this flick, after the mole
// if he has, and overlaps him now.
func (s *State) onMole(sim *coins.Sim) bool {
	for id := M1; id <= M3; id++ {
		if s.raised(sim, id) && sim.Discs[id].Rank > sim.Discs[Mole].Rank && s.Coins[Mole].Alive &&
			s.circle(id).overlaps(s.circle(Mole)) {
			return true
		}
	}
	return false
}

func (s *State) raised(sim *coins.Sim, id Coin) bool { return sim.Discs[id].Mode == coins.Raised }

// setDown moves every coin that has flown and now lies on another, or over a wall or post, to the nearest free place (F3).
func (s *State) setDown(sim *coins.Sim, log *game.Log[Event]) {
	for k := range s.Coins {
		id := Coin(k)
		if !s.Coins[k].Alive || !sim.Discs[k].Flew || !s.raised(sim, id) && s.clearOfThings(id) {
			continue
		}
		if to := s.freePlace(id, s.Coins[k].At); to != s.Coins[k].At {
			s.Coins[k].At = to
			log.Emit(game.All, Event{Kind: "set_down", Coin: id, At: to})
		}
	}
}

// clearOfThings: the coin is no deeper in a wall or post than rounding allows (P4).
func (s *State) clearOfThings(id Coin) bool {
	const rounding = 2 // µm
	return s.Board.clear(Circle{s.Coins[id].At, id.radius() - rounding})
}

// keepStrokes remembers the paths for the drawing.
func (s *State) keepStrokes(sim *coins.Sim) {
	at := func(v coins.Vec) Point { return Point{round(float64(v.X * 1000)), round(float64(v.Y * 1000))} }
	for _, x := range sim.Path[:min(sim.NPath, maxStrokes)] {
		s.Strokes[s.NStrokes] = stroke{
			Coin: Coin(x.Disc),
			Air:  x.Air,
			From: at(x.From),
			To:   at(x.To),
		}
		s.NStrokes++
	}
}
