package cia

import (
	"encoding/json"
	"slices"

	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/game"
)

// write fills in the dossier that is likeliest by the suspicions: the odds that a seat runs an agent.
func (s *position) write(suspicion func(game.Seat, cia.Agent) float64) (json.RawMessage, error) {
	owners := map[string]*game.Seat{}
	for m := s.in; m != 0; m &= m - 1 {
		owners[m.Lowest().String()] = nil
	}
	for seat, a := range assign(s.seats(), s.in, suspicion) {
		owners[a.String()] = new(game.Seat(seat))
	}
	return json.Marshal(struct {
		Type   string                `json:"type"`
		Owners map[string]*game.Seat `json:"owners"`
	}{cia.ActDossier.String(), owners})
}

// assign gives each seat another agent of in so that the odds add up to most.
func assign(seats int, in cia.Agents, odds func(game.Seat, cia.Agent) float64) []cia.Agent {
	var best []cia.Agent
	top := -1.0
	now := make([]cia.Agent, seats)
	var try func(seat int, left cia.Agents, sum float64)
	try = func(seat int, left cia.Agents, sum float64) {
		if seat == seats {
			if sum > top {
				top = sum
				best = slices.Clone(now)
			}
			return
		}
		for rest := left; rest != 0; rest &= rest - 1 {
			a := rest.Lowest()
			now[seat] = a
			try(seat+1, left.Without(a), sum+odds(game.Seat(seat), a))
		}
	}
	try(0, in, 0)
	return best
}
