package molehill

import "fmt"

// Words returns the event in a sentence.
func (e Event) Words() string {
	switch e.Kind {
	case "round":
		return fmt.Sprintf("A round begins: seat %d {is} the mole, seat %d the gardener.", e.MoleSeat, 1-e.MoleSeat)
	case "played":
		return fmt.Sprintf("Seat %d %s.", e.Seat, e.Action.Words())
	case "score":
		if e.Rounds == 2 {
			return fmt.Sprintf("Round 2 is over: its mole has scored %d, that of round 1 had %d.", e.Scores[1], e.Scores[0])
		}
		return fmt.Sprintf("Round 1 is over: its mole has scored %d.", e.Scores[0])
	case "over":
		return "The match is over."
	}
	return ""
}

// Words returns what a seat does.
func (a Action) Words() string {
	switch a.Type {
	case Start:
		return fmt.Sprintf("{starts} on %s", a.At)
	case Move:
		return fmt.Sprintf("{moves} to %s", a.At)
	case Jump:
		return fmt.Sprintf("{jumps} to %s", a.At)
	case Rod:
		return fmt.Sprintf("{lays} a rod between %s and %s", a.At, other(a.At, a.Up))
	}
	return ""
}
