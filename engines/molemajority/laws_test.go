package molemajority

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
)

// pairs returns how many pairs of twins each table of both lists has: more than 10,000 in all, at night more than 10,000,000.
func pairs() int {
	if gametest.Mutating() {
		return 150
	}
	return 1700 * gametest.Nightly(500)
}

func hidden() gametest.Hidden[State] {
	h := gametest.Hidden[State]{Facts: facts, Possible: possible, Draws: 1500}
	if gametest.Mutating() {
		h.Draws = 400
	}
	return h
}

func TestLaws(t *testing.T) {
	gametest.Run(t, Rules{}, gametest.Cases[State, Action]{
		List:     gametest.Thinned(gametest.Sampled(gametest.Variants(Rules{}.Info()), 5), 3),
		MaxSteps: 20000, Matches: gametest.Nightly(3), Pairs: pairs(), Hostile: hostile(), BadConfigs: badConfigs(), Probes: probes(), Hidden: hidden(),
	})
}

// Decks that are shuffled again all the time, other tiles and tokens, and the other keys of the configuration.
func TestLawsOfOtherConfigurations(t *testing.T) {
	gametest.Run(t, Rules{}, gametest.Cases[State, Action]{
		List:     gametest.Thinned(gametest.Sampled(gametest.Cross(Rules{}.Info(), smallDecks, oddBoard), 5), 3),
		MaxSteps: 20000, Matches: gametest.Nightly(3), Pairs: pairs(), Hidden: hidden(),
	})
}

// hostile actions are never legal.
func hostile() []string {
	return []string{
		`{"type":"place_home"}`, `{"type":"place_home","at":"0,0"}`, `{"type":"place_home","at":"3,0"}`, `{"type":"place_home","at":"1,1","seat":0}`,
		`{"type":"place_home","at":"+1,1"}`, `{"type":"place_home","at":" 1,1"}`, `{"type":"place_home","at":"1, 1"}`, `{"type":"place_home","at":11}`,
		`{"type":"place_tile","at":"0,0"}`, `{"type":"place_tile","at":null}`, `{"type":"place_tile","at":"2,2"}`,
		`{"type":"play"}`, `{"type":"play","card":""}`, `{"type":"play","card":"none"}`, `{"type":"play","card":"hawk"}`, `{"type":"play","card":0}`,
		`{"type":"play","card":"number_4","as":"breed"}`, `{"type":"play","card":"Number_4"}`,
		`{"type":"stack","card":"number_4","as":"breed"}`, `{"type":"stack","card":"cave_in","as":"move"}`, `{"type":"stack","card":"convert"}`,
		`{"type":"stack","card":"convert","as":"nothing"}`, `{"type":"stack","card":"convert","as":""}`, `{"type":"stack","as":"breed"}`,
		`{"type":"stack","card":"number_2","as":"move"}`, `{"type":"stack","card":"gopher_it","as":"convert"}`,
		`{"type":"move","from":"0,0"}`, `{"type":"move","to":"0,0"}`, `{"type":"move","from":"0,0","to":"0,0"}`, `{"type":"move","at":"0,0","to":"1,0"}`,
		`{"type":"move","from":"0,0","to":"1,0","space":-1}`, `{"type":"move","from":"0,0","to":"1,0","space":6}`, `{"type":"move","from":"0,0","to":"1,0","from_space":1.5}`,
		`{"type":"breed"}`, `{"type":"breed","at":"0,0","space":300}`, `{"type":"breed","at":"0,0","space":null}`, `{"type":"breed","at":["0,0"]}`,
		`{"type":"cave_in"}`, `{"type":"cave_in","edges":[]}`, `{"type":"cave_in","edges":["0,0/1,0"]}`, `{"type":"cave_in","edges":["0,0/1,0","0,0/1,0"]}`,
		`{"type":"cave_in","edges":["1,0/0,0","0,0/0,1"]}`, `{"type":"cave_in","edges":["0,0/1,1","0,0/0,1"]}`, `{"type":"cave_in","edges":["0,0/1,0","0,0/0,1","0,1/1,0"]}`,
		`{"type":"cave_in","edges":"0,0/1,0"}`, `{"type":"cave_in","edges":null}`, `{"type":"cave_in","edges":["2,0/3,0","0,0/0,1"]}`,
		`{"type":"make_home"}`, `{"type":"make_home","at":"0,0","value":3}`, `{"type":"convert","at":"0,0"}`, `{"type":"convert","victim":1}`,
		`{"type":"convert","at":"0,0","victim":4}`, `{"type":"convert","at":"0,0","victim":-1}`, `{"type":"convert","at":"0,0","victim":"1"}`,
		`{"type":"roll","at":"0,0"}`, `{"type":"roll","at":"0,0","space":0,"direction":"left","count":1}`, `{"type":"roll","at":"0,0","space":0,"direction":"cw","count":0}`,
		`{"type":"roll","at":"0,0","space":0,"direction":"cw","count":7}`, `{"type":"roll","at":"0,0","space":0,"direction":"cw"}`, `{"type":"roll","at":"0,0","direction":"cw","count":1}`,
		`{"type":"swap","seat":1}`, `{"type":"swap","card":"number_4"}`, `{"type":"swap","seat":4,"card":"number_4"}`, `{"type":"swap","seat":-1,"card":"number_4"}`,
		`{"type":"done","card":"number_4"}`, `{"type":"discard_hand","at":"0,0"}`, `{"type":"Done"}`, `{"type":"pass"}`, `{"type":"nothing"}`,
	}
}

