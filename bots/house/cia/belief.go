package cia

import (
	"encoding/json"
	"math"
	"slices"

	json2 "github.com/go-json-experiment/json"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/game"
)

// surveillance is what a seat has concluded from the moves of all seats so far. It travels in the memo, since the view does
// not tell who moved what; the events since the last turn are added to it.
type surveillance struct {
	At    [cia.NumAgents]cia.Building `json:"at"`
	Stone [cia.NumAgents]int16        `json:"stone"`
	Safe  cia.Building                `json:"safe"`
	Roll  string                      `json:"roll"` // "" once the move was seen: what moves then is moved by cards
	Log   [][cia.NumAgents]int        `json:"log"`  // by seat and agent: 1000 × the logarithm of the odds of the moves seen
}

// event is what the events of CIA tell of the board, each some of it.
type event struct {
	Kind   string            `json:"kind"`
	Seat   game.Seat         `json:"seat"`
	Roll   string            `json:"roll"`
	Agents map[string]string `json:"agents"`
	Stones map[string]int16  `json:"stones"`
	To     string            `json:"to"`
}

// watch reads the memo and adds the events. If the board does not come out as the view has it (the memo was lost), the
// surveillance begins again.
func watch(t *protocol.Turn, s *position) *surveillance {
	fresh := func() *surveillance { return &surveillance{Safe: 7, Log: make([][cia.NumAgents]int, s.seats())} }
	w := fresh()
	if t.Memo != "" && (json2.Unmarshal([]byte(t.Memo), w) != nil || len(w.Log) != s.seats()) {
		w = fresh()
	}
	for _, raw := range t.Events {
		var e event
		if json2.Unmarshal(raw, &e) == nil && int(e.Seat) < len(w.Log) && e.Seat >= 0 {
			w.see(&e, s)
		}
	}
	if w.At != s.at || w.Stone != s.stone || w.Safe != s.safe {
		w = fresh()
		w.At = s.at
		w.Stone = s.stone
		w.Safe = s.safe
		if s.view.Phase == cia.PhaseMove.String() {
			w.Roll = s.view.Roll
		}
	}
	return w
}

func (w *surveillance) memo() string {
	b, err := json.Marshal(w)
	if err != nil {
		return ""
	}
	return string(b)
}

func (w *surveillance) see(e *event, s *position) {
	switch e.Kind {
	case "roll":
		w.Roll = e.Roll
	case "move":
		to := w.At
		if !readPlaces(&to, e.Agents) {
			return
		}
		if w.Roll != "" {
			w.judge(e.Seat, &to, s)
		}
		w.Roll = ""
		w.At = to
	case "score":
		readStones(&w.Stone, e.Stones)
	case "safe":
		if to, ok := cia.ParseBuilding(e.To); ok {
			w.Safe = to
		}
	}
}

// judge weighs who would have moved so.
func (w *surveillance) judge(seat game.Seat, to *[cia.NumAgents]cia.Building, s *position) {
	var did steps
	for a := range did {
		did[a] = int8(to[a]-w.At[a]+cia.Buildings) % cia.Buildings
	}
	b := board{in: s.in, at: w.At, stone: w.Stone, safe: w.Safe}
	all := moves(s.in, w.Roll, s.config.TopSecret)
	k := slices.Index(all, did)
	if k < 0 {
		return
	}
	for a, p := range likelihoods(&b, all)[k] {
		w.Log[seat][a] += int(math.Round(1000 * math.Log(p)))
	}
}

// likelihoods is, by move and agent, how likely the owner of the agent would make that move: mostly one that brings it
// ahead, at times any.
func likelihoods(b *board, all []steps) [][cia.NumAgents]float64 {
	out := make([][cia.NumAgents]float64, len(all))
	var sum [cia.NumAgents]float64
	var calm [cia.NumAgents][cia.Buildings]float64 // by agent and building, if nothing is scored
	for k := range all {
		next := *b
		next.walk(&all[k])
		scored := next.settle()
		best, second := next.leaders()
		for m := b.in; m != 0; m &= m - 1 {
			a := m.Lowest()
			x := &out[k][a]
			if !scored {
				x = &calm[a][next.at[a]]
			}
			if *x == 0 {
				rival := best
				if next.stone[a] == best {
					rival = second
				}
				*x = math.Exp(lead(next.stone[a]-rival, next.at[a].Value()))
			}
			out[k][a] = *x
			sum[a] += *x
		}
	}
	const whim = 0.15
	for k := range out {
		for a := range out[k] {
			if sum[a] > 0 {
				out[k][a] = (1-whim)*out[k][a]/sum[a] + whim/float64(len(all))
			} else {
				out[k][a] = 1 // not in play
			}
		}
	}
	return out
}

// suspicions returns the odds by seat and agent over all ways to share the agents out, the seat's own one given.
func (w *surveillance) suspicions(s *position) [][cia.NumAgents]float64 {
	odds := make([][cia.NumAgents]float64, len(w.Log))
	weight := make([][cia.NumAgents]float64, len(w.Log))
	for seat, row := range w.Log {
		top := slices.Max(row[:])
		for a := range row {
			weight[seat][a] = math.Exp(float64(row[a]-top) / 1000)
		}
	}
	now := make([]cia.Agent, len(w.Log))
	total := 0.0
	var share func(seat int, left cia.Agents, p float64)
	share = func(seat int, left cia.Agents, p float64) {
		if seat == len(now) {
			total += p
			for at, a := range now {
				odds[at][a] += p
			}
			return
		}
		for rest := left; rest != 0; rest &= rest - 1 {
			a := rest.Lowest()
			own := a == s.agent
			if own == (game.Seat(seat) == s.seat) {
				now[seat] = a
				share(seat+1, left.Without(a), p*weight[seat][a])
			}
		}
	}
	share(0, s.in, 1)
	for seat := range odds {
		for a := range odds[seat] {
			odds[seat][a] /= total
		}
	}
	return odds
}
