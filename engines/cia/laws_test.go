package cia

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
	return 800 * gametest.Nightly(375)
}

func TestLaws(t *testing.T) {
	gametest.Run(t, Rules{}, gametest.Cases[State, Action]{
		List:     gametest.Thinned(gametest.Sampled(gametest.Variants(Rules{}.Info()), 3), 3),
		MaxSteps: 20000, Matches: gametest.Nightly(20), Pairs: pairs(), Hostile: hostile(), BadConfigs: badConfigs(), Probes: probes(),
		Hidden: gametest.Hidden[State]{Facts: facts, Possible: possible, Draws: 600},
	})
}

// Boxes of few cards, where the discard is shuffled again and again, and the other keys of the configuration.
func TestLawsOfOtherConfigurations(t *testing.T) {
	few := `"cards":{"safe_anywhere":2,"agent_to_ruin":3,"take_free_agent":3,"all_to_church":2,"safe_agent_step":2,"two_stones_three":3}`
	var list []gametest.Case
	for seats := minSeats; seats <= 6; seats++ {
		list = append(list,
			gametest.Case{Config: `{"top_secret":true,"drawn_playable":"at_once",` + few + `}`, Seats: seats},
			gametest.Case{Config: `{"top_secret":true,"dossier":true,"track":60,"dossier_at":60,"max_turns":40,"first":1,` + few + `}`, Seats: seats})
	}
	gametest.Run(t, Rules{}, gametest.Cases[State, Action]{
		List: gametest.Thinned(gametest.Sampled(list, 3), 2), MaxSteps: 20000, Matches: gametest.Nightly(20), Pairs: pairs(), Hidden: gametest.Hidden[State]{Facts: facts, Possible: possible, Draws: 600},
	})
}

// In a long match the discard is shuffled many times, the trail is forgotten and begun again.
func TestNothingLeaksInALongMatch(t *testing.T) {
	for _, config := range []string{`{"top_secret":true,"track":250}`, `{"top_secret":true,"track":250,"drawn_playable":"at_once"}`} {
		if n, err := gametest.Indistinguishable(Rules{}, gametest.Case{Config: config, Seats: 6}, gametest.Nightly(20)); err != nil || n < 2500 {
			t.Errorf("%d pairs: %v", n, err)
		}
	}
}

// hostile actions are never legal.
func hostile() []string {
	return []string{
		`{"type":"move"}`, `{"type":"move","steps":null}`, `{"type":"move","steps":[]}`, `{"type":"move","steps":{"red":0}}`,
		`{"type":"move","steps":{"red":-1}}`, `{"type":"move","steps":{"red":7}}`, `{"type":"move","steps":{"red":1.5}}`,
		`{"type":"move","steps":{"Red":1}}`, `{"type":"move","steps":{"pink":2}}`, `{"type":"move","steps":{"red":"2"}}`,
		`{"type":"move","steps":{"red":1,"red":1}}`, `{"type":"move","steps":{"red":300}}`, `{"type":"move","steps":{"red":2},"to":"1"}`,
		`{"type":"safe"}`, `{"type":"safe","to":1}`, `{"type":"safe","to":"0"}`, `{"type":"safe","to":"-3"}`, `{"type":"safe","to":""}`,
		`{"type":"safe","to":null}`, `{"type":"pass","steps":{}}`, `{"type":"pass","card":"all_to_church"}`, `{"type":"Pass"}`,
		`{"type":"card"}`, `{"type":"card","card":""}`, `{"type":"card","card":"peek"}`, `{"type":"card","card":null}`,
		`{"type":"card","card":"all_to_church","agents":[]}`, `{"type":"card","card":"swap_agents","agents":["red"]}`,
		`{"type":"card","card":"swap_agents","agents":["red","red"]}`, `{"type":"card","card":"agent_to_safe","agents":["red","grey"]}`,
		`{"type":"card","card":"ruin_to_church","agents":[]}`, `{"type":"card","card":"safe_anywhere"}`,
		`{"type":"card","card":"two_back_one","steps":{"red":-1}}`, `{"type":"card","card":"two_forward_one","steps":{"red":2,"grey":1}}`,
		`{"type":"card","card":"forward_or_back_one","steps":{"red":2}}`, `{"type":"card","card":"take_free_agent","agents":["red"]}`,
		`{"type":"dossier"}`, `{"type":"dossier","owners":{}}`, `{"type":"dossier","owners":{"red":0}}`, `{"type":"dossier","owners":null}`,
		`{"type":"dossier","owners":{"red":7}}`, `{"type":"dossier","owners":{"red":-1}}`,
		`{"type":"dossier","owners":{"grey":0,"yellow":0,"orange":0,"red":0,"green":0,"blue":0,"purple":0}}`,
	}
}

