package demol

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
)

type spoiled = gametest.Faulty[Config, State, Action, View, Event]

// One leak for each hidden thing and each way out.
func TestPlantedLeaksAreCaught(t *testing.T) {
	failed := func(s *State) bool { return s.Missions[0].Failed.Has(0) }
	leaks := map[string]spoiled{
		"role in a view": {SpoilView: func(s *State, _ game.Seat, v *View) {
			if s.Moles.Has(0) {
				v.Seats[0].Cards = []string{"!"}
			}
		}},
		"role in the spectator's view": {SpoilView: func(s *State, seat game.Seat, v *View) {
			if seat == game.Spectator {
				v.Roles = rolesIn(s.Moles, int(s.Seats))
			}
		}},
		"a name too many in known": {SpoilView: func(s *State, seat game.Seat, v *View) {
			if v.Me != nil && seat != 3 && s.Moles.Has(3) {
				v.Me.Known[3] = mole
			}
		}},
		"who failed a mission": {SpoilView: func(s *State, _ game.Seat, v *View) {
			if failed(s) {
				v.Missions[0].Open[0] = false
			}
		}},
		"who failed a mission, in the offer": {SpoilOffer: func(s *State, _ game.Seat, o *game.Offer[Action]) {
			if failed(s) {
				o.List = append(o.List, o.List[0])
			}
		}},
		"roles in the order of an offer": {SpoilOffer: func(s *State, _ game.Seat, o *game.Offer[Action]) {
			if s.Moles.Has(1) && len(o.List) > 1 {
				o.List[0], o.List[1] = o.List[1], o.List[0]
			}
		}},
		"roles in an error": {SpoilLegal: func(s *State, _ game.Seat, err error) error {
			if s.Moles.Has(1) {
				return errors.New(err.Error() + ".")
			}
			return err
		}},
		"roles in who is due": {SpoilDue: func(s *State, due game.Seats) game.Seats {
			if s.Phase == phaseTeam && s.Moles.Has(1) {
				return due.With(1)
			}
			return due
		}},
		"roles in the house's action": {SpoilSample: func(s *State, _ game.Seat, a *Action) {
			if a.Kind == ActVote {
				a.Yes = s.Moles.Has(4)
			}
		}},
		"roles in an event": {SpoilNote: func(s *State, n *game.Note[Event]) {
			if e, ok := n.Event.(teamEvent); ok && s.Moles.Has(2) {
				e.Team = 0
				n.Event = e
			}
		}},
		"who failed, in an event": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			if s.Round == 2 && failed(s) && len(notes) > 0 {
				notes[0].Event = dealEvent{Kind: "failed"}
			}
			return notes
		}},
		"roles in the number of events": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			if s.Moles.Has(2) {
				notes = append(notes, game.Note[Event]{For: game.All, Event: dealEvent{Kind: "tick"}})
			}
			return notes
		}},
		"a private event told to all": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			return append(notes, game.Note[Event]{For: game.All, Event: roleEvent{Kind: "deal", Role: s.role(0)}})
		}},
		"left neighbours of moles hear an event": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			return append(notes, game.Note[Event]{For: s.Moles << 1 & s.seats(), Event: dealEvent{Kind: "psst"}})
		}},
		"words": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			return append(notes, game.Note[Event]{For: game.All, Event: overEvent{Kind: "say", Why: "seat 0 is " + s.role(0)}})
		}},
	}
	for _, config := range gametest.Thinned([]string{`{}`, `{"blind_moles":true,"targeting":true}`}, 2) {
		gametest.Catch(t, Rules{}, gametest.Case{Config: config, Seats: 6}, 5000, leaks)
	}
}

