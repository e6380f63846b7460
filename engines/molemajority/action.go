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

// String is the word on the wire.
func (k Kind) String() string { return kindNames[min(int(k), len(kindNames)-1)] }

// Direction is the way in which a Groundskeeper goes round a hex.
type Direction uint8

// The directions; clockwise is towards higher spaces.
const (
	CW Direction = iota
	CCW
)

var directionNames = [...]string{"cw", "ccw"}

// String is the word on the wire.
func (d Direction) String() string { return directionNames[d&1] }

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
	Way   Direction // roll
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

func appendWord(b []byte, key, word string) []byte {
	return append(append(append(append(append(b, `,"`...), key...), `":"`...), word...), '"')
}

func appendInt(b []byte, key string, n int8) []byte {
	return strconv.AppendInt(append(append(append(b, `,"`...), key...), `":`...), int64(n), 10)
}

// AppendJSON writes the action as it is on the wire.
func (a Action) AppendJSON(b []byte) []byte {
	b = append(append(append(b, `{"type":"`...), a.Kind.String()...), '"')
	has := uint16(0)
	if int(a.Kind) < len(fieldsOf) {
		has = fieldsOf[a.Kind]
	}
	if has&hasSeat != 0 {
		b = appendInt(b, "seat", int8(a.Seat))
	}
	if has&hasCard != 0 {
		b = appendWord(b, "card", a.Card.String())
	}
	if has&hasAs != 0 {
		b = appendWord(b, "as", a.As.String())
	}
	if has&hasAt != 0 {
		b = appendWord(b, "at", a.At.String())
	}
	if has&hasFrom != 0 {
		b = appendWord(appendWord(b, "from", a.At.String()), "to", a.To.String())
	}
	if has&hasEdges != 0 {
		b = append(append(append(b, `,"edges":["`...), grid.edgeName[a.Edges[0]]...), `","`...)
		b = append(append(b, grid.edgeName[a.Edges[1]]...), `"]`...)
	}
	if has&hasVictim != 0 {
		b = appendInt(b, "victim", int8(a.Seat))
	}
	if a.Leave != 0 {
		b = appendInt(b, "from_space", a.Leave-1)
	}
	if a.Space != 0 {
		b = appendInt(b, "space", a.Space-1)
	}
	if has&hasRoll != 0 {
		b = appendInt(appendWord(b, "direction", a.Way.String()), "count", a.Count)
	}
	return append(b, '}')
}

// MarshalJSON writes the action as it is on the wire.
func (a Action) MarshalJSON() ([]byte, error) { return a.AppendJSON(nil), nil }

// given is a key that may be left out but not be null.
type given[T any] struct {
	set   bool
	value T
}

func (g *given[T]) UnmarshalJSON(b []byte) error {
	g.set = true
	return strict.Decode(b, &g.value)
}

type wireAction struct {
	Type      string          `json:"type"`
	At        given[string]   `json:"at,omitempty"`
	Card      given[string]   `json:"card,omitempty"`
	From      given[string]   `json:"from,omitempty"`
	To        given[string]   `json:"to,omitempty"`
	Edges     given[[]string] `json:"edges,omitempty"`
	Victim    given[int8]     `json:"victim,omitempty"`
	FromSpace given[int8]     `json:"from_space,omitempty"`
	Space     given[int8]     `json:"space,omitempty"`
	Direction given[string]   `json:"direction,omitempty"`
	Count     given[int8]     `json:"count,omitempty"`
	Seat      given[int8]     `json:"seat,omitempty"`
	As        given[string]   `json:"as,omitempty"`
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
	out := Action{Kind: Kind(kind)} //nolint:gosec // at most 13
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
	for _, key := range []struct {
		name  string
		of    uint16
		set   bool
		loose bool
	}{
		{"at", hasAt, w.At.set, false},
		{"card", hasCard, w.Card.set, false},
		{"from", hasFrom, w.From.set, false},
		{"to", hasFrom, w.To.set, false},
		{"edges", hasEdges, w.Edges.set, false},
		{"victim", hasVictim, w.Victim.set, false},
		{"from_space", hasLeave, w.FromSpace.set, true},
		{"space", hasSpace | hasRoll, w.Space.set, has&hasSpace != 0},
		{"direction", hasRoll, w.Direction.set, false},
		{"count", hasRoll, w.Count.set, false},
		{"seat", hasSeat, w.Seat.set, false},
		{"as", hasAs, w.As.set, false},
	} {
		if key.set && key.of&has == 0 {
			return &strict.Error{Pointer: "/" + key.name, Reason: "does not belong to type " + a.Kind.String()}
		}
		if !key.set && key.of&has != 0 && !key.loose {
			return &strict.Error{Pointer: "/" + key.name, Reason: "is missing"}
		}
	}
	return nil
}

