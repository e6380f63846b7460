package main

import (
	"fmt"
	"time"

	"github.com/molerun/molerun/engines/game"
)

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

// pace is how fast this machine is beside the one where the bounds were set, by the reference loop, in the time that clock
// tells: of the processor, or on the wall, where whoever else uses the machine slows both the loop and what it scales.
type pace struct{ loop float64 }

func paceOf(span time.Duration, clock func() time.Duration) pace {
	r := game.Stream(game.Seed{4}, 0, "bench")
	return pace{medianRate(span, clock, func() int { return ticTacToe(r) })}
}

// scaled returns a time of that machine in this one's.
func (p pace) scaled(most float64) float64 { return most * anchorTicTacToe / p.loop }

func (p pace) String() string {
	return fmt.Sprintf("scaled by the bare tic-tac-toe loop: %.1fM moves/s here, %.0fM there", p.loop/1e6, anchorTicTacToe/1e6)
}

// wall returns a clock that tells the time since it was made.
func wall() func() time.Duration {
	begin := time.Now()
	return func() time.Duration { return time.Since(begin) }
}
