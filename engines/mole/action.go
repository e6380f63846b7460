package mole

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
)

// Coin names a coin. JSON: mole, m1, m2, m3.
type Coin int8

// The coins.
const (
	Mole Coin = iota
	M1
	M2
	M3
)

// Mignettes is how many there are.
const Mignettes = 3

var coinNames = [...]string{"mole", "m1", "m2", "m3"}

// String returns the word on the wire.
func (c Coin) String() string { return coinNames[c&3] }

// MarshalText writes the word.
func (c Coin) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

func parseCoin(word string) (Coin, error) {
	i := slices.Index(coinNames[:], word)
	if i < 0 {
		return 0, &strict.Error{Pointer: "/coin", Reason: fmt.Sprintf("wants mole, m1, m2 or m3, not %q", word)}
	}
	return Coin(i), nil
}

// Type is the kind of an action.
type Type uint8

// The actions: placing the mignettes, a flick, a turn declined.
const (
	Place Type = iota
	Flick
	Nasdaq
)

var typeNames = [...]string{"place", "flick", "nasdaq"}

// String returns the word on the wire.
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return "no action"
}

// maxLift is the steepest lift of a flick, and of a ramp, in mdeg.
const maxLift = 45_000

// Action is one decision. At belongs to a place; Coin to flick and nasdaq; the rest to a flick.
type Action struct {
	Type       Type
	Coin       Coin
	Taupiniere bool             // the mole means to kill exactly two
	Angle      int32            // mdeg, 0–359 999
	Speed      int32            // mm/s, at least 1
	Lift       int32            // mdeg, 0–[maxLift]
	At         [Mignettes]Point // of m1, m2, m3
}

// AppendJSON appends the wire form.
func (a Action) AppendJSON(b []byte) []byte {
	b = append(append(append(b, `{"type":"`...), a.Type.String()...), '"')
	if a.Type == Place {
		b = appendPoints(append(b, `,"at":`...), a.At[:])
		return append(b, '}')
	}
	b = game.AppendWord(b, "coin", a.Coin.String())
	if a.Type == Flick {
		b = game.AppendNumber(b, "angle_mdeg", a.Angle)
		b = game.AppendNumber(b, "speed_mm_s", a.Speed)
		b = game.AppendNumber(b, "lift_mdeg", a.Lift)
		b = strconv.AppendBool(append(b, `,"taupiniere":`...), a.Taupiniere)
	}
	return append(b, '}')
}

func appendPoint(b []byte, p Point) []byte {
	b = strconv.AppendInt(append(b, '['), int64(p.X), 10)
	b = strconv.AppendInt(append(b, ','), int64(p.Y), 10)
	return append(b, ']')
}

func appendPoints(b []byte, list []Point) []byte {
	for i, p := range list {
		b = appendPoint(append(b, "[,"[min(i, 1)]), p)
	}
	return append(b, ']')
}

// MarshalJSON writes the wire form.
func (a Action) MarshalJSON() ([]byte, error) { return a.AppendJSON(nil), nil }

// UnmarshalJSON reads the wire form and nothing else; lift_mdeg and taupiniere may be left out. What is allowed now is for
// [Rules.Legal] to say.
func (a *Action) UnmarshalJSON(b []byte) error {
	if a.readOwn(b) || a.readFlick(b) == nil { // nearly all are: read once
		return nil
	}
	word, err := typeOf(b)
	if err != nil {
		return err
	}
	switch word {
	case "place":
		var w struct {
			Type string               `json:"type"`
			At   [Mignettes]pointJSON `json:"at"`
		}
		if err := strict.Decode(b, &w); err != nil {
			return err
		}
		*a = Action{Type: Place, At: [Mignettes]Point{pointOf(w.At[0]), pointOf(w.At[1]), pointOf(w.At[2])}}
		return nil
	case "flick":
		return a.readFlick(b)
	}
	var w struct {
		Type string `json:"type"`
		Coin string `json:"coin"`
	}
	if err := strict.Decode(b, &w); err != nil {
		return err
	}
	coin, err := parseCoin(w.Coin)
	if err == nil {
		*a = Action{Type: Nasdaq, Coin: coin}
	}
	return err
}

// readOwn reads an action as AppendJSON writes it, as nearly all recorded ones are. It may read carelessly: it takes only what it
// would write itself, to the byte.
func (a *Action) readOwn(b []byte) bool {
	rest := b
	index := func(names []string) int { // of the next value that is a text
		_, rest, _ = bytes.Cut(rest, []byte(`":"`))
		var word []byte
		word, rest, _ = bytes.Cut(rest, []byte(`"`))
		return max(0, slices.Index(names, string(word)))
	}
	number := func() (n int32) {
		for len(rest) > 0 && (rest[0] < '0' || rest[0] > '9') {
			rest = rest[1:]
		}
		for ; len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9'; rest = rest[1:] {
			n = 10*n + int32(rest[0]-'0')
		}
		return n
	}
	own := Action{Type: Type(index(typeNames[:]))}
	if own.Type == Place {
		for i := range own.At {
			own.At[i] = Point{X: number(), Y: number()}
		}
	} else {
		own.Coin = Coin(index(coinNames[:]))
	}
	if own.Type == Flick {
		own.Angle, own.Speed, own.Lift = number(), number(), number()
		own.Taupiniere = bytes.HasSuffix(b, []byte("true}"))
	}
	var buffer [128]byte
	if !bytes.Equal(own.AppendJSON(buffer[:0]), b) {
		return false
	}
	*a = own
	return true
}

func (a *Action) readFlick(b []byte) error {
	var w struct {
		Type       string `json:"type"`
		Coin       string `json:"coin"`
		Angle      int32  `json:"angle_mdeg"`
		Speed      int32  `json:"speed_mm_s"`
		Lift       int32  `json:"lift_mdeg,omitempty"`
		Taupiniere bool   `json:"taupiniere,omitempty"`
	}
	if err := strict.Decode(b, &w); err != nil {
		return err
	}
	coin, err := parseCoin(w.Coin)
	if err == nil && w.Type != typeNames[Flick] {
		err = &strict.Error{Pointer: "/type", Reason: "is another"}
	}
	if err == nil {
		*a = Action{Type: Flick, Coin: coin, Angle: w.Angle, Speed: w.Speed, Lift: w.Lift, Taupiniere: w.Taupiniere}
	}
	return err
}

func typeOf(b []byte) (string, error) {
	var keys map[string]any
	if err := strict.Decode(b, &keys); err != nil {
		return "", err
	}
	word, given := keys["type"]
	name, text := word.(string)
	switch {
	case !given:
		return "", &strict.Error{Pointer: "/type", Reason: "is missing: want place, flick or nasdaq"}
	case !text || !slices.Contains(typeNames[:], name):
		return "", &strict.Error{Pointer: "/type", Reason: fmt.Sprintf("wants place, flick or nasdaq, not %v", word)}
	}
	return name, nil
}
