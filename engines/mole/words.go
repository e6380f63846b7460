package mole

import (
	"fmt"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

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

// words returns the place in whole mm.
func (p Point) words() string { return fmt.Sprintf("(%.0f, %.0f)", mm(p.X), mm(p.Y)) }

// degrees returns an angle of so many mdeg.
func degrees(mdeg int32) string { return fmt.Sprintf("%.1f°", float64(float64(mdeg)/1000)) }

// seconds returns a time in s, as the record has it in µs.
func seconds(t float64) string { return fmt.Sprintf("%.2f s", float64(float64(micro(t, 1e6))/1e6)) }

// Words returns the event in a sentence. Lengths are in mm there, times in s.
func (e *Event) Words() string {
	coin := body(e.Coin.String())
	switch e.Kind {
	case "placed":
		return fmt.Sprintf("The mignettes are placed: %s.", places(e.Places))
	case "nasdaq":
		return game.Capitalize(coin) + " declines its flick (Nasdaq)."
	case "died":
		return game.Capitalize(coin) + " is dead."
	case "put_back":
		return fmt.Sprintf("%s is protected and is put back to %s.", game.Capitalize(coin), e.At.words())
	case "set_down":
		return fmt.Sprintf("%s is set down at %s, the nearest free place.", game.Capitalize(coin), e.At.words())
	case "flick":
		return e.flickWords()
	case "contact":
		return fmt.Sprintf("%s strikes %s after %s.", game.Capitalize(body(Coin(e.Mark.A).String())), body(struck(e.Mark)), seconds(e.Mark.T))
	case "left":
		return fmt.Sprintf("%s leaves the board over %s after %s.", game.Capitalize(coin), edges[e.Edge], seconds(e.Mark.T))
	case "rest":
		return e.restWords()
	case "round":
		return e.roundWords()
	case "swap":
		return fmt.Sprintf("The seats swap: seat %d {has} the mole now, seat %d the mignettes.", e.MoleSeat, 1-e.MoleSeat)
	case "over":
		return "The match is over."
	}
	return ""
}

func (e *Event) flickWords() string {
	out := fmt.Sprintf("%s is flicked towards %s at %.0f mm/s", game.Capitalize(body(e.Action.Coin.String())), degrees(e.Shot.Angle), mm(e.Shot.Speed))
	if e.Shot.Lift != 0 {
		out += " with a lift of " + degrees(e.Shot.Lift)
	}
	if e.Action.Taupiniere {
		out += "; it has announced a taupinière"
	}
	return out + fmt.Sprintf(" (meant: %s, %d mm/s).", degrees(e.Action.Angle), e.Action.Speed)
}

// edges are the edges of the board in a sentence.
var edges = map[Edge]string{WinningEdge: "the winning line", BackEdge: "the back edge", LeftEdge: "the left side", RightEdge: "the right side"}

func (e *Event) restWords() string {
	var list []string
	for coin, p := range e.Rest {
		if p.Alive {
			list = append(list, fmt.Sprintf("%s at %s", coinNames[coin], p.At.words()))
		}
	}
	if len(list) == 0 {
		return "No coin is left on the board."
	}
	return fmt.Sprintf("At rest: %s.", game.JoinWords(list...))
}

// winners and reasons are the ends of a round in words.
var (
	winners = map[winner]string{moleWins: "The mole wins the round", mignettesWin: "The mignettes win the round", tie: "The round is a tie"}
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

func (e *Event) roundWords() string {
	if reasons[e.Why] == "" {
		return ""
	}
	return fmt.Sprintf("%s: %s.", winners[e.Winner], reasons[e.Why])
}

// places returns the mignettes and where they are put.
func places(at [Mignettes]Point) string {
	var list []string
	for i, p := range at {
		list = append(list, fmt.Sprintf("m%d at %s", i+1, p.words()))
	}
	return game.JoinWords(list...)
}

// Words returns what a seat does.
func (a Action) Words() string {
	switch a.Type {
	case Place:
		return "{places} " + places(a.At)
	case Nasdaq:
		return "{declines} the flick of " + body(a.Coin.String())
	case Flick:
		out := fmt.Sprintf("{flicks} %s towards %s at %d mm/s", body(a.Coin.String()), degrees(a.Angle), a.Speed)
		if a.Lift != 0 {
			out += " with a lift of " + degrees(a.Lift)
		}
		if a.Taupiniere {
			out += " and {announces} a taupinière"
		}
		return out
	}
	return ""
}
