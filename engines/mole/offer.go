package mole

import (
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole/coins"
)

// Offer gives forms with ranges, one flick form for each coin and arc of directions, and examples. The form of a placing
// lists places of which any three may be taken; its domain is the nichee.
func (Rules) Offer(s *State, _ game.Seat, o *game.Offer[Action]) {
	if s.Phase == PhasePlace {
		s.offerPlaces(o)
		return
	}
	var decline []any
	for id := range s.Coins {
		c := Coin(id)
		if (c == Mole) != (s.Phase == PhaseMole) || !s.Coins[c].Alive || s.Coins[c].Played {
			continue
		}
		arcs := s.arcsOf(c)
		for _, x := range arcs.list[:arcs.n] {
			o.Forms = append(o.Forms, s.flickForm(c, x))
		}
		o.Examples = append(o.Examples, s.exampleFlick(c, &arcs))
		if s.mayDecline(c) {
			decline = append(decline, c.String())
			o.Examples = append(o.Examples, Action{Type: Nasdaq, Coin: c})
		}
	}
	if len(decline) > 0 {
		o.Forms = append(o.Forms, game.Form{Type: "nasdaq", Fields: []game.Field{{Name: "coin", OneOf: decline}}})
	}
}

func (s *State) offerPlaces(o *game.Offer[Action]) {
	var list [maxPlaces]Point
	n := s.Board.places(&list)
	of := make([]any, n)
	for k, p := range list[:n] {
		of[k] = p.json()
	}
	o.Forms = append(o.Forms, game.Form{Type: "place", Fields: []game.Field{{
		Name: "at", Choose: Mignettes, Of: of, Unit: "um",
		Domain: &game.Domain{Within: s.Board.centres(), Gap: 2 * mignetteRadius},
	}}})
	o.Examples = append(o.Examples,
		Action{Type: Place, At: [Mignettes]Point{list[0], list[n/2], list[n-1]}},
		Action{Type: Place, At: [Mignettes]Point{list[n/2-1], list[n/2], list[n/2+1]}})
}

// arcsOf returns the directions in which a coin may be flicked.
func (s *State) arcsOf(c Coin) arcs {
	if c == Mole {
		return s.moleArcs()
	}
	return arcs{list: [2 * Mignettes]arc{{0, coins.FullTurn - 1}}, n: 1}
}

func (s *State) mayDecline(c Coin) bool {
	_, n := s.touching()
	return c != Mole || n == 0
}

func (s *State) flickForm(c Coin, x arc) game.Form {
	span := func(name, unit string, low, high int32) game.Field {
		from, to := int(low), int(high)
		return game.Field{Name: name, Min: &from, Max: &to, Unit: unit}
	}
	f := game.Form{Type: "flick", Fields: []game.Field{
		{Name: "coin", OneOf: []any{c.String()}},
		span("angle_mdeg", "mdeg", x.From, x.To),
		span("speed_mm_s", "mm/s", 1, s.fastest(c)),
	}}
	if s.Board.overhangs(s.circle(c)) {
		f.Fields = append(f.Fields, span("lift_mdeg", "mdeg", 0, maxLift))
	}
	if c == Mole && s.Living() >= 2 {
		f.Fields = append(f.Fields, game.Field{Name: "taupiniere", OneOf: []any{false, true}})
	}
	return f
}

// exampleFlick returns a plain legal flick: of the mole straight up the board or as near to that as it may, of a mignette towards
// the mole; at three quarters of the highest speed.
func (s *State) exampleFlick(c Coin, may *arcs) Action {
	towards := int32(90_000)
	if c != Mole && s.Coins[Mole].Alive {
		to, from := s.Coins[Mole].At, s.Coins[c].At
		if to != from {
			towards = int32(coins.Direction(float64(to.X-from.X), float64(to.Y-from.Y)))
		}
	}
	return Action{Type: Flick, Coin: c, Angle: may.nearest(towards), Speed: max(s.fastest(c)*3/4, 1)}
}

// Sample draws a legal action: a flick in any direction at any speed; one in eight times Nasdaq, where it is allowed.
func (Rules) Sample(s *State, _ game.Seat, r *game.Rand) Action {
	if s.Phase == PhasePlace {
		return s.samplePlace(r)
	}
	c := Mole
	if s.Phase == PhaseMignettes {
		c = s.sampleCoin(r)
	}
	if s.mayDecline(c) && r.IntN(8) == 0 {
		return Action{Type: Nasdaq, Coin: c}
	}
	arcs := s.arcsOf(c)
	x := arcs.list[r.IntN(arcs.n)]
	a := Action{Type: Flick, Coin: c, Angle: x.From + int32(r.IntN(int(x.To-x.From)+1)), Speed: 1 + int32(r.IntN(int(s.fastest(c))))}
	if s.Board.overhangs(s.circle(c)) && r.IntN(2) == 0 {
		a.Lift = int32(r.IntN(maxLift + 1))
	}
	if c == Mole && s.Living() >= 2 {
		a.Taupiniere = r.IntN(32) == 0
	}
	return a
}

// sampleCoin draws one of the mignettes that are still to play.
func (s *State) sampleCoin(r *game.Rand) Coin {
	k := r.IntN(s.left())
	for id := M1; ; id++ {
		if s.Coins[id].Alive && !s.Coins[id].Played {
			if k == 0 {
				return id
			}
			k--
		}
	}
}

// samplePlace draws anywhere in the nichee; if that does not fit after some tries, three of the places offered.
func (s *State) samplePlace(r *game.Rand) Action {
	a := Action{Type: Place}
	from, to := s.Board.Nichee.From, s.Board.Nichee.To
	for range 32 {
		for k := range a.At {
			a.At[k] = Point{
				from.X + mignetteRadius + int32(r.IntN(int(to.X-from.X-2*mignetteRadius)+1)),
				from.Y + mignetteRadius + int32(r.IntN(int(to.Y-from.Y-2*mignetteRadius)+1)),
			}
		}
		if s.placeFits(&a) {
			return a
		}
	}
	var list [maxPlaces]Point
	n := s.Board.places(&list)
	for k := range a.At {
		j := k + r.IntN(n-k)
		list[k], list[j] = list[j], list[k]
		a.At[k] = list[k]
	}
	return a
}

// placeFits works like placeLegal without a reason, for centres drawn inside the nichee.
func (s *State) placeFits(a *Action) bool {
	mole := s.circle(Mole)
	for k, at := range a.At {
		c := Circle{at, mignetteRadius}
		if !s.Board.clear(c) || c.overlaps(mole) {
			return false
		}
		for _, other := range a.At[:k] {
			if c.overlaps(Circle{other, mignetteRadius}) {
				return false
			}
		}
	}
	return true
}
