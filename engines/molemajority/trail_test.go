package molemajority

import (
	"math"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
)

// counted returns how many there are of each card.
func counted(cards ...Card) (out Counts) {
	for _, c := range cards {
		out[c]++
	}
	return out
}

// trailRow is a hand known when the deck was shuffled again, and what was played of it since.
type trailRow struct {
	name        string
	known, deck []Card
	plays       []Card
	hands       []int8 // before each play
	hand        int8   // in the end
}

// histories counts what can be left of the known hand over every order of the deck and every copy played; with numbers only
// those that end with a NUMBER CARD in hand.
func (x *trailRow) histories(numbers bool) map[Counts]float64 {
	out := map[Counts]float64{}
	type card struct {
		kind  Card
		known bool
	}
	gametest.Permutations(len(x.deck), func(order []int) {
		var walk func(hand []card, drawn, step int)
		walk = func(hand []card, drawn, step int) {
			size := x.hand
			if step < len(x.plays) {
				size = x.hands[step]
			}
			for len(hand) < int(size) {
				hand = append(hand[:len(hand):len(hand)], card{kind: x.deck[order[drawn]]})
				drawn++
			}
			if step == len(x.plays) {
				var left, all Counts
				for _, c := range hand {
					if all[c.kind]++; c.known {
						left[c.kind]++
					}
				}
				if !numbers || all[Number4]+all[Number3]+all[Number2] > 0 {
					out[left]++
				}
				return
			}
			for i, c := range hand {
				if c.kind == x.plays[step] {
					rest := append(append([]card{}, hand[:i]...), hand[i+1:]...)
					walk(rest, drawn, step+1)
				}
			}
		}
		hand := make([]card, len(x.known))
		for i, c := range x.known {
			hand[i] = card{c, true}
		}
		walk(hand, 0, 0)
	})
	return out
}

// TestWhatIsLeftOfAKnownHandIsAsLikelyAsItsHistories: every order of a small deck and every copy that can have been played.
func TestWhatIsLeftOfAKnownHandIsAsLikelyAsItsHistories(t *testing.T) {
	for _, x := range []trailRow{
		{"one of two alike, after a draw", []Card{Number3, Convert}, []Card{Number3, Number2, Convert, GopherIt}, []Card{Number3}, []int8{3}, 3},
		{"two played", []Card{Number3, Number3, Convert}, []Card{Number3, Convert, Convert, Number2}, []Card{Number3, Convert}, []int8{4, 4}, 4},
		{"three played, few held", []Card{Convert, Convert}, []Card{Convert, Number4, GopherIt, Convert, Number4}, []Card{Convert, Number4, Convert}, []int8{3, 3, 3}, 3},
		{"played before any draw", []Card{Convert, Number2, Number2}, []Card{Number2, Convert, CaveIn}, []Card{Number2, Number2}, []int8{3, 3}, 3},
		{"all that was known is played", []Card{CaveIn, Number4}, []Card{CaveIn, Number4, Number3, Number2}, []Card{CaveIn, Number4}, []int8{4, 4}, 3},
		{"the deck is empty", []Card{Convert, GopherIt}, []Card{Convert, GopherIt}, []Card{Convert}, []int8{4}, 3},
		{"nothing played", []Card{Convert, GopherIt}, []Card{Convert, Number2}, nil, nil, 3},
		{"no number known, one in the deck", []Card{Convert, Convert}, []Card{Convert, Number2, GopherIt}, []Card{Convert}, []int8{3}, 2},
		{"numbers known, none in the deck", []Card{Number4, Number2, Convert}, []Card{Convert, GopherIt, CaveIn}, []Card{Number4, Convert}, []int8{4, 4}, 3},
		{"only a number_2 known, nothing drawn", []Card{Number2, Convert}, []Card{Convert, GopherIt}, []Card{Convert}, []int8{2}, 1},
		{"no number anywhere", []Card{Convert, Convert}, []Card{Convert, GopherIt}, []Card{Convert}, []int8{3}, 2},
	} {
		trail := trail{On: true, Known: counted(x.known...)}
		unseen := counted(append(append([]Card{}, x.known...), x.deck...)...)
		for i, c := range x.plays {
			trail.Plays[i] = Play{c, x.hands[i]}
			trail.N++
			unseen[c]--
		}
		for _, numbers := range []bool{false, true} {
			want := x.histories(numbers)
			all, sum := 0.0, 0.0
			for _, n := range x.histories(false) {
				all += n
			}
			var left lefts
			if ok := left.follow(&trail, unseen, x.hand, numbers); ok != (len(want) > 0) {
				t.Fatalf("%s, numbers %v: something fits is %v, and there are %d ways", x.name, numbers, ok, len(want))
			}
			for _, w := range left.weight[:left.stride[Cards]] {
				sum += w
			}
			for i, w := range left.weight[:left.stride[Cards]] {
				n := want[left.at(i)]
				if (w > 0) != (n > 0) || !numbers && math.Abs(w/sum-n/all) > 1e-12 {
					t.Errorf("%s, numbers %v: %v is left with weight %g of %g, in %g of %g histories", x.name, numbers, left.at(i), w, sum, n, all)
				}
			}
		}
	}
}

// TestWhatIsLeftIsDrawnByItsWeight.
func TestWhatIsLeftIsDrawnByItsWeight(t *testing.T) {
	var x lefts
	known := counted(Convert, Convert, GopherIt)
	x.stride[0] = 1
	for c, copies := range known {
		x.stride[c+1] = x.stride[c] * int(copies+1)
	}
	copy(x.weight[:], []float64{3, 0, 1, 0, 4, 0}) // by copies of Convert, then of GopherIt
	r := game.Stream(gametest.Seed(2), 0, "left")
	const draws = 8000
	seen := map[Counts]float64{}
	for range draws {
		seen[x.draw(r)]++
	}
	for i, w := range x.weight[:6] {
		if got, want := seen[x.at(i)], w*draws/8; math.Abs(got-want) > 5*math.Sqrt(want) {
			t.Errorf("%v: drawn %g times, want about %g", x.at(i), got, want)
		}
	}
}

// TestAHandThatMustHaveANumberHasOne: of the seat that chooses one for its Groundskeeper, of no other.
func TestAHandThatMustHaveANumberHasOne(t *testing.T) {
	for number, alone := range map[Card]bool{Number4: true, Number3: true, Number2: true} {
		b := newBoard(t, ``, 3, func(b *board) {
			for seat := 1; seat <= 2; seat++ {
				b.hand(seat, number)
				b.deck(seat, Convert, Convert)
			}
			b.Active, b.Played, b.PartN = 1, Groundskeeper1, 2
			b.Parts = [maxParts]Part{{DoNumber, 1}, {DoBreed, 1}}
		})
		r := game.Stream(gametest.Seed(3), 0, "number")
		for range 60 {
			s := b.State
			Rules{}.Resample(&s, 0, r)
			if s.Hand[1][number] == 0 {
				t.Fatalf("%s: the active seat has none in %v", number, s.Hand[1])
			}
			alone = alone && s.Hand[2][number] > 0
		}
		if alone {
			t.Errorf("%s: the other seat always has one too", number)
		}
	}
}
