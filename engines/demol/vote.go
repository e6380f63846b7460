package demol

import "github.com/molerun/molerun/engines/game"

// approved tells whether more than half said yes; a tie rejects.
func (v *Vote) approved(seats int8) bool { return 2*v.Yes.Len() > int(seats) }

// vote counts the votes of all seats. A rejection passes the leader on; the fifth in a round ends the match.
func (s *State) vote(acts []game.Act[Action], log *game.Log[Event]) {
	v := &s.Votes[s.VoteCount]
	s.VoteCount++
	*v = Vote{Round: s.Round, Attempt: s.Attempt, Mission: s.Mission, Leader: s.Leader, Team: s.Team}
	for i := range acts {
		if acts[i].Action.Yes {
			v.Yes = v.Yes.With(acts[i].Seat)
		}
	}
	if log.On() {
		log.Tell(game.All, VoteEvent{Kind: "vote", VoteView: v.view(s.Seats)})
	}
	if v.approved(s.Seats) {
		s.advance(PhaseVote + 1)
		return
	}
	s.reject(log)
}

// reject is what follows a team that does not go.
func (s *State) reject(log *game.Log[Event]) {
	if s.Attempt == maxAttempts {
		s.clearTeam()
		s.over(FiveRejections, log)
		return
	}
	s.Attempt++
	s.clearTeam()
	s.passLeader(log)
	s.advance(PhaseTalk)
}
