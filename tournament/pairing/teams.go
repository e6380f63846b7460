package pairing

import "github.com/molerun/molerun/engines/game"

// Teams plans who is on which hidden team in each game of a block in which everybody goes round all seats: by game, the
// team of every seat. teams is one deal of the game, in any order. Over the block everybody is on each team as often as
// teams has it, and no rule tells one game's teams from another's: a circulant square with its rows, columns and
// symbols shuffled.
func Teams(b Block, teams []string, r *game.Rand) [][]string {
	n := len(teams)
	symbols := append([]string(nil), teams...)
	game.Shuffle(r, symbols)
	rows, columns := r.Perm(n), r.Perm(len(b.Games))
	at := map[int]int{} // row by entry
	for i, entry := range b.Games[0].Seats {
		at[entry] = rows[i]
	}
	out := make([][]string, len(b.Games))
	for k, g := range b.Games {
		out[k] = make([]string, n)
		for seat, entry := range g.Seats {
			out[k][seat] = symbols[(at[entry]+columns[k])%n]
		}
	}
	return out
}
