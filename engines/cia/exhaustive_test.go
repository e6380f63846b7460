package cia

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
)

// history is one way a match can have gone: the state it led to, how often it counts, and for the spectator and each seat
// all that it has been sent, as a running hash.
type history struct {
	s      State
	weight float64
	sent   [1 + maxSeats]uint64
}

// send adds what everybody gets: the events, who is due, the view and the offer.
func (h *history) send(notes []game.Note[Event]) {
	for seat := game.Spectator; int8(seat) < h.s.Seats; seat++ {
		sum := fnv.New64a()
		_ = binary.Write(sum, binary.LittleEndian, h.sent[seat+1])
		for _, n := range notes {
			if (game.Event{For: n.For}).VisibleTo(seat) {
				_, _ = sum.Write(mustJSON(n.Event))
			}
		}
		due := (Rules{}).Due(&h.s)
		_, _ = sum.Write(due.AppendJSON(mustJSON(Rules{}.View(&h.s, seat))))
		if due.Has(seat) {
			var o game.Offer[Action]
			Rules{}.Offer(&h.s, seat, &o)
			_, _ = sum.Write(o.AppendJSON(nil))
		}
		h.sent[seat+1] = sum.Sum64()
	}
}

// group is the histories that one seat cannot distinguish: the states they led to and how often each counts.
type group struct {
	seat  game.Seat
	state State
	ways  map[State]float64
	total float64
}

type groups map[string]*group

// add files the histories of a moment under what each seat has been sent.
func (g groups) add(step int, h *history, key func(*State) State) {
	for seat := game.Spectator; int8(seat) < h.s.Seats; seat++ {
		id := fmt.Sprint(step, seat, h.sent[seat+1])
		x := g[id]
		if x == nil {
			x = &group{seat: seat, state: h.s, ways: map[State]float64{}}
			g[id] = x
		}
		x.ways[key(&h.s)] += h.weight
		x.total += h.weight
	}
}

// compare draws from every ninth group (at night from all), from a state by Resample and, in every nth of them, from its
// view by StateFromView, and holds the states drawn against the states of the group: the same set, and the same frequencies by
// chi-square over all groups. rarest is how often the least likely state is to be drawn; one that is possible is missed once
// in e to that power.
func (g groups) compare(t *testing.T, config string, key func(*State) State, nth int, rarest float64) {
	t.Helper()
	c, err := readConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	var square, freedom float64
	for i, id := range gametest.Thinned(slices.Sorted(maps.Keys(g)), 8) {
		if i%9 != 0 && gametest.Nightly(20) == 1 {
			continue
		}
		x := g[id]
		r := game.Stream(gametest.Seed(len(x.ways)), 0, id)
		view := Rules{}.View(&x.state, x.seat)
		guess := i/9%nth == 0
		seen := map[State]int{}
		least := 1.0
		for _, n := range x.ways {
			least = min(least, n/x.total)
		}
		draws := int(rarest/least) + 1
		for range draws {
			s := x.state
			if guess {
				if err := (Rules{}).StateFromView(c, int(s.Seats), x.seat, view, &s, r); err != nil {
					t.Fatalf("Guess: %v", err)
				}
			} else {
				Rules{}.Resample(&s, x.seat, r)
			}
			k := key(&s)
			if x.ways[k] == 0 {
				t.Fatalf("seat %d, guess %v: drawn and impossible: %s\nview %s", x.seat, guess, describeKey(&s), mustJSON(view))
			}
			seen[k]++
		}
		for k, n := range x.ways {
			want := float64(draws) * n / x.total
			if seen[k] == 0 {
				t.Fatalf("seat %d, guess %v: possible and never drawn in %d, view %s", x.seat, guess, draws, mustJSON(view))
			}
			square += (float64(seen[k]) - want) * (float64(seen[k]) - want) / want
		}
		freedom += float64(len(x.ways) - 1)
	}
	z := (square - freedom) / math.Sqrt(2*freedom)
	t.Logf("%d groups, chi-square %.0f over %.0f degrees of freedom, z = %.2f", len(g), square, freedom, z)
	if freedom == 0 || math.Abs(z) > 5 {
		t.Errorf("the draws do not have the frequencies of the histories: z = %.2f", z)
	}
}

// agents holds the chances of whose agent is which against the share of each group's histories.
func (g groups) agents(t *testing.T) {
	t.Helper()
	for _, x := range g {
		for _, q := range (Rules{}).Questions(&x.state, x.seat) {
			for i, answer := range q.Answers {
				share := 0.0
				for s, n := range x.ways {
					if s.Agent[q.About[0]-'0'].String() == answer {
						share += n / x.total
					}
				}
				if math.Abs(q.P[i]-share) > 1e-9 {
					t.Fatalf("seat %d: want %s at seat %s by %v, got %v", x.seat, answer, q.About, share, q.P[i])
				}
			}
		}
	}
}

