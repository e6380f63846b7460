package molemajority

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
)

// Kind is the type of an action.
type Kind uint8

// The kinds; the zero Kind is no action.
const (
	ActPlaceHome Kind = iota + 1
	ActPlaceTile
	ActPlay
	ActMove
	ActBreed
	ActCaveIn
	ActMakeHome
	ActConvert
	ActRoll
	ActSwap
	ActStack
	ActDone
	ActDiscardHand
)

var kindNames = [...]string{
	"nothing", "place_home", "place_tile", "play", "move", "breed", "cave_in", "make_home", "convert", "roll", "swap", "stack", "done",
	"discard_hand",
}

// String returns the word on the wire.
func (k Kind) String() string { return kindNames[min(int(k), len(kindNames)-1)] }

// direction is the way in which a Groundskeeper goes round a hex.
type direction uint8

// The directions; clockwise is towards higher spaces.
const (
	CW direction = iota
	CCW
)

var directionNames = [...]string{"cw", "ccw"}

// String returns the word on the wire.
func (d direction) String() string { return directionNames[d&1] }

// Action is one decision. Fields that its kind does not have are zero.
type Action struct {
	Kind  Kind
	Card  Card      // play, swap, stack
	As    As        // stack
	At    Hex       // place_home, place_tile, breed, make_home, convert, roll; move: from
	To    Hex       // move
	Space int8      // roll, and under choose_spaces breed, move (target) and convert: the space + 1; 0 is not named
	Leave int8      // move under choose_spaces: the space it leaves + 1
	Seat  game.Seat // convert: the victim; swap: the seat
	Edges [2]int8   // cave_in: ascending
	Way   direction // roll
	Count int8      // roll
}

// The fields of an action on the wire.
const (
	hasAt = 1 << iota
	hasCard
	hasFrom // with to
	hasEdges
	hasVictim
	hasSpace // under choose_spaces
	hasLeave // under choose_spaces
	hasRoll  // space, direction and count
	hasSeat
	hasAs
)

var fieldsOf = [...]uint16{
	ActPlaceHome: hasAt, ActPlaceTile: hasAt, ActPlay: hasCard, ActMove: hasFrom | hasSpace | hasLeave, ActBreed: hasAt | hasSpace,
	ActCaveIn: hasEdges, ActMakeHome: hasAt, ActConvert: hasAt | hasVictim | hasSpace, ActRoll: hasAt | hasRoll,
	ActSwap: hasSeat | hasCard, ActStack: hasCard | hasAs, ActDone: 0, ActDiscardHand: 0,
}

// AppendJSON writes the action as it is on the wire.
func (a Action) AppendJSON(b []byte) []byte {
	b = append(append(append(b, `{"type":"`...), a.Kind.String()...), '"')
	has := uint16(0)
	if int(a.Kind) < len(fieldsOf) {
		has = fieldsOf[a.Kind]
	}
	if has&hasSeat != 0 {
		b = game.AppendNumber(b, "seat", a.Seat)
	}
	if has&hasCard != 0 {
		b = game.AppendWord(b, "card", a.Card.String())
	}
	if has&hasAs != 0 {
		b = game.AppendWord(b, "as", a.As.String())
	}
	if has&hasAt != 0 {
		b = game.AppendWord(b, "at", a.At.String())
	}
	if has&hasFrom != 0 {
		b = game.AppendWord(game.AppendWord(b, "from", a.At.String()), "to", a.To.String())
	}
	if has&hasEdges != 0 {
		b = append(append(append(b, `,"edges":["`...), grid.edgeName[a.Edges[0]]...), `","`...)
		b = append(append(b, grid.edgeName[a.Edges[1]]...), `"]`...)
	}
	if has&hasVictim != 0 {
		b = game.AppendNumber(b, "victim", a.Seat)
	}
	if a.Leave != 0 {
		b = game.AppendNumber(b, "from_space", a.Leave-1)
	}
	if a.Space != 0 {
		b = game.AppendNumber(b, "space", a.Space-1)
	}
	if has&hasRoll != 0 {
		b = game.AppendNumber(game.AppendWord(b, "direction", a.Way.String()), "count", a.Count)
	}
	return append(b, '}')
}

// MarshalJSON writes the action as it is on the wire.
func (a Action) MarshalJSON() ([]byte, error) { return a.AppendJSON(nil), nil }

type wireAction struct {
	Type      string                 `json:"type"`
	At        strict.Given[string]   `json:"at,omitempty"`
	Card      strict.Given[string]   `json:"card,omitempty"`
	From      strict.Given[string]   `json:"from,omitempty"`
	To        strict.Given[string]   `json:"to,omitempty"`
	Edges     strict.Given[[]string] `json:"edges,omitempty"`
	Victim    strict.Given[int8]     `json:"victim,omitempty"`
	FromSpace strict.Given[int8]     `json:"from_space,omitempty"`
	Space     strict.Given[int8]     `json:"space,omitempty"`
	Direction strict.Given[string]   `json:"direction,omitempty"`
	Count     strict.Given[int8]     `json:"count,omitempty"`
	Seat      strict.Given[int8]     `json:"seat,omitempty"`
	As        strict.Given[string]   `json:"as,omitempty"`
}

