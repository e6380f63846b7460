package mole

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// The events as they are read back; each tells itself in a sentence. Lengths are in mm there, times in s.
type (
	placedEvent struct {
		Kind string `json:"kind"`
		At   []spot `json:"at"`
	}
	coinEvent struct { // nasdaq, died
		Kind string `json:"kind"`
		Coin string `json:"coin"`
	}
	movedEvent struct { // put_back, set_down
		Kind string `json:"kind"`
		Coin string `json:"coin"`
		At   spot   `json:"at_um"`
	}
	flickEvent struct {
		Kind     string `json:"kind"`
		Intended Action `json:"intended"`
		Executed struct {
			Coin  string `json:"coin"`
			Angle int32  `json:"angle_mdeg"`
			Speed int32  `json:"speed_um_s"`
			Lift  int32  `json:"lift_mdeg"`
		} `json:"executed"`
		Segments json.RawMessage `json:"segments"` // the drawing shows them
	}
	contactEvent struct {
		Kind string `json:"kind"`
		T    int64  `json:"t_us"`
		A    string `json:"a"`
		B    string `json:"b"`
	}
	leftEvent struct {
		Kind string `json:"kind"`
		Coin string `json:"coin"`
		Edge string `json:"edge"`
		T    int64  `json:"t_us"`
	}
	restEvent struct {
		Kind      string `json:"kind"`
		Positions []struct {
			Coin string `json:"coin"`
			X    int32  `json:"x_um"`
			Y    int32  `json:"y_um"`
		} `json:"positions"`
	}
	roundEvent struct {
		Kind   string `json:"kind"`
		Winner string `json:"winner"`
		Why    string `json:"why"`
	}
	swapEvent struct {
		Kind     string    `json:"kind"`
		MoleSeat game.Seat `json:"mole_seat"`
	}
	overEvent struct {
		Kind string `json:"kind"`
	}
)

// Tell is an event in a sentence.
func (Rules) Tell(event json.RawMessage) string {
	switch game.KindOf(event) {
	case "placed":
		return game.Told[placedEvent](event)
	case "nasdaq", "died":
		return game.Told[coinEvent](event)
	case "put_back", "set_down":
		return game.Told[movedEvent](event)
	case "flick":
		return game.Told[flickEvent](event)
	case "contact":
		return game.Told[contactEvent](event)
	case "left":
		return game.Told[leftEvent](event)
	case "rest":
		return game.Told[restEvent](event)
	case "round":
		return game.Told[roundEvent](event)
	case "swap":
		return game.Told[swapEvent](event)
	case "over":
		return game.Told[overEvent](event)
	}
	return ""
}

// body names a coin, a wall or a post in a sentence: the mole, mignette m1, wall 2.
func body(word string) string {
	for _, kind := range []string{"wall", "post"} {
		if n, ok := strings.CutPrefix(word, kind); ok {
			return kind + " " + n
		}
	}
	if word == Mole.String() {
		return "the mole"
	}
	return "mignette " + word
}

// spot is a place in µm.
type spot [2]int32

// String is the place in whole mm.
func (p spot) String() string { return fmt.Sprintf("(%.0f, %.0f)", mm(p[0]), mm(p[1])) }

// degrees is an angle of so many mdeg.
func degrees(mdeg int32) string { return fmt.Sprintf("%.1f°", float64(float64(mdeg)/1000)) }

// seconds are µs as s.
func seconds(us int64) string { return fmt.Sprintf("%.2f s", float64(float64(us)/1e6)) }

func (e placedEvent) Words() string {
	var list []string
	for i, at := range e.At {
		list = append(list, fmt.Sprintf("m%d at %s", i+1, at))
	}
	return fmt.Sprintf("The mignettes are placed: %s.", game.And(list...))
}

func (e coinEvent) Words() string {
	if e.Kind == "died" {
		return game.Upper(body(e.Coin)) + " is dead."
	}
	return game.Upper(body(e.Coin)) + " declines its flick (Nasdaq)."
}

func (e movedEvent) Words() string {
	if e.Kind == "put_back" {
		return fmt.Sprintf("%s is protected and is put back to %s.", game.Upper(body(e.Coin)), e.At)
	}
	return fmt.Sprintf("%s is set down at %s, the nearest free place.", game.Upper(body(e.Coin)), e.At)
}

