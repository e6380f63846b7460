package demol

import (
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// maxTeamList is the longest list of teams in an offer; beyond it forms are given. It is the number of teams of 4 or 5
// out of 9, so that only tables of 10 and targeting need forms.
const maxTeamList = 126

// choices returns the bits of the missions (bit m for mission m) the leader may send a team on.
func (s *State) choices() uint64 {
	var bits uint64
	if !s.Targeting {
		return 1 << s.Round
	}
	for m := int8(1); m <= missions; m++ {
		if s.selectable(m) {
			bits |= 1 << m
		}
	}
	return bits
}

// selectable reports whether mission m can be picked under targeting: each mission once, and mission 5 after two missions,
// or two successes.
func (s *State) selectable(m int8) bool {
	if m < 1 || m > missions || s.Missions[m-1].Played {
		return false
	}
	if m < missions {
		return true
	}
	successes, fails := s.score()
	if s.LastNeedsWins {
		return successes >= 2
	}
	return successes+fails >= 2
}

// unselectable returns the reason against a mission that is not selectable.
func (s *State) unselectable(m int8) error {
	successes, fails := s.score()
	switch {
	case m < 1 || m > missions:
		return fmt.Errorf("mission: want 1 to %d, got %d", missions, m)
	case s.Missions[m-1].Played:
		return fmt.Errorf("mission: %d has been played", m)
	case s.LastNeedsWins:
		return fmt.Errorf("mission: %d waits for two successes, %d so far", m, successes)
	}
	return fmt.Errorf("mission: %d waits for two missions, %d so far", m, successes+fails)
}

func (s *State) legalTeam(a Action) error {
	m := s.Round
	switch {
	case !s.Targeting && a.Mission != 0:
		return fmt.Errorf("mission: is chosen under targeting only, leave it out")
	case s.Targeting && a.Mission == 0:
		return fmt.Errorf("mission: is missing, targeting asks for it")
	case s.Targeting:
		if m = a.Mission; !s.selectable(m) {
			return s.unselectable(m)
		}
	}
	if a.Members&^s.seats() != 0 {
		return fmt.Errorf("members: want seats 0 to %d, got %s", s.Seats-1, a.Members.AppendJSON(nil))
	}
	if got := a.Members.Len(); got != s.size(m) {
		return fmt.Errorf("members: mission %d wants %d seats, got %d", m, s.size(m), got)
	}
	return nil
}

// asked returns the mission number as an action carries it: only under targeting.
func (s *State) asked(m int8) int8 {
	if s.Targeting {
		return m
	}
	return 0
}

func (s *State) offerTeams(o *game.Offer[Action]) {
	total := 0
	for m := range eachBit(s.choices()) {
		total += Choose(int(s.Seats), s.size(m))
	}
	for m := range eachBit(s.choices()) {
		if total > maxTeamList {
			s.offerForm(m, o)
			continue
		}
		s.eachTeam(m, o.Add)
	}
}

// eachTeam gives add every team of mission m.
func (s *State) eachTeam(m int8, add func(Action)) {
	for team := game.FirstSeats(s.size(m)); team <= s.seats(); team = nextOfSize(team) {
		add(Action{Kind: ActTeam, Proposal: Proposal{Mission: s.asked(m), Members: team}})
	}
}

func (s *State) offerForm(m int8, o *game.Offer[Action]) {
	table := make([]any, s.Seats)
	for i := range table {
		table[i] = i
	}
	form := game.Form{Type: ActTeam.String(), Fields: []game.Field{{Name: "members", Choose: s.size(m), Of: table}}}
	if s.Targeting {
		form.Fields = append(form.Fields, game.Field{Name: "mission", OneOf: []any{m}})
	}
	o.Forms = append(o.Forms, form)
	o.Examples = append(o.Examples, Action{Kind: ActTeam, Proposal: Proposal{Mission: s.asked(m), Members: game.FirstSeats(s.size(m))}})
}

func (s *State) sampleTeam(r *game.Rand) Action {
	m := s.Round
	if s.Targeting {
		m = int8(r.Bit(s.choices()))
	}
	return Action{Kind: ActTeam, Proposal: Proposal{Mission: s.asked(m), Members: r.Subset(s.seats(), s.size(m))}}
}

func (s *State) propose(a Action, log *game.Log[Event]) {
	s.Team = a.Members
	if s.Targeting {
		s.Mission = a.Mission
	}
	if log.Enabled() {
		log.Emit(game.All, teamEvent{Kind: "team", Leader: s.Leader, Mission: s.Mission, Team: s.Team})
	}
	s.advance(phaseTeam+1, log)
}

// eachBit walks the set bits in ascending order.
func eachBit(bits uint64) func(yield func(int8) bool) {
	return func(yield func(int8) bool) {
		for i := int8(0); bits>>i != 0; i++ {
			if bits>>i&1 == 1 && !yield(i) {
				return
			}
		}
	}
}

// Choose returns the binomial coefficient; n is at most 10, k is 0 or more.
func Choose(n, k int) int {
	out := 1
	for i := range k {
		out = out * (n - i) / (i + 1)
	}
	return out
}

// nextOfSize returns the next larger set with as many members (Gosper's hack); m is not empty.
func nextOfSize(m game.Seats) game.Seats {
	low := m & -m
	up := m + low
	return up | (m^up)/low>>2
}

// Teams returns the roles by seat.
func (Rules) Teams(s *State) []string { return rolesIn(s.Moles, int(s.Seats)) }
