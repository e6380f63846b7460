package cia

import (
	"encoding/json"
	"errors"
	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/game"
)

// position is one seat's: the board, and what is its own.
type position struct {
	board
	view   cia.View // its agents and stones are in board
	config config
	seat   game.Seat
	agent  cia.Agent
	mine   cia.Agents // its agents, those taken included
}

// config is what the strategies need of [cia.Config].
type config struct {
	Track     int16 `json:"track"`
	TopSecret bool  `json:"top_secret"`
	Dossier   bool  `json:"dossier"`
}

// table is a view whose agents and stones are read as plain maps: the view's own types are as strict as a platform must be,
// which takes longer than all the rest of greedy's decision.
type table struct {
	cia.View
	Agents map[string]string `json:"agents"`
	Stones map[string]int16  `json:"stones"`
}

var errView = errors.New("view: it names what CIA does not have, or is not that of a seat")

// readPosition reads a turn.
func readPosition(t *protocol.Turn) (*position, error) {
	s := &position{seat: t.Seat}
	var v table
	if err := search.Read(t, &s.config, &v); err != nil {
		return nil, err
	}
	s.view = v.View
	for name := range v.Agents {
		if a, ok := cia.ParseAgent(name); ok {
			s.in = s.in.With(a)
		}
	}
	if v.Me == nil || !readPlaces(&s.at, v.Agents) || !readStones(&s.stone, v.Stones) {
		return nil, errView
	}
	var flags []string
	for _, f := range v.Flags {
		flags = append(flags, f.Agent)
	}
	var safe, flagged, own, extra bool
	s.safe, safe = cia.ParseBuilding(v.Safe)
	s.flags, flagged = parseAgents(flags)
	s.agent, own = cia.ParseAgent(v.Me.Agent)
	s.mine, extra = parseAgents(v.Me.Extra)
	s.mine = s.mine.With(s.agent)
	if !safe || !flagged || !own || !extra {
		return nil, errView
	}
	return s, nil
}

func parseAgents(words []string) (cia.Agents, bool) {
	var list cia.Agents
	for _, word := range words {
		a, ok := cia.ParseAgent(word)
		if !ok {
			return 0, false
		}
		list = list.With(a)
	}
	return list, true
}

// seats returns how many sit at the table.
func (s *position) seats() int { return len(s.view.Hands) }

// actions lists what may be done: of the offer, but in the phase of moves, where it is every split of the roll's points, in
// the offer's order, and there are no entries. Dossiers are written otherwise.
func (s *position) actions(raw json.RawMessage) ([]cia.Action, []json.RawMessage, error) {
	if s.view.Phase == cia.PhaseMove.String() {
		all := moves(s.in, s.view.Roll, s.config.TopSecret)
		list := make([]cia.Action, len(all))
		for k, by := range all {
			list[k] = cia.Action{Kind: cia.ActMove, Steps: by}
		}
		return list, nil, nil
	}
	offer, err := kit.ParseOffer(raw)
	if err != nil {
		return nil, nil, err
	}
	list, err := search.Actions[cia.Action](offer.List)
	return list, offer.List, err
}
