package coins

import (
	"math"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

// TestAPlanGivesEveryContactItsRateAndWastesNothing: random contacts of random bodies. No impulse pulls; every rate rises by
// at least what it lacks; a contact that parts faster has no impulse.
func TestAPlanGivesEveryContactItsRateAndWastesNothing(t *testing.T) {
	r := game.Stream(game.Seed{13}, 0, "plan")
	unit := func() float64 { return float64(r.IntN(2001)-1000) / 1000 }
	held := map[int]int{}
	for n := range 3000 {
		// Contacts as directions of push in the space of all velocities: more directions than contacts, so they are independent.
		p := plan{n: 1 + r.IntN(6)}
		var way [maxContacts][8]float64
		for k := range p.n {
			for i := range way[k] {
				way[k][i] = unit()
			}
			p.lack[k] = 10 * unit()
			if r.IntN(6) == 0 {
				p.lack[k] = -never
			}
		}
		for k := range p.n {
			for l := range p.n {
				for i := range way[k] {
					p.ease[k][l] += way[k][i] * way[l][i]
				}
			}
		}
		p.run()
		count := 0
		for k := range p.n {
			switch lack := p.lacking(k); {
			case p.impulse[k] < 0:
				t.Fatalf("plan %d: contact %d is pulled by %g", n, k, p.impulse[k])
			case lack > 1e-7:
				t.Fatalf("plan %d: contact %d still lacks %g", n, k, lack)
			case p.impulse[k] > 0 && lack < -1e-7:
				t.Fatalf("plan %d: contact %d has an impulse of %g, and parts by %g too fast", n, k, p.impulse[k], -lack)
			case p.impulse[k] > 0:
				count++
			}
		}
		held[count]++
	}
	for count := range 5 {
		if held[count] == 0 {
			t.Errorf("no plan had %d contacts at work: %v", count, held)
		}
	}
}

// TestSharesSolveForTheContactsHeld, with the largest pivot first: the second row has hardly one of its own.
func TestSharesSolveForTheContactsHeld(t *testing.T) {
	for name, m := range map[string][3][3]float64{
		"plain":                  {{4, 1, 2}, {1, 3, 0}, {2, 0, 5}},
		"hardly a first pivot":   {{1e-20, 1, 2}, {1, 3, 0}, {2, 0, 5}},
		"a first pivot below 0":  {{1e-20, 1, 2}, {-1, 3, 0}, {1e-18, 0, 5}},
		"hardly a second pivot":  {{1, 1, 1}, {1, 1, 2}, {1, 2, 1}},
		"of very unequal bodies": {{1e6, 1, 2}, {1, 3, 0}, {2, 0, 5e-3}},
	} {
		p := plan{n: 4, held: 3, set: [maxContacts]int{2, 0, 3}}
		want := [3]float64{1, -2, 3}
		for i, a := range p.set[:3] {
			for j, b := range p.set[:3] {
				p.ease[a][b] = m[i][j]
				p.ease[a][1] += m[i][j] * want[j]
			}
		}
		for i, x := range p.shares(1) {
			if i < 3 && !(math.Abs(x-want[i]) <= 1e-9) || i >= 3 && x != 0 {
				t.Errorf("%s: share %d: got %g, want %v and then 0", name, i, x, want)
			}
		}
	}
}

// TestAWishThatFollowsFromThoseHeldIsLeft: two contacts that are one, the second wishing no more than the first gets.
func TestAWishThatFollowsFromThoseHeldIsLeft(t *testing.T) {
	p := plan{n: 3, lack: [maxContacts]float64{3, 3 + 1e-9, 1}}
	for k := range p.n {
		for l := range p.n {
			p.ease[k][l] = 2
		}
	}
	p.run()
	if sum := p.impulse[0] + p.impulse[1] + p.impulse[2]; math.Abs(sum-1.5) > 1e-6 {
		t.Errorf("three contacts that are one: want impulses of 1.5 in all, got %v", p.impulse[:3])
	}
}
