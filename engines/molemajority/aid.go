package molemajority

import "github.com/molerun/molerun/engines/game"

// Aid tells a person which tribe is theirs, and what it would mean to stop now; the board shows the rest.
func (Rules) Aid(v View, seat game.Seat) game.Aid {
	out := game.Aid{
		You:   "You lead the moles " + mark(seat) + ": fill hexes, and where you have the most moles then, claim them; a hex is worth its spaces.",
		Calls: map[string]string{ActDone.String(): "end your turn"},
	}
	if len(v.Pending) > 0 {
		out.Calls[ActDone.String()] = "skip the rest of this part of the card"
	}
	return out
}

// Label has no word of its own for people.
func (Rules) Label(string) string { return "" }
