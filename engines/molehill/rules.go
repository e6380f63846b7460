package molehill

import (
	"fmt"
	"math/bits"

	"github.com/molerun/molerun/engines/game"
)

// Rules is Mole Hill for [game.Wrap]. The zero value is ready.
type Rules struct{}

// Deal draws the first mole, unless the configuration names it, and then the flowers, if they are random: the red ones
// first, each on a free square that is not the centre.
func (Rules) Deal(s *State, c Config, _ int, r *game.Rand, log *game.Log[Event]) {
	*s = State{
		Columns: uint8(c.Columns), Rows: uint8(c.Rows), Orange: uint8(c.Discs.Orange),
		Discs: uint8(c.Discs.Total()), Rods: uint8(c.Rods), CentreJump: c.CentreStartJumps,
	}
	first := int8(c.FirstMole.Draw(r, 2))
	for i := range flowersEach {
		s.Red |= 1 << s.number(c.Flowers.Red[i])
		s.White |= 1 << s.number(c.Flowers.White[i])
	}
	if c.Flowers.Random {
		free := s.board() &^ (1 << s.centre())
		draw := func() (m uint64) {
			for range flowersEach {
				bit := uint64(1) << r.Bit(free)
				m, free = m|bit, free&^bit
			}
			return m
		}
		s.Red = draw()
		s.White = draw()
	}
	s.newRound(0, first)
	log.Emit(game.All, Event{Kind: "round", MoleSeat: s.seat()})
}

// Due returns the mole at a start or a move, the gardener at a rod, nobody when both rounds are over.
func (Rules) Due(s *State) game.Seats {
	switch s.Phase {
	case phaseOver:
		return 0
	case PhaseRod:
		return 1 << (1 - s.Mole)
	default:
		return 1 << s.Mole
	}
}

// Offer lists every legal action: starts, rods (right edges before upper ones), or moves before jumps, by square number.
func (Rules) Offer(s *State, _ game.Seat, o *game.Offer[Action]) {
	add := func(t Type, m uint64, up bool) {
		each(m, func(i uint8) { o.Add(Action{t, s.square(i), up}) })
	}
	switch s.Phase {
	case PhaseStart:
		add(Start, s.board(), false)
	case PhaseRod:
		add(Rod, s.FreeRight, false)
		add(Rod, s.FreeUp, true)
	case phaseMove:
		add(Move, s.targets(), false)
		add(Jump, s.jumps(), false)
	case phaseOver:
	}
}

// jumps returns the squares a jump reaches: rods do not matter (ruling 8).
func (s *State) jumps() uint64 {
	if !s.Jump {
		return 0
	}
	return s.board() &^ s.Visited
}

var asked = [...]string{"a start", "a rod", "a move (or, when it may, a jump)", "nothing"}

// Legal returns why an action is not allowed now.
func (Rules) Legal(s *State, _ game.Seat, a Action) error {
	wants := phaseMove
	switch a.Type {
	case Start:
		wants = PhaseStart
	case Rod:
		wants = PhaseRod
	}
	switch {
	case a.Type > Rod || s.Phase != wants:
		return fmt.Errorf("%s is not asked now: %s is due", a.Type, asked[s.Phase])
	case !s.on(a.At):
		return fmt.Errorf("%s is not on this board (a1 to %s)", a.At, Square{s.Columns - 1, s.Rows - 1})
	case a.Type == Rod:
		return s.rodLegal(a)
	case a.Type != Start && s.Visited>>s.number(a.At)&1 == 1:
		return fmt.Errorf("%s has been visited in this round", a.At)
	case a.Type == Jump && !s.Jump:
		return fmt.Errorf("the mole may jump only in the turn after it has moved to the centre %s", s.square(s.centre()))
	case a.Type == Move && s.targets()>>s.number(a.At)&1 == 0:
		return s.whyNot(a.At)
	}
	return nil
}

func (s *State) rodLegal(a Action) error {
	end, free := other(a.At, a.Up), s.FreeRight
	if a.Up {
		free = s.FreeUp
	}
	switch {
	case !s.on(end):
		return fmt.Errorf("%s is not on this board (a1 to %s): rods lie on inner edges", end, Square{s.Columns - 1, s.Rows - 1})
	case free>>s.number(a.At)&1 == 0:
		return fmt.Errorf("the edge %s-%s has a rod already", a.At, end)
	}
	return nil
}

