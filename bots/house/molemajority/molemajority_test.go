package molemajority_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molemajority"
	"github.com/molerun/molerun/internal/housetest"
	"github.com/molerun/molerun/internal/must"
)

// dug returns a turn of Mole Majority at two seats: a table dealt and set up, then changed, as its first seat sees it.
func dug(t *testing.T, change func(s *molemajority.State)) *protocol.Turn {
	t.Helper()
	var (
		rules molemajority.Rules
		s     molemajority.State
		r     = game.Stream(house.Seed(1), 0, "test")
	)
	sim := game.Sim[molemajority.Config, molemajority.State, molemajority.Action, molemajority.View, molemajority.Event]{Rules: rules}
	rules.Deal(&s, rules.Defaults(), 2, r, nil)
	for s.Phase < molemajority.PhasePlay {
		sim.Step(&s, rules.Due(&s), r)
	}
	change(&s)
	view, err := json.Marshal(rules.View(&s, s.Active))
	must.OK(t, err)
	var offer game.Offer[molemajority.Action]
	rules.Offer(&s, s.Active, &offer)
	config, err := json.Marshal(rules.Defaults())
	must.OK(t, err)
	return &protocol.Turn{
		Game: "molemajority", Seat: s.Active, Step: 9, Config: config, View: view, Offer: offer.AppendJSON(nil),
		Opponents: []protocol.Opponent{{Seat: 1 - s.Active}},
	}
}

// holds deals a hand of these cards to the active seat: they change places with cards of its deck.
func holds(s *molemajority.State, cards ...molemajority.Card) {
	seat := s.Active
	deck := slices.Clone(s.Deck[seat][:s.DeckN[seat]])
	for c, copies := range s.Hand[seat] {
		for range copies {
			deck = append(deck, molemajority.Card(c))
		}
	}
	s.Hand[seat] = molemajority.Counts{}
	for _, c := range cards {
		s.Hand[seat][c]++
		i := slices.Index(deck, c)
		deck = slices.Delete(deck, i, i+1)
	}
	s.HandN[seat], s.DeckN[seat] = int8(len(cards)), int8(len(deck))
	s.Deck[seat] = [40]molemajority.Card{}
	copy(s.Deck[seat][:], deck)
}

// wholeTurn returns all actions of an answer.
func wholeTurn(t *testing.T, turn *protocol.Turn, a protocol.Answer) []molemajority.Action {
	t.Helper()
	first, err := kit.Chosen(turn.Offer, a)
	must.OK(t, err)
	var list []molemajority.Action
	for _, raw := range append([]json.RawMessage{first}, a.Then...) {
		var x molemajority.Action
		must.OK(t, json.Unmarshal(raw, &x))
		list = append(list, x)
	}
	return list
}

// The other seat's last claim stands on one mole; the roll of a Groundskeeper puts the seat out and wins.
func TestTheThinkerSeesTheRollThatPutsTheLastOtherSeatOut(t *testing.T) {
	for _, name := range []string{"thinker", "searcher"} {
		turn := dug(t, func(s *molemajority.State) {
			holds(s, molemajority.Groundskeeper1, molemajority.Number2, molemajority.GopherIt, molemajority.Number4, molemajority.Convert)
			base := s.Claimed[1-s.Active].Lowest()
			for i := int8(1); i < s.Size[base]; i++ {
				s.Space[base][i] = 0
			}
			s.On[1-s.Active][base] = 1
			s.Moles[1-s.Active] += 5
			s.Free |= 1 << base
		})
		a := housetest.Ask(t, name, turn)
		list := wholeTurn(t, turn, a)
		if list[0].Card != molemajority.Groundskeeper1 || list[len(list)-1].Kind != molemajority.ActRoll {
			t.Errorf("%s: got %s %s, want a roll of the Home Base", name, a.Action, a.Then)
		}
	}
}

// Whoever puts the last mole on this hex claims it.
func TestGreedyAndThinkerFillUpTheHexThatEitherCanWin(t *testing.T) {
	for _, name := range []string{"greedy", "thinker"} {
		var near molemajority.Hex
		turn := dug(t, func(s *molemajority.State) {
			holds(s, molemajority.Number3, molemajority.Number4, molemajority.Number4, molemajority.Number2, molemajority.Number2)
			near = (s.Claimed[s.Active].Lowest().Near() & s.Tiles &^ s.Claimed[0] &^ s.Claimed[1]).Lowest()
			for i := range s.Size[near] - 1 {
				seat := s.Active
				if i%2 == 1 {
					seat = 1 - seat
				}
				s.Space[near][i] = int8(seat) + 1
				s.On[seat][near]++
				s.Moles[seat]--
				s.Occupied[seat] |= 1 << near
			}
			s.Played, s.Parts[0], s.PartN = molemajority.Number4, molemajority.Part{Do: molemajority.DoStep, Left: 1}, 1
			s.Hand[s.Active][molemajority.Number4]--
			s.HandN[s.Active]--
			s.Junk[s.Active][0], s.JunkN[s.Active] = molemajority.Number4, 1
		})
		a := housetest.Ask(t, name, turn)
		if list := wholeTurn(t, turn, a); list[0].Kind != molemajority.ActMove || list[0].To != near {
			t.Errorf("%s: got %s, want a move to %s", name, a.Action, near)
		}
	}
}

// What is sent ahead is legal to the end of the turn: in a whole match nobody is asked twice in a turn.
func TestTheThinkerSendsWholeTurns(t *testing.T) {
	e := game.Wrap(molemajority.Rules{})
	asked, turns := 0, map[int32]bool{}
	seats := make([]kit.Decide, 3)
	for i := range seats {
		decide := housetest.Find(t, "thinker").Decide(uint64(i))
		seats[i] = func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
			var v molemajority.View
			if err := json.Unmarshal(turn.View, &v); err != nil {
				return protocol.Answer{}, err
			}
			if v.Phase == "play" {
				asked++
				turns[v.Turn] = true
			}
			return decide(ctx, turn)
		}
	}
	housetest.Play(t, e, `{}`, 3, seats)
	if asked != len(turns) {
		t.Errorf("asked %d times in %d turns", asked, len(turns))
	}
}