func badConfigs() []string {
	return []string{
		`{"track":2}`, `{"track":501}`, `{"track":null}`, `{"dossier_at":0}`, `{"dossier_at":43}`, `{"track":10}`, `{"dossier_bonus":-1}`,
		`{"dossier_bonus":1000001}`, `{"max_turns":-1}`, `{"max_turns":1000001}`, `{"first":7}`, `{"first":-1}`, `{"first":"oldest"}`, `{"first":null}`,
		`{"drawn_playable":"never"}`, `{"drawn_playable":""}`, `{"cards":null}`, `{"cards":[]}`, `{"cards":{"peek":1}}`,
		`{"cards":{"all_to_church":-1}}`, `{"cards":{"all_to_church":61}}`, `{"cards":{"all_to_church":31,"swap_agents":30}}`,
		`{"cards":{"all_to_church":null}}`, `{"cards":{"all_to_church":1,"all_to_church":1}}`, `{"top_secret":true,"cards":{"all_to_church":3}}`,
		`{"top_secret":true,"cards":{}}`, `{"top_secret":1}`, `{"Top_secret":true}`, `{"dossier":"yes"}`,
	}
}

func probes() []Action {
	out := []Action{
		{},
		{Kind: 99},
		{Kind: ActPass},
		{Kind: ActMove},
		{Kind: ActSafe, To: 7},
		{Kind: ActSafe, To: 99},
		{Kind: ActSafe, To: -1},
		{Kind: ActCard, Card: 99},
		{Kind: ActDossier},
		{Kind: ActDossier, Agents: 127},
		{Kind: ActDossier, Agents: 255},
		{Kind: ActMove, Steps: [NumAgents]int8{-1, 3}},
		{Kind: ActMove, Steps: [NumAgents]int8{1, 1, 1, 1, 1, 1, 1}},
	}
	for c := range Card(cardKinds) {
		out = append(out, Action{Kind: ActCard, Card: c, Agents: 3, Steps: [NumAgents]int8{1}}, Action{Kind: ActCard, Card: c, Agents: 129})
	}
	return out
}

// facts returns the hidden things of a state. While there is a trail the cards are left to the exhaustive tests.
func facts(s *State) (out []string) {
	for m := s.free(); m != 0; m &= m - 1 {
		out = append(out, "free: "+m.Lowest().String())
	}
	for seat := range int(s.Seats) {
		who := "seat " + strconv.Itoa(seat)
		out = append(out, who+" runs "+s.Agent[seat].String())
		for m := s.Extra[seat]; m != 0; m &= m - 1 {
			out = append(out, who+" took "+m.Lowest().String())
		}
		for m := s.InPlay; m != 0 && s.Filed; m &= m - 1 {
			out = append(out, who+" wrote "+strconv.Itoa(int(s.Files[seat][m.Lowest()]))+" behind "+m.Lowest().String())
		}
		for i := range int(s.HandN[seat]) {
			if !s.Trail.On {
				out = append(out, "card "+strconv.Itoa(i)+" of "+who+": "+s.Hand[seat][i].String())
			}
		}
	}
	for i := range int(s.DeckN) {
		if !s.Trail.On {
			out = append(out, "deck "+strconv.Itoa(i)+": "+s.Deck[i].String())
		}
	}
	return out
}

