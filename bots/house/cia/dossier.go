package cia

import (
	"encoding/json"
	"slices"

	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/game"
)

// write fills in the dossier that is likeliest by the suspicions: the odds that a seat runs an agent.
func (s *position) write(suspicion func(game.Seat, cia.Agent) float64) (json.RawMessage, error) {
	odds := make([][cia.NumAgents]float64, s.seats())
	for seat := range odds {
		for a := range odds[seat] {
			odds[seat][a] = suspicion(game.Seat(seat), cia.Agent(a))
		}
	}
	owners := map[string]*game.Seat{}
	for m := s.in; m != 0; m &= m - 1 {
		owners[m.Lowest().String()] = nil
	}
	for seat, a := range assign(odds, s.in) {
		at := game.Seat(seat)
		owners[a.String()] = &at
	}
	return json.Marshal(struct {
		Type   string                `json:"type"`
		Owners map[string]*game.Seat `json:"owners"`
	}{cia.ActDossier.String(), owners})
}

// assign gives each seat another agent of in so that the odds add up to most.
func assign(odds [][cia.NumAgents]float64, in cia.Agents) []cia.Agent {
	var best []cia.Agent
	top := -1.0
	now := make([]cia.Agent, len(odds))
	var try func(seat int, left cia.Agents, sum float64)
	try = func(seat int, left cia.Agents, sum float64) {
		if seat == len(odds) {
			if sum > top {
				top = sum
				best = slices.Clone(now)
			}
			return
		}
		for rest := left; rest != 0; rest &= rest - 1 {
			a := rest.Lowest()
			now[seat] = a
			try(seat+1, left.Without(a), sum+odds[seat][a])
		}
	}
	try(0, in, 0)
	return best
}
