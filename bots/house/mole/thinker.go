package mole

import (
	"math"
	"math/rand/v2"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/mole"
)

// idea is an action and what it seems to be worth to the seat that plays it; 0 is to decline, 8 and more wins the round.
type idea struct {
	shot  shot
	worth float64
}

// Thinker foresees each flick by geometry alone: lanes are swept discs, a hit is one collision in closed form, and a
// position is judged by how many flicks the mole is from the winning line and how safe he lies.
func Thinker(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	s, err := readPosition(t, rng)
	if err != nil {
		return protocol.Answer{}, err
	}
	return s.legal(t, s.think(fineFan, rng))
}

// How many directions are tried around a coin.
const (
	fineFan   = 90
	coarseFan = 18
)

// think returns the best idea; luck decides between equals.
func (s *position) think(fan int, rng *rand.Rand) mole.Action {
	if s.Phase == mole.PhasePlace {
		return s.fence(rng)
	}
	top := idea{worth: math.Inf(-1)}
	s.ideas(fan, rng, func(x shot, worth float64) {
		if worth += 1e-3 * rng.Float64(); worth > top.worth {
			top = idea{x, worth}
		}
	})
	return s.action(top.shot)
}

// ideas tells add every flick that geometry suggests to the seat that is due, and Nasdaq; fan is the number of directions tried, turned
// by lot.
func (s *position) ideas(fan int, rng *rand.Rand, add func(x shot, worth float64)) {
	turn := rng.Float64() * 360 / float64(fan)
	if s.Phase == mole.PhaseMole {
		s.runs(fan, turn, add)
		s.hunts(add)
		return
	}
	won := false
	tell := func(x shot, worth float64) {
		won = won || worth >= 8
		add(x, worth)
	}
	for id := mole.M1; id <= mole.M3; id++ {
		if !s.due(id) {
			continue
		}
		stay := 0.0
		if s.inZone(s.at[id], mignetteRadius) {
			stay = -1 // it would die
		}
		add(shot{coin: id}, stay)
		if s.Coins[mole.Mole].Alive {
			s.shoves(id, fan, turn, tell)
		}
		if stay < 0 {
			add(shot{coin: id, u: heading(90), speed: s.pace(60)}, 0.2)
		}
	}
	if !won && s.Coins[mole.Mole].Alive {
		s.blocks(add)
	}
}

// fence places the mignettes beside each other high in the nichee, about the mole's way.
func (s *position) fence(rng *rand.Rand) mole.Action {
	from, to := inMM(s.Board.Nichee.From), inMM(s.Board.Nichee.To)
	wide := (to.x-from.x)/2 - mignetteRadius
	gap := min(wide, 40+20*rng.Float64())
	mid := min(max(s.at[mole.Mole].x, from.x+mignetteRadius+gap), to.x-mignetteRadius-gap)
	a := mole.Action{Type: mole.Place}
	for k := range a.At {
		a.At[k] = inUM(vector{mid + gap*float64(k-1), to.y - mignetteRadius - 2*rng.Float64()})
	}
	return a
}

// runs lists the flicks of the mole that touch nothing: over the line if a lane is open, else to where he stands best.
func (s *position) runs(fan int, turn float64, add func(shot, float64)) {
	from, far := s.at[mole.Mole], s.reach(s.fast[0])
	barred := s.inZone(from, moleRadius) || s.Board.HasLoup && s.Coins[mole.Mole].At.Y < s.Board.Loup
	touched := s.touches()
	if touched == 0 {
		add(shot{coin: mole.Mole}, s.stand(from)-0.1)
	}
	u, step, aside := heading(turn), heading(360/float64(fan)), heading(1.5)
	for range fan {
		u = u.turn(step)
		if s.pointsAt(touched, u) {
			continue
		}
		free, met := s.lane(mole.Mole, from, u, nothing)
		exit, line := s.exit(from, u)
		if line && exit < 0.95*far && free > exit && !barred {
			left, _ := s.lane(mole.Mole, from, u.turn(aside), nothing)
			right, _ := s.lane(mole.Mole, from, u.turn(vector{aside.x, -aside.y}), nothing)
			add(shot{coin: mole.Mole, u: u, speed: s.fast[0]}, 8+min(left/exit, 1)+min(right/exit, 1)+u.y)
			continue
		}
		for _, share := range [3]float64{1, 0.7, 0.4} {
			d := min(share*far, free-1)
			if d > 2 && d+0.06*d+4 < exit {
				add(shot{coin: mole.Mole, u: u, speed: s.pace(d)}, s.stand(from.ahead(u, d)))
			}
		}
		if met > mole.Mole && u.y > 0.5 && free < 0.5*far { // through the mignette
			add(shot{coin: mole.Mole, u: u, speed: s.fast[0]}, s.stand(from.ahead(u, free))+0.3)
		}
	}
}