// possible returns every fact that seat cannot rule out, from what each hidden thing can be by itself.
func possible(s *State, seat game.Seat) (out []string) {
	var hidden Agents
	if s.Phase == PhaseOver {
		out = append(out, openFacts(s, game.Spectator)...)
	} else {
		hidden = s.InPlay
		if seat >= 0 {
			out = append(out, openFacts(s, seat)...)
			hidden &^= s.Extra[seat].With(s.Agent[seat])
		}
		out = append(out, hiddenAgents(s, seat, hidden)...)
	}
	if s.Trail.On {
		return out
	}
	return append(out, hiddenCards(s, seat)...)
}

// openFacts returns what is known of the agents and dossiers of one seat, or of all.
func openFacts(s *State, only game.Seat) (out []string) {
	if only == game.Spectator {
		for m := s.free(); m != 0; m &= m - 1 {
			out = append(out, fmt.Sprint("free: ", m.Lowest()))
		}
	}
	for seat := range game.Seat(s.Seats) {
		if only >= 0 && seat != only {
			continue
		}
		out = append(out, fmt.Sprint("seat ", seat, " runs ", s.Agent[seat]))
		for m := s.InPlay; m != 0; m &= m - 1 {
			if a := m.Lowest(); s.Extra[seat].Has(a) {
				out = append(out, fmt.Sprint("seat ", seat, " took ", a))
			}
			if s.Filed {
				out = append(out, fmt.Sprint("seat ", seat, " wrote ", s.Files[seat][m.Lowest()], " behind ", m.Lowest()))
			}
		}
	}
	return out
}

func hiddenAgents(s *State, me game.Seat, hidden Agents) (out []string) {
	for m := hidden; m != 0; m &= m - 1 {
		a := m.Lowest()
		if s.freeLeft() > 0 {
			out = append(out, fmt.Sprint("free: ", a))
		}
		for seat := range game.Seat(s.Seats) {
			if seat == me {
				continue
			}
			out = append(out, fmt.Sprint("seat ", seat, " runs ", a))
			if s.Extra[seat] != 0 {
				out = append(out, fmt.Sprint("seat ", seat, " took ", a))
			}
		}
	}
	for seat := range game.Seat(s.Seats) {
		for m := s.InPlay; m != 0 && s.Filed && seat != me; m &= m - 1 {
			for owner := range game.Seat(s.Seats) {
				out = append(out, fmt.Sprint("seat ", seat, " wrote ", owner, " behind ", m.Lowest()))
			}
			if s.InPlay.Len() > int(s.Seats) {
				out = append(out, fmt.Sprint("seat ", seat, " wrote -1 behind ", m.Lowest()))
			}
		}
	}
	return out
}

func hiddenCards(s *State, me game.Seat) (out []string) {
	pool := s.Box
	pool[TakeFreeAgent] -= s.Removed
	for _, c := range s.Discard[:s.DiscardN] {
		pool[c]--
	}
	if me >= 0 {
		for i, c := range s.Hand[me][:s.HandN[me]] {
			pool[c]--
			out = append(out, fmt.Sprint("card ", i, " of seat ", me, ": ", c))
		}
	}
	none := s.freeLeft() == 0
	for c, n := range pool {
		if n == 0 {
			continue
		}
		held := !none || Card(c) != TakeFreeAgent // once none is free no hand holds the card
		for seat := range game.Seat(s.Seats) {
			for i := range s.HandN[seat] {
				if seat != me && held {
					out = append(out, fmt.Sprint("card ", i, " of seat ", seat, ": ", Card(c)))
				}
			}
		}
		for i := range s.DeckN {
			if !none || !held || s.DeckN > pool[TakeFreeAgent] {
				out = append(out, fmt.Sprint("deck ", i, ": ", Card(c)))
			}
		}
	}
	return out
}

type spoiled = gametest.Faulty[Config, State, Action, View, Event]

