package mole

import (
	"errors"
	"fmt"
	"slices"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole/coins"
)

// StateFromView rebuilds the state behind a view; it is exact but for the paths of the last flick, which only the drawing shows. The
// coins may lie anywhere on the board, so a bot may ask what would be if; what no round can be in, and what contradicts the
// configuration, is refused. r is not used.
func (Rules) StateFromView(c Config, seats int, _ game.Seat, v View, s *State, r *game.Rand) error {
	var out State
	if v.MoleSeat != 0 && v.MoleSeat != 1 {
		return fmt.Errorf("mole_seat: want 0 or 1, got %d", v.MoleSeat)
	}
	Rules{}.Deal(&out, c, seats, r, nil)
	out.Mole = int8(v.MoleSeat)
	for _, read := range []func(View) error{out.readMatch, out.readCoins, out.readPending, out.playable} {
		if err := read(v); err != nil {
			return err
		}
	}
	want := Rules{}.View(&out, game.Spectator)
	v.strokes, v.noise = want.strokes, want.noise // of the drawing alone
	if err := game.Agree(want, v); err != nil {
		return err
	}
	*s = out
	return nil
}

// readMatch takes over phase, score, round and turns.
func (s *State) readMatch(v View) error {
	phase := slices.Index(phaseNames[:], v.Phase)
	most := int(s.MaxRounds)
	switch {
	case phase < 0:
		return fmt.Errorf("phase: want place, mignettes, mole or over, got %q", v.Phase)
	case v.Round < 1 || v.Round > most:
		return fmt.Errorf("round: want 1 to %d, got %d", most, v.Round)
	case v.Score[0] < 0 || v.Score[1] < 0 || v.Score[0] > v.Round || v.Score[1] > v.Round || v.Score[0]+v.Score[1] > v.Round:
		return fmt.Errorf("score: want 0 or more, together at most one a round, got %v in round %d", v.Score, v.Round)
	case v.MoleTurns < 0 || v.MoleTurns > int(s.MoleTurnsMost):
		return fmt.Errorf("mole_turns: want 0 to %d, got %d", s.MoleTurnsMost, v.MoleTurns)
	}
	s.Phase = Phase(phase)
	s.Round, s.MoleTurns = int16(v.Round), int16(v.MoleTurns)
	s.Score = [2]int16{int16(v.Score[0]), int16(v.Score[1])}
	if s.Phase == PhaseOver {
		if !s.won() && v.Round < most {
			return fmt.Errorf("phase: a match of %d to %d in round %d is not over", v.Score[0], v.Score[1], v.Round)
		}
		return nil
	}
	switch {
	case s.won() || v.Score[0]+v.Score[1] >= v.Round:
		return fmt.Errorf("score: %v cannot be in round %d of a match that goes on", v.Score, v.Round)
	case v.MoleTurns == int(s.MoleTurnsMost) || s.Phase == PhasePlace && v.MoleTurns > 0:
		return fmt.Errorf("mole_turns: %d cannot be in phase %s", v.MoleTurns, v.Phase)
	}
	return nil
}

// readCoins takes over the coins.
func (s *State) readCoins(v View) error {
	if len(v.Coins) != len(s.Coins) {
		return fmt.Errorf("coins: want mole, m1, m2 and m3, got %d coins", len(v.Coins))
	}
	for k, x := range v.Coins {
		at := Point{x.X, x.Y}
		switch {
		case x.ID != coinNames[k]:
			return fmt.Errorf("coins[%d].id: want %s, got %q", k, coinNames[k], x.ID)
		case x.Alive && !s.Board.has(at):
			return fmt.Errorf("coins[%d]: %s is alive at %v, which is not on the board", k, x.ID, at.json())
		case !x.Alive && (at != Point{}):
			return fmt.Errorf("coins[%d]: %s is not on the board, so it is at [0,0], not %v", k, x.ID, at.json())
		case x.Played && (!x.Alive || k == 0 || s.Phase != PhaseMignettes):
			return fmt.Errorf("coins[%d].played: %s cannot have played", k, x.ID)
		}
		s.Coins[k] = Piece{at, x.Alive, x.Played}
	}
	return nil
}

// readPending takes over a mole knocked off a side.
func (s *State) readPending(v View) error {
	if (v.Pending != nil) != (s.Phase == PhaseMignettes && !s.Coins[Mole].Alive) {
		return errors.New("pending: it is there exactly while the mignettes play on without a mole")
	}
	if v.Pending == nil {
		return nil
	}
	edge, by := coins.Edge(max(slices.Index(coins.EdgeNames[:], v.Pending.Edge), 0)), slices.Index(coinNames[:], v.Pending.By)
	if edge != coins.Left && edge != coins.Right || by < int(M1) {
		return fmt.Errorf("pending: want edge left or right, by m1, m2 or m3, got %s, %s", v.Pending.Edge, v.Pending.By)
	}
	if s.Coins[by].Alive && !s.Coins[by].Played {
		return fmt.Errorf("pending.by: %s has not played yet", v.Pending.By)
	}
	s.PendingEdge, s.PendingBy = edge, Coin(by)
	return nil
}

// playable refuses positions in which the round is over.
func (s *State) playable(View) error {
	switch s.Phase {
	case PhasePlace:
		want := *s
		if want.newRound(); want.Coins != s.Coins {
			return errors.New("coins: before the placing the mole is in the middle of its circle, alone")
		}
	case PhaseMignettes:
		if s.left() == 0 {
			return errors.New("coins: no mignette is left to play, so the turn is over")
		}
	case PhaseMole:
		if s.Living() == 0 || !s.Coins[Mole].Alive {
			return errors.New("coins: the mole's turn takes a mole and a mignette on the board")
		}
		if arcs := s.moleArcs(); arcs.n == 0 {
			return errors.New("coins: the mole is in Gad with no direction left, so the round is over")
		}
	case PhaseOver:
	}
	return nil
}
