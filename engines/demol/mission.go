package demol

import "github.com/molerun/molerun/engines/game"

// playMission takes the cards of those due: first those of the spotlit, which lie open, then the others'.
func (s *State) playMission(acts []game.Act[Action], log *game.Log[Event]) {
	m := &s.Missions[s.Mission-1]
	for i := range acts {
		if !acts[i].Action.Yes {
			m.Failed = m.Failed.With(acts[i].Seat)
		}
	}
	if s.Phase == phaseMissionOpen {
		m.Open = s.Spotlit
		if log.Enabled() {
			log.Emit(game.All, openMissionEvent{Kind: "open_mission", Mission: s.Mission, Success: m.open()})
		}
	}
	s.advance(s.Phase+1, log)
}

// scoreMission reveals the cards, shuffled, and ends the match at three successes or three fails, else opens the next
// round under the left neighbour.
func (s *State) scoreMission(log *game.Log[Event]) {
	m := &s.Missions[s.Mission-1]
	m.Played = true
	successes, fails := s.score()
	if log.Enabled() {
		log.Emit(game.All, missionEvent{
			Kind: "mission", Mission: s.Mission, Team: m.Team, Fails: m.Failed.Len(), Result: resultWord(s.failed(s.Mission)),
		})
		log.Emit(game.All, scoreEvent{Kind: "score", Successes: successes, Fails: fails})
	}
	if successes < scoreToWin && fails < scoreToWin {
		s.Round++
		s.Attempt = 1
		s.Passed = 0
		s.clearTeam()
		s.passLeader(log)
		s.advance(phaseStrongLeader, log)
		return
	}
	s.clearTeam()
	if fails == scoreToWin {
		s.over(threeFails, log)
		return
	}
	s.over(threeSuccesses, log)
}

// open returns the cards played openly, success or not by seat.
func (m *Mission) open() map[game.Seat]bool { return said(m.Open, m.Open&^m.Failed) }

func resultWord(failed bool) string {
	if failed {
		return "fail"
	}
	return "success"
}