// One leak for each thing that plot cards hide, and each way out.
func TestPlantedLeaksOfPlotCardsAreCaught(t *testing.T) {
	top := func(s *State) string {
		if s.DeckLen == 0 {
			return ""
		}
		return s.Deck[s.DeckLen-1].String()
	}
	down := func(s *State) *Mission { // the mission whose cards are down and not scored
		if s.Phase == phaseCloseEye {
			return &s.Missions[s.Mission-1]
		}
		return &Mission{}
	}
	leaks := map[string]spoiled{
		"deck order in a view":   {SpoilView: func(s *State, _ game.Seat, v *View) { v.Discard = append(v.Discard, top(s)) }},
		"deck order in an error": {SpoilLegal: func(s *State, _ game.Seat, err error) error { return fmt.Errorf("%w %s", err, top(s)) }},
		"deck order in the offer": {SpoilOffer: func(s *State, _ game.Seat, o *game.Offer[Action]) {
			if s.Phase == phaseGive && top(s) == "no_confidence" {
				slices.Reverse(o.List)
			}
		}},
		"deck order in an event": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			for i, n := range notes {
				if e, ok := n.Event.(giveEvent); ok {
					e.Card = top(s)
					notes[i].Event = e
				}
			}
			return notes
		}},
		"deck order in who is due": {SpoilDue: func(s *State, due game.Seats) game.Seats {
			if s.Phase == phaseTeam && top(s) == "opinion_maker" {
				return due.With(6)
			}
			return due
		}},
		"the look of another": {SpoilView: func(s *State, _ game.Seat, v *View) {
			for _, p := range s.Plays[:s.PlayCount] {
				if v.Me != nil && p.Card == Overheard {
					v.Me.Known[p.At] = s.role(p.At)
				}
			}
		}},
		"what was shown to another, to the spectator": {SpoilView: func(s *State, seat game.Seat, v *View) {
			for i, p := range s.Plays[:s.PlayCount] {
				if seat == game.Spectator && p.Card == OpenUp {
					word := s.role(p.By)
					v.Plays[i].Taken = &word
				}
			}
		}},
		"a sighting told to all": {SpoilNotes: func(_ *State, notes []game.Note[Event]) []game.Note[Event] {
			for i, n := range notes {
				if _, ok := n.Event.(seenRoleEvent); ok {
					notes[i].For = game.All
				}
			}
			return notes
		}},
		"a sighting told to the one seen, of the looker": {SpoilNotes: func(s *State, notes []game.Note[Event]) []game.Note[Event] {
			for _, n := range notes {
				if e, ok := n.Event.(seenRoleEvent); ok {
					notes = append(notes, game.Note[Event]{For: game.Only(e.At), Event: seenRoleEvent{Kind: "seen", At: s.Asked, Role: s.role(s.Asked)}})
				}
			}
			return notes
		}},
		"the peek of another": {SpoilView: func(s *State, _ game.Seat, v *View) {
			for _, p := range s.Plays[:s.PlayCount] {
				if v.Me != nil && p.Card == CloseEye {
					v.Me.Peeks = append(v.Me.Peeks, peekView{At: p.At, Success: !s.Missions[p.Mission-1].Failed.Has(p.At)})
				}
			}
		}},
		"a peek told to all": {SpoilNotes: func(_ *State, notes []game.Note[Event]) []game.Note[Event] {
			for i, n := range notes {
				if _, ok := n.Event.(seenCardEvent); ok {
					notes[i].For = game.All
				}
			}
			return notes
		}},
		"cards that are down, in a view": {SpoilView: func(s *State, _ game.Seat, v *View) {
			for seat := range down(s).Failed.Each() {
				v.OpenMission[seat] = false
			}
		}},
		"how many fails are down, in a view": {SpoilView: func(s *State, _ game.Seat, v *View) { v.TalkLeft += int8(down(s).Failed.Len()) }},
		"cards that are down, in the offer": {SpoilOffer: func(s *State, _ game.Seat, o *game.Offer[Action]) {
			for i, a := range o.List {
				if down(s).Failed.Has(a.Seat) {
					o.List[0], o.List[i] = a, o.List[0]
				}
			}
		}},
		"cards that are down, in an error": {SpoilLegal: func(s *State, _ game.Seat, err error) error {
			return fmt.Errorf("%w %d", err, down(s).Failed.Len())
		}},
		"cards that are down, in the house's action": {SpoilSample: func(s *State, _ game.Seat, a *Action) {
			if failed := down(s).Failed; failed != 0 {
				a.Seat = failed.Lowest()
			}
		}},
		"who is asked to look at cards depends on them": {SpoilDue: func(s *State, due game.Seats) game.Seats {
			if down(s).Failed.Len() > 0 {
				return due.With(0)
			}
			return due
		}},
		"roles in the open vote": {SpoilNote: func(s *State, n *game.Note[Event]) {
			if e, ok := n.Event.(openVoteEvent); ok {
				e.Approve[0] = s.Moles.Has(0)
			}
		}},
		"roles in who may be shown a card": {SpoilOffer: func(s *State, _ game.Seat, o *game.Offer[Action]) {
			if s.Phase == phaseShow && s.Moles.Has(o.List[0].Seat) {
				o.List = o.List[1:]
			}
		}},
	}
	for _, config := range gametest.Thinned([]string{`{"plot_cards":true}`, full}, 2) {
		gametest.Catch(t, Rules{}, gametest.Case{Config: config, Seats: 8}, 10_000, leaks)
	}
}

