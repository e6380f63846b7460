package cia

import (
	"testing"

	"github.com/molerun/molerun/engines/game"
)

// offerOf returns the set of actions listed, or the examples; what is there twice has two entries.
func offerOf(s *State, seat game.Seat) map[string]bool {
	var o game.Offer[Action]
	Rules{}.Offer(s, seat, &o)
	out := map[string]bool{}
	for _, a := range append(o.List, o.Examples...) {
		text := string(a.AppendJSON(nil))
		if out[text] {
			text += " again"
		}
		out[text] = true
	}
	return out
}

func TestTheOfferOfAMove(t *testing.T) {
	for _, x := range []struct {
		seats   int
		config  string
		roll    Roll
		count   int
		isWhole bool
	}{ // whole: splits of n over k agents are (n+k−1 over n)
		{2, ``, 2, 15, true},
		{2, ``, 3, 35, true},
		{2, ``, 5, 126, true},
		{2, ``, oneToThree, 5 + 15 + 35, true},
		{2, topSecret, oneToThree, 1 + 5 + 15 + 35, true},
		{4, ``, 3, 84, true},
		{4, ``, oneToThree, 7 + 28 + 84, true},
		{4, topSecret, oneToThree, 1 + 7 + 28 + 84, true},
		{3, ``, 4, 126, true},
		{4, ``, 4, 7 + 21*3, false},
		{4, ``, 6, 7 + 21*5, false},
	} {
		b := newBoard(t, x.config, x.seats, func(b *board) { b.Roll = x.roll })
		var o game.Offer[Action]
		Rules{}.Offer(&b.State, 0, &o)
		if got := len(offerOf(&b.State, 0)); got != x.count || (len(o.Forms) == 0) != x.isWhole {
			t.Errorf("%d seats, roll %s: want %d actions, whole %v, got %d, %d forms", x.seats, x.roll, x.count, x.isWhole, got, len(o.Forms))
		}
		for _, a := range append(o.List, o.Examples...) {
			if err := (Rules{}).Legal(&b.State, 0, a); err != nil {
				t.Errorf("%d seats, roll %s: %s is offered: %v", x.seats, x.roll, a.AppendJSON(nil), err)
			}
		}
	}
}

func TestTheOfferOfADossier(t *testing.T) {
	for seats, want := range map[int]int{2: 20, 3: 120, 4: 7, 7: 7} { // n!/(n−k)!, or one example a rotation
		b := newBoard(t, withFiles, seats, func(b *board) { b.Phase = PhaseDossier })
		if got := len(offerOf(&b.State, 1)); got != want {
			t.Errorf("%d seats: want %d dossiers, got %d", seats, want, got)
		}
	}
}

// Sample draws every legal action of a phase.
func TestSampleReachesEveryAction(t *testing.T) {
	for name, b := range map[string]*board{
		"a move of 3":       newBoard(t, ``, 4, func(b *board) { b.Roll = 3 }),
		"1-3 in the base":   newBoard(t, ``, 2, func(b *board) { b.Roll = oneToThree }),
		"1-3 in Top Secret": newBoard(t, topSecret, 2, func(b *board) { b.Roll = oneToThree }),
		"the safe":          newBoard(t, ``, 2, func(b *board) { b.Phase = PhaseSafe }),
		"a dossier":         newBoard(t, withFiles, 3, func(b *board) { b.Phase = PhaseDossier }),
		"cards with agents": newBoard(t, topSecret, 2, func(b *board) {
			b.Phase = PhaseRound
			b.at("red@ruin grey@ruin")
			b.hand(0, SwapAgents, AgentToAgent, RuinToChurch, AgentToSafe)
		}),
		"cards with steps": newBoard(t, topSecret, 2, func(b *board) {
			b.Phase = PhaseRound
			b.hand(0, TwoForwardOne, BackOneOrTwo, ForwardOrBackOne, ForwardOneToThree)
		}),
		"cards with nothing": newBoard(t, topSecret, 2, func(b *board) { b.Phase = PhaseRound; b.hand(0, AllToChurch, TakeFreeAgent, SafeAnywhere) }),
		"cards with nothing, no free agent": newBoard(t, topSecret, 2, func(b *board) {
			b.Phase, b.Extra[1] = PhaseRound, Agents(0).With(orange).With(red).With(green)
			b.hand(0, AllToChurch, TakeFreeAgent)
		}),
	} {
		want := offerOf(&b.State, 0)
		got := map[string]bool{}
		for range 6000 {
			a := Rules{}.Sample(&b.State, 0, b.Luck)
			if err := (Rules{}).Legal(&b.State, 0, a); err != nil {
				t.Fatalf("%s: %s: %v", name, a.AppendJSON(nil), err)
			}
			got[string(a.AppendJSON(nil))] = true
		}
		if len(got) != len(want) {
			t.Errorf("%s: want %d actions, got %d", name, len(want), len(got))
		}
	}
}
