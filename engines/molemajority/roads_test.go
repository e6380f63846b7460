package molemajority

import (
	"math/rand/v2"
	"testing"
)

// The neighbours of a set, found at once, are those of its hexes one by one, but for those across a Cave-In.
func TestRoadsLeadToTheNeighboursOfEachHex(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 2000 {
		s := State{Walls: walls(r.Uint64() & r.Uint64() & (1<<edges - 1))}
		m := Board(1) << (i % hexes)
		if i >= hexes {
			m = Board(r.Uint32() & (1<<hexes - 1))
		}
		want, free := Board(0), Board(0)
		for h := range Hex(hexes) {
			for e := range int8(edges) {
				ends := grid.ends[e]
				if !m.Has(h) || ends[0] != h && ends[1] != h {
					continue
				}
				other := ends[0] + ends[1] - h
				free |= 1 << other
				if !s.Walls.has(e) {
					want |= 1 << other
				}
			}
		}
		open := s.open()
		if got := open.around(m); got != want {
			t.Fatalf("%019b with walls %042b: got %019b, want %019b", m, s.Walls, got, want)
		}
		if got := grid.roads.around(m); got != free {
			t.Fatalf("%019b: got %019b, want %019b", m, got, free)
		}
	}
}
