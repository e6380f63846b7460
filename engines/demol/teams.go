package demol

// Teams are the roles by seat.
func (Rules) Teams(s *State) []string { return rolesIn(s.Moles, int(s.Seats)) }