func badConfigs() []string {
	return []string{
		`{"tiles":{"3":40,"6":4}}`, `{"tiles":{"2":20,"6":4}}`, `{"tiles":{"3":20}}`, `{"tiles":null}`, `{"tiles":[6,7,7,4]}`,
		`{"tiles":{"3":-1,"6":30}}`, `{"tiles":{"6":41}}`, `{"tiles":{"06":20}}`, `{"tiles":{"6":1.5}}`, `{"home_tokens":{"1":10}}`, `{"home_tokens":{"0":20}}`,
		`{"home_tokens":{"10":20}}`, `{"home_tokens":{"1":61}}`, `{"home_tokens":{"1":31,"2":30}}`, `{"home_tokens":{"1":-1,"2":30}}`, `{"deck":{}}`,
		`{"deck":{"number_4":4}}`, `{"deck":{"number_4":41}}`, `{"deck":{"number_4":21,"number_3":20}}`, `{"deck":{"hawk":20}}`, `{"deck":{"number_4":-1,"number_3":20}}`,
		`{"deck":{"number_4":9,"number_4":9}}`, `{"deck":null}`, `{"moles":6}`, `{"moles":61}`, `{"moles":"30"}`, `{"claims":1}`, `{"claims":21}`, `{"cave_ins":-1}`,
		`{"cave_ins":11}`, `{"hand":0}`, `{"hand":11}`, `{"hand":19}`, `{"path_needed":1}`, `{"choose_spaces":"yes"}`, `{"end_on_empty_supply":null}`,
		`{"max_turns":-1}`, `{"max_turns":1000001}`, `{"max_turns":null}`, `{"Hand":5}`,
	}
}

func probes() []Action {
	out := []Action{
		{},
		{Kind: 99},
		{Kind: ActDone},
		{Kind: ActDiscardHand},
		{Kind: ActMove, At: 9, To: 99},
		{Kind: ActBreed, At: -1},
		{Kind: ActBreed, At: 9, Space: 9},
		{Kind: ActConvert, At: 9, Seat: 99},
		{Kind: ActCaveIn, Edges: [2]int8{5, 5}},
		{Kind: ActCaveIn, Edges: [2]int8{-1, 99}},
		{Kind: ActRoll, At: 9, Space: 1, Count: 1, Way: 9},
		{Kind: ActSwap, Seat: 1, Card: 99},
		{Kind: ActSwap, Seat: 1, Card: -1},
		{Kind: ActPlay, Card: noCard},
		{Kind: ActStack, Card: Convert, As: 9},
	}
	for c := range noCard {
		out = append(out, Action{Kind: ActPlay, Card: c}, Action{Kind: ActStack, Card: c, As: asBreed})
	}
	return out
}

// guarded reports whether more is known of a seat's hand than its unseen cards; the exhaustive tests are for that.
func guarded(s *State, seat game.Seat) bool {
	return s.Trail[seat].On || s.Current() == DoNumber && s.Active == seat
}