func describeKey(s *State) string {
	b, _ := json.Marshal(struct {
		Hands [maxSeats][]string
		Deck  []string
		Fresh [maxSeats]int8
		Trail *trailView
	}{
		Hands: handsOf(s),
		Deck:  game.WordsOf(s.Deck[:s.DeckN]),
		Fresh: s.Fresh,
		Trail: s.trailView(game.Spectator),
	})
	return string(b)
}

func handsOf(s *State) (out [maxSeats][]string) {
	for i := range s.Seats {
		out[i] = game.WordsOf(s.Hand[i][:s.HandN[i]])
	}
	return out
}

// Base game, two seats, every roll a 1-3, two turns: every deal of the agents and every pair of moves. What a seat cannot
// tell apart is exactly what it is drawn, by Resample and by StateFromView.
func TestEveryHistoryOfTwoTurns(t *testing.T) {
	key := func(s *State) State { return *s }
	g := groups{}
	one := Rules{loaded: oneToThree}
	var deals []history
	for a := range Agent(5) {
		for b := range Agent(5) {
			if a != b {
				x := newBoard(t, ``, 2, func(x *board) { x.Roll = oneToThree; x.Agent[0], x.Agent[1] = a, b })
				h := history{s: x.State, weight: 1}
				h.send(nil)
				g.add(0, &h, key)
				deals = append(deals, h)
			}
		}
	}
	var o game.Offer[Action]
	Rules{}.Offer(&deals[0].s, 0, &o)
	next := func(h history, a Action, step int) history {
		var log game.Log[Event]
		one.Apply(&h.s, []game.Act[Action]{{Seat: h.s.Turn, Action: a}}, nil, &log)
		h.send(log.Notes)
		g.add(step, &h, key)
		return h
	}
	moves := gametest.Thinned(o.List, 3)
	for _, first := range moves {
		for k := range deals {
			h := next(deals[k], first, 1)
			for _, second := range moves {
				next(h, second, 2)
			}
		}
	}
	if want := 3 * (1 + len(moves) + len(moves)*len(moves)); len(o.List) != 55 || len(g) < want { // a seat's own agent splits them further
		t.Fatalf("want 55 moves and at least %d groups, got %d and %d", want, len(o.List), len(g))
	}
	g.compare(t, ``, key, 10, 20)
	g.agents(t)
}

// Top Secret with few cards, so that the discard is shuffled again soon: every order of the box, every reshuffle and, of
// each card, one way to play it. A history counts once for every copy that could have been played.
func TestEveryHistoryOfTheCards(t *testing.T) {
	for _, x := range []struct {
		name, config string
		seats, steps int
		edit         func(*board)
	}{
		{"two of a kind", `{"top_secret":true,"cards":{"safe_anywhere":2,"all_to_church":2,"agent_to_ruin":1}}`, 2, 6, nil},
		{"three seats", `{"top_secret":true,"cards":{"safe_anywhere":2,"all_to_church":3,"agent_to_safe":1}}`, 3, 7, nil},
		{"drawn cards are playable", `{"top_secret":true,"drawn_playable":"at_once","cards":{"safe_anywhere":3,"all_to_church":2}}`, 2, 7, nil},
		{
			"the last free agent is taken", `{"top_secret":true,"cards":{"take_free_agent":3,"all_to_church":2,"safe_anywhere":1}}`, 2, 6,
			func(b *board) { b.Extra[0] = Agents(0).With(orange).With(red) },
		},
		{
			"the last free agent is taken, at once", `{"top_secret":true,"drawn_playable":"at_once","cards":{"take_free_agent":2,"all_to_church":3,"safe_anywhere":1}}`, 2, 6,
			func(b *board) { b.Extra[1] = Agents(0).With(orange).With(red) },
		},
	} {
		t.Run(x.name, func(t *testing.T) {
			g := groups{}
			e := enumerate{g: g, steps: x.steps + gametest.Nightly(20)/20}
			if gametest.Mutating() {
				e.steps--
			}
			b := newBoard(t, x.config, x.seats, x.edit)
			b.Roll = oneToThree
			var box []Card
			for c, n := range b.Box {
				for range n {
					box = append(box, Card(c))
				}
			}
			orders(box, func(order []Card) {
				h := history{s: b.State, weight: 1}
				rest := order
				for seat := range x.seats {
					h.s.HandN[seat] = int8(copy(h.s.Hand[seat][:], rest[:dealt]))
					rest = rest[dealt:]
				}
				h.s.DeckN = int8(copy(h.s.Deck[:], rest))
				h.send(nil)
				e.walk(t, h, 0)
			})
			t.Logf("%d histories", e.count)
			g.compare(t, x.config, cardKey, 5, 20)
		})
	}
}

