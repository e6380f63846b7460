package house

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"

	json2 "github.com/go-json-experiment/json"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
)

// The agents and the buildings of CIA, by the numbers used here.
var (
	spyNames      = [...]string{"grey", "yellow", "orange", "red", "green", "blue", "purple"}
	buildingNames = [buildings]string{"church", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "ruin"}
)

const (
	spies     = len(spyNames)
	buildings = 12

	church = 0
	ruin   = 11
)

// ringView is what the strategies need of CIA's view.
type ringView struct {
	Phase  string            `json:"phase"`
	Turn   game.Seat         `json:"turn"`
	Turns  int               `json:"turns"`
	Roll   string            `json:"roll"`
	Agents map[string]string `json:"agents"`
	Stones map[string]int    `json:"stones"`
	Safe   string            `json:"safe"`
	Flags  []struct {        // the oldest first
		Agent string    `json:"agent"`
		Seat  game.Seat `json:"seat"`
	} `json:"flags"`
	Hands []int `json:"hands"`
	Drawn bool  `json:"drawn"`
	Filed bool  `json:"dossier_filed"`
	Me    struct {
		Agent string   `json:"agent"`
		Extra []string `json:"extra_agents"`
	} `json:"me"`
}

// errand is an action of CIA.
type errand struct {
	Type   string                `json:"type"`
	Card   string                `json:"card,omitempty"`
	Steps  strides               `json:"steps,omitzero"`
	Agents []string              `json:"agents,omitempty"`
	To     string                `json:"to,omitempty"`
	Owners map[string]*game.Seat `json:"owners,omitempty"`
}

// strides is how far each agent goes. JSON: agent → steps, those that go only.
type strides [spies]int8

