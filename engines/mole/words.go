package mole

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole/coins"
)

// body names a coin, a wall or a post in a sentence: the mole, m1, wall 2.
func body(word string) string {
	for _, kind := range []string{"wall", "post"} {
		if n, ok := strings.CutPrefix(word, kind); ok {
			return kind + " " + n
		}
	}
	if word == Mole.String() {
		return "the mole"
	}
	return "mignette " + strings.TrimPrefix(word, "m")
}

// begin puts a coin at the beginning of a sentence.
func begin(coin Coin) string { return game.Capitalize(body(coin.String())) }

// words returns the place in whole mm.
func (p Point) words() string { return fmt.Sprintf("(%.0f, %.0f)", mm(p.X), mm(p.Y)) }

// degrees returns an angle of so many mdeg.
func degrees(mdeg int32) string { return fmt.Sprintf("%.1f°", float64(float64(mdeg)/1000)) }

// ways are the directions of the board as it is drawn, with the winning line on top, by eighths of a turn from the right.
var ways = [...]string{"to the right", "up to the right", "up", "up to the left", "to the left", "down to the left", "down", "down to the right"}

// way returns a direction as it is seen on the board.
func way(mdeg int32) string { return ways[(mdeg+coins.FullTurn/16)/(coins.FullTurn/8)%8] }

// speed returns so many mm/s in words, the unit in which people fill speeds in; slow ones are no "0 mm/s".
func speed(v float64) string {
	if v < 100 {
		return strconv.FormatFloat(v, 'g', 2, 64) + " mm/s"
	}
	return fmt.Sprintf("%.0f mm/s", v)
}

// Words returns the event in a sentence, by what is seen on the board: the JSON has every place and time.
func (e *Event) Words() string {
	coin := begin(e.Coin)
	switch e.Kind {
	case "placed":
		return "The mignettes are placed in the nichee."
	case "nasdaq":
		return coin + " declines its flick (Nasdaq)."
	case "died":
		return coin + " is dead."
	case "put_back":
		return coin + " was protected and is put back."
	case "set_down":
		return coin + " is set down on the nearest free place."
	case "flick":
		return e.flickWords()
	case "contact":
		return fmt.Sprintf("%s hits %s.", begin(Coin(e.Mark.A)), body(struck(e.Mark)))
	case "left":
		return fmt.Sprintf("%s goes %s.", coin, edges[e.Edge])
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

// flickWords says how a coin is flicked and what becomes of it: "m3 is flicked down at 1.2 m/s and knocks the mole off the back."
func (e *Event) flickWords() string {
	did := []string{fmt.Sprintf("is flicked %s at %s", way(e.Shot.Angle), speed(mm(e.Shot.Speed)))}
	if e.Shot.Lift != 0 {
		did[0] += " through the air"
	}
	left := map[Coin]coins.Edge{}
	for _, m := range e.Marks {
		if m.Kind == coins.MarkLeft {
			left[Coin(m.A)] = m.Edge
		}
	}
	var hits []string
	hit := map[Coin]bool{e.Action.Coin: true}
	for _, m := range e.Marks {
		if m.Kind == coins.MarkLeft || m.B < 0 || Coin(m.A) != e.Action.Coin || hit[Coin(m.B)] {
			continue
		}
		coin := Coin(m.B)
		hit[coin] = true
		if edge, gone := left[coin]; gone {
			did = append(did, fmt.Sprintf("knocks %s %s", body(coin.String()), edges[edge]))
		} else {
			hits = append(hits, body(coin.String()))
		}
	}
	if len(hits) > 0 {
		did = append(did, "hits "+game.JoinWords(hits...))
	}
	if edge, gone := left[e.Action.Coin]; gone {
		did = append(did, "goes "+edges[edge])
	}
	out := begin(e.Action.Coin) + " " + game.JoinWords(did...)
	if e.Action.Taupiniere {
		out += "; it had announced a taupinière, to kill exactly two"
	}
	return out + "."
}

// edges say where a coin leaves the board.
var edges = map[coins.Edge]string{coins.Winning: "over the winning line", coins.Back: "off the back", coins.Left: "off the left side", coins.Right: "off the right side"}

func (e *Event) restWords() string {
	var list []string
	for coin, p := range e.Rest {
		if p.Alive {
			list = append(list, body(coinNames[coin]))
		}
	}
	if len(list) == 0 {
		return "No coin is left on the board."
	}
	return fmt.Sprintf("On the board: %s.", game.JoinWords(list...))
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
		"crossed_from_behind_loup": "the mole crossed the winning line from behind the Loup line", "left_over_back": "the mole went off the back by its own flick",
		"left_over_side": "the mole went off a side by its own flick", "killed_too_many": "the mole killed more than one without a taupinière",
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
		list = append(list, fmt.Sprintf("mignette %d at %s", i+1, p.words()))
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
