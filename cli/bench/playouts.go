package bench

import (
	"fmt"
	"runtime"
	"time"

	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/engines/molemajority"
)

// playouts measures random matches on the typed path, in moves per CPU second, against the floor of performance.md scaled
// to this machine.
func playouts(span time.Duration) ([]Row, error) {
	r := game.Stream(game.Seed{1}, 0, "bench")
	loop := perCPUSecond(span, func() int { return ticTacToe(r) })
	scale := loop / anchorTicTacToe
	against := fmt.Sprintf("the anchor's rate, scaled by the bare tic-tac-toe loop: %.1fM moves/s here, %.0fM there", loop/1e6, anchorTicTacToe/1e6)
	var rows []Row
	for _, g := range []struct {
		name   string
		anchor float64
		make   func() (func() int, error)
	}{
		{"De Mol, 5 seats", 5.7e6, match(demol.Rules{}, "base", 5, r)},
		{"De Mol, 10 seats", 5.7e6, match(demol.Rules{}, "base", 10, r)},
		{"De Mol full, 10 seats", 5.7e6, match(demol.Rules{}, "full", 10, r)},
		{"CIA full, 4 seats", 2.6e6, match(cia.Rules{}, "full", 4, r)},
		{"Mole Hill", 2.8e6, match(molehill.Rules{}, "base", 2, r)},
		{"Mole Majority", 1.1e6, match(molemajority.Rules{}, "base", 4, r)},
	} {
		play, err := g.make()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", g.name, err)
		}
		rows = append(rows, floor("playouts: "+g.name, "moves/CPU s", perCPUSecond(span, play), g.anchor*scale, against, 1))
		rows = append(rows, ceiling("allocations: "+g.name, "a match", allocations(play), 1, "one a match", 0))
	}
	return rows, nil
}

// match makes what plays whole random matches of a game's variant and counts the moves.
func match[C, S, A, V, E any](rules game.Rules[C, S, A, V, E], variant string, seats int, r *game.Rand) func() (func() int, error) {
	return func() (func() int, error) {
		config := rules.Defaults()
		for _, v := range rules.Info().Variants {
			if v.Name == variant {
				if err := strict.Merge([]byte(v.Config), &config); err != nil {
					return nil, err
				}
			}
		}
		if err := rules.Validate(config, seats); err != nil {
			return nil, err
		}
		sim := game.Sim[C, S, A, V, E]{Rules: rules}
		state := new(S)
		return func() int {
			rules.Deal(state, config, seats, r, nil)
			return sim.Playout(state, r)
		}, nil
	}
}

// allocations is how many times one call of f allocates, in the mean of many.
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
