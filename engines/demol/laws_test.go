package demol

import (
	"os"
	"strconv"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/gametest"
)

// often is the count of the default run, or that of the nightly one.
func often(n, nightly int) int {
	if os.Getenv("MOLERUN_NIGHTLY") == "1" {
		return nightly
	}
	return n
}

// configs are the named variants and mixes of all keys.
func configs() []gametest.Case {
	return gametest.Cross(Rules{}.Info(), `{}`, `{"targeting":true}`, `{"blind_moles":true}`,
		`{"targeting":true,"targeting_last_needs":"two_successes","blind_moles":true,"talk_rounds":1,"vote_talk_rounds":2}`,
		`{"talk_rounds":2,"strong_leader_window":"every_leader","pass_binds":"round"}`)
}

func TestLaws(t *testing.T) {
	gametest.Run(t, Rules{}, gametest.Cases[State, Action]{
		List:     configs(),
		MaxSteps: maxVotes*(2+2+2) + missions,
		Matches:  often(1, 20),
		Pairs:    often(1700, 170_000), // for each of six tables
		Hostile:  hostile(),
		BadConfigs: []string{
			`{"plot_cards":true}`, `{"plot_deck":{}}`, `{"plot_deck":{"open_up":1}}`, `{"plot_cards":null}`, `{"targeting":null}`,
			`{"targeting":1}`, `{"targeting_last_needs":"three_played"}`, `{"strong_leader_window":""}`, `{"pass_binds":"never"}`,
			`{"talk_rounds":-1}`, `{"talk_rounds":10}`, `{"vote_talk_rounds":10}`, `{"talk_rounds":1.5}`, `{"talk_rounds":null}`,
			`{"Targeting":true}`, `{"targeting":true,"targeting":true}`,
		},
		Probes: []Action{
			{},
			{Kind: ActTalk},
			{Kind: ActVote},
			{Kind: ActMission},
			{Kind: ActMission, Yes: true},
			{Kind: ActTeam},
			{Kind: 99},
			{Kind: ActTeam, Members: 3},
			{Kind: ActTeam, Members: 7, Mission: 2},
			{Kind: ActTeam, Members: 1<<15 | 1, Mission: 1},
			{Kind: ActTeam, Members: 31, Mission: 5},
			{Kind: ActTeam, Mission: -1},
			{Kind: ActTeam, Mission: 9},
		},
		Hidden: gametest.Hidden[State]{Facts: facts, Possible: possible, Draws: 1500},
	})
}

// hostile actions are well-formed JSON and never legal.
func hostile() []string {
	return []string{
		`{"type":"talk","say":"x"}`, `{"type":"talk","members":[0]}`, `{"type":"team"}`, `{"type":"team","members":[]}`,
		`{"type":"team","members":null}`, `{"type":"team","members":[0,0]}`, `{"type":"team","members":[0,10]}`,
		`{"type":"team","members":[-1,1]}`, `{"type":"team","members":[0,1,2,3,4,5,6,7,8,9]}`, `{"type":"team","members":["0","1"]}`,
		`{"type":"team","members":[0,1],"mission":0}`, `{"type":"team","members":[0,1],"mission":6}`,
		`{"type":"team","members":[0,1],"mission":null}`, `{"type":"team","members":[0,1],"mission":"1"}`, `{"type":"vote"}`,
		`{"type":"vote","approve":null}`, `{"type":"vote","approve":1}`, `{"type":"vote","approve":"true"}`,
		`{"type":"vote","success":true}`, `{"type":"vote","approve":true,"success":true}`, `{"type":"mission"}`,
		`{"type":"mission","success":null}`, `{"type":"mission","approve":true}`, `{"type":"Vote","approve":true}`,
		`{"type":"strong_leader","play":true}`, `{"type":"close_eye","at":null}`,
	}
}

// facts are the hidden things of a state.
func facts(s *State) (out []string) {
	for seat := range s.seats().Each() {
		out = append(out, "seat "+strconv.Itoa(int(seat))+" is "+s.role(seat))
	}
	for i, m := range s.Missions {
		for seat := range m.Team.Each() {
			card := resultWord(m.Failed.Has(seat))
			out = append(out, "seat "+strconv.Itoa(int(seat))+" plays "+card+" on mission "+strconv.Itoa(i+1))
		}
	}
	return out
}

// possible tries every set of moles and every set of failures against what the seat has seen, one by one.
func possible(s *State, seat game.Seat) (out []string) {
	for moles := game.Seats(0); moles <= s.seats(); moles++ {
		if !fits(s, seat, moles) {
			continue
		}
		twin := *s
		twin.Moles = moles
		ok := true
		var more []string
		for i := range s.Missions {
			was := s.Missions[i].Failed
			some := false
			team := s.Missions[i].Team
			for failed := team; ; failed = (failed - 1) & team { // every part of the team
				if failed&^moles == 0 && failed.Len() == was.Len() && failed.Has(seat) == was.Has(seat) {
					some = true
					twin.Missions[i].Failed = failed
					more = append(more, facts(&twin)...)
				}
				if failed == 0 {
					break
				}
			}
			ok = ok && some
			twin.Missions[i].Failed = was
		}
		if ok {
			out = append(out, more...)
		}
	}
	return out
}

// fits tells whether the seat could sit at a table with these moles.
func fits(s *State, seat game.Seat, moles game.Seats) bool {
	switch {
	case moles.Len() != moleCount[s.Seats]:
		return false
	case s.Phase == PhaseOver:
		return moles == s.Moles
	case seat == game.Spectator:
		return true
	case s.Moles.Has(seat) && !s.Blind:
		return moles == s.Moles
	}
	return moles.Has(seat) == s.Moles.Has(seat)
}
