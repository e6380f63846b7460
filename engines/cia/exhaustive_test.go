package cia

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
)

type (
	history   = gametest.History[State]
	histories = gametest.Histories[Config, State, Action, View, Event]
)

// drawn is from every ninth group, at night from all.
func drawn(guessed, singles int, rarest float64) gametest.Drawn {
	every := 9
	if gametest.Mutating() {
		every = 72
	}
	return gametest.Drawn{Every: every, Singles: singles, Guessed: guessed, Rarest: rarest}
}

// agents holds the chances of whose agent is which against the share of each group's histories.
func agents(t *testing.T, g *histories) {
	t.Helper()
	for _, x := range g.Groups {
		for _, q := range (Rules{}).Questions(&x.State, x.Seat) {
			for i, answer := range q.Answers {
				share := 0.0
				for s, n := range x.Ways {
					if s.Agent[q.About[0]-'0'].String() == answer {
						share += n / x.Total
					}
				}
				if math.Abs(q.P[i]-share) > 1e-9 {
					t.Fatalf("seat %d: want %s at seat %s by %v, got %v", x.Seat, answer, q.About, share, q.P[i])
				}
			}
		}
	}
}

// Base game, two seats, every roll a 1-3, two turns: every deal of the agents and every pair of moves. What a seat cannot
// tell apart is exactly what it is drawn, by Resample and by StateFromView.
func TestEveryHistoryOfTwoTurns(t *testing.T) {
	one := Rules{loaded: oneToThree}
	g := &histories{Rules: Rules{}, Case: gametest.Case{Seats: 2}, Key: func(s *State) State { return *s }}
	var deals []history
	for a := range Agent(5) {
		for b := range Agent(5) {
			if a != b {
				x := newBoard(t, ``, 2, func(x *board) { x.Roll = oneToThree; x.Agent[0], x.Agent[1] = a, b })
				h := history{State: x.State, Weight: 1}
				g.Send(&h, nil)
				g.Add(0, &h)
				deals = append(deals, h)
			}
		}
	}
	var o game.Offer[Action]
	Rules{}.Offer(&deals[0].State, 0, &o)
	next := func(h history, a Action, step int) history {
		var log game.Log[Event]
		one.Apply(&h.State, []game.Act[Action]{{Seat: h.State.Turn, Action: a}}, nil, &log)
		g.Send(&h, log.Notes)
		g.Add(step, &h)
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
	if want := 3 * (1 + len(moves) + len(moves)*len(moves)); len(o.List) != 55 || len(g.Groups) < want { // a seat's own agent splits them further
		t.Fatalf("want 55 moves and at least %d groups, got %d and %d", want, len(o.List), len(g.Groups))
	}
	g.Compare(t, drawn(10, 1, 20))
	agents(t, g)
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
			e := enumerate{histories: ofCards(x.config, x.seats), steps: x.steps + gametest.Nightly(20)/20}
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
			gametest.Orders(box, func(order []Card) {
				h := history{State: b.State, Weight: 1}
				rest := order
				for seat := range x.seats {
					h.State.HandN[seat] = int8(copy(h.State.Hand[seat][:], rest[:dealt]))
					rest = rest[dealt:]
				}
				h.State.DeckN = int8(copy(h.State.Deck[:], rest))
				e.Send(&h, nil)
				e.walk(t, h, 0)
			})
			t.Logf("%d histories", e.count)
			e.Compare(t, drawn(5, 1, 20))
		})
	}
}

// A hand of several cards from one deck, and then some of the next: a card played from it is likelier to be of the deck it
// holds more of, and what is left of either deck lies in as many orders as it has cards.
func TestEveryHistoryOfAHandFromTwoDecks(t *testing.T) {
	const a, b = SafeAnywhere, AllToChurch
	const config = `{"top_secret":true,"drawn_playable":"at_once","cards":{"safe_anywhere":3,"all_to_church":3}}`
	start := newBoard(t, config, 2, func(x *board) { x.hand(1, a, b, b); x.discarded(a, a, b); x.Roll = oneToThree })
	e := enumerate{histories: ofCards(config, 2), steps: 7}
	h := history{State: start.State, Weight: 1}
	e.Send(&h, nil)
	e.walk(t, h, 0)
	maps.DeleteFunc(e.Groups, func(_ string, x *gametest.Group[State]) bool { return len(x.Ways) == 1 })
	t.Logf("%d histories", e.count)
	e.Compare(t, drawn(5, 1, 1500))
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

// ofCards are histories whose cards alone are compared.
func ofCards(config string, seats int) *histories {
	return &histories{Rules: Rules{}, Case: gametest.Case{Config: config, Seats: seats}, Key: cardKey}
}

type enumerate struct {
	*histories
	steps int
	count int
}

// walk goes on from h in every way, up to the number of steps.
func (e *enumerate) walk(t *testing.T, h history, step int) {
	e.count++
	e.Add(step, &h)
	due := (Rules{}).Due(&h.State)
	if step == e.steps || due == 0 {
		return
	}
	seat := due.Lowest()
	for _, a := range fewActions(&h.State, seat) {
		copies := 1.0
		if a.Kind == ActCard {
			copies = 0
			for _, c := range h.State.Hand[seat][:h.State.playable(seat)] {
				if c == a.Card {
					copies++
				}
			}
		}
		for _, next := range outcomes(&h.State, seat, a) {
			n := h
			n.State = next.s
			n.Weight *= copies
			e.Send(&n, next.notes)
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