// A hand of several cards from one deck, and then some of the next: a card played from it is likelier to be of the deck it
// holds more of, and what is left of either deck lies in as many orders as it has cards.
func TestEveryHistoryOfAHandFromTwoDecks(t *testing.T) {
	const a, b = SafeAnywhere, AllToChurch
	const config = `{"top_secret":true,"drawn_playable":"at_once","cards":{"safe_anywhere":3,"all_to_church":3}}`
	start := newBoard(t, config, 2, func(x *board) { x.hand(1, a, b, b); x.discarded(a, a, b); x.Roll = oneToThree })
	e := enumerate{g: groups{}, steps: 7}
	h := history{s: start.State, weight: 1}
	h.send(nil)
	e.walk(t, h, 0)
	maps.DeleteFunc(e.g, func(_ string, x *group) bool { return len(x.ways) == 1 })
	t.Logf("%d histories", e.count)
	e.g.compare(t, config, cardKey, 5, 1500)
}

// cardKey returns all of a state but who runs which agent, and the order of the cards in a hand, which changes nothing: only
// which of them were drawn this turn does.
func cardKey(s *State) State {
	x := *s
	for i := range x.Seats {
		old := x.HandN[i] - x.Fresh[i]
		slices.Sort(x.Hand[i][:old])
		slices.Sort(x.Hand[i][old:x.HandN[i]])
	}
	x.Agent, x.Extra = [maxSeats]Agent{}, [maxSeats]Agents{}
	return x
}

// orders calls f with every distinct order of the sorted list.
func orders(list []Card, f func([]Card)) {
	var walk func(done, rest []Card)
	walk = func(done, rest []Card) {
		if len(rest) == 0 {
			f(done)
			return
		}
		for i, c := range rest {
			if i > 0 && rest[i-1] == c {
				continue
			}
			next := append(append([]Card{}, rest[:i]...), rest[i+1:]...)
			walk(append(append([]Card{}, done...), c), next)
		}
	}
	walk(nil, list)
}

type enumerate struct {
	g     groups
	steps int
	count int
}

// walk goes on from h in every way, up to the number of steps.
func (e *enumerate) walk(t *testing.T, h history, step int) {
	e.count++
	e.g.add(step, &h, cardKey)
	due := (Rules{}).Due(&h.s)
	if step == e.steps || due == 0 {
		return
	}
	seat := due.Lowest()
	for _, a := range fewActions(&h.s, seat) {
		copies := 1.0
		if a.Kind == ActCard {
			copies = 0
			for _, c := range h.s.Hand[seat][:h.s.playable(seat)] {
				if c == a.Card {
					copies++
				}
			}
		}
		for _, next := range outcomes(&h.s, seat, a) {
			n := h
			n.s = next.s
			n.weight *= copies
			n.send(next.notes)
			e.walk(t, n, step+1)
		}
	}
}

// fewActions returns the first legal way to use each card, and passing; a move is none, which draws a card.
func fewActions(s *State, seat game.Seat) (out []Action) {
	if s.Phase == PhaseMove {
		return []Action{{Kind: ActMove}}
	}
	var o game.Offer[Action]
	Rules{}.Offer(s, seat, &o)
	for i, a := range o.List {
		if i == 0 || a.Kind == ActCard && a.Card != o.List[i-1].Card || a.Kind == ActCard && o.List[i-1].Kind != ActCard {
			out = append(out, a)
		}
	}
	return out
}

type outcome struct {
	s     State
	notes []game.Note[Event]
}

// outcomes returns every state that a can lead to. Only a reshuffle leaves a choice: at most six cards in 60 orders, tried often enough.
func outcomes(s *State, seat game.Seat, a Action) (out []outcome) {
	seen := map[State]bool{}
	tries := 1
	for i := 0; i < tries; i++ {
		apply := func(log *game.Log[Event]) State {
			x := *s
			Rules{loaded: oneToThree}.Apply(&x, []game.Act[Action]{{Seat: seat, Action: a}}, game.Stream(gametest.Seed(i), 0, "outcome"), log)
			return x
		}
		x := outcome{s: apply(nil)}
		k := cardKey(&x.s)
		if seen[k] {
			continue
		}
		seen[k] = true
		var log game.Log[Event]
		apply(&log)
		x.notes = log.Notes
		out = append(out, x)
		for _, n := range log.Notes {
			if _, ok := n.Event.(reshuffleEvent); ok {
				tries = 1200
			}
		}
	}
	return out
}
