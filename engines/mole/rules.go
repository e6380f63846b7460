package mole

import (
	"errors"
	"fmt"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole/coins"
)

// Rules is Mole for [game.Wrap]. The zero value is ready.
type Rules struct{}

// Deal draws the first mole, unless the configuration names it, and sets up the first round.
func (Rules) Deal(s *State, c Config, _ int, r *game.Rand, _ *game.Log[Event]) {
	*s = State{
		Board: c.Board.Board, Points: int16(c.Points), Lead: int16(c.Lead), MaxRounds: int16(c.MaxRounds),
		MoleTurnsMost: int16(c.MoleTurns), Friction: int16(c.FrictionPermille), Restitution: int16(c.RestitutionPermille),
		MoleMax: int32(c.MoleMaxMMS), MignetteMax: int32(c.MignetteMaxMMS), Mole: int8(c.FirstMole.Draw(r, 2)), Round: 1,
	}
	for k, name := range noiseNames {
		if c.Noise == name {
			s.Noise = uint8(k)
		}
	}
	s.newRound()
}

// Due returns the mole's seat in its turn, the other seat at a placing and in the mignettes' turn, nobody at the end.
func (Rules) Due(s *State) game.Seats {
	switch s.Phase {
	case PhaseOver:
		return 0
	case PhaseMole:
		return game.Only(s.seat())
	default:
		return game.Only(1 - s.seat())
	}
}

var asked = [...]string{"a place", "a flick or nasdaq of m1, m2 or m3", "a flick or nasdaq of the mole", "nothing: the match is over"}

// Legal returns why an action is not allowed now.
func (Rules) Legal(s *State, _ game.Seat, a Action) error {
	switch {
	case s.Phase == PhaseOver || a.Type > Nasdaq || (a.Type == Place) != (s.Phase == PhasePlace):
		return fmt.Errorf("%s is not due now, but %s", a.Type, asked[s.Phase])
	case a.Type == Place:
		return s.placeLegal(a)
	case a.Coin < Mole || a.Coin > M3 || (a.Coin == Mole) != (s.Phase == PhaseMole):
		return fmt.Errorf("coin: %s is not played now, but %s", a.Coin, asked[s.Phase])
	case !s.Coins[a.Coin].Alive:
		return fmt.Errorf("coin: %s is dead", a.Coin)
	case s.Coins[a.Coin].Played:
		return fmt.Errorf("coin: %s has been played in this turn", a.Coin)
	case a.Type == Flick:
		return s.flickLegal(a)
	}
	if _, n := s.touching(); a.Coin == Mole && n > 0 {
		return errors.New("nasdaq: the mole may not decline while it touches a coin (Gad); flick it away from what it touches")
	}
	return nil
}

func (s *State) placeLegal(a Action) error {
	mole := s.circle(Mole)
	for k, at := range a.At {
		c := Circle{at, mignetteRadius}
		switch {
		case at.X < 0 || at.Y < 0 || at.X > s.Board.W || at.Y > s.Board.H || !c.withinRect(s.Board.Nichee):
			return fmt.Errorf("at[%d]: m%d at %v is not wholly inside the nichee %v (um); its radius is %d", k, k+1, at.json(), s.Board.Nichee.json(), mignetteRadius)
		case !s.Board.clear(c):
			return fmt.Errorf("at[%d]: m%d at %v overlaps a wall or post", k, k+1, at.json())
		case c.overlaps(mole):
			return fmt.Errorf("at[%d]: m%d at %v overlaps the mole", k, k+1, at.json())
		}
		for l, other := range a.At[:k] {
			if c.overlaps(Circle{other, mignetteRadius}) {
				return fmt.Errorf("at[%d]: m%d and m%d overlap: their centres must be at least %d um from each other", k, l+1, k+1, 2*mignetteRadius)
			}
		}
	}
	return nil
}

func (s *State) flickLegal(a Action) error {
	fastest := s.fastest(a.Coin)
	switch {
	case a.Angle < 0 || a.Angle >= coins.FullTurn:
		return fmt.Errorf("angle_mdeg: want 0 to %d, got %d", coins.FullTurn-1, a.Angle)
	case a.Speed < 1 || a.Speed > fastest:
		return fmt.Errorf("speed_mm_s: want 1 to %d for %s, got %d", fastest, a.Coin, a.Speed)
	case a.Lift < 0 || a.Lift > maxLift:
		return fmt.Errorf("lift_mdeg: want 0 to %d, got %d", maxLift, a.Lift)
	case a.Lift > 0 && !s.Board.overhangs(s.circle(a.Coin)):
		return fmt.Errorf("lift_mdeg: %s does not overhang an edge, so it cannot be lifted: want 0, got %d", a.Coin, a.Lift)
	case a.Taupiniere && a.Coin != Mole:
		return fmt.Errorf("taupiniere: only the mole may declare it, not %s", a.Coin)
	case a.Taupiniere && s.Living() < 2:
		return fmt.Errorf("taupiniere: it takes two living mignettes, there is %d", s.Living())
	}
	if a.Coin == Mole {
		if arcs := s.moleArcs(); !arcs.has(a.Angle) {
			return fmt.Errorf("angle_mdeg: %d points towards a coin that the mole touches (Gad); the offer lists the angles left", a.Angle)
		}
	}
	return nil
}

func (s *State) fastest(c Coin) int32 {
	if c == Mole {
		return s.MoleMax
	}
	return s.MignetteMax
}

// Chains drops what was sent ahead to follow a flick: where the coins come to rest must be seen first.
func (Rules) Chains(a Action) bool { return a.Type != Flick }

// Apply plays the act of the one seat due.
func (Rules) Apply(s *State, acts []game.Act[Action], r *game.Rand, log *game.Log[Event]) {
	a := acts[0].Action
	s.Strokes, s.NStrokes = [maxStrokes]stroke{}, 0
	switch {
	case a.Type == Place:
		for k, at := range a.At {
			s.Coins[M1+Coin(k)] = Piece{At: at, Alive: true}
		}
		s.Phase = PhaseMignettes
		log.Emit(game.All, Event{Kind: "placed", Places: a.At})
	case a.Type == Nasdaq:
		log.Emit(game.All, Event{Kind: "nasdaq", Coin: a.Coin})
		if a.Coin == Mole {
			s.MoleTurns++
			s.afterMole(log)
			return
		}
		s.Coins[a.Coin].Played = true
		s.endTurn(log)
	case a.Coin == Mole:
		s.moleFlick(a, r, log)
	default:
		s.mignetteFlick(a, r, log)
	}
}

// Result ranks by points; equal points share rank 1.
func (Rules) Result(s *State) game.Result {
	rank := game.Ranks(len(s.Score), func(a, b int) bool { return s.Score[a] > s.Score[b] })
	why := "max_rounds"
	if s.won() {
		why = "points"
	}
	return game.Result{Rank: rank, Points: []float64{float64(s.Score[0]), float64(s.Score[1])}, Why: why}
}
