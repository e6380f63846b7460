package search

import "github.com/molerun/molerun/engines/game"

// Shares returns [game.Result.Shares]. Where a free agent of CIA took the match from everybody, the seats rank by their points.
func Shares(r game.Result) []float64 {
	if r.Why == "free_agent" {
		r.Rank = game.Ranks(len(r.Points), func(a, b int) bool { return r.Points[a] > r.Points[b] })
	}
	return r.Shares()
}
