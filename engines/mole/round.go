package mole

import (
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole/coins"
)

// winner is the side that has won a round. JSON: mole, mignettes, tie.
type winner uint8

// The winners.
const (
	moleWins winner = iota
	mignettesWin
	tie
)

var winnerNames = [...]string{"mole", "mignettes", "tie"}

// String returns the word on the wire.
func (w winner) String() string { return winnerNames[min(int(w), len(winnerNames)-1)] }

// mignetteFlick plays a mignette's flick. Its tests come in this order: winning Gad, winning line, tie, back; at the end
// of the turn side, all dead.
func (s *State) mignetteFlick(a Action, r *game.Rand, log *game.Log[Event]) {
	before, guarded := s.Coins, s.protected() // judged at the start of the flick (row 3)
	o := s.shoot(a, r, log)
	s.Coins[a.Coin].Played = s.Coins[a.Coin].Alive
	edge := o.left[Mole]
	if guarded && edge > coins.Winning { // row 3: put back; he has not been knocked off
		edge = coins.NoEdge
		s.Coins[Mole] = Piece{At: s.freePlace(Mole, before[Mole].At), Alive: true}
		log.Emit(game.All, Event{Kind: "put_back", Coin: Mole, At: s.Coins[Mole].At})
	}
	s.tellRest(log)
	dead := s.tellLeft(o, log)
	switch {
	case o.gad:
		s.endRound(mignettesWin, "winning_gad", log)
	case edge == coins.Winning:
		s.endRound(moleWins, "knocked_over_line", log) // row 4
	case edge > coins.Winning && s.allDie(before, dead, log):
		s.endRound(tie, "recompense", log) // row 6
	case edge == coins.Back:
		s.endRound(moleWins, "knocked_off_back", log) // row 4
	default:
		if edge != coins.NoEdge {
			s.PendingEdge, s.PendingBy = edge, a.Coin // row 5
		}
		s.endTurn(log)
	}
}

// tellLeft reports the mignettes that have left the board and counts them.
func (s *State) tellLeft(o outcome, log *game.Log[Event]) int {
	n := 0
	for id := M1; id <= M3; id++ {
		if o.left[id] != coins.NoEdge {
			n++
			log.Emit(game.All, Event{Kind: "died", Coin: id})
		}
	}
	return n
}

// allDie reports whether all mignettes that lived before a flick die in it: they have left the board or, if it was the last of
// the turn, rest wholly in a zone (row 6). Then those in zones die.
func (s *State) allDie(before [1 + Mignettes]Piece, dead int, log *game.Log[Event]) bool {
	lived, inZone := 0, 0
	for id := M1; id <= M3; id++ {
		if before[id].Alive {
			lived++
		}
		if s.Coins[id].Alive && s.Board.inZone(s.circle(id)) {
			inZone++
		}
	}
	switch {
	case dead == lived:
		return true
	case s.left() > 0 || dead+inZone < lived:
		return false
	}
	s.buryInZones(log)
	return true
}

// buryInZones kills the mignettes that rest wholly in a zone and counts them (row 7).
func (s *State) buryInZones(log *game.Log[Event]) int {
	n := 0
	for id := M1; id <= M3; id++ {
		if s.Coins[id].Alive && s.Board.inZone(s.circle(id)) {
			n++
			s.Coins[id] = Piece{}
			log.Emit(game.All, Event{Kind: "died", Coin: id})
		}
	}
	return n
}

// endTurn ends the mignettes' turn, if nobody is left to play in it.
func (s *State) endTurn(log *game.Log[Event]) {
	if s.left() > 0 {
		return
	}
	s.buryInZones(log)
	switch {
	case s.PendingEdge != coins.NoEdge && s.Coins[s.PendingBy].Alive:
		s.endRound(mignettesWin, "knocked_off_side", log) // row 5
	case s.PendingEdge != coins.NoEdge:
		s.endRound(moleWins, "knocker_died", log) // row 5
	case s.Living() == 0:
		s.endRound(moleWins, "mignettes_dead", log) // row 8
	default:
		for id := range s.Coins {
			s.Coins[id].Played = false
		}
		s.Phase = PhaseMole
		if arcs := s.moleArcs(); arcs.n == 0 {
			s.endRound(mignettesWin, "no_direction", log) // row 12
		}
	}
}

// moleFlick plays the mole's flick. Its tests come in this order: winning Gad, rows 10, 9 and 11, last killed, cap.
func (s *State) moleFlick(a Action, r *game.Rand, log *game.Log[Event]) {
	inZone, behind := s.Board.inZone(s.circle(Mole)), s.behindLoup()
	o := s.shoot(a, r, log)
	s.MoleTurns++
	s.tellRest(log)
	killed := s.tellLeft(o, log) + s.buryInZones(log)
	switch edge := o.left[Mole]; {
	case o.gad:
		s.endRound(mignettesWin, "winning_gad", log) // row 13
	case edge == coins.Back:
		s.endRound(mignettesWin, "left_over_back", log) // row 10
	case edge > coins.Back:
		s.endRound(mignettesWin, "left_over_side", log) // row 10
	case edge == coins.Winning:
		s.crossed(a, killed, inZone, behind, log)
	case a.Taupiniere && killed != 2:
		s.endRound(mignettesWin, "taupiniere_missed", log) // row 11
	case !a.Taupiniere && killed > 1:
		s.endRound(mignettesWin, "killed_too_many", log) // row 11
	case s.Living() == 0:
		s.endRound(moleWins, "last_killed", log) // row 11
	default:
		s.afterMole(log)
	}
}

// crossed: the mole has crossed the winning line by its own flick (row 9).
func (s *State) crossed(a Action, killed int, inZone, behind bool, log *game.Log[Event]) {
	switch {
	case inZone:
		s.endRound(mignettesWin, "crossed_from_zone", log)
	case killed > 0:
		s.endRound(mignettesWin, "crossed_killing", log)
	case a.Taupiniere:
		s.endRound(mignettesWin, "crossed_taupiniere", log) // row 9
	case behind:
		s.endRound(mignettesWin, "crossed_from_behind_loup", log)
	default:
		s.endRound(moleWins, "crossed", log)
	}
}

// afterMole goes on to the mignettes' turn, unless the mole has had its last.
func (s *State) afterMole(log *game.Log[Event]) {
	if s.MoleTurns >= s.MoleTurnsMost {
		s.endRound(mignettesWin, "mole_turns", log)
		return
	}
	s.Phase = PhaseMignettes
}

// won reports whether a seat has the points and the lead.
func (s *State) won() bool {
	lead := max(s.Score[0]-s.Score[1], s.Score[1]-s.Score[0])
	return max(s.Score[0], s.Score[1]) >= s.Points && lead >= s.Lead
}

// endRound scores, and sets up the next round or ends the match: the mole's seat scores and keeps the mole, or the seats
// swap, or a tie is played again.
func (s *State) endRound(w winner, why string, log *game.Log[Event]) {
	s.PendingEdge, s.PendingBy = coins.NoEdge, 0
	log.Emit(game.All, Event{Kind: "round", Winner: w, Why: why})
	if w == moleWins {
		s.Score[s.Mole]++
	}
	if s.won() || s.Round >= s.MaxRounds {
		s.Phase = PhaseOver
		for id := range s.Coins {
			s.Coins[id].Played = false
		}
		log.Emit(game.All, Event{Kind: "over"})
		return
	}
	if w == mignettesWin {
		s.Mole = 1 - s.Mole
		log.Emit(game.All, Event{Kind: "swap", MoleSeat: s.seat()})
	}
	s.Round++
	s.newRound()
}
