package cia

import (
	"encoding/json"
	"errors"
	"fmt"

	json2 "github.com/go-json-experiment/json"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/game"
)

// position is one seat's: the board, and what is its own.
type position struct {
	board
	view   cia.View
	config cia.Config
	seat   game.Seat
	agent  cia.Agent
	mine   cia.Agents // its agents, those taken included
}

var errView = errors.New("view: it names what CIA does not have, or is not that of a seat")

// readPosition reads a turn.
func readPosition(t *protocol.Turn) (*position, error) {
	s := &position{seat: t.Seat, config: cia.Rules{}.Defaults()}
	if err := json2.Unmarshal(t.Config, &s.config); err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	if err := json2.Unmarshal(t.View, &s.view); err != nil {
		return nil, fmt.Errorf("view: %w", err)
	}
	for a, at := range s.view.Agents {
		if at >= 0 {
			s.in = s.in.With(cia.Agent(a))
			s.at[a] = at
			s.stone[a] = max(0, s.view.Stones[a])
		}
	}
	var ok bool
	if s.safe, ok = cia.ParseBuilding(s.view.Safe); !ok {
		return nil, errView
	}
	flags := make([]string, 0, cia.NumAgents)
	for _, f := range s.view.Flags {
		flags = append(flags, f.Agent)
	}
	if s.flags, ok = parseAgents(flags); !ok || s.view.Me == nil {
		return nil, errView
	}
	if s.agent, ok = cia.ParseAgent(s.view.Me.Agent); !ok {
		return nil, errView
	}
	if s.mine, ok = parseAgents(s.view.Me.Extra); !ok {
		return nil, errView
	}
	s.mine = s.mine.With(s.agent)
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

// track is the field on which a stone has come round.
func (s *position) track() int16 { return int16(s.config.Track) }

// seats is how many sit at the table.
func (s *position) seats() int { return len(s.view.Hands) }

// actions lists what may be done: of the offer, but in the phase of moves, where it is every split of the roll's points, in
// the offer's order, and there are no entries. Dossiers are written otherwise.
func (s *position) actions(raw json.RawMessage) (list []cia.Action, entries []json.RawMessage, err error) {
	if s.view.Phase == cia.PhaseMove.String() {
		all := moves(s.in, s.view.Roll, s.config.TopSecret)
		list = make([]cia.Action, len(all))
		for k, by := range all {
			list[k] = cia.Action{Kind: cia.ActMove, Steps: by}
		}
		return list, nil, nil
	}
	offer, err := kit.ParseOffer(raw)
	if err != nil {
		return nil, nil, err
	}
	list, err = search.Actions[cia.Action](offer.List)
	return list, offer.List, err
}
