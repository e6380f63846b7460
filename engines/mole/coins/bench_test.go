package coins_test

import (
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole/coins"
)

// table is the scene of the published comparison: four discs of radius 0.2 on a walled table of 10 × 10, restitution 0.9,
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

// BenchmarkShots reports shots per second and events per shot: place four discs at random, flick one, run to rest.
func BenchmarkShots(b *testing.B) {
	s := table()
	r := game.Stream(game.Seed{1}, 0, "bench")
	events := 0
	b.ReportAllocs()
	for b.Loop() {
		for i := range s.N {
			for free := false; !free; {
				s.Discs[i].At = coins.Vec{X: 200 + float64(r.IntN(9600)), Y: 200 + float64(r.IntN(9600))}
				free = true
				for j := range i {
					dx, dy := s.Discs[i].At.X-s.Discs[j].At.X, s.Discs[i].At.Y-s.Discs[j].At.Y
					free = free && dx*dx+dy*dy > 400*400
				}
			}
		}
		s.Flick(0, r.IntN(coins.FullTurn), float64(5000+r.IntN(25_001)), 0)
		if err := s.Run(); err != nil {
			b.Fatal(err)
		}
		events += s.Events
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "shots/s")
	b.ReportMetric(float64(events)/float64(b.N), "events/shot")
}
