package main

import "github.com/molerun/molerun/engines/mole/coins"

const mm = 1000 // in a metre

// ours is the solver of coins.
type ours struct{ sim coins.Sim }

func newOurs() *ours {
	o := &ours{coins.Sim{Scene: coins.Scene{W: side * mm, H: side * mm, Decel: decel * mm, CoinBounce: bounce, WallBounce: bounce}, N: discs}}
	for i, from := range corners {
		o.sim.Walls[i] = coins.NewWall(from, corners[(i+1)%len(corners)])
	}
	o.sim.NWalls = len(corners)
	for i := range o.sim.N {
		o.sim.Discs[i] = coins.Disc{R: radius * mm, Mass: 1, Thick: 1.5}
	}
	return o
}

var corners = [4]vec{{}, {X: side * mm}, {X: side * mm, Y: side * mm}, {Y: side * mm}}

func (o *ours) play(s shot) ([discs]vec, error) {
	var rest [discs]vec
	for i, at := range s.at {
		o.sim.Discs[i].At = vec{X: at.X * mm, Y: at.Y * mm}
	}
	o.sim.Flick(0, s.mdeg, s.speed*mm, 0)
	if err := o.sim.Run(); err != nil {
		return rest, err
	}
	for i := range rest {
		rest[i] = vec{X: o.sim.Discs[i].At.X / mm, Y: o.sim.Discs[i].At.Y / mm}
	}
	return rest, nil
}
