package gametest

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

// History is one way a match can have gone: the state it led to, how often it counts, and for the spectator and each seat
// all that it has been sent, as a running hash.
type History[S comparable] struct {
	State  S
	Weight float64
	sent   [1 + game.MaxSeats]uint64
}

// Group is the histories that one seat cannot distinguish: the states they led to and how often each counts.
type Group[S comparable] struct {
	Seat  game.Seat
	State S // that one of them led to
	Ways  map[S]float64
	Total float64
}

// Histories are all ways that matches of a case can go, grouped by what a seat has been sent. The rules hide something.
type Histories[C any, S comparable, A, V, E any] struct {
	Rules game.Rules[C, S, A, V, E]
	Case
	Key    func(*S) S // what of a state is compared
	Groups map[string]*Group[S]
}

// Send adds to a history what everybody gets: the events, who is due, the view and the offer.
func (x *Histories[C, S, A, V, E]) Send(h *History[S], notes []game.Note[E]) {
	due := x.Rules.Due(&h.State)
	for seat := game.Spectator; int(seat) < x.Seats; seat++ {
		sum := fnv.New64a()
		_ = binary.Write(sum, binary.LittleEndian, h.sent[seat+1])
		for _, n := range notes {
			if (game.Event{For: n.For}).VisibleTo(seat) {
				_, _ = sum.Write(JSON(n.Event))
			}
		}
		_, _ = sum.Write(due.AppendJSON(JSON(x.Rules.View(&h.State, seat))))
		if due.Has(seat) {
			var o game.Offer[A]
			x.Rules.Offer(&h.State, seat, &o)
			_, _ = sum.Write(o.AppendJSON(nil))
		}
		h.sent[seat+1] = sum.Sum64()
	}
}

// Add files a history, after so many steps, under what each seat has been sent.
func (x *Histories[C, S, A, V, E]) Add(step int, h *History[S]) {
	if x.Groups == nil {
		x.Groups = map[string]*Group[S]{}
	}
	for seat := game.Spectator; int(seat) < x.Seats; seat++ {
		id := fmt.Sprint(step, seat, h.sent[seat+1])
		g := x.Groups[id]
		if g == nil {
			g = &Group[S]{Seat: seat, State: h.State, Ways: map[S]float64{}}
			x.Groups[id] = g
		}
		g.Ways[x.Key(&h.State)] += h.Weight
		g.Total += h.Weight
	}
}

// Drawn says which groups are drawn from, and how often.
type Drawn struct {
	Every   int     // group, but at night all of them
	Singles int     // of those of them with one state, how manieth
	Guessed int     // how manieth is drawn from its view, by StateFromView; the others by Resample
	Rarest  float64 // how often the least likely state is to be drawn; one that is possible is missed once in e to that power
}

// Compare holds the states drawn for groups against theirs: the same set, and the same frequencies by chi-square over all groups.
func (x *Histories[C, S, A, V, E]) Compare(t *testing.T, d Drawn) {
	t.Helper()
	c, err := ConfigOf(x.Rules, x.Case)
	if err != nil {
		t.Fatal(err)
	}
	var square, freedom float64
	largest, guesses := 0, 0
	for i, id := range slices.Sorted(maps.Keys(x.Groups)) {
		g := x.Groups[id]
		if i%d.Every != 0 && Nightly(2) == 1 || len(g.Ways) == 1 && i%(d.Every*d.Singles) != 0 {
			continue
		}
		largest = max(largest, len(g.Ways))
		guess := i/d.Every%d.Guessed == 0
		if guess {
			guesses++
		}
		square += x.deviation(t, c, g, guess, d.Rarest, game.Stream(Seed(len(g.Ways)), 0, id))
		freedom += float64(len(g.Ways) - 1)
	}
	z := (square - freedom) / math.Sqrt(2*freedom)
	t.Logf("%d groups of up to %d states, %d guessed, chi-square %.0f over %.0f degrees of freedom, z = %.2f", len(x.Groups), largest, guesses, square, freedom, z)
	if freedom == 0 || guesses == 0 || math.Abs(z) > 5 {
		t.Errorf("the draws do not have the frequencies of the histories: z = %.2f", z)
	}
}

// deviation draws states for a group and returns chi-square.
func (x *Histories[C, S, A, V, E]) deviation(t *testing.T, c C, g *Group[S], guess bool, rarest float64, r *game.Rand) (square float64) {
	t.Helper()
	view := x.Rules.View(&g.State, g.Seat)
	least := 1.0
	for _, n := range g.Ways {
		least = min(least, n/g.Total)
	}
	draws, seen := int(rarest/least)+1, map[S]int{}
	for range draws {
		s := g.State
		if !guess {
			x.Rules.(game.Resampler[S]).Resample(&s, g.Seat, r)
		} else if err := x.Rules.(game.Determinizer[C, V, S]).StateFromView(c, x.Seats, g.Seat, view, &s, r); err != nil {
			t.Fatalf("StateFromView: %v\nview %s", err, JSON(view))
		}
		k := x.Key(&s)
		if g.Ways[k] == 0 {
			t.Fatalf("seat %d, guess %v: drawn and impossible: %s\nview %s", g.Seat, guess, JSON(k), JSON(view))
		}
		seen[k]++
	}
	for k, n := range g.Ways {
		want := float64(draws) * n / g.Total
		if seen[k] == 0 {
			t.Fatalf("seat %d, guess %v: possible and never drawn in %d: %s\nview %s", g.Seat, guess, draws, JSON(k), JSON(view))
		}
		square += (float64(seen[k]) - want) * (float64(seen[k]) - want) / want
	}
	return square
}

// Orders calls f with every distinct order of a list.
func Orders[T comparable](list []T, f func([]T)) {
	var walk func(done, rest []T)
	walk = func(done, rest []T) {
		if len(rest) == 0 {
			f(done)
		}
		for i, x := range rest {
			if !slices.Contains(rest[:i], x) {
				walk(append(slices.Clone(done), x), slices.Delete(slices.Clone(rest), i, i+1))
			}
		}
	}
	walk(nil, list)
}

// Permutations calls f with every order of 0..n-1.
func Permutations(n int, f func([]int)) {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	Orders(list, f)
}
