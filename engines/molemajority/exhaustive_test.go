package molemajority

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

type history = gametest.History[State]

// cardKey returns all of a state but the home tokens, which have a test of their own, and seat 1's cards, which begin in one way
// and bear on nothing.
func cardKey(s *State) State {
	x := *s
	x.Hand[1], x.Deck[1] = Counts{}, [maxDeck]Card{}
	x.Home, x.Homes, x.Pile = [hexes]int8{}, [MaxSeats][maxValue]int8{}, [maxHomes]int8{}
	return x
}

// wholeBoard is a board of two seats as a match can have it.
func wholeBoard(b *board) {
	b.at("2,0:-|..... 0,2:-|..... -2,0:-|..... 0,-2:-|..... 1,1:A|aa....")
	b.Homed = b.Tiles &^ (b.Claimed[0] | b.Claimed[1])
	for m := b.Homed; m != 0; m &= m - 1 {
		b.Home[m.Lowest()] = 2
	}
}

const fewTokens = `"home_tokens":{"1":1,"2":11,"3":1}`

// Every order of a small deck, every way to play and, of every card played, each copy; where the discard is shuffled again,
// every order. What a seat cannot distinguish is exactly what it is drawn.
func TestEveryHistoryOfTheCards(t *testing.T) {
	for _, x := range []struct {
		name, config string
		steps, every int
		edit         func(*board)
		orders       []Card // of seat 0's hand and deck; nil: as edit says
	}{
		{
			"from the deal", `{"deck":{"number_3":3,"number_2":1,"groundskeeper_1":1},"hand":3,` + fewTokens + `}`, 4, 5,
			func(b *board) { b.deck(1, Number3, Number3); b.hand(1, Number3, Number3, Number3) },
			[]Card{Number3, Number2, Number2, Groundskeeper1, Groundskeeper1},
		},
		{
			"a known hand and a deck shuffled again", `{"deck":{"number_3":2,"number_2":1,"groundskeeper_1":1,"convert":1},"hand":2,` + fewTokens + `}`, 10, 13,
			func(b *board) {
				b.deck(1, Number3, Convert, Convert)
				b.hand(1, Number3, Number3)
				b.hand(0, Number2, Groundskeeper1)
				b.deck(0)
				b.junk(0, Number2, Number3, Groundskeeper1)
			}, nil,
		},
		{
			"with Gophers", `{"deck":{"number_4":1,"number_3":3,"gopher_it":1},"hand":2,` + fewTokens + `}`, 11, 5,
			func(b *board) {
				b.deck(1)
				b.hand(1, Number3, Number3)
				b.junk(1, Number3, Number4, Number4)
				b.hand(0, GopherIt, Number3)
				b.deck(0)
				b.junk(0, Number3, GopherIt, Number3)
			}, nil,
		},
	} {
		t.Run(x.name, func(t *testing.T) {
			if gametest.Mutating() {
				x.steps -= 1 + x.steps/10
			}
			e := enumerate{steps: x.steps}
			e.Rules, e.Case, e.Key = Rules{}, gametest.Case{Config: x.config, Seats: 2}, cardKey
			b := newBoard(t, x.config, 2, func(b *board) { wholeBoard(b); x.edit(b) })
			deal := func(s State) {
				h := history{State: s, Weight: 1}
				e.Send(&h, nil)
				e.walk(h, 0)
			}
			if x.orders == nil {
				deal(b.State)
			} else {
				gametest.Orders(x.orders, func(order []Card) {
					b.hand(0, order[:b.FullHand]...)
					b.deck(0, order[b.FullHand:]...)
					deal(b.State)
				})
			}
			t.Logf("%d histories", e.count)
			e.Compare(t, gametest.Drawn{Every: x.every, Singles: 50, Guessed: 4, Rarest: 20})
		})
	}
}

type enumerate struct {
	gametest.Histories[Config, State, Action, View, Event]
	steps int
	count int
}

