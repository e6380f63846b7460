package main

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
)

// anchors are the random playouts of the nearest game of OpenSpiel, in moves per CPU second, where the floors were set.
// A game whose decisions are physics has none: its solver has a measurement of its own.
var anchors = map[string]float64{"cia": 2.6e6, "demol": 5.7e6, "molehill": 2.8e6, "molemajority": 1.1e6}

// contest is a game's variant at a table size.
type contest struct {
	engine game.Engine
	config game.ConfigText
	name   string
	seats  int
}

// contests lists the base and the full variant of every game, at its largest tables and, if asked, at its smallest.
func contests(smallest bool) []contest {
	var list []contest
	for _, e := range catalog.All() {
		info := e.Info()
		for i, v := range info.Variants {
			if i > 0 && v.Name != "full" {
				continue
			}
			sizes := []int{info.MaxSeats}
			if smallest {
				sizes = slices.Compact([]int{info.MinSeats, info.MaxSeats})
			}
			for _, n := range sizes {
				list = append(list, contest{
					engine: e,
					config: v.Config,
					name:   fmt.Sprintf("%s %s, %d seats", info.Name, v.Name, n),
					seats:  n,
				})
			}
		}
	}
	return list
}

func (c contest) walk() (game.Playout, error) {
	w, err := c.engine.Playout([]byte(c.config), c.seats)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	return w, nil
}

// playouts measures random matches on the typed path, in moves per CPU second, against the floor scaled to this machine.
func playouts(span time.Duration) ([]figure, error) {
	r := game.Stream(game.Seed{1}, 0, "bench")
	loop := perCPUSecond(span, func() int { return ticTacToe(r) })
	scale := loop / anchorTicTacToe
	against := fmt.Sprintf("the anchor's rate, scaled by the bare tic-tac-toe loop: %.1fM moves/s here, %.0fM there", loop/1e6, anchorTicTacToe/1e6)
	var rows []figure
	for _, c := range contests(true) {
		anchor, has := anchors[c.engine.Info().ID]
		if !has {
			continue
		}
		w, err := c.walk()
		if err != nil {
			return nil, err
		}
		play := func() (moves int) {
			w.Deal(r)
			for n := w.Step(r); n > 0; n = w.Step(r) {
				moves += n
			}
			return moves
		}
		rows = append(rows, floor("playouts: "+c.name, "moves/CPU s", perCPUSecond(span, play), anchor*scale, against, 1))
		rows = append(rows, ceiling("allocations: "+c.name, "a match", allocations(play), 1, "one a match", 0))
	}
	return rows, nil
}

// allocations returns how many times one call of f allocates, in the mean of many.
func allocations(f func() int) float64 {
	const calls = 1000
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range calls {
		f()
	}
	runtime.ReadMemStats(&after)
	return float64((after.Mallocs - before.Mallocs) / calls)
}