// facts returns the hidden things of a state: the next tile, the values of home tokens, hands and the next cards.
func facts(s *State) (out []string) {
	say := func(what string, at, value int) {
		out = append(out, what+strconv.Itoa(at)+": "+strconv.Itoa(value))
	}
	if s.Tiled > 0 {
		say("tile ", 0, int(s.Stack[s.Tiled-1]))
	}
	if s.Phase < PhasePlay {
		return out
	}
	if s.PileN > 0 {
		say("pile ", 0, int(s.Pile[s.PileN-1]))
	}
	for m := s.Homed; m != 0; m &= m - 1 {
		say("home ", int(m.Lowest()), int(s.Home[m.Lowest()]))
	}
	for seat := range game.Seat(s.Seats) {
		for i, n := range s.Homes[seat] {
			if n > 0 {
				say("token of ", int(seat), i+1)
			}
		}
		if guarded(s, seat) {
			continue
		}
		for c, n := range s.Hand[seat] {
			if n > 0 {
				say("hand of ", int(seat), c)
			}
		}
		if n := s.DeckN[seat]; n > 0 {
			say("deck of ", int(seat), int(s.Deck[seat][n-1]))
		}
	}
	return out
}

// possible returns every fact that seat cannot rule out, from what each hidden thing can be by itself.
func possible(s *State, seat game.Seat) (out []string) {
	say := func(what string, at, value int) {
		out = append(out, what+strconv.Itoa(at)+": "+strconv.Itoa(value))
	}
	for _, size := range s.Stack[:s.Tiled] {
		say("tile ", 0, int(size))
	}
	if s.Phase < PhasePlay {
		return out
	}
	known := func(other game.Seat) bool { return other == seat || s.Phase == PhaseOver }
	var pool [maxValue]int8
	for _, value := range s.Pile[:s.PileN] {
		pool[value-1]++
	}
	for m := s.Homed; m != 0; m &= m - 1 {
		pool[s.Home[m.Lowest()]-1]++
	}
	for other := range game.Seat(s.Seats) {
		for i, n := range s.Homes[other] {
			if !known(other) {
				pool[i] += n
			} else if n > 0 {
				say("token of ", int(other), i+1)
			}
		}
	}
	for i, n := range pool {
		for m := s.Homed; m != 0 && n > 0; m &= m - 1 {
			say("home ", int(m.Lowest()), i+1)
		}
		if n > 0 && s.PileN > 0 {
			say("pile ", 0, i+1)
		}
		for other := range game.Seat(s.Seats) {
			if n > 0 && !known(other) && s.homeCount(other) > 0 {
				say("token of ", int(other), i+1)
			}
		}
	}
	return append(out, possibleCards(s, known)...)
}

func possibleCards(s *State, known func(game.Seat) bool) (out []string) {
	for other := range game.Seat(s.Seats) {
		if guarded(s, other) {
			continue
		}
		all := s.unseen(other)
		for c, n := range all {
			held := s.Hand[other][c]
			if known(other) && held > 0 || !known(other) && n > 0 && s.HandN[other] > 0 {
				out = append(out, fmt.Sprintf("hand of %d: %d", other, c))
			}
			if known(other) && n > held || !known(other) && n > 0 && s.DeckN[other] > 0 {
				out = append(out, fmt.Sprintf("deck of %d: %d", other, c))
			}
		}
	}
	return out
}

type spoiled = gametest.Faulty[Config, State, Action, View, Event]

