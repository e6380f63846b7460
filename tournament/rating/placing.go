package rating

import "github.com/molerun/molerun/engines/game"

// Placing returns the rank of each seat after retirement: 1 + the number of seats placed before it, ties sharing. A retired
// seat is placed below all who were not retired; several retired seats tie in the last place, whatever the house made of
// them. If nobody retired, the engine's ranks are returned as they are. result is not changed.
func Placing(result game.Result, retired game.Seats) []int {
	rank := append([]int(nil), result.Rank...)
	if retired&game.FirstSeats(len(rank)) == 0 {
		return rank
	}
	out := func(i int) bool { return retired.Has(game.Seat(i)) } //nolint:gosec // at most game.MaxSeats seats
	before := func(i, j int) bool {
		return !out(i) && (out(j) || result.Rank[i] < result.Rank[j])
	}
	for j := range rank {
		rank[j] = 1
		for i := range result.Rank {
			if before(i, j) {
				rank[j]++
			}
		}
	}
	return rank
}

// Points returns what a match is worth in the standings, by seat, 0 to 1. For two seats: win 1, draw 1/2, loss 0. For more:
// the share of the other seats that it beat, ties counting 1/2, by [Placing]. In a team game: 1 for the team that won, 0
// for the other, 1/2 each if they share the rank; a retired seat has 0 and does not change what the others have.
func Points(result game.Result, retired game.Seats) []float64 {
	n := len(result.Rank)
	points := make([]float64, n)
	if n > 2 && len(result.Team) == n {
		for i := range points {
			if !retired.Has(game.Seat(i)) { //nolint:gosec // at most game.MaxSeats seats
				points[i] = teamScore(result, i)
			}
		}
		return points
	}
	place := Placing(result, retired)
	for i := range points {
		for j := range place {
			if j != i {
				points[i] += versus(place[i], place[j])
			}
		}
		points[i] /= float64(n - 1)
	}
	return points
}

// teamScore returns what the team of seat i scored against the other team.
func teamScore(result game.Result, i int) float64 {
	for j, team := range result.Team {
		if team != result.Team[i] {
			return versus(result.Rank[i], result.Rank[j])
		}
	}
	return 0
}

// versus returns the score of a place against another: 1, 1/2 or 0; a lower place number is better.
func versus[N int | float64](a, b N) float64 {
	switch {
	case a < b:
		return 1
	case a == b:
		return .5
	default:
		return 0
	}
}