// Every hidden thing, leaked in every way in which a seat gets something.
func TestPlantedLeaksAreCaught(t *testing.T) {
	next := func(s *State, seat game.Seat) game.Seat { return (seat + 1) % game.Seat(s.Seats) }
	leaks := map[string]spoiled{
		"an agent in the view":              {SpoilView: func(s *State, seat game.Seat, v *View) { v.Turns += int32(s.Agent[next(s, seat)]) }},
		"a hand in the view":                {SpoilView: func(s *State, seat game.Seat, v *View) { v.Turns += int32(s.Hand[next(s, seat)][0]) }},
		"the order of the deck in the view": {SpoilView: func(s *State, _ game.Seat, v *View) { v.Turns += int32(s.Deck[max(0, s.DeckN-1)]) }},
		"the free agents in the view":       {SpoilView: func(s *State, _ game.Seat, v *View) { v.Free += int(s.free()) }},
		"an agent taken in the view":        {SpoilView: func(s *State, seat game.Seat, v *View) { v.Turns += int32(s.Extra[next(s, seat)]) }},
		"a dossier in the view":             {SpoilView: func(s *State, seat game.Seat, v *View) { v.Turns += int32(s.Files[next(s, seat)][s.InPlay.Lowest()]) }},
		"an agent in who is due": {SpoilDue: func(s *State, due game.Seats) game.Seats {
			if s.Phase == PhaseMove && s.Agent[0] > s.Agent[1] {
				return game.Only(s.left(s.Turn))
			}
			return due
		}},
		"a hand in who is due: only those with a card for it": {SpoilDue: func(s *State, due game.Seats) game.Seats {
			if s.Phase == PhaseRound && s.Hand[s.Asks][0] == AllToChurch {
				return game.Only(s.left(s.Asks))
			}
			return due
		}},
		"an agent in an error": {SpoilLegal: func(s *State, seat game.Seat, err error) error {
			return fmt.Errorf("%w, not %s", err, s.Agent[next(s, seat)])
		}},
		"the deck in an error": {SpoilLegal: func(s *State, _ game.Seat, err error) error { return fmt.Errorf("%w, %s comes", err, s.Deck[0]) }},
		"an agent in the order of the offer": {SpoilOffer: func(s *State, seat game.Seat, o *game.Offer[Action]) {
			if len(o.List) > 1 && s.Agent[next(s, seat)] > orange {
				o.List[0], o.List[1] = o.List[1], o.List[0]
			}
		}},
		"a hand in the examples of the offer": {SpoilOffer: func(s *State, seat game.Seat, o *game.Offer[Action]) {
			if len(o.Examples) > 1 && s.Hand[next(s, seat)][0] > AllToChurch {
				o.Examples = o.Examples[:1]
			}
		}},
		"the free agents in the house's action": {SpoilSample: func(s *State, _ game.Seat, a *Action) {
			if s.Phase == PhaseSafe && s.free().Has(grey) {
				a.To = s.Safe.Step(1)
			}
		}},
		"an agent in the data of an event": {SpoilNote: func(s *State, n *game.Note[Event]) {
			if x, ok := n.Event.(rollEvent); ok {
				x.Roll = s.Agent[0].String()
				n.Event = x
			}
		}},
		"a dossier in the data of an event": {SpoilNote: func(s *State, n *game.Note[Event]) {
			if _, ok := n.Event.(safeEvent); ok && s.Filed {
				n.Event = safeEvent{Kind: "safe", To: fmt.Sprint(s.Files[0])}
			}
		}},
		"a card drawn told to all": {SpoilNote: func(_ *State, n *game.Note[Event]) {
			if x, ok := n.Event.(drawEvent); ok && x.Card != "" {
				n.For = game.All
			}
		}},
		"an agent taken told to all": {SpoilNote: func(_ *State, n *game.Note[Event]) {
			if _, ok := n.Event.(agentEvent); ok {
				n.For = game.All
			}
		}},
	}
	gametest.Catch(t, Rules{}, gametest.Case{Config: full, Seats: 4}, 10_000, leaks)
}