// walk goes on from h in every way, up to the number of decisions about cards.
func (e *enumerate) walk(h history, step int) {
	e.count++
	e.Add(step, &h)
	s := &h.State
	if step == e.steps || s.Phase == PhaseOver {
		return
	}
	for _, a := range listOf(s, s.Active) {
		if (s.Active == 1) != (a.Kind == ActDiscardHand) { // seat 0 plays or ends its turn, seat 1 gives the turn back
			continue
		}
		copies := 1.0
		if a.Kind == ActPlay || a.Kind == ActStack {
			copies = float64(s.Hand[s.Active][a.Card])
		}
		next, all := outcomes(s, a), 0.0
		for _, x := range next {
			all += x.orders
		}
		for _, x := range next {
			n := h
			n.State, n.Weight = x.s, h.Weight*copies*x.orders/all
			e.Send(&n, x.notes)
			e.walk(n, step+1)
		}
	}
}

type outcome struct {
	s      State
	notes  []game.Note[Event]
	orders float64 // of the pile that was shuffled, which lead to it
}

// outcomes returns every state that a can lead to, once all that is no decision about cards has been skipped. Only a reshuffle
// of seat 0's pile leaves a choice: all its orders are as likely, and it is tried often enough.
func outcomes(s *State, a Action) (out []outcome) {
	seen := map[State]bool{}
	tries := 1
	for i := 0; i < tries; i++ {
		x, log, r := *s, game.Log[Event]{}, game.Stream(gametest.Seed(i), 0, "outcome")
		Rules{}.Apply(&x, []game.Act[Action]{{Seat: s.Active, Action: a}}, r, &log)
		for part := x.Current(); part != DoNothing && part != DoNumber && part != DoSwap && part != DoRoll; part = x.Current() {
			Rules{}.Apply(&x, []game.Act[Action]{{Seat: x.Active, Action: Action{Kind: ActDone}}}, r, &log)
		}
		if x.Current() == DoRoll {
			Rules{}.Apply(&x, []game.Act[Action]{{Seat: x.Active, Action: Action{Kind: ActDone}}}, r, &log)
			if x.Current() == DoBreed {
				Rules{}.Apply(&x, []game.Act[Action]{{Seat: x.Active, Action: Action{Kind: ActDone}}}, r, &log)
			}
		}
		if seen[x] {
			continue
		}
		seen[x] = true
		shuffled, orders := false, 1.0
		for _, n := range log.Notes {
			switch e := n.Event.(type) {
			case shuffleEvent:
				shuffled = shuffled || e.Seat == 0
			case drawEvent:
				if shuffled && n.For == game.Only(0) {
					tries, orders = 1500, drawOrders(e.Cards, s.Deck[0][:s.DeckN[0]])
				}
			}
		}
		out = append(out, outcome{x, log.Notes, orders})
	}
	return out
}

// drawOrders returns in how many orders cards can have come of a shuffled pile, when what was left of the deck before had come first.
func drawOrders(cards []string, before []Card) float64 {
	drawn := map[string]int{}
	for _, c := range cards {
		drawn[c]++
	}
	for _, c := range before {
		drawn[cardNames[c]]--
	}
	orders, n := 1.0, 0
	for _, copies := range drawn {
		for k := range copies {
			n++
			orders *= float64(n) / float64(k+1)
		}
	}
	return orders
}

