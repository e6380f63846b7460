package main

import "github.com/molerun/molerun/engines/game"

// ticTacToe plays one random game in the plainest way and counts the moves: the loop that tells how fast this machine is.
// On the machine where the floors were set such a loop made 26 million moves a second.
func ticTacToe(r *game.Rand) int {
	var cells [9]int8
	for n := range 9 {
		var free [9]int
		k := 0
		for i, c := range cells {
			if c == 0 {
				free[k] = i
				k++
			}
		}
		mark := int8(1 + n&1)
		cells[free[r.IntN(k)]] = mark
		for _, l := range lines {
			if cells[l[0]] == mark && cells[l[1]] == mark && cells[l[2]] == mark {
				return n + 1
			}
		}
	}
	return 9
}

var lines = [8][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}

// anchorTicTacToe is that loop's rate where the floors of the playouts were set, in moves per CPU second.
const anchorTicTacToe = 26e6