// whyNot explains why the mole cannot move to an unvisited square.
func (s *State) whyNot(to Square) error {
	from := s.square(s.at())
	columns, rows := int(to.Col)-int(from.Col), int(to.Row)-int(from.Row)
	switch {
	case columns < -1 || columns > 1 || rows < -1 || rows > 1:
		return fmt.Errorf("%s is not next to the mole on %s", to, from)
	case columns == 0 || rows == 0:
		return fmt.Errorf("a rod lies between %s and %s", from, to)
	}
	return fmt.Errorf("rods bar both ways round the corner from %s to %s", from, to)
}

// Sample draws uniformly among the legal actions; a square that can be reached by move and by jump counts twice.
func (Rules) Sample(s *State, _ game.Seat, r *game.Rand) Action {
	squares := int(s.Columns) * int(s.Rows)
	switch s.Phase {
	case PhaseStart:
		return Action{Type: Start, At: s.square(uint8(r.IntN(squares)))}
	case PhaseRod:
		for { // most edges are free, so drawing again is quicker than counting
			k := r.IntN(2 * squares)
			i, up := uint8(k>>1), k&1 == 1
			if free := s.FreeRight; !up && free>>i&1 == 1 || up && s.FreeUp>>i&1 == 1 {
				return Action{Rod, s.square(i), up}
			}
		}
	}
	step, jump := s.targets(), s.jumps()
	if jump == 0 {
		return Action{Type: Move, At: s.square(uint8(r.Bit(step)))}
	}
	n := bits.OnesCount64(step)
	if r.IntN(n+bits.OnesCount64(jump)) < n {
		return Action{Type: Move, At: s.square(uint8(r.Bit(step)))}
	}
	return Action{Type: Jump, At: s.square(uint8(r.Bit(jump)))}
}

// Apply plays the act of the one seat due.
func (Rules) Apply(s *State, acts []game.Act[Action], _ *game.Rand, log *game.Log[Event]) {
	a := acts[0].Action
	if log.Enabled() {
		log.Emit(game.All, Event{Kind: "played", Seat: acts[0].Seat, Action: a})
	}
	i := s.number(a.At)
	if a.Type == Rod {
		s.layRod(i, a.Up)
	} else {
		s.layDisc(i, a.Type)
	}
	if s.stuck() {
		s.endRound(log)
	}
}

func (s *State) layRod(i uint8, up bool) {
	code := i << 1
	if up {
		s.FreeUp &^= 1 << (i & 63)
		code |= 1
	} else {
		s.FreeRight &^= 1 << (i & 63)
	}
	s.RodOrder[s.RodsLaid] = code
	s.RodsLaid++
	s.Phase = phaseMove
}

// layDisc brings the mole to square i. Only a move to the centre gives the jump (ruling 9), unless configured otherwise.
func (s *State) layDisc(i uint8, how Type) {
	s.Path[s.Laid] = i
	s.Laid++
	s.Visited |= 1 << (i & 63)
	s.Jump = i == s.centre() && (how == Move || s.CentreJump)
	s.Phase = PhaseRod
}

// endRound notes the score and swaps the roles, or ends the match.
func (s *State) endRound(log *game.Log[Event]) {
	s.Scores[s.Round] = s.score()
	log.Emit(game.All, Event{Kind: "score", Scores: s.Scores, Rounds: s.Round + 1})
	if s.Round == 1 {
		s.Phase, s.Jump = phaseOver, false
		log.Emit(game.All, Event{Kind: "over"})
		return
	}
	s.newRound(1, 1-s.Mole)
	log.Emit(game.All, Event{Kind: "round", MoleSeat: s.seat()})
}

// Result ranks by the points scored as the mole; equal points share rank 1 (ruling 14).
func (Rules) Result(s *State) game.Result {
	var points [2]float64
	points[1-s.Mole], points[s.Mole] = float64(s.Scores[0]), float64(s.Scores[1])
	rank := game.Ranks(len(points), func(a, b int) bool { return points[a] > points[b] })
	return game.Result{Rank: rank, Points: points[:], Why: "two_rounds"}
}
