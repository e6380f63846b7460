package designs

import (
	"slices"

	"github.com/molerun/molerun/engines/game"
)

// Tables returns the line-ups of each round at tables of more than two, seats not yet taken: by a design where one is kept here, else by
// [Balance]. r draws who has which place. [ErrImpossible] as [Balance].
func Tables(entries int, opts Options, r *game.Rand) ([][][]int, error) {
	var rounds [][][]int
	cycles := opts.Cycles
	if base := family(entries, opts.Seats); base != nil && Meetings(entries, opts.Conflict) == entries*(entries-1)/2 {
		for ; cycles >= len(base); cycles -= len(base) {
			rounds = append(rounds, develop(base, entries, r)...)
		}
	}
	if cycles > 0 && opts.Conflict == nil {
		// A cycle is a parallel class here. Any few classes of a design let pairs meet 0 or 1 times.
		for classes := plane(entries, opts.Seats); classes != nil && cycles > 0; cycles -= min(cycles, len(classes)) {
			rounds = append(rounds, named(classes[:min(cycles, len(classes))], r.Perm(entries))...)
		}
	}
	if cycles == 0 {
		return rounds, nil
	}
	// Every two have met equally often so far, so the rest is balanced by itself.
	opts.Cycles = cycles
	rest, err := Balance(entries, opts, r)
	return append(rounds, rest...), err
}

// Rounds returns how many rounds [Tables] makes at most: just so many without conflicts.
func Rounds(entries int, opts Options) int {
	perRound := entries / opts.Seats
	cycle := (Blocks(entries, opts.Seats) + perRound - 1) / perRound
	base := family(entries, opts.Seats)
	if base == nil {
		return opts.Cycles * cycle
	}
	whole := len(develop(base, entries, game.Stream(game.Seed{}, 0, "rounds"))) // whoever has which place
	return opts.Cycles/len(base)*whole + opts.Cycles%len(base)*cycle
}

// family returns the base blocks of a cyclic difference family for v entries at tables of k, nil if none is kept here. Each
// difference modulo v occurs equally often within the base blocks, so that turning each block through all of 0..v-1 lets
// every two meet equally often.
func family(v, k int) [][]int {
	return map[[2]int][][]int{
		{5, 4}:  {{0, 1, 2, 3}},
		{7, 3}:  {{0, 1, 3}},
		{7, 4}:  {{0, 1, 2, 4}},
		{9, 4}:  {{0, 1, 2, 4}, {0, 3, 4, 7}},
		{11, 5}: {{1, 3, 4, 5, 9}},
		{13, 3}: {{0, 1, 4}, {0, 2, 7}},
		{13, 4}: {{0, 1, 3, 9}},
		{15, 7}: {{0, 1, 2, 4, 5, 8, 10}},
		{19, 9}: {{1, 4, 5, 6, 7, 9, 11, 16, 17}},
		{21, 5}: {{0, 1, 4, 14, 16}},
	}[[2]int{v, k}]
}

// develop turns each base block through all v places, gives the places to entries by lot, and packs the line-ups into
// rounds.
func develop(base [][]int, v int, r *game.Rand) [][][]int {
	lot := r.Perm(v)
	var all [][]int
	for _, block := range base {
		for turn := range v {
			lineup := make([]int, len(block))
			for i, place := range block {
				lineup[i] = lot[(place+turn)%v]
			}
			all = append(all, lineup)
		}
	}
	return Packed(all, v)
}

// Packed puts line-ups into rounds, each into the first where none of its entries plays yet.
func Packed(lineups [][]int, entries int) [][][]int {
	var rounds [][][]int
	var plays [][]bool
	for _, lineup := range lineups {
		at := slices.IndexFunc(plays, func(busy []bool) bool {
			return !slices.ContainsFunc(lineup, func(e int) bool { return busy[e] })
		})
		if at < 0 {
			at = len(rounds)
			rounds, plays = append(rounds, nil), append(plays, make([]bool, entries))
		}
		rounds[at] = append(rounds[at], lineup)
		for _, e := range lineup {
			plays[at][e] = true
		}
	}
	return rounds
}
