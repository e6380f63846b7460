package demol

import "github.com/molerun/molerun/engines/game"

// approved reports whether more than half said yes; a tie rejects.
func (v *vote) approved(seats int8) bool { return 2*v.Yes.Len() > int(seats) }

// goes reports whether the team went on its mission.
func (v *vote) goes(seats int8) bool { return v.approved(seats) && v.Stopped == game.Spectator }

// ayes returns who said yes.
func ayes(acts []game.Act[Action]) game.Seats {
	var yes game.Seats
	for i := range acts {
		if acts[i].Action.Yes {
			yes = yes.With(acts[i].Seat)
		}
	}
	return yes
}

// vote takes the votes of those due: first the opinion makers', which are shown, then the others'.
func (s *State) vote(acts []game.Act[Action], log *game.Log[Event]) {
	if s.Phase == phaseVoteOpen {
		s.OpenYes = ayes(acts)
		if log.Enabled() {
			log.Emit(game.All, openVoteEvent{Kind: "open_vote", Approve: said(s.OpenVoters, s.OpenYes)})
		}
		if s.OpenVoters != s.seats() {
			s.Phase = phaseVote
			return
		}
		acts = nil
	}
	s.count(s.OpenYes|ayes(acts), log)
}

// said returns what some seats said openly, by seat.
func said(voters, yes game.Seats) map[game.Seat]bool {
	out := map[game.Seat]bool{}
	for seat := range voters.Each() {
		out[seat] = yes.Has(seat)
	}
	return out
}

// count writes the vote down when all have voted. A rejection passes the leader on; the fifth in a round ends the match.
func (s *State) count(yes game.Seats, log *game.Log[Event]) {
	s.OpenVoters, s.OpenYes = 0, 0
	v := &s.Votes[s.VoteCount]
	s.VoteCount++
	*v = vote{
		Round: s.Round, Attempt: s.Attempt, Mission: s.Mission, Leader: s.Leader, Team: s.Team, Yes: yes, Stopped: game.Spectator,
	}
	if log.Enabled() {
		log.Emit(game.All, voteEvent{Kind: "vote", VoteView: v.view(s.Seats)})
	}
	if v.approved(s.Seats) {
		s.advance(phaseVote+1, log)
		return
	}
	s.reject(log)
}

// reject plays what follows a team that does not go.
func (s *State) reject(log *game.Log[Event]) {
	if s.Attempt == maxAttempts {
		s.clearTeam()
		s.over(fiveRejections, log)
		return
	}
	s.Attempt++
	s.clearTeam()
	s.passLeader(log)
	s.advance(phaseStrongLeader, log)
}