// MarshalJSON writes {"red":2}.
func (x strides) MarshalJSON() ([]byte, error) {
	out := map[string]int8{}
	for a, n := range x {
		if n != 0 {
			out[spyNames[a]] = n
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (x *strides) UnmarshalJSON(b []byte) error {
	var in map[string]int8
	if err := json2.Unmarshal(b, &in); err != nil {
		return err
	}
	*x = strides{}
	for name, n := range in {
		x[index(spyNames[:], name)] = n
	}
	return nil
}

// ring is the board: where the agents and the safe are, the score, and who would trigger a scoring.
type ring struct {
	in    uint8 // agents in play, a bit each
	at    [spies]int8
	stone [spies]int
	safe  int8
	flags uint8
}

// stakeout is one seat's position: the board, and what is its own.
type stakeout struct {
	ring
	view   ringView
	seat   game.Seat
	mine   uint8 // its agents, those taken included
	track  int
	secret bool // Top Secret is played
	file   bool // the dossier is played
}

func readStakeout(t *protocol.Turn) (*stakeout, error) {
	s := &stakeout{seat: t.Seat}
	config := struct {
		Track     int  `json:"track"`
		TopSecret bool `json:"top_secret"`
		Dossier   bool `json:"dossier"`
	}{Track: 42}
	if err := json2.Unmarshal(t.Config, &config); err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	s.track, s.secret, s.file = config.Track, config.TopSecret, config.Dossier
	if err := json2.Unmarshal(t.View, &s.view); err != nil {
		return nil, fmt.Errorf("view: %w", err)
	}
	s.safe = index(buildingNames[:], s.view.Safe)
	for name, at := range s.view.Agents {
		a := index(spyNames[:], name)
		s.in |= 1 << a
		s.at[a], s.stone[a] = index(buildingNames[:], at), s.view.Stones[name]
	}
	for _, f := range s.view.Flags {
		s.flags |= 1 << index(spyNames[:], f.Agent)
	}
	for _, name := range append(s.view.Me.Extra, s.view.Me.Agent) {
		s.mine |= 1 << index(spyNames[:], name)
	}
	return s, nil
}

// index is the place of a word; a word of a later protocol counts as the first.
func index(words []string, word string) int8 {
	return int8(max(0, slices.Index(words, word))) //nolint:gosec // below 12
}

// worth is the points of a building.
func worth(at int8) int {
	if at == ruin {
		return -3
	}
	return int(at)
}

// put moves an agent; at the safe it gets a flag, elsewhere it loses it.
func (r *ring) put(a, to int8) {
	if r.at[a] == to {
		return
	}
	if r.at[a], r.flags = to, r.flags&^(1<<a); to == r.safe {
		r.flags |= 1 << a
	}
}

// walk moves every agent by its steps.
func (r *ring) walk(steps *strides) {
	for a, n := range steps {
		if n != 0 {
			r.put(int8(a), (r.at[a]+n+buildings)%buildings) //nolint:gosec // below 7
		}
	}
}

// settle scores if anybody has a flag.
func (r *ring) settle() (scored bool) {
	if r.flags == 0 {
		return false
	}
	for m := r.in; m != 0; m &= m - 1 {
		a := bits.TrailingZeros8(m)
		r.stone[a] = max(0, r.stone[a]+worth(r.at[a]))
	}
	return true
}

// after is the board once the action is done and the turn settled, should nobody play a card more. scored: the safe is to
// be moved next.
func (r ring) after(e *errand) (out ring, scored bool) {
	r.walk(&e.Steps)
	if e.Type == "safe" {
		r.safe, r.flags = index(buildingNames[:], e.To), 0
		return r, false
	}
	if e.Type == "card" {
		r.card(e)
	}
	scored = r.settle()
	return r, scored
}

// card is the effect of the cards that name no steps.
func (r *ring) card(e *errand) {
	named := make([]int8, len(e.Agents))
	for i, name := range e.Agents {
		named[i] = index(spyNames[:], name)
	}
	switch e.Card {
	case "agent_to_ruin":
		r.put(named[0], ruin)
	case "agent_to_safe":
		r.put(named[0], r.safe)
	case "swap_agents":
		a, b := r.at[named[0]], r.at[named[1]]
		r.put(named[0], b)
		r.put(named[1], a)
	case "agent_to_agent":
		r.put(named[0], r.at[named[1]])
	case "two_stones_three":
		for _, a := range named {
			r.stone[a] += 3
		}
	case "ruin_to_church":
		for _, a := range named {
			r.put(a, church)
		}
	case "all_to_church":
		for m := r.in; m != 0; m &= m - 1 {
			r.put(int8(bits.TrailingZeros8(m)), church) //nolint:gosec // below 7
		}
	case "safe_anywhere":
		r.safe, r.flags = index(buildingNames[:], e.To), 0
	}
}

// errands lists what may be done: of the offer, but in the phase of moves, where it is every split of the roll's points, in the
// offer's order, and there are no entries. Dossiers are written otherwise.
func (s *stakeout) errands(raw json.RawMessage) (list []errand, entries []json.RawMessage, err error) {
	if s.view.Phase == "move" {
		all := moves(s.in, s.view.Roll, s.secret)
		list = make([]errand, len(all))
		for k, steps := range all {
			list[k] = errand{Type: "move", Steps: steps}
		}
		return list, nil, nil
	}
	offer, err := kit.ParseOffer(raw)
	if err != nil {
		return nil, nil, err
	}
	list = make([]errand, len(offer.List))
	for k, entry := range offer.List {
		if err := json2.Unmarshal(entry, &list[k]); err != nil {
			return nil, nil, fmt.Errorf("entry %d of the offer: %w", k, err)
		}
	}
	return list, offer.List, nil
}

// points is the number of a roll, 3 for "1-3".
func points(roll string) int {
	if n, err := strconv.Atoi(roll); err == nil {
		return n
	}
	return 3
}

// moves lists the moves of a roll, fewest points first. none: a "1-3" may be left unused.
func moves(m uint8, roll string, none bool) (list []strides) {
	if roll == "1-3" {
		if none {
			list = append(list, strides{})
		}
		list = splits(list, m, 1)
		list = splits(list, m, 2)
	}
	return splits(list, m, points(roll))
}

// splits adds to a list the ways to give n points to the agents of m, most to the first agents first.
func splits(list []strides, m uint8, n int) []strides {
	list = slices.Grow(list, choose(bits.OnesCount8(m)-1+n, n))
	var steps strides
	var spread func(m uint8, n int)
	spread = func(m uint8, n int) {
		a := bits.TrailingZeros8(m)
		if m&(m-1) == 0 {
			steps[a] = int8(n) //nolint:gosec // at most 6
			list = append(list, steps)
			steps[a] = 0
			return
		}
		for k := n; k >= 0; k-- {
			steps[a] = int8(k) //nolint:gosec // at most 6
			spread(m&(m-1), n-k)
		}
		steps[a] = 0
	}
	spread(m, n)
	return list
}

// spy is what the strategies of CIA differ in.
type spy interface {
	// value says how good a board is for the seat.
	value(r *ring) float64
	// width is how many of the best boards foresee judges anew, 1 or more.
	width() int
	// foresee is the value of a board after the next turn; if scored, the safe is moved before.
	foresee(r *ring, scored bool) float64
	// gain is what a card must be worth to be played.
	gain() float64
	// suspicion is the odds that a seat runs an agent.
	suspicion(seat game.Seat, agent int) float64
	// shows is how much an action of a list gives away, in the measure of value.
	shows(list []errand, k int) float64
}

// decide answers with the action that leads to the best board.
func (s *stakeout) decide(mind spy, offer json.RawMessage, rng *rand.Rand) (protocol.Answer, error) {
	list, err := s.ranked(mind, offer, rng, 1)
	if err != nil {
		return protocol.Answer{}, err
	}
	return protocol.Answer{Action: list[0]}, nil
}

// ranked lists the actions that lead to the best boards, the best first: at most so many, and no more than the mind's width.
// Of dossiers there is one.
func (s *stakeout) ranked(mind spy, offer json.RawMessage, rng *rand.Rand, most int) (out []json.RawMessage, err error) {
	if s.view.Phase == "dossier" {
		action, err := s.write(mind)
		return []json.RawMessage{action}, err
	}
	list, entries, err := s.errands(offer)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: nothing to do in phase %s", kit.ErrOffer, protocol.Quote(s.view.Phase))
	}
	plans := s.plans(mind, list, rng)
	for _, p := range plans[:min(most, len(plans))] {
		if len(entries) > 0 {
			out = append(out, entries[p.entry])
			continue
		}
		b, err := json.Marshal(struct {
			Type  string  `json:"type"`
			Steps strides `json:"steps"`
		}{"move", list[p.entry].Steps})
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}

// plans are the best of a list at first sight, in the order of what the mind foresees.
func (s *stakeout) plans(mind spy, list []errand, rng *rand.Rand) []plan {
	width := mind.width()
	plans := make([]plan, 0, width+1) // the best so far, in order
	for k := range list {
		p := plan{entry: k, luck: rng.Float64()}
		p.board, p.scored = s.after(&list[k])
		p.extra = s.extra(mind, &list[k], &p.board) - mind.shows(list, k)
		p.value = mind.value(&p.board) + p.extra
		if at, _ := slices.BinarySearchFunc(plans, p, better); at < width {
			plans = slices.Insert(plans, at, p)[:min(len(plans)+1, width)]
		}
	}
	for k := range plans {
		if p := &plans[k]; len(plans) > 1 {
			p.value = mind.foresee(&p.board, p.scored) + p.extra
		}
	}
	slices.SortStableFunc(plans, better)
	return plans
}

// plan is an entry of the offer and where it leads.
type plan struct {
	entry       int
	board       ring
	scored      bool
	value, luck float64
	extra       float64 // what the board does not show
}

// better orders plans, the best first; luck decides between equals.
func better(a, b plan) int {
	return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(b.luck, a.luck))
}

// extra is the worth of the cards that an action spends and earns.
func (s *stakeout) extra(mind spy, e *errand, after *ring) float64 {
	switch {
	case e.Card == "take_free_agent":
		return mind.gain()
	case e.Type == "card":
		return -mind.gain()
	case s.secret && e.Type == "move" && !s.view.Drawn && s.draws(after, e):
		return mind.gain()
	}
	return 0
}

// draws tells whether a move earns a card: an agent moved into the ruin, or nobody moved.
func (s *stakeout) draws(after *ring, e *errand) bool {
	for a, n := range e.Steps {
		if n != 0 && after.at[a] == ruin {
			return true
		}
	}
	return e.Steps == strides{}
}

// write fills in the dossier that is likeliest by the suspicions.
func (s *stakeout) write(mind spy) (json.RawMessage, error) {
	seats := len(s.view.Hands)
	odds := make([][spies]float64, seats)
	for seat := range odds {
		for a := range spies {
			odds[seat][a] = mind.suspicion(game.Seat(seat), a) //nolint:gosec // at most 7
		}
	}
	owner := assign(odds, s.in)
	e := errand{Type: "dossier", Owners: map[string]*game.Seat{}}
	for m := s.in; m != 0; m &= m - 1 {
		e.Owners[spyNames[bits.TrailingZeros8(m)]] = nil
	}
	for seat, a := range owner {
		at := game.Seat(seat) //nolint:gosec // at most 7
		e.Owners[spyNames[a]] = &at
	}
	return json.Marshal(e)
}

// assign gives each seat another agent of m so that the odds add up to most.
func assign(odds [][spies]float64, m uint8) (agents []int) {
	top := -1.0
	now := make([]int, len(odds))
	var try func(seat int, left uint8, sum float64)
	try = func(seat int, left uint8, sum float64) {
		if seat == len(odds) {
			if sum > top {
				top, agents = sum, slices.Clone(now)
			}
			return
		}
		for rest := left; rest != 0; rest &= rest - 1 {
			a := bits.TrailingZeros8(rest)
			now[seat] = a
			try(seat+1, left&^(1<<a), sum+odds[seat][a])
		}
	}
	try(0, m, 0)
	return agents
}