func (e flickEvent) Words() string {
	x := &e.Executed
	out := fmt.Sprintf("%s is flicked towards %s at %.0f mm/s", game.Upper(body(x.Coin)), degrees(x.Angle), mm(x.Speed))
	if x.Lift != 0 {
		out += " with a lift of " + degrees(x.Lift)
	}
	if e.Intended.Taupiniere {
		out += "; it has announced a taupinière"
	}
	return out + fmt.Sprintf(" (meant: %s, %d mm/s).", degrees(e.Intended.Angle), e.Intended.Speed)
}

func (e contactEvent) Words() string {
	return fmt.Sprintf("%s strikes %s after %s.", game.Upper(body(e.A)), body(e.B), seconds(e.T))
}

// edges are the edges of the board in a sentence.
var edges = map[string]string{
	WinningEdge.String(): "the winning line", BackEdge.String(): "the back edge", LeftEdge.String(): "the left side", RightEdge.String(): "the right side",
}

func (e leftEvent) Words() string {
	return fmt.Sprintf("%s leaves the board over %s after %s.", game.Upper(body(e.Coin)), edges[e.Edge], seconds(e.T))
}

func (e restEvent) Words() string {
	var list []string
	for _, p := range e.Positions {
		list = append(list, fmt.Sprintf("%s at %s", p.Coin, spot{p.X, p.Y}))
	}
	if len(list) == 0 {
		return "No coin is left on the board."
	}
	return fmt.Sprintf("At rest: %s.", game.And(list...))
}

// winners and reasons are the ends of a round in words.
var (
	winners = map[string]string{MoleWins.String(): "The mole wins the round", MignettesWin.String(): "The mignettes win the round", Tie.String(): "The round is a tie"}
	reasons = map[string]string{
		"winning_gad": "a mignette rests on the mole (winning Gad)", "no_direction": "the mole has no direction to be flicked in",
		"knocked_over_line": "the mole was knocked over the winning line", "knocked_off_back": "the mole was knocked off the back",
		"knocked_off_side": "the mole was knocked off a side", "knocker_died": "the mignette that knocked the mole off a side died in the same turn",
		"recompense": "the mole was knocked off and all mignettes died with it (recompense)", "mignettes_dead": "all mignettes are dead",
		"crossed": "the mole has crossed the winning line", "crossed_from_zone": "the mole crossed the winning line from a zone",
		"crossed_killing": "the mole crossed the winning line and killed in the same flick", "crossed_taupiniere": "the mole crossed the winning line in a taupinière",
		"crossed_from_behind_loup": "the mole crossed the winning line from behind the Loup line", "left_over_back": "the mole left over the back",
		"left_over_side": "the mole left over a side", "killed_too_many": "the mole killed more than one without a taupinière",
		"taupiniere_missed": "the mole did not kill exactly two in its taupinière", "last_killed": "the mole has killed the last mignette",
		"mole_turns": "the mole has used all its turns",
	}
)

func (e roundEvent) Words() string {
	if winners[e.Winner] == "" || reasons[e.Why] == "" {
		return ""
	}
	return fmt.Sprintf("%s: %s.", winners[e.Winner], reasons[e.Why])
}

func (e swapEvent) Words() string {
	return fmt.Sprintf("The seats swap: seat %d has the mole now, seat %d the mignettes.", e.MoleSeat, 1-e.MoleSeat)
}

func (overEvent) Words() string { return "The match is over." }

// Words is what a seat does.
func (a Action) Words() string {
	switch a.Type {
	case Place:
		var list []string
		for i, p := range a.At {
			list = append(list, fmt.Sprintf("m%d at %s", i+1, spot{p.X, p.Y}))
		}
		return "places " + game.And(list...)
	case Nasdaq:
		return "declines the flick of " + body(a.Coin.String())
	case Flick:
		out := fmt.Sprintf("flicks %s towards %s at %d mm/s", body(a.Coin.String()), degrees(a.Angle), a.Speed)
		if a.Lift != 0 {
			out += " with a lift of " + degrees(a.Lift)
		}
		if a.Taupiniere {
			out += " and announces a taupinière"
		}
		return out
	}
	return ""
}
