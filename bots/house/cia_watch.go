package house

import (
	"encoding/json"
	"math"
	"math/bits"
	"slices"

	json2 "github.com/go-json-experiment/json"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
)

// surveillance is what a seat has concluded from the moves of all seats so far. It travels in the memo, since the view does
// not tell who moved what; the events since the last turn are added to it.
type surveillance struct {
	At    [spies]int8  `json:"at"`
	Stone [spies]int   `json:"stone"`
	Safe  int8         `json:"safe"`
	Roll  string       `json:"roll"` // "" once the move was seen: what moves then is moved by cards
	Log   [][spies]int `json:"log"`  // by seat and agent: 1000 × the logarithm of the odds of the moves seen
}

// incident is what an event of CIA can tell.
type incident struct {
	Kind   string            `json:"kind"`
	Seat   game.Seat         `json:"seat"`
	Roll   string            `json:"roll"`
	Agents map[string]string `json:"agents"`
	Stones map[string]int    `json:"stones"`
	To     string            `json:"to"`
}

// watch reads the memo and adds the events. If the board does not come out as the view has it (the memo was lost), the
// surveillance begins anew.
func watch(t *protocol.Turn, s *stakeout) *surveillance {
	fresh := func() *surveillance { return &surveillance{Safe: 7, Log: make([][spies]int, len(s.view.Hands))} }
	w := fresh()
	if t.Memo != "" && (json2.Unmarshal([]byte(t.Memo), w) != nil || len(w.Log) != len(s.view.Hands)) {
		w = fresh()
	}
	for _, raw := range t.Events {
		var e incident
		if json2.Unmarshal(raw, &e) == nil && int(e.Seat) < len(w.Log) && e.Seat >= 0 {
			w.see(&e, s)
		}
	}
	if w.At != s.at || w.Stone != s.stone || w.Safe != s.safe {
		w = fresh()
		w.At, w.Stone, w.Safe, w.Roll = s.at, s.stone, s.safe, ""
		if s.view.Phase == "move" {
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

func (w *surveillance) see(e *incident, s *stakeout) {
	switch e.Kind {
	case "roll":
		w.Roll = e.Roll
	case "move":
		if w.Roll != "" {
			w.judge(e, s)
		}
		w.Roll = ""
		for name, at := range e.Agents {
			w.At[index(spyNames[:], name)] = index(buildingNames[:], at)
		}
	case "score":
		for name, n := range e.Stones {
			w.Stone[index(spyNames[:], name)] = n
		}
	case "safe":
		w.Safe = index(buildingNames[:], e.To)
	}
}

// judge weighs who would have moved so.
func (w *surveillance) judge(e *incident, s *stakeout) {
	var did strides
	for name, to := range e.Agents {
		a := index(spyNames[:], name)
		did[a] = (index(buildingNames[:], to) - w.At[a] + buildings) % buildings
	}
	r := ring{in: s.in, at: w.At, stone: w.Stone, safe: w.Safe}
	all := moves(s.in, w.Roll, s.secret)
	k := slices.Index(all, did)
	if k < 0 {
		return
	}
	for a, p := range likelihoods(&r, all)[k] {
		w.Log[e.Seat][a] += int(math.Round(1000 * math.Log(p)))
	}
}

// likelihoods is, by move and agent, how likely the owner of the agent would make that move: mostly one that brings it
// ahead, at times any.
func likelihoods(r *ring, all []strides) [][spies]float64 {
	out := make([][spies]float64, len(all))
	var sum [spies]float64
	var calm [spies][buildings]float64 // by agent and building, if nothing is scored
	for k := range all {
		board := *r
		board.walk(&all[k])
		scored := board.settle()
		best, second := board.leaders()
		for in := r.in; in != 0; in &= in - 1 {
			a := bits.TrailingZeros8(in)
			x := &out[k][a]
			if !scored {
				x = &calm[a][board.at[a]]
			}
			if *x == 0 {
				rival := best
				if board.stone[a] == best {
					rival = second
				}
				*x = math.Exp(lead(board.stone[a]-rival, worth(board.at[a])))
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

// leaders is the best stone of all, and the second best, which may be as far.
func (r *ring) leaders() (best, second int) {
	for in := r.in; in != 0; in &= in - 1 {
		n := r.stone[bits.TrailingZeros8(in)]
		best, second = max(best, n), max(second, min(best, n))
	}
	return best, second
}

// suspicions is the odds by seat and agent over all ways to share the agents out, the seat's own one given.
func (w *surveillance) suspicions(s *stakeout) [][spies]float64 {
	odds := make([][spies]float64, len(w.Log))
	weight := make([][spies]float64, len(w.Log))
	for seat, row := range w.Log {
		top := slices.Max(row[:])
		for a := range row {
			weight[seat][a] = math.Exp(float64(row[a]-top) / 1000)
		}
	}
	now := make([]int, len(w.Log))
	total := 0.0
	var share func(seat int, left uint8, p float64)
	share = func(seat int, left uint8, p float64) {
		if seat == len(now) {
			total += p
			for at, a := range now {
				odds[at][a] += p
			}
			return
		}
		for rest := left; rest != 0; rest &= rest - 1 {
			a := bits.TrailingZeros8(rest)
			own := spyNames[a] == s.view.Me.Agent
			if own == (game.Seat(seat) == s.seat) { //nolint:gosec // at most 7
				now[seat] = a
				share(seat+1, left&^(1<<a), p*weight[seat][a])
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
