package mole

import (
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole/coins"
)

// The standard deviations of the execution (P7), by noise.
var (
	angleNoise = [...]float64{0, 500, 1500}  // mdeg
	speedNoise = [...]float64{0, 0.02, 0.05} // of the speed
)

// leastSpeed is the slowest executed flick in µm/s.
const leastSpeed = 1000

// Shot is a flick as executed.
type Shot struct {
	Angle int32 // mdeg, 0–359 999
	Speed int32 // µm/s, at least 1000
	Lift  int32 // mdeg
}

// execute draws how a flick comes out: first its angle, then its speed. The mole in Gad keeps to the directions it may take.
func (s *State) execute(a Action, r *game.Rand) Shot {
	shot := Shot{a.Angle, 1000 * a.Speed, a.Lift}
	if s.Noise > 0 {
		angle := floor(float64(angleNoise[s.Noise]*normal(r)) + 0.5)
		shot.Angle = int32(((int64(a.Angle)+angle)%coins.FullTurn + coins.FullTurn) % coins.FullTurn)
		speed := float64(float64(shot.Speed) * (1 + float64(speedNoise[s.Noise]*normal(r))))
		shot.Speed = max(round(speed), leastSpeed)
	}
	if a.Coin == Mole {
		arcs := s.moleArcs()
		shot.Angle = arcs.nearest(shot.Angle)
	}
	return shot
}

// normal draws a nearly normally distributed number, with mean 0 and deviation 1: twelve uniform numbers less six.
func normal(r *game.Rand) float64 {
	sum := -6.0
	for range 12 {
		sum += float64(float64(r.Uint64()>>11) * (1.0 / (1 << 53)))
	}
	return sum
}