// leaks returns every hidden thing, leaked in every way in which a seat gets something.
func leaks() map[string]spoiled {
	next := func(s *State, seat game.Seat) game.Seat { return (seat + 1) % game.Seat(s.Seats) }
	held := func(s *State, seat game.Seat) int32 { return int32(s.Hand[next(s, seat)][Number2]) }
	top := func(s *State, seat game.Seat) int32 { return int32(s.Deck[seat][max(0, s.DeckN[seat]-1)]) }
	return map[string]spoiled{
		"a hand in the view":               {SpoilView: func(s *State, seat game.Seat, v *View) { v.Turn += held(s, seat) }},
		"the order of a deck in the view":  {SpoilView: func(s *State, seat game.Seat, v *View) { v.Turn += top(s, next(s, seat)) }},
		"the order of the own deck":        {SpoilView: func(s *State, seat game.Seat, v *View) { v.Turn += top(s, max(0, seat)) }},
		"the bottom of a deck in the view": {SpoilView: func(s *State, seat game.Seat, v *View) { v.Turn += int32(s.Deck[max(0, seat)][0]) }},
		"a value on a hex in the view":     {SpoilView: func(s *State, _ game.Seat, v *View) { v.Turn += int32(s.Home[grid.centre]) }},
		"a value in the pile in the view": {SpoilView: func(s *State, _ game.Seat, v *View) {
			v.Turn += int32(s.Pile[max(0, s.PileN-1)]) * int32(s.Phase/PhasePlay)
		}},
		"another's value in the view":           {SpoilView: func(s *State, seat game.Seat, v *View) { v.Turn += int32(s.Homes[next(s, seat)][0]) }},
		"the next tile in the view":             {SpoilView: func(s *State, _ game.Seat, v *View) { v.Turn += int32(s.Stack[max(0, s.Tiled-1)]) }},
		"the last tile in the view":             {SpoilView: func(s *State, _ game.Seat, v *View) { v.Turn += int32(s.Stack[0]) }},
		"points with secret tokens in the view": {SpoilView: func(s *State, seat game.Seat, v *View) { v.Turn += int32(s.points(next(s, seat))) }},
		"a hand in who is due": {SpoilDue: func(s *State, due game.Seats) game.Seats {
			if s.Phase == PhasePlay && s.Hand[(s.Active+1)%game.Seat(s.Seats)][Convert] > 0 {
				return game.Only((s.Active + 1) % game.Seat(s.Seats))
			}
			return due
		}},
		"a hand in an error": {SpoilLegal: func(s *State, seat game.Seat, err error) error {
			return fmt.Errorf("%w, %d", err, held(s, seat))
		}},
		"a value in an error": {SpoilLegal: func(s *State, _ game.Seat, err error) error { return fmt.Errorf("%w, %d", err, s.Home[grid.centre]) }},
		"the next card in the order of the offer": {SpoilOffer: func(s *State, seat game.Seat, o *game.Offer[Action]) {
			if len(o.List) > 1 && top(s, seat) > int32(Number2) {
				o.List[0], o.List[1] = o.List[1], o.List[0]
			}
		}},
		"a value in the offer: homes worth a 1 are left out": {SpoilOffer: func(s *State, _ game.Seat, o *game.Offer[Action]) {
			for i, a := range o.List {
				if a.Kind == ActMakeHome && s.Home[a.At] == 1 {
					o.List = append(o.List[:i], o.List[i+1:]...)
					return
				}
			}
		}},
		"the next tile in the offer": {SpoilOffer: func(s *State, _ game.Seat, o *game.Offer[Action]) {
			if s.Phase < PhasePlay && s.Stack[max(0, s.Tiled-1)] == maxSize {
				o.List = o.List[:1]
			}
		}},
		"the next card in the house's action": {SpoilSample: func(s *State, seat game.Seat, a *Action) {
			if a.Kind == ActPlay && top(s, seat) <= int32(Number2) {
				*a = Action{Kind: ActDiscardHand}
			}
		}},
		"a value in the data of an event": {SpoilNote: func(s *State, n *game.Note[Event]) {
			if x, ok := n.Event.(turnEvent); ok {
				x.Turn += int32(s.Home[grid.centre])
				n.Event = x
			}
		}},
		"a card drawn told to all": {SpoilNote: func(_ *State, n *game.Note[Event]) {
			if x, ok := n.Event.(drawEvent); ok && x.Cards != nil {
				n.For = game.All
			}
		}},
		"the order of cards drawn": {SpoilNote: func(s *State, n *game.Note[Event]) {
			if x, ok := n.Event.(drawEvent); ok && x.Cards != nil && x.Count > 1 {
				x.Cards = game.WordsOf(s.Deck[x.Seat][:s.DeckN[x.Seat]])
				n.Event = x
			}
		}},
		"a value taken told to all": {SpoilNote: func(_ *State, n *game.Note[Event]) {
			if x, ok := n.Event.(homeEvent); ok && x.Value > 0 {
				n.For = game.All
			}
		}},
	}
}

func TestPlantedLeaksAreCaught(t *testing.T) {
	gametest.Catch(t, Rules{}, gametest.Case{Config: `{}`, Seats: 3}, 10_000, leaks())
}
