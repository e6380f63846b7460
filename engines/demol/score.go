package demol

import (
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// Score returns the missions that each side has won; who is of which side shows at the end.
func (r Rules) Score(s *State, seat game.Seat) game.Score {
	v := r.View(s, seat)
	agents, moles := game.Side{Name: "agents"}, game.Side{Name: "moles"}
	for _, m := range v.Missions {
		switch {
		case m.Result == nil:
		case *m.Result == resultWord(true):
			moles.Points++
		default:
			agents.Points++
		}
	}
	for seat, role := range v.Roles {
		if role == mole {
			moles.Seats = moles.Seats.With(game.Seat(seat))
		} else {
			agents.Seats = agents.Seats.With(game.Seat(seat))
		}
	}
	out := game.Score{Of: "missions", Sides: []game.Side{agents, moles}}
	if v.Phase == phaseOver.String() && agents.Points < scoreToWin && moles.Points < scoreToWin {
		out.Rest = "the rejected teams"
	}
	return out
}

// EndingWords says how a match ends.
func (Rules) EndingWords(why string) string {
	return map[string]string{
		threeSuccesses.String(): "three missions succeeded", threeFails.String(): "three missions failed",
		fiveRejections.String(): "five teams in a row were rejected",
	}[why]
}

// Key says how a mission ends.
func (e missionEvent) Key() string {
	if e.Result == resultWord(true) {
		return fmt.Sprintf("Mission %d fails", e.Mission)
	}
	return fmt.Sprintf("Mission %d succeeds", e.Mission)
}

// Key describes teams that are stopped, and the last attempts of a round.
func (e voteEvent) Key() string {
	switch {
	case e.NoConfidence != nil:
		return fmt.Sprintf("Seat %d stops the team", *e.NoConfidence)
	case !e.Approved && e.Attempt >= 4:
		return fmt.Sprintf("Team %d of the round is rejected", e.Attempt)
	}
	return ""
}

// Key describes the end.
func (e overEvent) Key() string { return game.Capitalize(endWords[e.Why]) }
