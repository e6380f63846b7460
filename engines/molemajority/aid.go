package molemajority

import "github.com/molerun/molerun/engines/game"

// Aid tells a person which tribe is theirs; the board shows the rest.
func (Rules) Aid(_ View, seat game.Seat) game.Aid {
	return game.Aid{You: "You lead the moles " + letter(seat) + ": fill hexes, and where you have the most moles then, claim them; a hex is worth its spaces."}
}

// Label has no word of its own for people.
func (Rules) Label(string) string { return "" }
