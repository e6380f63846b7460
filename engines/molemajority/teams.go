package molemajority

// Teams puts everybody into one team: hands and tokens are each seat's own secret, and who has seen the end of a deal knows
// its decks.
func (Rules) Teams(s *State) []string {
	out := make([]string, s.Seats)
	for i := range out {
		out[i] = "player"
	}
	return out
}
