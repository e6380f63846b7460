package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/molerun/molerun/engines/mole/coins"
)

// The scene, in metres and seconds.
const (
	side    = 10.0
	radius  = 0.2
	decel   = 20.0
	bounce  = 0.9
	discs   = 4
	slowest = 5.0
	fastest = 30.0
)

type vec = coins.Vec

// shot is a placing of the discs and a flick of disc 0.
type shot struct {
	at    [discs]vec
	mdeg  int
	speed float64
}

// angle returns the direction of the flick in radians.
func (s shot) angle() float64 { return float64(s.mdeg) * 2 * math.Pi / coins.FullTurn }

// solver plays a shot and tells where the discs come to rest.
type solver interface {
	play(s shot) ([discs]vec, error)
}

// shots draws n shots.
func shots(r *rand.Rand, n int) []shot {
	list := make([]shot, n)
	for k := range list {
		s := &list[k]
		for i := range s.at {
			s.at[i] = free(r, s.at[:i])
		}
		off := func() float64 { return (2*r.Float64() - 1) * radius }
		s.mdeg = coins.Direction(s.at[1].X-s.at[0].X+off(), s.at[1].Y-s.at[0].Y+off())
		s.speed = slowest + (fastest-slowest)*r.Float64()
	}
	return list
}

// free returns a place on the table clear of the others.
func free(r *rand.Rand, others []vec) vec {
	for {
		at := vec{X: radius + (side-2*radius)*r.Float64(), Y: radius + (side-2*radius)*r.Float64()}
		touches := func(o vec) bool { return math.Hypot(at.X-o.X, at.Y-o.Y) <= 2*radius }
		if !slices.ContainsFunc(others, touches) {
			return at
		}
	}
}