// pointsAt reports whether u is not allowed in Gad.
func (s *position) pointsAt(touched uint8, u vector) bool {
	for id := mole.M1; touched != 0 && id <= mole.M3; id++ {
		if touched>>id&1 == 1 && s.at[mole.Mole].to(s.at[id]).dot(u) > -0.01 {
			return true
		}
	}
	return false
}

// hunts lists the flicks of the mole that drive a mignette off the board. The last one wins the round.
func (s *position) hunts(add func(shot, float64)) {
	touched, living := s.touches(), s.Living()
	for id := mole.M1; id <= mole.M3; id++ {
		if !s.Coins[id].Alive || touched>>id&1 == 1 {
			continue
		}
		u, step := heading(0), heading(15)
		for range 24 {
			u = u.turn(step)
			h, ok := s.hit(mole.Mole, id, u)
			if !ok || s.pointsAt(touched, h.u) {
				continue
			}
			exit, _ := s.exit(s.at[id], u)
			if free, _ := s.lane(id, s.at[id], u, mole.Mole); h.slide < 1.15*exit+10 || free < exit {
				continue
			}
			after := h.at.ahead(h.rest, s.reach(h.left))
			if stop, line := s.exit(h.at, h.rest); s.reach(h.left)+10 > stop || line && s.reach(h.left)+30 > stop {
				continue
			}
			worth := s.stand(after) + 0.9
			if living == 1 {
				worth = 8 + h.full
			}
			add(shot{coin: mole.Mole, u: h.u, speed: s.fast[0]}, worth)
		}
	}
	if living == 2 {
		s.both(add)
	}
}

// both returns a taupiniere: two mignettes in one line to an edge that is near.
func (s *position) both(add func(shot, float64)) {
	for id := mole.M1; id <= mole.M3; id++ {
		for other := mole.M1; other <= mole.M3; other++ {
			if id == other || !s.Coins[id].Alive || !s.Coins[other].Alive {
				continue
			}
			u := s.at[id].to(s.at[other]).unit()
			h, ok := s.hit(mole.Mole, id, u)
			exit, _ := s.exit(s.at[id], u)
			if ok && h.full > 0.95 && exit < 60 && !s.pointsAt(s.touches(), h.u) {
				add(shot{coin: mole.Mole, u: h.u, speed: s.fast[0], both: true}, 3)
			}
		}
	}
}

// shoves lists the flicks of a mignette that hit the mole: off a side wins.
func (s *position) shoves(id mole.Coin, fan int, turn float64, add func(shot, float64)) {
	from, guarded := s.at[mole.Mole], s.guarded()
	now := s.stand(from)
	u, step := heading(turn), heading(360/float64(fan))
	for range fan {
		u = u.turn(step)
		h, ok := s.hit(id, mole.Mole, u)
		if !ok {
			continue
		}
		exit, line := s.exit(from, u)
		free, _ := s.lane(mole.Mole, from, u, id)
		if stop, _ := s.exit(h.at, h.rest); s.reach(h.left)+5 > stop {
			continue // it would go over the edge itself
		}
		side := u.x*exit+from.x < 1 || u.x*exit+from.x > s.size.x-1
		switch {
		case line && h.slide > 0.8*exit || !line && !side && h.slide > 0.8*exit:
			continue // that would win him the round
		case side && !guarded && h.slide > 1.05*exit && free > exit:
			add(shot{coin: id, u: h.u, speed: s.fast[1]}, 8+h.full+min(h.slide/exit, 2))
		case side && guarded && h.slide > exit-5:
			continue
		default:
			to := from.ahead(u, min(h.slide, free))
			add(shot{coin: id, u: h.u, speed: s.fast[1]}, now-s.stand(to))
		}
	}
}

