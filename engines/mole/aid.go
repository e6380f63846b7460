package mole

import (
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// Aid tells a person which coins are theirs; the board shows the rest.
func (Rules) Aid(v View, seat game.Seat) game.Aid {
	if v.MoleSeat == seat {
		return game.Aid{You: "You have the mole: flick it over the winning line on top, the red dashes."}
	}
	return game.Aid{You: "You have the mignettes 1, 2 and 3: keep the mole from the red dashes on top, or knock it off the board elsewhere."}
}

// labels are the words of offers for people.
var labels = map[string]string{
	"place": "place the mignettes", "at": "their places in the nichee, the wide field across the board",
	"flick": "flick", "angle_mdeg": "direction", "speed_mm_s": "speed", "lift_mdeg": "lift off the table",
	"taupiniere": "announce that this flick kills exactly two (a taupinière)",
	"nasdaq":     "leave a coin where it is", "mole": "the mole",
}

// Label names words of offers for people.
func (Rules) Label(word string) string {
	if n, ok := strings.CutPrefix(word, "m"); ok && len(n) == 1 {
		return "mignette " + n
	}
	return labels[word]
}
