package tournament

import "github.com/molerun/molerun/engines/game"

// Placing is the ranks by seat that count after retirements: seats that played on keep their order, retired seats share
// the last place. The engine's own result stays beside it in the record.
func Placing(result game.Result, retired game.Seats) []int {
	rank := make([]int, len(result.Rank))
	for seat := range rank {
		rank[seat] = 1
		for other := range rank {
			if retired.Has(game.Seat(other)) {
				continue
			}
			if retired.Has(game.Seat(seat)) || result.Rank[other] < result.Rank[seat] {
				rank[seat]++
			}
		}
	}
	return rank
}
