package tournament

// Verdict is how a match ended for a seat.
type Verdict string

// The verdicts.
const (
	Win  Verdict = "win"
	Draw Verdict = "draw"
	Loss Verdict = "loss"
)

// VerdictOf judges a seat: all points are a win, a shared best place is a draw, anything else a loss. points are the seat's
// in the standings, 0 to 1; place is its rank after retirements.
func VerdictOf(points float64, place int) Verdict {
	switch {
	case points == 1:
		return Win
	case place == 1 && points > 0:
		return Draw
	}
	return Loss
}
