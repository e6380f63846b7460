package molehill

import "github.com/molerun/molerun/engines/game"

// Numbering numbers starts, moves and jumps, each by square number, then the edges to the right and the upper ones, by the square they
// belong to.
func (Rules) Numbering(c Config, _ int) (int, func(Action) int) {
	return game.Enumerate(func(add func(Action)) {
		s := State{Columns: uint8(c.Columns), Rows: uint8(c.Rows)}
		right, up := edges(s.Columns, s.Rows)
		for _, part := range []struct {
			how Type
			of  uint64
			up  bool
		}{{Start, s.board(), false}, {Move, s.board(), false}, {Jump, s.board(), false}, {Rod, right, false}, {Rod, up, true}} {
			each(part.of, func(i uint8) { add(Action{part.how, s.square(i), part.up}) })
		}
	})
}

// Choices is the offer.
func (r Rules) Choices(s *State, seat game.Seat, o *game.Offer[Action]) { r.Offer(s, seat, o) }

// Observe writes the board of this round, by square number, and the points.
func (Rules) Observe(s *State, seat game.Seat, o *game.Observation) {
	squares, at := int(s.Columns)*int(s.Rows), uint64(0)
	if s.Laid > 0 {
		at = 1 << s.at()
	}
	right, up := edges(s.Columns, s.Rows)
	game.Put(o, "phase", 0, int(phaseOver), s.Phase)
	game.Put(o, "round", 1, 2, s.Round+1)
	o.Flag("i_am_mole", s.seat() == seat)
	o.Bits("mole", squares, at)
	o.Bits("visited", squares, s.Visited)
	o.Bits("rods_right", squares, right&^s.FreeRight)
	o.Bits("rods_up", squares, up&^s.FreeUp)
	o.Bits("red", squares, s.Red)
	o.Bits("white", squares, s.White)
	game.Put(o, "discs_left", 0, int(s.Discs), s.Discs-s.Laid)
	game.Put(o, "rods_left", 0, int(s.Rods), s.Rods-s.RodsLaid)
	o.Flag("jump", s.Jump)
	most := int(s.Discs) + 3*flowersEach
	game.Put(o, "score", 0, most, s.score())
	game.Put(o, "scores", 0, most, s.Scores[:]...)
}
