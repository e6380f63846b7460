package molemajority

import (
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// Score is the domain points that a view shows: claimed hexes, and the home tokens whose values it knows.
func (Rules) Score(v View) game.Score {
	points := make([]int, len(v.Players))
	out := game.Score{Of: "points", Rest: "hidden home tokens"}
	for _, h := range v.Hexes {
		if h.Claim != nil && !v.Players[*h.Claim].Out {
			points[*h.Claim] += int(h.Size)
		}
	}
	if v.Me != nil && !v.Players[v.Me.Seat].Out {
		for _, value := range v.Me.Homes {
			points[v.Me.Seat] += int(value)
		}
	}
	if v.Reveal != nil {
		points, out.Rest = v.Reveal.Points, ""
	}
	out.Sides = game.BySeat(points...)
	return out
}

// Ending tells how a match ends.
func (Rules) Ending(why string) string { return endWords[why] }

// Key tells who is out.
func (e outEvent) Key() string { return fmt.Sprintf("Seat %d is out", e.Seat) }

// Key tells who takes a home token.
func (e homeEvent) Key() string { return fmt.Sprintf("Seat %d takes a home token", e.Seat) }

// Key tells the end.
func (e overEvent) Key() string { return game.Upper(endWords[e.Why]) }
