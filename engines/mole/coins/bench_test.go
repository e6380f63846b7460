package coins_test

import (
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole/coins"
)

// table returns the scene of the published comparison: four discs of radius 0.2 on a walled table of 10 × 10, restitution 0.9,
// deceleration 20, flicks of 5 to 30; one of its units is a metre here.
func table() coins.Sim {
	const side = 10_000
	s := coins.Sim{Scene: coins.Scene{W: side, H: side, Decel: 20_000, CoinBounce: .9, WallBounce: .9}, N: 4}
	corners := [4]coins.Vec{{}, {X: side}, {X: side, Y: side}, {Y: side}}
	for i := range corners {
		s.Walls[i] = coins.NewWall(corners[i], corners[(i+1)%4])
	}
	s.NWalls = 4
	for i := range s.N {
		s.Discs[i] = coins.Disc{R: 200, Mass: 1, Thick: 1.5}
	}
	return s
}

// shots are random placings and flicks; aimed, the flick goes towards disc 1, give or take its width.
func shots(r *game.Rand, aimed bool) (at [4]coins.Vec, mdeg int, speed float64) {
	for i := range at {
		for free := false; !free; {
			at[i] = coins.Vec{X: 200 + float64(r.IntN(9600)), Y: 200 + float64(r.IntN(9600))}
			free = true
			for _, o := range at[:i] {
				dx, dy := at[i].X-o.X, at[i].Y-o.Y
				free = free && dx*dx+dy*dy > 400*400
			}
		}
	}
	mdeg = r.IntN(coins.FullTurn)
	if aimed {
		mdeg = coins.Direction(at[1].X-at[0].X+float64(r.IntN(400)-200), at[1].Y-at[0].Y+float64(r.IntN(400)-200))
	}
	return at, mdeg, float64(5000 + r.IntN(25_001))
}

// BenchmarkShots runs flicks to rest and reports shots per second, and events and contacts between discs per shot. The
// published sketch had 3.5 events and 0.87 disc contacts a shot, which aimed flicks come closest to.
func BenchmarkShots(b *testing.B) {
	for _, c := range []struct {
		name  string
		aimed bool
	}{{"anywhere", false}, {"aimed", true}} {
		b.Run(c.name, func(b *testing.B) {
			const many = 4096
			r := game.Stream(game.Seed{1}, 0, "bench")
			var at [many][4]coins.Vec
			var mdeg [many]int
			var speed [many]float64
			for k := range many {
				at[k], mdeg[k], speed[k] = shots(r, c.aimed)
			}
			s := table()
			events, n := 0, 0
			b.ReportAllocs()
			for b.Loop() {
				k := n % many
				for i := range s.N {
					s.Discs[i].At = at[k][i]
				}
				s.Flick(0, mdeg[k], speed[k], 0)
				if err := s.Run(); err != nil {
					b.Fatal(err)
				}
				events += s.Events
				n++
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "shots/s")
			b.ReportMetric(float64(events)/float64(n), "events/shot")
		})
	}
}
