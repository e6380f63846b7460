package molehill

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/molerun/molerun/engines/game"
)

// StateFromView rebuilds the state behind a view by playing it again under the rules, so it is exact: nothing is hidden and both
// visited and rods are in order. A view that no match under c can show is refused; of a finished round only the score is
// known, so that is checked against what the discs and flowers can give. r is not used.
func (Rules) StateFromView(c Config, seats int, _ game.Seat, v View, s *State, r *game.Rand) error {
	if v.Round != 1 && v.Round != 2 {
		return fmt.Errorf("round: want 1 or 2, got %d", v.Round)
	}
	if v.MoleSeat != 0 && v.MoleSeat != 1 {
		return fmt.Errorf("mole_seat: want 0 or 1, got %d", v.MoleSeat)
	}
	first := game.First(v.MoleSeat)
	if v.Round == 2 {
		first = 1 - first
	}
	if c.FirstMole != game.Lot && c.FirstMole != first {
		return fmt.Errorf("mole_seat: seat %d cannot be the mole of round %d when first_mole is %d", v.MoleSeat, v.Round, c.FirstMole)
	}
	c.FirstMole = first
	if err := c.growAs(v.Flowers, seats); err != nil {
		return err
	}
	var out State
	Rules{}.Deal(&out, c, seats, r, nil)
	if v.Round == 2 {
		if err := out.finishFirst(v.Scores); err != nil {
			return err
		}
	}
	if err := out.replay(v); err != nil {
		return err
	}
	if err := game.Agree(Rules{}.View(&out, game.Spectator), v); err != nil {
		return err
	}
	*s = out
	return nil
}

// growAs fixes the flowers of c to those of the view.
func (c *Config) growAs(f FlowerView, seats int) error {
	red, err := fourSquares("/red", f.Red)
	if err != nil {
		return fmt.Errorf("flowers: %w", err)
	}
	white, err := fourSquares("/white", f.White)
	if err != nil {
		return fmt.Errorf("flowers: %w", err)
	}
	agreed := c.Flowers
	c.Flowers = Flowers{Red: red, White: white}
	if err := (Rules{}).Validate(*c, seats); err != nil {
		return err
	}
	if !agreed.Random && (!sameSquares(agreed.Red, red) || !sameSquares(agreed.White, white)) {
		return errors.New("flowers: are not those of the configuration")
	}
	centre := Square{uint8(c.Columns / 2), uint8(c.Rows / 2)}
	for k := range flowersEach {
		if agreed.Random && (red[k] == centre || white[k] == centre) {
			return fmt.Errorf("flowers: random flowers never grow on the centre %s", centre)
		}
	}
	return nil
}

// sameSquares compares two lists of distinct squares whatever their order.
func sameSquares(a, b [flowersEach]Square) bool {
	for _, q := range a {
		if !slices.Contains(b[:], q) {
			return false
		}
	}
	return true
}

// finishFirst goes on to round 2 with the score of round 1.
func (s *State) finishFirst(scores []int) error {
	if len(scores) == 0 {
		return errors.New("scores: want the score of round 1")
	}
	best := int(s.Discs) - int(s.Orange) + 2*bits.OnesCount64(s.Red) + bits.OnesCount64(s.White)
	if scores[0] < 0 || scores[0] > best {
		return fmt.Errorf("scores: want 0 to %d for round 1, got %d", best, scores[0])
	}
	s.Scores[0] = uint8(scores[0])
	s.newRound(1, 1-s.Mole)
	return nil
}

// replay plays the discs and rods of v in their order.
func (s *State) replay(v View) error {
	if len(v.Rods) > len(v.Visited) || len(v.Rods)+1 < len(v.Visited) {
		return fmt.Errorf("rods: %d rods and %d visited squares cannot come of taking turns", len(v.Rods), len(v.Visited))
	}
	round := s.Round
	for k := range len(v.Visited) + len(v.Rods) {
		place := fmt.Sprintf("visited[%d]", k/2)
		if k%2 == 1 {
			place = fmt.Sprintf("rods[%d]", k/2)
		}
		a, err := s.next(v, k)
		if err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		if err := (Rules{}).Legal(s, s.seat(), a); err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		Rules{}.Apply(s, []game.Act[Action]{{Seat: (Rules{}).Due(s).Lowest(), Action: a}}, nil, nil)
		if s.Round != round {
			return fmt.Errorf("%s: round 1 is over with it, so the view must show round 2", place)
		}
	}
	return nil
}

// next returns the k-th action of the round: discs at even k, rods at odd. A square reached by a step was reached by a move:
// a jump there leaves the same state, except onto the centre, which has been visited when there is a jump.
func (s *State) next(v View, k int) (Action, error) {
	if k%2 == 1 {
		at, up, err := parseEdge(v.Rods[k/2])
		return Action{Rod, at, up}, err
	}
	q, err := parseSquare(v.Visited[k/2])
	switch {
	case err != nil || k == 0:
		return Action{Type: Start, At: q}, err
	case s.Jump && s.on(q) && s.targets()>>s.number(q)&1 == 0:
		return Action{Type: Jump, At: q}, nil
	}
	return Action{Type: Move, At: q}, nil
}