// The agents' forced card is asked for like the moles' free one: else due would tell the roles.
func TestAskingOnlyMolesIsCaught(t *testing.T) {
	x := spoiled{SpoilDue: func(s *State, due game.Seats) game.Seats {
		if moles := due & s.Moles; s.Phase == phaseMission && moles != 0 {
			return moles
		}
		return due
	}}
	gametest.Catch(t, Rules{}, gametest.Case{Config: `{}`, Seats: 7}, 5000, map[string]spoiled{"1.5-11": x})
}

func TestResampleThatKeepsTooMuchIsCaught(t *testing.T) {
	hidden := gametest.Hidden[State]{Facts: facts, Possible: possible}
	c := gametest.Case{Config: `{"plot_cards":true,"blind_moles":true}`, Seats: 7}
	for name, h := range map[string]gametest.Hidden[State]{"facts listed": hidden, "state as a whole": {}} {
		if err := gametest.Vary(spoiled{Rules: Rules{}, NoResample: true}, c, 1, h); err == nil {
			t.Errorf("%s: a Resample that changes nothing was not caught", name)
		}
	}
	for name, r := range map[string]game.Rules[Config, State, Action, View, Event]{
		"keeps who failed": keepsFails{}, "keeps the roles": keepsRoles{}, "keeps the deck": keepsDeck{}, "forgets what was seen": forgets{},
	} {
		if err := gametest.Vary(r, c, 3, hidden); err == nil {
			t.Errorf("a Resample that %s was not caught", name)
		}
	}
}

// keepsFails redraws only roles that go with the fails as they were.
type keepsFails struct{ Rules }

func (keepsFails) Resample(s *State, seat game.Seat, r *game.Rand) {
	was := secretOf(s)
	for {
		Rules{}.Resample(s, seat, r)
		if now := secretOf(s); now.failed == was.failed {
			return
		}
	}
}

// keepsRoles redraws only who failed.
type keepsRoles struct{ Rules }

func (keepsRoles) Resample(s *State, seat game.Seat, r *game.Rand) {
	was := s.Moles
	for {
		if (Rules{}).Resample(s, seat, r); s.Moles == was {
			return
		}
	}
}

// keepsDeck does not shuffle the deck.
type keepsDeck struct{ Rules }

func (keepsDeck) Resample(s *State, seat game.Seat, r *game.Rand) {
	was := s.Deck
	Rules{}.Resample(s, seat, r)
	s.Deck = was
}

// forgets redraws also what the seat has looked at.
type forgets struct{ Rules }

func (forgets) Resample(s *State, seat game.Seat, r *game.Rand) {
	was := s.PlayCount
	s.PlayCount = 0
	Rules{}.Resample(s, seat, r)
	s.PlayCount = was
}
