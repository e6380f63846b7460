package cia

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/game"
)

// mind is what the strategies of CIA differ in.
type mind interface {
	// value says how good a board is for the seat.
	value(b *board) float64
	// width is how many of the best boards foresee judges again, 1 or more.
	width() int
	// foresee is the value of a board after the next turn; if scored, the safe is moved before.
	foresee(b *board, scored bool) float64
	// gain is what a card must be worth to be played.
	gain() float64
	// suspicion is the odds that a seat runs an agent.
	suspicion(seat game.Seat, agent cia.Agent) float64
	// shows is how much an action of a list gives away, in the measure of value.
	shows(list []cia.Action, k int) float64
}

// decide answers with the action that leads to the best board.
func (s *position) decide(m mind, offer json.RawMessage, rng *rand.Rand) (protocol.Answer, error) {
	list, err := s.ranked(m, offer, rng, 1)
	if err != nil {
		return protocol.Answer{}, err
	}
	return list[0], nil
}

// ranked lists the actions that lead to the best boards, the best first: at most so many, and no more than the mind's width.
// Of dossiers there is one.
func (s *position) ranked(m mind, offer json.RawMessage, rng *rand.Rand, most int) ([]protocol.Answer, error) {
	if s.view.Phase == cia.PhaseDossier.String() {
		action, err := s.write(m.suspicion)
		return []protocol.Answer{{Action: action}}, err
	}
	list, entries, err := s.actions(offer)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: nothing to do in phase %s", kit.ErrOffer, protocol.Quote(s.view.Phase))
	}
	plans := s.plans(m, list, rng)
	var out []protocol.Answer
	for _, p := range plans[:min(most, len(plans))] {
		if len(entries) > 0 {
			out = append(out, protocol.Answer{Action: entries[p.entry]})
			continue
		}
		move, err := writeMove(list[p.entry].Steps)
		if err != nil {
			return nil, err
		}
		out = append(out, protocol.Answer{Action: move})
	}
	return out, nil
}

// plans returns the best of a list at first sight, in the order of what the mind foresees.
func (s *position) plans(m mind, list []cia.Action, rng *rand.Rand) []plan {
	width := m.width()
	plans := make([]plan, 0, width+1) // the best so far, in order
	for k := range list {
		p := plan{entry: k, luck: rng.Float64()}
		p.board, p.scored = s.after(&list[k])
		p.extra = s.extra(m, &list[k], &p.board) - m.shows(list, k)
		p.value = m.value(&p.board) + p.extra
		if at, _ := slices.BinarySearchFunc(plans, p, better); at < width {
			plans = slices.Insert(plans, at, p)[:min(len(plans)+1, width)]
		}
	}
	for k := range plans {
		if p := &plans[k]; len(plans) > 1 {
			p.value = m.foresee(&p.board, p.scored) + p.extra
		}
	}
	slices.SortStableFunc(plans, better)
	return plans
}

// plan is an entry of the offer and where it leads.
type plan struct {
	entry       int
	board       board
	scored      bool
	value, luck float64
	extra       float64 // what the board does not show
}

// better orders plans, the best first; luck decides between equals.
func better(a, b plan) int {
	return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(b.luck, a.luck))
}

// extra returns the worth of the cards that an action spends and earns.
func (s *position) extra(m mind, action *cia.Action, after *board) float64 {
	switch {
	case action.Kind == cia.ActCard && action.Card == cia.TakeFreeAgent:
		return m.gain()
	case action.Kind == cia.ActCard:
		return -m.gain()
	case s.config.TopSecret && action.Kind == cia.ActMove && !s.view.Drawn && draws(action, after):
		return m.gain()
	}
	return 0
}

// draws reports whether a move earns a card: an agent moved into the ruin, or nobody moved.
func draws(move *cia.Action, after *board) bool {
	for a, n := range move.Steps {
		if n != 0 && after.at[a] == cia.Ruin {
			return true
		}
	}
	return move.Steps == steps{}
}
