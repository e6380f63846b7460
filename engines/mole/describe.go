package mole

import (
	"fmt"
	"strings"
)

// headline returns where the match stands in one line.
func headline(v View) string {
	score := fmt.Sprintf("%d : %d", v.Score[0], v.Score[1])
	if v.Phase != PhaseOver.String() {
		return fmt.Sprintf("Mole, round %d of at most %d, score %s", v.Round, v.Limits.MaxRounds, score)
	}
	switch {
	case v.Score[0] > v.Score[1]:
		return "Mole, over: seat 0 wins " + score
	case v.Score[1] > v.Score[0]:
		return "Mole, over: seat 1 wins " + score
	}
	return "Mole, over: a draw, " + score
}

// status returns what is being decided and by whom.
func status(v View) string {
	switch v.Phase {
	case PhasePlace.String():
		return fmt.Sprintf("Seat %d places the mignettes in the nichee.", 1-v.MoleSeat)
	case PhaseMignettes.String():
		return fmt.Sprintf("Seat %d plays the mignettes; to play: %s.", 1-v.MoleSeat, strings.Join(v.toPlay(), " "))
	case PhaseMole.String():
		return fmt.Sprintf("Seat %d plays the mole; turn %d of %d.", v.MoleSeat, v.MoleTurns+1, v.Limits.MoleTurns)
	}
	return "The match is over."
}

func (v *View) toPlay() []string {
	var list []string
	for _, c := range v.Coins[1:] {
		if c.Alive && !c.Played {
			list = append(list, c.ID)
		}
	}
	return list
}

// Describe puts the view into words, one fact a line; lengths in millimetres.
func (Rules) Describe(v View) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("%s.", headline(v))
	say("%s", status(v))
	say("First to %d with a lead of %d. Seat %d has the mole, seat %d the mignettes.", v.Limits.Points, v.Limits.Lead, v.MoleSeat, 1-v.MoleSeat)
	for _, c := range v.Coins {
		switch {
		case !c.Alive && v.Phase == PhasePlace.String():
			say("%s: not yet placed.", c.ID)
		case !c.Alive:
			say("%s: off the board.", c.ID)
		case c.Played:
			say("%s: at %s, has played.", c.ID, inMM(c.X, c.Y))
		default:
			say("%s: at %s.", c.ID, inMM(c.X, c.Y))
		}
	}
	if v.Protected {
		say("The mole is protected: a mignette cannot knock it off a side or the back now.")
	}
	if len(v.Gad) > 0 {
		say("The mole touches %s (Gad): it may not decline, and must be flicked away.", strings.Join(v.Gad, ", "))
	}
	if v.Pending != nil {
		say("The mole has been knocked off the %s side by %s; it is lost, unless %s dies in this turn too.", v.Pending.Edge, v.Pending.By, v.Pending.By)
	}
	v.describeBoard(say)
	return b.String()
}

func inMM(x, y int32) string { return fmt.Sprintf("(%.3f, %.3f)", mm(x), mm(y)) }

func (v *View) describeBoard(say func(string, ...any)) {
	rect := func(r Rect) string { return inMM(r.From.X, r.From.Y) + " to " + inMM(r.To.X, r.To.Y) }
	b := &v.Board
	say("Board %.0f by %.0f mm; the winning line is y = %.0f, the back edge y = 0.", mm(b.W), mm(b.H), mm(b.H))
	say("Mole circle: centre %s, radius %.1f. Nichee: %s.", inMM(b.Circle.At.X, b.Circle.At.Y), mm(b.Circle.R), rect(b.Nichee))
	for _, r := range b.rosseries() {
		say("Rosserie: %s.", rect(r))
	}
	if b.HasLoup {
		say("Loup line: y = %.1f; behind it the mole may not win by crossing.", mm(b.Loup))
	}
	for _, w := range b.walls() {
		say("Wall: %s to %s.", inMM(w.A.X, w.A.Y), inMM(w.B.X, w.B.Y))
	}
	for _, p := range b.posts() {
		say("Post: %s, radius %.1f.", inMM(p.At.X, p.At.Y), mm(p.R))
	}
	if r := &b.Ramp; r.On {
		say("Ramp: %s, towards %d°, lip at %.1f, angle %.1f°.", rect(r.Rect), r.Direction/1000, mm(r.Lip), mm(r.Angle))
	}
	say("Fastest flicks: mole %d mm/s, mignettes %d mm/s. Noise: %s.", v.Limits.MoleMax, v.Limits.MignetteMax, v.noise)
}
