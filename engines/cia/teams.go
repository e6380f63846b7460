package cia

// Teams are all alike: everybody plays alone, but who is which agent must not be dealt twice.
func (Rules) Teams(s *State) []string {
	teams := make([]string, s.Seats)
	for i := range teams {
		teams[i] = "player"
	}
	return teams
}
