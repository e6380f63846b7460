package molehill

import "github.com/molerun/molerun/engines/game"

// Aid tells a person which animal they are; the board shows the rest.
func (Rules) Aid(v View, seat game.Seat) game.Aid {
	if v.MoleSeat == seat {
		return game.Aid{You: "You are the mole: visit red flowers (2 points), white ones (1) and, after ten squares, any other (1), until you are stuck."}
	}
	return game.Aid{You: "You are the gardener: lay a rod between two squares each turn, so that the mole is soon stuck. Each of you is the mole once; more points as the mole win."}
}

// Label has no word of its own for people.
func (Rules) Label(string) string { return "" }