// UnmarshalJSON reads an action strictly: the keys of its type, all of them and no others; space and from_space may be
// left out, except for a roll.
func (a *Action) UnmarshalJSON(b []byte) error {
	var w wireAction
	if err := strict.Decode(b, &w); err != nil {
		return err
	}
	kind := slices.Index(kindNames[1:], w.Type) + 1
	if kind < 1 {
		return &strict.Error{Pointer: "/type", Reason: fmt.Sprintf("wants a type of action, not %q", w.Type)}
	}
	out := Action{Kind: Kind(kind)}
	if err := w.keys(&out); err != nil {
		return err
	}
	if err := w.values(&out); err != nil {
		return err
	}
	*a = out
	return nil
}

// keys checks that the keys present are those of the type.
func (w *wireAction) keys(a *Action) error {
	has := fieldsOf[a.Kind]
	return strict.Keys("type "+a.Kind.String(), []strict.Key{
		{Name: "at", Set: w.At.Set, Belongs: has&hasAt != 0},
		{Name: "card", Set: w.Card.Set, Belongs: has&hasCard != 0},
		{Name: "from", Set: w.From.Set, Belongs: has&hasFrom != 0},
		{Name: "to", Set: w.To.Set, Belongs: has&hasFrom != 0},
		{Name: "edges", Set: w.Edges.Set, Belongs: has&hasEdges != 0},
		{Name: "victim", Set: w.Victim.Set, Belongs: has&hasVictim != 0},
		{Name: "from_space", Set: w.FromSpace.Set, Belongs: has&hasLeave != 0, Loose: true},
		{Name: "space", Set: w.Space.Set, Belongs: has&(hasSpace|hasRoll) != 0, Loose: has&hasSpace != 0},
		{Name: "direction", Set: w.Direction.Set, Belongs: has&hasRoll != 0},
		{Name: "count", Set: w.Count.Set, Belongs: has&hasRoll != 0},
		{Name: "seat", Set: w.Seat.Set, Belongs: has&hasSeat != 0},
		{Name: "as", Set: w.As.Set, Belongs: has&hasAs != 0},
	})
}

// values reads the values of the keys that are set.
func (w *wireAction) values(a *Action) error {
	for _, x := range []struct {
		name string
		from strict.Given[string]
		into *Hex
	}{{"at", w.At, &a.At}, {"from", w.From, &a.At}, {"to", w.To, &a.To}} {
		if !x.from.Set {
			continue
		}
		var ok bool
		if *x.into, ok = hexOf(x.from.Value); !ok {
			return &strict.Error{Pointer: "/" + x.name, Reason: fmt.Sprintf(`wants a hex, "q,r" at most two steps from "0,0", not %q`, x.from.Value)}
		}
	}
	for _, x := range []struct {
		name      string
		from      strict.Given[int8]
		into      *int8
		min, most int8
		add       int8
	}{
		{name: "victim", from: w.Victim, into: (*int8)(&a.Seat), min: 0, most: MaxSeats - 1, add: 0},
		{name: "seat", from: w.Seat, into: (*int8)(&a.Seat), min: 0, most: MaxSeats - 1, add: 0},
		{name: "space", from: w.Space, into: &a.Space, min: 0, most: maxSize - 1, add: 1},
		{name: "from_space", from: w.FromSpace, into: &a.Leave, min: 0, most: maxSize - 1, add: 1},
		{name: "count", from: w.Count, into: &a.Count, min: 1, most: maxSize, add: 0},
	} {
		if !x.from.Set {
			continue
		}
		if x.from.Value < x.min || x.from.Value > x.most {
			return &strict.Error{Pointer: "/" + x.name, Reason: fmt.Sprintf("wants %d to %d, not %d", x.min, x.most, x.from.Value)}
		}
		*x.into = x.from.Value + x.add
	}
	return w.words(a)
}

// words reads the cards, the use, the direction and the edges.
func (w *wireAction) words(a *Action) error {
	if w.Card.Set {
		var ok bool
		if a.Card, ok = cardOf(w.Card.Value); !ok {
			return &strict.Error{Pointer: "/card", Reason: fmt.Sprintf("is no card: %q", w.Card.Value)}
		}
	}
	if w.As.Set {
		i := slices.Index(asNames[1:], w.As.Value)
		if i < 0 {
			return &strict.Error{Pointer: "/as", Reason: fmt.Sprintf("wants breed, move, roll or convert, not %q", w.As.Value)}
		}
		a.As = As(i + 1)
	}
	if w.Direction.Set {
		i := slices.Index(directionNames[:], w.Direction.Value)
		if i < 0 {
			return &strict.Error{Pointer: "/direction", Reason: fmt.Sprintf("wants cw or ccw, not %q", w.Direction.Value)}
		}
		a.Way = direction(i)
	}
	if !w.Edges.Set {
		return nil
	}
	if len(w.Edges.Value) != 2 {
		return &strict.Error{Pointer: "/edges", Reason: fmt.Sprintf("wants two edges, not %d", len(w.Edges.Value))}
	}
	for i, name := range w.Edges.Value {
		var ok bool
		if a.Edges[i], ok = edgeOf(name); !ok {
			return &strict.Error{Pointer: "/edges/" + strconv.Itoa(i), Reason: fmt.Sprintf(`wants an edge, "q,r/q,r" with the smaller hex first, not %q`, name)}
		}
	}
	slices.Sort(a.Edges[:])
	return nil
}
