package demol

import "github.com/molerun/molerun/engines/game"

// playMission collects the cards of the team and scores the mission.
func (s *State) playMission(acts []game.Act[Action], log *game.Log[Event]) {
	m := &s.Missions[s.Mission-1]
	m.Played, m.Team = true, s.Team
	for i := range acts {
		if !acts[i].Action.Yes {
			m.Failed = m.Failed.With(acts[i].Seat)
		}
	}
	if log.On() {
		log.Tell(game.All, MissionEvent{
			Kind: "mission", Mission: s.Mission, Team: m.Team, Fails: m.Failed.Len(), Result: resultWord(s.failed(s.Mission)),
		})
	}
	s.advanceScore(log)
}

// advanceScore ends the match at three successes or three fails, else opens the next round under the left neighbour.
func (s *State) advanceScore(log *game.Log[Event]) {
	successes, fails := s.score()
	if log.On() {
		log.Tell(game.All, ScoreEvent{Kind: "score", Successes: successes, Fails: fails})
	}
	if successes < scoreToWin && fails < scoreToWin {
		s.Round++
		s.Attempt = 1
		s.clearTeam()
		s.passLeader(log)
		s.advance(PhaseStrongLeader)
		return
	}
	s.clearTeam()
	if fails == scoreToWin {
		s.over(ThreeFails, log)
		return
	}
	s.over(ThreeSuccesses, log)
}

func resultWord(failed bool) string {
	if failed {
		return "fail"
	}
	return "success"
}
