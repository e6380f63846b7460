package molemajority

import (
	"fmt"
	"slices"

	"github.com/molerun/molerun/engines/game"
)

// points returns the domain points of seat: its claimed hexes and home tokens; none once it is out.
func (s *State) points(seat game.Seat) int {
	n := 0
	if s.Out[seat] != 0 {
		return 0
	}
	for m := s.Claimed[seat]; m != 0; m &= m - 1 {
		n += int(s.Size[m.Lowest()])
	}
	return n + worth(s.Homes[seat])
}

// standing is what two seats are compared by, the first first.
type standing [4]int

// standing of a seat: being in, or out as late as possible; points; moles on the board; the sum of its NUMBER CARDS. Seats
// that are out are compared by nothing but when.
func (s *State) standing(seat game.Seat) standing {
	if out := s.Out[seat]; out != 0 {
		return standing{int(out)}
	}
	numbers := 0
	for c := Number4; c <= Number2; c++ {
		numbers += int(c.number()) * int(s.Hand[seat][c])
	}
	return standing{MaxSeats + 1, s.points(seat), s.BoardMoles(seat), numbers}
}

// Result ranks the seats.
func (Rules) Result(s *State) game.Result {
	out := game.Result{Why: s.Why.String()}
	var standings []standing
	for seat := range game.Seat(s.Seats) {
		standings = append(standings, s.standing(seat))
		out.Points = append(out.Points, float64(s.points(seat)))
	}
	out.Rank = game.Ranks(len(standings), func(a, b int) bool { return slices.Compare(standings[a][:], standings[b][:]) > 0 })
	return out
}

// Score returns the domain points that a view shows: claimed hexes, and the home tokens whose values it knows.
func (r Rules) Score(s *State, seat game.Seat) game.Score {
	v := r.View(s, seat)
	if seat == game.Everything {
		v = r.Open(s)
	}
	points := make([]int, len(v.Players))
	for i := range points {
		points[i] = v.points(game.Seat(i))
	}
	out := game.Score{Of: "points", Rest: "hidden home tokens", Sides: game.BySeat(points...)}
	if v.Reveal != nil {
		out.Rest = ""
	}
	return out
}

// points returns what a view shows of the points of a seat.
func (v *View) points(seat game.Seat) (n int) {
	switch {
	case v.Reveal != nil && int(seat) < len(v.Reveal.Points):
		return v.Reveal.Points[seat]
	case int(seat) >= len(v.Players) || v.Players[seat].Out:
		return 0
	}
	for _, h := range v.Hexes {
		if seatOf(h.Claim) == seat {
			n += int(h.Size)
		}
	}
	if v.Me != nil && v.Me.Seat == seat {
		for _, value := range v.Me.Homes {
			n += int(value)
		}
	}
	return n
}

// EndingWords says how a match ends.
func (Rules) EndingWords(why string) string { return endWords[why] }

// Key says who is out.
func (e outEvent) Key() string { return fmt.Sprintf("Seat %d is out", e.Seat) }

// Key says who takes a home token.
func (e homeEvent) Key() string { return fmt.Sprintf("Seat %d takes a home token", e.Seat) }

// Key describes the end.
func (e overEvent) Key() string { return game.Capitalize(endWords[e.Why]) }