// Home tokens: every way in which those that a seat does not know can lie.
func TestEveryWayOfTheHomeTokens(t *testing.T) {
	b := newBoard(t, ``, 3, func(b *board) {
		b.Homed = 0
		for i, h := range []Hex{grid.centre, grid.ring.Lowest()} {
			b.Homed |= 1 << h
			b.Home[h] = int8(1 + i)
		}
		b.Pile, b.PileN = [maxHomes]int8{3}, 1
		b.Homes[0] = [maxValue]int8{0, 1}
		b.Homes[1] = [maxValue]int8{1, 0, 1}
		b.Homes[2] = [maxValue]int8{1}
	})
	for seat, tokens := range map[game.Seat][]Card{game.Spectator: {1, 2, 3, 2, 1, 3, 1}, 0: {1, 2, 3, 1, 3, 1}, 1: {1, 2, 3, 2, 1}} {
		ways := map[[3]any]int{}
		key := func(s *State) [3]any { return [3]any{s.Home, s.Pile, s.Homes} }
		total := 0
		gametest.Permutations(len(tokens), func(p []int) {
			s, n := b.State, 0
			next := func() int8 { n++; return int8(tokens[p[n-1]]) }
			for m := s.Homed; m != 0; m &= m - 1 {
				s.Home[m.Lowest()] = next()
			}
			s.Pile[0] = next()
			for other := range game.Seat(3) {
				if other != seat {
					k := s.homeCount(other)
					s.Homes[other] = [maxValue]int8{}
					for range k {
						s.Homes[other][next()-1]++
					}
				}
			}
			ways[key(&s)]++
			total++
		})
		for _, q := range (Rules{}).Questions(&b.State, seat) {
			for i, answer := range q.Answers {
				n := 0
				for k, times := range ways {
					if strconv.Itoa(worth(k[2].([MaxSeats][maxValue]int8)[q.About[0]-'0'])) == answer {
						n += times
					}
				}
				if want := float64(n) / float64(total); math.Abs(q.P[i]-want) > 1e-9 {
					t.Errorf("seat %d: want %s points at seat %s by %v, got %v", seat, answer, q.About, want, q.P[i])
				}
			}
		}
		seen := map[[3]any]int{}
		const draws = 60_000
		r := game.Stream(gametest.Seed(int(seat)+1), 0, "tokens")
		for range draws {
			s := b.State
			Rules{}.Resample(&s, seat, r)
			seen[key(&s)]++
		}
		square := 0.0
		for k, n := range ways {
			want := draws * float64(n) / float64(total)
			square += (float64(seen[k]) - want) * (float64(seen[k]) - want) / want
			delete(seen, k)
		}
		freedom := float64(len(ways) - 1)
		if z := (square - freedom) / math.Sqrt(2*freedom); len(seen) > 0 || math.Abs(z) > 5 {
			t.Errorf("seat %d: %d ways, %d drawn and impossible, z = %.2f", seat, len(ways), len(seen), z)
		}
	}
}

// Undrawn tiles: every order is as likely, from a state and from a view.
func TestEveryOrderOfTheTiles(t *testing.T) {
	c, err := gametest.ConfigOf(Rules{}, gametest.Case{Config: `{"tiles":{"3":1,"4":8,"5":2,"6":2}}`, Seats: 2})
	must.OK(t, err)
	var s State
	r := game.Stream(gametest.Seed(5), 0, "tiles")
	Rules{}.Deal(&s, c, 2, r, nil)
	list := slices.Clone(s.Stack[:s.Tiled])
	ways := map[[4]int8]int{}
	gametest.Permutations(len(list), func(p []int) { ways[[4]int8{list[p[0]], list[p[1]], list[p[2]], list[p[3]]}]++ })
	for name, draw := range map[string]func(*State) error{
		"Resample": func(x *State) error { *x = s; Rules{}.Resample(x, 0, r); return nil },
		"Guess":    func(x *State) error { return Rules{}.StateFromView(c, 2, 0, Rules{}.View(&s, 0), x, r) },
	} {
		seen := map[[4]int8]int{}
		for range 2400 {
			var x State
			must.OK(t, draw(&x))
			seen[[4]int8(x.Stack[:4])]++
		}
		for order, n := range ways { // 100 each way of 24, standard deviation 10
			if want := 100 * n; math.Abs(float64(seen[order]-want)) > 5*math.Sqrt(float64(want)) {
				t.Errorf("%s: %v: want about %d, got %d", name, order, want, seen[order])
			}
		}
		if len(seen) != len(ways) || s.Tiled != 4 || len(ways) < 4 {
			t.Errorf("%s: %d orders of %d, %d tiles", name, len(seen), len(ways), s.Tiled)
		}
	}
}