// blocks lists the flicks of the mignettes that stop in the mole's way.
func (s *position) blocks(add func(shot, float64)) {
	from := s.at[mole.Mole]
	open, steps := s.open(from), s.flicks(from)
	for id := mole.M1; id <= mole.M3; id++ {
		was := s.at[id]
		for k := 1; k < len(s.up) && s.due(id); k += 2 {
			for _, gap := range [2]float64{moleRadius + mignetteRadius + 3, 60} {
				to := from.ahead(s.up[k], gap)
				u := was.to(to).unit()
				free, _ := s.lane(id, was, u, nothing)
				d := was.far(to)
				exit, _ := s.exit(to, u)
				if free < d || d < 3 || exit < 0.05*d+6 || s.inZone(to, mignetteRadius) || s.reach(s.fast[1]) < d {
					continue
				}
				s.at[id] = to
				now := s.open(from)
				s.at[id] = was
				add(shot{coin: id, u: u, speed: s.pace(d)}, (open-now)*2.5/steps-0.02)
			}
		}
	}
}

// stroke is a flick of one coin at its fastest that drives another along a wanted direction.
type stroke struct {
	u     vector  // of the flick
	at    vector  // where the flicked coin is when they meet
	full  float64 // 1 is a hit in the middle, 0 a graze
	slide float64 // how far the struck coin goes
	rest  vector  // where the flicked coin goes on to
	left  float64 // at this speed
}

// hit returns the stroke by which one coin drives another along u; false if it cannot, or hardly.
func (s *position) hit(by, whom mole.Coin, u vector) (stroke, bool) {
	from := s.at[by]
	h := stroke{at: s.at[whom].ahead(u, -radius(by)-radius(whom))}
	d := from.far(h.at)
	h.u = from.to(h.at).unit()
	if h.full = h.u.dot(u); d < 0.5 || h.full < 0.35 {
		return h, false
	}
	if free, _ := s.lane(by, from, h.u, whom); free < d {
		return h, false
	}
	speed := math.Sqrt(max(s.fast[min(by, 1)]*s.fast[min(by, 1)]-2*s.decel*d, 0))
	share := moleShare
	if whom != mole.Mole {
		share = mignetteShare
	}
	along := speed * h.full
	h.slide = s.reach(s.bounce * share * along)
	rest := vector{h.u.x*speed - u.x*s.bounce*(1-share)*along, h.u.y*speed - u.y*s.bounce*(1-share)*along}
	h.left, h.rest = rest.long(), rest.unit()
	return h, speed > 0
}

// flicks returns how many flicks the mole needs from a place to the winning line, were there nothing in between.
func (s *position) flicks(p vector) float64 {
	return max(math.Ceil((s.size.y-p.y)/(0.95*s.reach(s.fast[0]))), 1)
}

// stand returns what a place is worth to the mole when the mignettes are to play.
func (s *position) stand(p vector) float64 {
	n := s.flicks(p)
	worth := -n + 0.3*p.y/s.size.y
	guarded, wholly := s.onZone(p, moleRadius), s.inZone(p, moleRadius)
	if !guarded {
		worth -= max(0, 1-s.sideGap(p)/120)
	}
	if n == 1 {
		worth += 0.8 * (s.open(p) - 1)
	}
	if n == 1 && wholly || s.Board.HasLoup && p.y < float64(s.Board.Loup)/1000 {
		worth--
	}
	return worth
}

// open returns the share of the mole's ways up the board, from a place, that nothing stands in: as far as a flick goes.
func (s *position) open(p vector) float64 {
	free, all := 0.0, 0.0
	for _, u := range s.up {
		d, _ := s.lane(mole.Mole, p, u, nothing)
		exit, _ := s.exit(p, u)
		all += u.y
		free += u.y * min(d/min(exit, s.reach(s.fast[0])), 1)
	}
	return free / all
}
