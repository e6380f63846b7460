package molehill

import (
	"fmt"
	"slices"

	"github.com/molerun/molerun/engines/game/strict"
)

// Type is the kind of an action.
type Type uint8

// The actions: the mole's start, move and jump, the gardener's rod.
const (
	Start Type = iota
	Move
	Jump
	Rod
)

var (
	typeNames = [...]string{"start", "move", "jump", "rod"}
	placeKeys = [...]string{"at", "to", "to", "edge"} // the key beside "type"
)

// String returns the type's word on the wire.
func (t Type) String() string { return typeNames[t&3] }

// Action is one decision: a square to go to, or the edge between At and the square above it (Up) or to its right.
type Action struct {
	Type Type
	At   Square
	Up   bool // rods only
}

// AppendJSON appends the wire form: {"type":"start","at":"d4"}, {"type":"move","to":"e5"}, {"type":"jump","to":"a9"} or
// {"type":"rod","edge":"d5-d6"}.
func (a Action) AppendJSON(b []byte) []byte {
	b = append(append(b, `{"type":"`...), a.Type.String()...)
	b = append(append(b, `","`...), placeKeys[a.Type&3]...)
	b = append(append(b, `":"`...), a.At.String()...)
	if a.Type == Rod {
		b = append(append(b, '-'), other(a.At, a.Up).String()...)
	}
	return append(b, `"}`...)
}

// MarshalJSON writes the wire form.
func (a Action) MarshalJSON() ([]byte, error) { return a.AppendJSON(nil), nil }

// UnmarshalJSON reads the wire form and nothing else: exactly the keys of the type, names of squares that some board has.
// Whether this board has them is for [Rules.Legal] to say.
func (a *Action) UnmarshalJSON(b []byte) error {
	var keys map[string]string
	if err := strict.Decode(b, &keys); err != nil {
		return err
	}
	word, ok := keys["type"]
	if !ok {
		return &strict.Error{Pointer: "/type", Reason: "is missing: want start, move, jump or rod"}
	}
	i := slices.Index(typeNames[:], word)
	if i < 0 {
		return &strict.Error{Pointer: "/type", Reason: fmt.Sprintf("wants start, move, jump or rod, not %q", word)}
	}
	out := Action{Type: Type(i)}
	name, err := placeOf(out.Type, b)
	if err != nil {
		return err
	}
	if out.Type == Rod {
		out.At, out.Up, err = parseEdge(name)
	} else {
		out.At, err = parseSquare(name)
	}
	if err != nil {
		return &strict.Error{Pointer: "/" + placeKeys[i], Reason: err.Error()}
	}
	*a = out
	return nil
}

// placeOf reads b as an action of type t and returns the name of its place.
func placeOf(t Type, b []byte) (string, error) {
	switch t {
	case Start:
		var w struct {
			Type string `json:"type"`
			At   string `json:"at"`
		}
		err := strict.Decode(b, &w)
		return w.At, err
	case Rod:
		var w struct {
			Type string `json:"type"`
			Edge string `json:"edge"`
		}
		err := strict.Decode(b, &w)
		return w.Edge, err
	default:
		var w struct {
			Type string `json:"type"`
			To   string `json:"to"`
		}
		err := strict.Decode(b, &w)
		return w.To, err
	}
}
