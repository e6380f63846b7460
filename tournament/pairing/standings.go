package pairing

// Line is an entry's line in the standings.
type Line struct {
	Entry               int
	Rank                int // from 1; who is equal in all shares it
	Played              int // games
	Wins, Draws, Losses int
	Byes, Forfeits      int       // byes had; blocks or ties lost without playing
	Points              float64   // of the games, with those for byes and forfeits
	Score               float64   // the sum of the game's own points
	Ties                []float64 // the values of the format's [Format.Ties], in their order
}
