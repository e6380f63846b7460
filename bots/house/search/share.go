package search

import "github.com/molerun/molerun/engines/game"

// Shares returns what the end of a match is worth to each seat, 0 to 1, as ladders score it: the share of the other seats that
// it ranks before, ties counting half; in a team game 1 for the team that won, ½ each if both did. Where a free agent of CIA took
// the match from everybody, the seats rank by their points.
func Shares(r game.Result) []float64 {
	rank := r.Rank
	if r.Why == "free_agent" {
		rank = game.Ranks(len(r.Points), func(a, b int) bool { return r.Points[a] > r.Points[b] })
	}
	teams := len(r.Team) == len(rank) && len(rank) > 2
	shares := make([]float64, len(rank))
	for i := range rank {
		rivals := 0.0
		for j := range rank {
			if i == j || teams && r.Team[i] == r.Team[j] {
				continue
			}
			rivals++
			switch {
			case rank[i] < rank[j]:
				shares[i]++
			case rank[i] == rank[j]:
				shares[i] += 0.5
			}
		}
		shares[i] /= max(rivals, 1)
	}
	return shares
}
