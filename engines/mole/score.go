package mole

import "github.com/molerun/molerun/engines/game"

// Score is the points of both seats, from all rounds.
func (Rules) Score(v View) game.Score {
	return game.Score{Of: "points", Sides: game.BySeat(v.Score[:]...)}
}

// Ending tells how a match ends.
func (Rules) Ending(why string) string {
	switch why {
	case "points":
		return "enough points, with the lead that it takes"
	case "max_rounds":
		return "this was the last round"
	}
	return ""
}

// Key tells of rounds that end and of mignettes that die.
func (e *Event) Key() string {
	switch e.Kind {
	case "round":
		return winners[e.Winner]
	case "died":
		return game.Upper(body(e.Coin.String())) + " dies"
	}
	return ""
}