// values reads the values of the keys that are set.
func (w *wireAction) values(a *Action) error {
	for _, x := range []struct {
		name string
		from given[string]
		into *Hex
	}{{"at", w.At, &a.At}, {"from", w.From, &a.At}, {"to", w.To, &a.To}} {
		if !x.from.set {
			continue
		}
		var ok bool
		if *x.into, ok = hexOf(x.from.value); !ok {
			return &strict.Error{Pointer: "/" + x.name, Reason: fmt.Sprintf(`wants a hex, "q,r" at most two steps from "0,0", not %q`, x.from.value)}
		}
	}
	for _, x := range []struct {
		name      string
		from      given[int8]
		into      *int8
		min, most int8
		add       int8
	}{
		{"victim", w.Victim, (*int8)(&a.Seat), 0, MaxSeats - 1, 0},
		{"seat", w.Seat, (*int8)(&a.Seat), 0, MaxSeats - 1, 0},
		{"space", w.Space, &a.Space, 0, maxSize - 1, 1},
		{"from_space", w.FromSpace, &a.Leave, 0, maxSize - 1, 1},
		{"count", w.Count, &a.Count, 1, maxSize, 0},
	} {
		if !x.from.set {
			continue
		}
		if x.from.value < x.min || x.from.value > x.most {
			return &strict.Error{Pointer: "/" + x.name, Reason: fmt.Sprintf("wants %d to %d, not %d", x.min, x.most, x.from.value)}
		}
		*x.into = x.from.value + x.add
	}
	return w.words(a)
}

// words reads the cards, the use, the direction and the edges.
func (w *wireAction) words(a *Action) error {
	if w.Card.set {
		var ok bool
		if a.Card, ok = cardOf(w.Card.value); !ok {
			return &strict.Error{Pointer: "/card", Reason: fmt.Sprintf("is no card: %q", w.Card.value)}
		}
	}
	if w.As.set {
		i := slices.Index(asNames[1:], w.As.value)
		if i < 0 {
			return &strict.Error{Pointer: "/as", Reason: fmt.Sprintf("wants breed, move, roll or convert, not %q", w.As.value)}
		}
		a.As = As(i + 1) //nolint:gosec // at most 4
	}
	if w.Direction.set {
		i := slices.Index(directionNames[:], w.Direction.value)
		if i < 0 {
			return &strict.Error{Pointer: "/direction", Reason: fmt.Sprintf("wants cw or ccw, not %q", w.Direction.value)}
		}
		a.Way = Direction(i) //nolint:gosec // at most 1
	}
	if !w.Edges.set {
		return nil
	}
	if len(w.Edges.value) != 2 {
		return &strict.Error{Pointer: "/edges", Reason: fmt.Sprintf("wants two edges, not %d", len(w.Edges.value))}
	}
	for i, name := range w.Edges.value {
		var ok bool
		if a.Edges[i], ok = edgeOf(name); !ok {
			return &strict.Error{Pointer: "/edges/" + strconv.Itoa(i), Reason: fmt.Sprintf(`wants an edge, "q,r/q,r" with the smaller hex first, not %q`, name)}
		}
	}
	slices.Sort(a.Edges[:])
	return nil
}
